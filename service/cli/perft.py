"""`cantiere perft`: count the tree of moves."""

from time import perf_counter
from typing import Any

import rich_click as click
from rich.table import Table

from engine.chance import Draw
from engine.errors import IllegalMove
from engine.match import AnyGame, parse_batch, refusal
from engine.opening import check_seats, read_options
from engine.perft import divide, perft
from service.cli.command import Command
from service.cli.output import out
from service.cli.parameters import EXAMPLE, Seed, box_option, game_argument, option_parameters, with_box


@click.command(
    "perft",
    cls=Command,
    examples=(
        f"cantiere perft {EXAMPLE} --seats 2 --depth 3",
        f"cantiere perft {EXAMPLE} --seats 2 --depth 2 --divide --seed 7",
    ),
)
@game_argument
@click.option("--seats", type=click.IntRange(min=1), default=2, show_default=True, metavar="N", help="Seats.")
@click.option(
    "--depth",
    type=click.IntRange(1, 100),
    default=2,
    show_default=True,
    metavar="D",
    help="The length of the sequences counted.",
)
@click.option(
    "--moves",
    default="",
    metavar="TEXT",
    help="Moves and outcomes to play first, with blanks between them.  [default: none]",
)
@click.option("--divide", "by_move", is_flag=True, help="Count apart for each first move.  [default: no]")
@click.option(
    "--seed",
    type=Seed(),
    default="0",
    show_default=True,
    help="What the deal comes from: a whole number or 64 hexadecimal digits.",
)
@box_option
@option_parameters
def command(
    game: AnyGame,
    seats: int,
    depth: int,
    moves: str,
    by_move: bool,
    seed: bytes,
    box: bytes | None,
    options: dict[str, Any],
) -> None:
    """Count the sequences of moves, seats' and chance's alike, from a position.

    Equal counts are how two programs find out that they play by the same rules.
    """
    game = with_box(game, box)
    check_seats(game, seats)
    deal = game.deal(read_options(game, options), seats, Draw(seed))
    state = _after(game, game.setup(deal), moves.split())
    if by_move:
        _print_division(game, state, depth)
    else:
        _print_counts(game, state, depth)


def _after(game: AnyGame, state: object, texts: list[str]) -> object:
    """The state after moves and outcomes of whoever was to move. Raises BadNotation or IllegalMove."""
    for index, move in enumerate(parse_batch(game, texts)):
        recorded = game.normal(state, move)
        if recorded is None:
            fault: IllegalMove = refusal(game, state, move, index)
            raise fault
        state = game.apply(state, recorded)[0]
    return state


def _print_counts(game: AnyGame, state: object, depth: int) -> None:
    out.print(f"{'depth':>5} {'sequences':>16} {'seconds':>10} {'per second':>12}")
    for length in range(1, depth + 1):
        start = perf_counter()
        count = perft(game, state, length)
        seconds = _since(start)
        out.print(f"{length:>5} {count:>16,} {seconds:>10.3f} {count / seconds:>12,.0f}")


def _print_division(game: AnyGame, state: object, depth: int) -> None:
    start = perf_counter()
    counts = divide(game, state, depth)
    seconds = _since(start)
    table = Table("move", "sequences", box=None)
    table.columns[1].justify = "right"
    for move, count in counts.items():
        table.add_row(move, f"{count:,}")
    total = sum(counts.values())
    out.print(table)
    out.print(f"{len(counts)} moves, {total:,} sequences, {seconds:.3f} s, {total / seconds:,.0f} per second")


def _since(start: float) -> float:
    """The seconds since `start`, never 0: the clock may not have moved on."""
    return max(perf_counter() - start, 1e-9)
