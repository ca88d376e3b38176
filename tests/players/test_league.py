"""No seat is unfair, and the game played alone can be won and lost: figures of very many matches."""

from collections.abc import Callable

import pytest

from engine.chance import Draw
from engine.game import Row
from engine.match import AnyGame
from engine.opening import read_options
from engine.registry import GAMES
from tests.players import league

AT_A_TABLE = 2_000
"""Enough for about one percent; `league.py` plays more on demand."""
ALONE_MATCHES = 200
LEVELS = {"easy": (0.6, 0.98), "normal": (0.2, 0.8), "hard": (0.1, 0.7)}
"""The least and the most that greedy may win at each difficulty."""


def has_luck(game: AnyGame, seats: int) -> bool:
    """Whether one match begins otherwise than another."""
    deals = [game.deal(read_options(game, {}), seats, Draw(key)) for key in (b"one", b"two")]
    return deals[0] != deals[1]


# Without luck greedy players play nearly the same match again and again: who wins it says little.
TABLES = [
    pytest.param(slug, seats, id=f"{slug}-{seats}")
    for slug, game in GAMES.items()
    for seats in game.seats
    if seats > 1 and has_luck(game, seats)
]
ALONE = [slug for slug, game in GAMES.items() if 1 in game.seats]

Say = Callable[[str], None]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Prints a line that is seen although the test passes."""

    def printed(line: str) -> None:
        with capsys.disabled():
            print(f"\n{line}", end="", flush=True)  # noqa: T201 - these figures are what the run is for

    return printed


def row(seat: int, rank: int) -> Row:
    return Row(seat=seat, scores={}, total=10 - rank, ties={}, rank=rank)


def test_a_shared_victory_counts_in_parts() -> None:
    first, second = league.shares([(row(0, 1), row(1, 1)), (row(0, 1), row(1, 2))])
    assert (first.share, second.share) == (0.75, 0.25)
    assert first.error == second.error == pytest.approx(0.25)


def test_quantiles_of_points() -> None:
    assert [league.quantile([3, 1, 2], percent) for percent in (0, 50, 100)] == [1, 2, 3]


def test_few_matches_are_the_same_every_time() -> None:
    slug = ALONE[0]
    first, again = (league.against_the_game(slug, 4, turn_limit=3) for _ in range(2))
    assert first == again
    assert first[1][0].startswith(f"{slug}, turn_limit 3, 4 matches: greedy wins")


@pytest.mark.soak
@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_no_seat_wins_far_more_or_less_than_its_part(slug: str, seats: int, say: Say) -> None:
    won, line = league.balance(slug, seats, AT_A_TABLE)
    say(line)
    assert sum(share.share for share in won) == pytest.approx(1)
    for share in won:
        assert 0.5 / seats < share.share < 1.5 / seats


@pytest.mark.soak
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("slug", ALONE)
def test_the_game_alone_can_be_won_and_lost(slug: str, level: str, say: Say) -> None:
    won, lines = league.against_the_game(slug, ALONE_MATCHES, difficulty=level)
    for line in lines:
        say(line)
    least, most = LEVELS[level]
    assert least < won.share < most
