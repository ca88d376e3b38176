"""`cantiere vectors`: positions to compare another implementation with."""

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec
import rich_click as click

from engine.match import AnyGame
from engine.registry import GAMES
from engine.vectors import Line, vectors
from service.cli.command import Command
from service.cli.exits import Failure
from service.cli.output import out
from service.cli.parameters import EXAMPLE, GameName, box_option, with_box

STANDARD_OUTPUT: Final = "-"


@click.command(
    "vectors",
    cls=Command,
    epilog="What the lines hold stands in engine/VECTORS.md of the source.",
    examples=(
        "cantiere vectors --out vectors/",
        f"cantiere vectors --game {EXAMPLE} --count 100 --seed 7 --out some.jsonl",
        f"cantiere vectors --game {EXAMPLE} --count 1 --out - | head -1",
    ),
)
@click.option(
    "--out",
    "target",
    required=True,
    metavar="DIR|FILE",
    help="A directory for a file of each game, GAME.jsonl; or one file for all; - is standard output.",
)
@click.option(
    "--count",
    type=click.IntRange(1, 1_000_000),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Positions of each game.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**64 - 1),
    default=0,
    show_default=True,
    metavar="N",
    help="What everything comes from: the same seed and count give the same bytes.",
)
@click.option("--game", type=GameName(), metavar="GAME", help="Only this game.  [default: all]")
@box_option
def command(target: str, count: int, seed: int, game: AnyGame | None, box: bytes | None) -> None:
    """Write positions with all that another implementation should find in them, as JSON lines.

    Legal moves, standings, what moves lead to, and the number of move sequences, for thousands of positions
    of matches played at random with every option and number of seats.
    """
    if box is not None and game is None:
        raise click.BadParameter("say for which game it is, by --game", param_hint="'--box'")
    games = [with_box(game, box)] if game else list(GAMES.values())
    made = ((one.slug, vectors(one, seed, count)) for one in games)
    if target == STANDARD_OUTPUT:
        for _, lines in made:
            sys.stdout.buffer.writelines(_encoded(lines))
        return
    for path, data in _files(target, made):
        out.print(f"{path}: {_write(path, data):,} bytes")


def _files(target: str, made: Iterable[tuple[str, Iterator[Line]]]) -> Iterator[tuple[Path, Iterator[bytes]]]:
    path = Path(target)
    if target.endswith(os.sep) or path.is_dir():
        yield from ((path / f"{slug}.jsonl", _encoded(lines)) for slug, lines in made)
    else:
        yield path, (line for _, lines in made for line in _encoded(lines))


def _encoded(lines: Iterable[Line]) -> Iterator[bytes]:
    return (msgspec.json.encode(line) + b"\n" for line in lines)


def _write(path: Path, lines: Iterator[bytes]) -> int:
    """Write a file, whole or not at all. The number of bytes."""
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            file.writelines(lines)
            size = file.tell()
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise Failure(f"{path} cannot be written: {error.strerror}") from None
    return size
