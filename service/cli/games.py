"""`cantiere games`: which games there are."""

from typing import Any

import msgspec
import rich_click as click
from rich.padding import Padding
from rich.text import Text

from engine.match import AnyGame
from engine.registry import GAMES
from service.cli.command import Command
from service.cli.output import out
from service.cli.parameters import EXAMPLE, GameName


@click.command(
    "games",
    cls=Command,
    examples=(
        "cantiere games",
        f"cantiere games {EXAMPLE}",
    ),
)
@click.argument("games", type=GameName(), nargs=-1, metavar="[GAME]...", help="Which games.  [default: all]")
def command(games: tuple[AnyGame, ...]) -> None:
    """List the games with their seats and options: names, defaults, allowed values.

    With names of games: only these. Options are given to `cantiere play` by `-o NAME=VALUE`.
    """
    for game in games or GAMES.values():
        out.print(Text(f"{game.slug}: {game.title}", "bold"))
        seats = ", ".join(map(str, game.seats))
        out.print(
            f"seats {seats}; rules {game.rules}; edition {game.edition.name} ({game.edition.digest[:12]})"
        )
        _print_options(game)
        out.print()


def _print_options(game: AnyGame) -> None:
    schema = msgspec.json.schema(game.options_type)
    out.print(f"  {'option':<28} {'default':<10} allowed", style="dim")
    for name, field in _leaves(schema, schema):
        out.print(f"  {name:<28} {_text(field.get('default')):<10} {_allowed(field, schema)}")
        out.print(Padding(Text(_meaning(field), "dim"), (0, 0, 0, 6)), soft_wrap=False)


def _leaves(schema: dict[str, Any], node: dict[str, Any], path: str = "") -> list[tuple[str, dict[str, Any]]]:
    """Every option with its name as `-o` takes it; groups of options are opened."""
    rows = []
    for name, field in _resolved(schema, node)["properties"].items():
        inner = _resolved(schema, field)
        if "properties" in inner:
            rows += _leaves(schema, inner, f"{path}{name}.")
        else:
            rows.append((path + name, inner | field))
    return rows


def _resolved(schema: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    for one in (node, *node.get("allOf", ())):
        if "$ref" in one:
            found: dict[str, Any] = schema["$defs"][one["$ref"].rpartition("/")[2]]
            return found
    return node


def _allowed(field: dict[str, Any], schema: dict[str, Any]) -> str:
    if "anyOf" in field:
        return " or ".join(_allowed(_resolved(schema, one), schema) for one in field["anyOf"])
    if "enum" in field:
        return ", ".join(map(_text, field["enum"]))
    if "items" in field and "enum" in field["items"]:
        return f"list of {_allowed(field['items'], schema)}"
    kind = {"integer": "whole number", "boolean": "true, false", "array": "list"}
    least, most = field.get("minimum"), field.get("maximum")
    limits = f" {least}..{most}" if least is not None and most is not None else ""
    limits = limits or (f" from {least}" if least is not None else "")
    name = str(field.get("type", "any"))
    return kind.get(name, name) + limits


def _meaning(field: dict[str, Any]) -> str:
    title, description = field.get("title", ""), field.get("description", "")
    return description if description.startswith(title) else f"{title}: {description}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
