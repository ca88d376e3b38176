"""Modules and functions stay small enough to be read at once."""

import ast

from tests.project.sources import MODULES, name_of

MODULE_LINES = 400
FUNCTION_LINES = 40


def test_modules_are_short() -> None:
    sizes = {name_of(path): len(path.read_text().splitlines()) for path in MODULES}
    assert {name: lines for name, lines in sizes.items() if lines > MODULE_LINES} == {}


def test_functions_are_short() -> None:
    sizes = {
        f"{name_of(path)}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: lines for name, lines in sizes.items() if lines > FUNCTION_LINES} == {}
