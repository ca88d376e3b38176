"""`cantiere components`: the component files of the games, to be looked at, edited and checked."""

from typing import Any, BinaryIO, Final

import msgspec
import rich_click as click
from rich.text import Text

from engine.boxes import read_toml
from engine.errors import BadBox, Fault
from engine.match import AnyGame
from engine.registry import GAMES
from service.boxes import LARGEST_BOX
from service.cli.boxdiff import Count, Difference, counts, differences
from service.cli.command import Command, Group
from service.cli.exits import BadInput, Failure
from service.cli.output import out
from service.cli.parameters import EXAMPLE, GameName, game_argument

_MOST: Final = 60
"""Characters of a value that are shown."""


@click.group(
    "components",
    cls=Group,
    epilog="A file of your own is played with by --box FILE of play, replay, show and perft, and served by "
    "CANTIERE_BOXES=GAME=FILE.",
    examples=(
        f"cantiere components show {EXAMPLE} > mine.toml",
        "cantiere components check mine.toml",
        f"cantiere play {EXAMPLE} --box mine.toml",
    ),
)
def command() -> None:
    """Show and check component files: cards, tiles, costs, walls; whatever lies in the box of a game.

    Copy the built-in file, change it, and give it a name of its own in the entry `edition`.
    """


@command.command(
    "show",
    cls=Command,
    examples=(f"cantiere components show {EXAMPLE}", f"cantiere components show {EXAMPLE} > mine.toml"),
)
@game_argument
def show(game: AnyGame) -> None:
    """Print the built-in component file of a game, as TOML."""
    click.echo(game.box.decode(), nl=False)


@command.command(
    "check",
    cls=Command,
    epilog="Exit codes: 0 the file can be played with; 1 it cannot: all entries that contradict others are"
    " named, or the first that cannot be read.",
    examples=(
        "cantiere components check mine.toml",
        f"cantiere components check mine.toml --game {EXAMPLE}",
        f"cantiere components show {EXAMPLE} | cantiere components check -",
    ),
)
@click.argument(
    "file", type=click.File("rb"), metavar="FILE", help="A component file, as TOML; - is standard input."
)
@click.option(
    "--game",
    type=GameName(),
    metavar="GAME",
    help="The game it is for.  [default: the one whose box has such entries]",
)
def check(file: BinaryIO, game: AnyGame | None) -> None:
    """Check a component file, and explain it: what is in it, what differs from the built-in one."""
    data = file.read(LARGEST_BOX + 1)
    if len(data) > LARGEST_BOX:
        raise Failure(f"the file is larger than {LARGEST_BOX // 1024} KiB, no component file")
    try:
        box = read_toml(data)
    except BadBox as error:
        raise Failure(str(error)) from None
    game = game or _likely_game(box)
    out.print(f"A box of {game.title} ({game.slug})")
    _print_counts(box)
    _print_differences(game, box)
    if faults := _faults(game, data):
        for fault in faults:
            out.print(Text.assemble((f"  {fault.where}: ", "bold"), fault.why))
        raise Failure(f"the file cannot be played with: {_number(len(faults), 'fault')}")
    edition = game.with_box(data).edition
    out.print(f"The file can be played with: edition {edition.name}, SHA-256 {edition.digest}")


def _likely_game(box: dict[str, Any]) -> AnyGame:
    """The game whose built-in box has the most entries in common. Raises BadInput if there is none such."""
    common = {game: len(box.keys() & read_toml(game.box).keys()) for game in GAMES.values()}
    best = max(common.values())
    likely = [game for game, shared in common.items() if shared == best]
    if len(likely) > 1:
        raise BadInput("it does not look like the box of one game; say which one it is for by --game")
    return likely[0]


def _faults(game: AnyGame, data: bytes) -> tuple[Fault, ...]:
    try:
        edition = game.with_box(data).edition
    except BadBox as error:
        return error.faults
    if edition.name == game.edition.name and edition != game.edition:
        return (Fault("edition", f"'{edition.name}' is the built-in one; give yours a name of its own"),)
    return ()


def _print_counts(box: dict[str, Any]) -> None:
    for count in counts(box):
        out.print(f"  {count.where:<36} {_contents(count)}")


def _contents(count: Count) -> str:
    entries = _number(count.entries, "entry", "entries")
    return entries if count.pieces is None else f"{entries}, {_number(count.pieces, 'piece')}"


def _print_differences(game: AnyGame, box: dict[str, Any]) -> None:
    found = tuple(differences(read_toml(game.box), box))
    where = f"the built-in edition {game.edition.name}"
    if not found:
        out.print(f"No entry differs from {where}.")
        return
    out.print(f"{_number(len(found), 'entry differs', 'entries differ')} from {where}:")
    for difference in found:
        out.print(f"  {difference.where:<36} {_change(difference)}")


def _change(difference: Difference) -> str:
    if difference.old is None:
        return f"new: {_text(difference.new)}"
    if difference.new is None:
        return f"left out: {_text(difference.old)}"
    return f"{_text(difference.old)} -> {_text(difference.new)}"


def _text(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _MOST else f"{text[: _MOST - 3]}..."


def _number(count: int, one: str, more: str | None = None) -> str:
    return f"{count} {one if count == 1 else more or one + 's'}"
