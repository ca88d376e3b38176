"""Every command explains itself."""

import click
import msgspec
import pytest
from click.testing import CliRunner
from rich_click import RichArgument

from engine.registry import GAMES
from service.cli.command import Command, Group
from service.cli.commands import MODULES
from service.cli.commands import cantiere as group
from service.cli.exits import FAILED
from tests.cli.running import cantiere


def command_named(name: str) -> click.Command:
    """The command of a name, or of a group and a name in it."""
    command: click.Command = group
    for word in name.split():
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), word)
        assert found is not None
        command = found
    return command


GROUPS = {name: found for name in MODULES if isinstance(found := command_named(name), click.Group)}
COMMANDS = (*MODULES, *(f"{name} {inner}" for name, found in GROUPS.items() for inner in found.commands))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_renders(name: str) -> None:
    ran = CliRunner().invoke(
        group, [*name.split(), "--help"], prog_name="cantiere", env={"COLUMNS": "100"}, catch_exceptions=False
    )
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert f"Usage: cantiere {name}" in ran.stdout
    examples = ran.stdout.partition("Examples:")[2].strip().splitlines()
    assert any(f"cantiere {name}" in example for example in examples)


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_fit_a_terminal(name: str) -> None:
    command = command_named(name)
    assert isinstance(command, Command | Group)
    assert max(map(len, command.examples)) <= 76


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_described_with_its_default(name: str) -> None:
    for option in command_named(name).params:
        if isinstance(option, RichArgument):
            assert option.help
        if isinstance(option, click.Option) and not option.required:
            assert option.help
            told = option.show_default or "default" in option.help or option.multiple or "env:" in option.help
            assert told, f"{name} {option.name} does not say its default"


def test_the_list_of_commands_has_a_line_for_each() -> None:
    ran = cantiere("--help")
    assert ran.returncode == 0
    for name in MODULES:
        summary = (command_named(name).help or "").partition(",")[0].partition(".")[0]
        assert name in ran.stdout
        assert summary.split("\n")[0][:40] in ran.stdout


def test_the_version_is_that_of_the_distribution() -> None:
    assert cantiere("--version").stdout.startswith("cantiere 0.")


def test_without_a_command_the_help_is_shown() -> None:
    ran = cantiere()
    assert ran.returncode != FAILED
    assert "Usage: cantiere" in ran.stdout + ran.stderr


@pytest.mark.parametrize("slug", GAMES)
def test_games_lists_every_game_with_its_seats_and_options(slug: str) -> None:
    game = GAMES[slug]
    ran = cantiere("games", slug)
    assert ran.returncode == 0
    assert ran.stdout.startswith(f"{slug}: {game.title}\nseats {', '.join(map(str, game.seats))};")
    listed = {line.split()[0] for line in ran.stdout.splitlines() if line.startswith("  ") and line[2] != " "}
    defaults = msgspec.to_builtins(msgspec.convert({}, game.options_type))
    names = {(name, *inner) for name, default in defaults.items() for inner in inner_names(default)}
    assert listed == {"option"} | {".".join(name) for name in names}


def inner_names(default: object) -> list[tuple[str, ...]]:
    """The names in a group of options, or one that is empty for a single option."""
    return [(name,) for name in default] if isinstance(default, dict) else [()]


def test_openapi_prints_the_document() -> None:
    assert cantiere("openapi").stdout.startswith("{")
