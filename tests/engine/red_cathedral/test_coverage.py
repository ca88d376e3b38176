"""Every paragraph of the rules and every worked example has a test that bears its id in its name."""

import ast
import re
from importlib import resources
from pathlib import Path

import pytest

RULES = resources.files("engine.red_cathedral").joinpath("RULES.md").read_text()
RULE_IDS = sorted(set(re.findall(r"\*\*(RC-\d+\.\d+)\b", RULES)))
EXAMPLES = sorted(set(re.findall(r"\*\*(E\d+)\*\*", RULES)))
HOUSE_RULES = re.findall(r"^\| `(\w+)` \|", RULES.partition("## 11")[2], re.MULTILINE)

TESTS = [
    node.name
    for path in sorted(Path(__file__).parent.glob("test_*.py"))
    for node in ast.walk(ast.parse(path.read_text()))
    if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
]


def test_the_rules_have_the_ids_we_look_for() -> None:
    assert len(RULE_IDS) == 66
    assert sorted(f"E{number}" for number in range(1, 14)) == EXAMPLES
    assert len(HOUSE_RULES) == 7


@pytest.mark.parametrize("rule", RULE_IDS)
def test_every_rule_has_a_test(rule: str) -> None:
    words = rule.lower().replace("-", "_").replace(".", "_")
    assert [name for name in TESTS if re.match(f"test_{words}_", name)]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_has_a_test(example: str) -> None:
    assert [name for name in TESTS if name.startswith(f"test_{example.lower()}_")]


@pytest.mark.parametrize("option", HOUSE_RULES)
def test_every_house_rule_has_a_test(option: str) -> None:
    assert [name for name in TESTS if name.startswith(f"test_{option}_")]


def test_no_name_of_a_test_stands_twice_in_a_file() -> None:
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        names = [node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
        assert len(names) == len(set(names)), path.name
