"""What duplicate deals are worth: how much closer a result is known after equally many matches.

Two bots play deals in both seatings, with luck of each match's own or shared within the deal, and as many
matches on independent deals with the seats in turn. A duplicate deal is one observation: the mean of its two
matches. Ratios below one say that duplicate deals know more; intervals are 95 % of a bootstrap over deals.
"""

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

import msgspec

from engine.chance import Draw
from engine.match import AnyGame, advance, play
from engine.opening import read_options
from engine.players.roster import PLAYERS, iterations
from engine.registry import GAMES
from service.tournaments.elo import difference
from service.tournaments.manifest import Duplicate, Luck, Manifest, Rotation, RoundRobin
from service.tournaments.record import MatchOrder
from service.tournaments.seating import Meeting, orders_of
from service.tournaments.seeds import chance_name, deal_draw, match_seed
from tests.tournaments.playing import manifest

SEED: Final = b"what duplicate deals are worth.."
DEALS: Final = 100
RESAMPLES: Final = 400
TURNS: Final = 16
"""Turns of a seat after which a match is scored, where the game has such an option."""

THINK: Final = 100
PAIRS: Final = {"similar": (10, 20), "different": (0, 60)}
"""Of how many choices in a hundred each of the two bots makes a random one; otherwise it is greedy."""


LUCKS: Final[tuple[Luck, ...]] = ("own", "shared")


class Outcome(NamedTuple):
    """What the first bot got from one match: the share of the points, and its lead in points of the game."""

    score: float
    margin: float


class Sample(NamedTuple):
    """Observations, each of one or more matches."""

    units: tuple[tuple[Outcome, ...], ...]

    def means(self, what: str) -> list[float]:
        return [fmean(getattr(outcome, what) for outcome in unit) for unit in self.units]

    def error(self, what: str) -> float:
        """The standard error of the mean."""
        means = self.means(what)
        return stdev(means) / math.sqrt(len(means))

    def elo_error(self) -> float:
        """The standard error of the Elo difference that the mean score stands for, to the first order."""
        mean = min(0.999, max(0.001, fmean(self.means("score"))))
        return 400 / math.log(10) / (mean * (1 - mean)) * self.error("score")

    def again(self, draw: Draw) -> "Sample":
        """As many observations, drawn with replacement."""
        size = len(self.units)
        return Sample(tuple(self.units[draw.below(size, place)] for place in range(size)))


ERRORS: Final[dict[str, Callable[[Sample], float]]] = {
    "score": lambda sample: sample.error("score"),
    "Elo": Sample.elo_error,
    "lead": lambda sample: sample.error("margin"),
}


def figures() -> Iterator[str]:
    """For every game with luck, pair of bots and kind of luck: errors, and ratios to independent deals."""
    for game in GAMES.values():
        if _has_luck(game):
            yield f"{game.slug}: {DEALS} deals in both seatings of two against {2 * DEALS} independent deals"
            yield (
                f"{'bots':<10} {'luck':<12} {'score':>6} {'error':>7} {'Elo':>5} {'error':>6} {'lead':>6} "
                f"{'error':>6}"
            )
            yield from _of_game(game)


def _of_game(game: AnyGame) -> Iterator[str]:
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for kind, errs in PAIRS.items():
            apart = _sample(pool, game, "own", errs, Rotation(matches=2 * DEALS))
            yield _line(kind, "independent", apart)
            for luck in LUCKS:
                doubled = _sample(pool, game, luck, errs, Duplicate(deals=DEALS))
                yield _line(kind, luck, doubled)
                yield _ratios(doubled, apart)


def _line(kind: str, luck: str, sample: Sample) -> str:
    score, lead = fmean(sample.means("score")), fmean(sample.means("margin"))
    elo = difference(score) if 0 < score < 1 else math.nan
    return (
        f"{kind:<10} {luck:<12} {score:>6.3f} {sample.error('score'):>7.4f} {elo:>5.0f} "
        f"{sample.elo_error():>6.1f} {lead:>6.2f} {sample.error('margin'):>6.3f}"
    )


def _ratios(doubled: Sample, apart: Sample) -> str:
    """The errors of duplicate deals in terms of those of independent ones."""
    draws = [Draw(SEED).branch("again", number) for number in range(RESAMPLES)]
    resampled = [(doubled.again(draw.branch("one")), apart.again(draw.branch("other"))) for draw in draws]
    told = []
    for name, error in ERRORS.items():
        ratios = sorted(error(one) / error(other) for one, other in resampled)
        low, high = ratios[RESAMPLES // 40], ratios[-RESAMPLES // 40 - 1]
        told.append(f"{name} {error(doubled) / error(apart):.2f} ({low:.2f} to {high:.2f})")
    return f"{'':<10} ratio of errors: {', '.join(told)}"


def _sample(
    pool: ProcessPoolExecutor, game: AnyGame, luck: Luck, errs: tuple[int, int], design: Duplicate | Rotation
) -> Sample:
    """All matches of one set, put together by deal."""
    announced = _announced(game, luck, design)
    orders = list(orders_of(Meeting(1, 1, ("e1", "e2")), design, 1, 1))
    played = pool.map(_played, repeat(announced), orders, repeat(errs), chunksize=4)
    by_deal: dict[int, list[Outcome]] = {}
    for order, outcome in zip(orders, played, strict=True):
        by_deal.setdefault(order.deal, []).append(outcome)
    return Sample(tuple(tuple(outcomes) for outcomes in by_deal.values()))


def _announced(game: AnyGame, luck: Luck, design: Duplicate | Rotation) -> Manifest:
    bare = manifest(RoundRobin(), 2, luck=luck, design=design)
    return msgspec.structs.replace(bare, game=game.slug, rules=game.rules, edition=game.edition)


def _played(announced: Manifest, order: MatchOrder, errs: tuple[int, int]) -> Outcome:
    """The match of an order; each bot has chance of its own in it."""
    game = GAMES[announced.game]
    draw = Draw(match_seed(announced, SEED, order)).branch(chance_name(announced, order, str(order.number)))
    state = game.setup(game.deal(_options(game), announced.seats, deal_draw(SEED, order.deal)))
    own = Draw(SEED).branch("bots", announced.luck, order.number)
    version = 0
    steps = advance(game, state, version, draw)
    while True:
        state, version = (steps[-1].state, version + len(steps)) if steps else (state, version)
        seat = game.to_move(state)
        if seat is None:
            return _outcome(game, state, order.entrants.index("e1"))
        mine = own.branch(seat, version)
        errs_now = mine.below(100, "errs") < errs[order.entrants[seat] == "e2"]
        choose = PLAYERS["random" if errs_now else "greedy"]
        moves = choose(game, state, mine, iterations(THINK))
        steps = list(play(game, state, version, seat, moves, draw).steps)


def _outcome(game: AnyGame, state: Any, seat: int) -> Outcome:
    rows = game.standing(state).rows
    mine, other = rows[seat], rows[1 - seat]
    return Outcome((mine.rank < other.rank) + (mine.rank == other.rank) / 2, mine.total - other.total)


def _options(game: AnyGame) -> Any:
    names = {field.name for field in msgspec.structs.fields(game.options_type)}
    return read_options(game, {"turn_limit": TURNS} if "turn_limit" in names else {})


def _has_luck(game: AnyGame) -> bool:
    """Whether one match begins otherwise than another."""
    deals = [game.deal(_options(game), 2, Draw(key)) for key in (b"one", b"two")]
    return 2 in game.seats and deals[0] != deals[1]
