"""Matches of local tournaments: what those of a deal share, and what a process that fails leads to."""

import asyncio

import pytest
from msgspec.structs import replace

from engine.match import AnyGame
from service.cli.exits import Failure
from service.cli.tournament_local import answered
from service.tournaments.local import Asked, Told, played
from service.tournaments.manifest import Duplicate, Luck, RoundRobin
from service.tournaments.schedule import orders_due
from service.tournaments.verify import Difference, check_record
from tests.tournaments.playing import SEED, opened
from tests.tournaments.real import LUCKY, announced


def matches(game: AnyGame, luck: Luck) -> list[Told]:
    """Two deals, each in both seatings, by players who are alike."""
    said = announced(game, RoundRobin(), 2, 2, luck=luck, design=Duplicate(deals=2))
    asked = [Asked(said, order, SEED, ("random", "random"), 1.0) for order in orders_due(opened(said))]
    return [played(each) for each in asked]


@pytest.mark.parametrize("game", LUCKY, ids=lambda game: game.slug)
def test_all_that_is_rolled_and_drawn_is_that_of_the_deal(game: AnyGame) -> None:
    ended = [told.transcript.digest for told in matches(game, "shared")]
    assert ended[0] == ended[1] != ended[2] == ended[3]
    assert len({told.transcript.digest for told in matches(game, "own")}) == 4


def test_a_process_that_fails_is_told_of() -> None:
    said = replace(announced(LUCKY[0], RoundRobin(), 2, 2, luck="shared"), game="no-game")
    (order,) = orders_due(opened(said))
    with pytest.raises(Failure, match="the process of match 1 ended with status 1"):
        asyncio.run(answered(Asked(said, order, SEED, ("random", "random"), 1.0)))


def test_who_might_remember_shares_no_luck() -> None:
    said = announced(LUCKY[0], RoundRobin(), 2, 2, luck="shared")
    check_record(opened(said))
    first, second = said.entrants
    with pytest.raises(Difference, match="others may remember"):
        check_record(opened(replace(said, entrants=(first, replace(second, kind="remote")))))
