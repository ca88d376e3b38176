"""Commands of the documents, held against the command line and the Makefile without running them."""

import re
import shlex
from contextlib import suppress
from itertools import takewhile

import click

from service.cli.commands import cantiere
from service.settings import Settings, variable_of
from tests.project.sources import ROOT

HERE = "http://127.0.0.1:8000"
TARGETS = frozenset(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
SOME_FILE = str(ROOT / "README.md")
VALUES = {
    "<id>": "a" * 24,
    "URL": HERE,
    "...": HERE,
    **dict.fromkeys(("FILE", "box.toml", "./cup/record.json"), SOME_FILE),
}
"""What a reader has, or puts in the place of these words."""
PROGRAMS = ("cantiere", "make")
VARIABLES = frozenset(map(variable_of, Settings.__struct_fields__))


def check_commands(text: str) -> None:
    """Each line is a command that would be taken, and there is one."""
    commands = [words for line in text.splitlines() if (words := shlex.split(line, comments=True))]
    assert commands
    for words in commands:
        check_command(words)


def check_command(words: list[str]) -> None:
    """These are words of a command that would be taken. Raises AssertionError, click.ClickException."""
    program, *rest = takewhile(lambda word: word not in (">", "|"), without_variables(words))
    if program == "make":
        assert rest
        assert set(rest) <= TARGETS
        return
    assert program == "cantiere", f"{program} is neither parsed nor listed"
    command: click.Command = cantiere
    while isinstance(command, click.Group) and rest:
        found = command.get_command(click.Context(command), rest[0])
        assert found is not None, f"there is no {rest[0]}"
        command, rest = found, rest[1:]
    if rest:  # else it is only named
        with suppress(click.exceptions.Exit):  # of --help
            context = command.make_context(program, [VALUES.get(word, word) for word in rest])
            context.close()


def without_variables(words: list[str]) -> list[str]:
    """The words of a command from the program on, which may have its path."""
    names = list(takewhile(lambda word: re.match(r"[A-Z_]+=", word), words))
    program, *rest = words[len(names) :] or ("",)
    return [program.removeprefix(".venv/bin/"), *rest]
