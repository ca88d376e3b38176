"""Every paragraph of RULES.md has its line in RULINGS.md, and what that names exists."""

import re
from importlib import import_module
from importlib.resources import files
from pathlib import Path

FOLDER = files("engine.torri_di_bologna")
RULES = FOLDER.joinpath("RULES.md").read_text()
LINES = [
    [field.strip() for field in line.strip("|").split("|")]
    for line in FOLDER.joinpath("RULINGS.md").read_text().splitlines()
    if line.startswith(("| TB-", "| section"))
]
TESTS = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))


def test_every_paragraph_has_a_line() -> None:
    paragraphs = re.findall(r"^- \*\*(TB-[\d.]+)", RULES, re.MULTILINE)
    assert len(paragraphs) == 29
    assert [line[0] for line in LINES if line[0].startswith("TB-")] == paragraphs


def test_every_function_exists() -> None:
    for _, functions, *_ in LINES:
        for module, function in re.findall(r"`(\w+)\.(\w+)`", functions):
            name = "engine.torri_di_bologna" + ("" if module == "__init__" else f".{module}")
            assert hasattr(import_module(name), function), function


def test_every_ruling_says_where_another_reading_would_be_put_in() -> None:
    texts = re.split(r"^(?=- \*\*TB-)", RULES, flags=re.MULTILINE)[1:]
    ruled = {
        re.findall(r"TB-[\d.]+", text)[0]
        for text in texts
        if re.search(r"^- \*\*TB-[\d.]+ [^*]*R\*\*|\*\*R\*\*", text)
    }
    assert len(ruled) > 15
    for rule, *_, otherwise in LINES:
        assert otherwise or rule not in ruled, rule
        for module, name in re.findall(r"`(\w+)\.(?!py`)(\w+)`", otherwise):
            assert hasattr(import_module(f"engine.torri_di_bologna.{module}"), name), (rule, name)
        for file in re.findall(r"`(\w+\.py)`", otherwise):
            assert FOLDER.joinpath(file).is_file(), (rule, file)


def test_every_test_exists_and_is_named_after_the_rule() -> None:
    for rule, _, tests, *_ in LINES:
        names = re.findall(r"`(test_\w+)`", tests)
        assert all(f"def {name}(" in TESTS for name in names), names
        if rule.startswith("TB-"):
            slug = rule.lower().replace("-", "_").replace(".", "_")
            assert names
            assert all(name.startswith(f"test_{slug}_") for name in names)


def test_every_rule_cited_in_the_code_is_one() -> None:
    cited = set[str]()
    for path in Path(str(FOLDER)).glob("*.py"):
        cited |= set(re.findall(r"TB-\d+\.\d+", path.read_text()))
    assert cited <= set(re.findall(r"TB-\d+\.\d+", RULES))
