"""Every paragraph of RULES.md has its line in RULINGS.md, and what that names exists."""

import re
from importlib import import_module
from importlib.resources import files
from pathlib import Path

from engine.red_cathedral.options import HouseRules

FOLDER = files("engine.red_cathedral")
RULES = FOLDER.joinpath("RULES.md").read_text()
TABLES = [
    [field.strip() for field in line.strip("|").split("|")]
    for line in FOLDER.joinpath("RULINGS.md").read_text().splitlines()
    if re.match(r"\| (RC-|`)", line)
]
HERE = Path(__file__).parent


def test_every_paragraph_has_a_line() -> None:
    paragraphs = re.findall(r"^- \*\*(RC-[\d.]+)", RULES, re.MULTILINE)
    assert len(paragraphs) == 66
    assert [line[0] for line in TABLES if line[0].startswith("RC-")] == paragraphs


def test_every_house_rule_has_a_line() -> None:
    named = [line[0].strip("`") for line in TABLES if line[0].startswith("`")]
    assert named == list(HouseRules.__struct_fields__)


def test_every_function_exists() -> None:
    for rule, functions, *_ in TABLES:
        named = re.findall(r"`(\w+)\.(\w+)`", functions)
        assert named, rule
        for module, function in named:
            assert hasattr(import_module(f"engine.red_cathedral.{module}"), function), (rule, function)


def test_every_ruling_says_where_another_reading_would_be_put_in() -> None:
    texts = re.split(r"^(?=- \*\*RC-)", RULES.partition("\n## 9 ")[0], flags=re.MULTILINE)[1:]
    ruled = {
        re.findall(r"RC-[\d.]+", text)[0]
        for text in texts
        if re.search(r"^- \*\*RC-[\d.]+ [^*]*[RX]\*\*|\*\*[RX]\*\*", text)
    }
    assert len(ruled) > 25
    for rule, *_, otherwise in TABLES:
        assert otherwise or rule not in ruled, rule
        for module, name in re.findall(r"`(\w+)\.(?!py`)(\w+)[.\w]*`", otherwise):
            assert hasattr(import_module(f"engine.red_cathedral.{module}"), name), (rule, name)
        for file in re.findall(r"`(\w+\.py)`", otherwise):
            assert FOLDER.joinpath(file).is_file(), (rule, file)


def test_every_test_exists_and_is_named_after_the_rule() -> None:
    for rule, _, tests, *_ in TABLES:
        named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", tests)
        assert named, rule
        for file, test in named:
            assert f"def {test}(" in (HERE / file).read_text(), (rule, test)
            slug = rule.strip("`").lower().replace("-", "_").replace(".", "_")
            assert test.startswith(f"test_{slug}_")


def test_every_rule_cited_in_the_code_is_one() -> None:
    cited = set[str]()
    for path in Path(str(FOLDER)).glob("*.py"):
        cited |= set(re.findall(r"RC-\d+\.\d+", path.read_text()))
    assert cited <= set(re.findall(r"RC-\d+\.\d+", RULES))
