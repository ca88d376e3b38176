"""What import-linter cannot say: the engine needs nothing but msgspec and the standard library."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.project.sources import MODULES, ROOT, name_of

ALLOWED = sys.stdlib_module_names | {"engine", "msgspec"}


def imported(path: Path) -> Iterator[str]:
    """The top-level name of every module a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def test_the_engine_imports_msgspec_only() -> None:
    foreign = {
        f"{name_of(path)}: {name}"
        for path in MODULES
        if path.is_relative_to(ROOT / "engine")
        for name in imported(path)
        if name not in ALLOWED
    }
    assert foreign == set()
