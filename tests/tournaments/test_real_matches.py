"""Tournaments of real matches: what is stated follows from the transcripts too."""

from functools import partial

import msgspec
import pytest
from msgspec.structs import replace

from engine.match import AnyGame
from engine.players.roster import iterations
from engine.registry import GAMES
from engine.transcript import Transcript
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import Duplicate, Luck, Manifest, RoundRobin
from service.tournaments.record import Ended, MatchOrder, MatchResult, Record
from service.tournaments.statement import export
from service.tournaments.verify import Difference, check_transcripts, read_export, verify
from tests.tournaments.playing import SEED, played
from tests.tournaments.real import LUCKY, announced, played_order

TABLES = [
    pytest.param(game, seats, id=f"{slug}-{seats}")
    for slug, game in GAMES.items()
    for seats in game.seats
    if 1 < seats < 4
]


def event(game: AnyGame, said: Manifest) -> tuple[Record, list[Transcript]]:
    """An event of random players, with the transcripts of its matches."""
    transcripts: list[Transcript] = []
    bots = {entrant.id: ("random", partial(iterations, 1)) for entrant in said.entrants}

    def play(order: MatchOrder) -> MatchResult:
        result, transcript = played_order(game, said, order, bots)
        transcripts.append(transcript)
        return result

    return replace(played(said, play), seed=SEED.hex()), transcripts


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_match_can_be_played_again(game: AnyGame, seats: int) -> None:
    said = announced(game, RoundRobin(), seats, seats, design=Duplicate(seatings="cyclic"))
    record, transcripts = event(game, said)
    verify(read_export(export(record)))
    assert check_transcripts(record, transcripts) == len(Ledger(record).results) == seats
    assert len({msgspec.json.encode(transcript.deal) for transcript in transcripts}) == 1


def test_a_match_or_a_result_that_was_changed_is_found() -> None:
    game = next(game for game in GAMES.values() if 2 in game.seats)
    said = announced(game, RoundRobin(), 2, 2)
    record, (transcript,) = event(game, said)
    ordered, ended = record.entries
    assert isinstance(ended, Ended)
    changed = [
        replace(transcript, match="another"),
        replace(transcript, events=transcript.events[:-1]),
        replace(transcript, commitment="0" * 64),
        replace(transcript, rules=transcript.rules + 1),
    ]
    for other in changed:
        with pytest.raises(Difference):
            check_transcripts(record, [other])
    results = [
        replace(ended.result, scores=tuple(score + 1 for score in ended.result.scores)),
        replace(ended.result, ranks=tuple(reversed(ended.result.ranks))),
        replace(ended.result, digest="0" * 64),
        replace(ended.result, reasons=("played", "flagged")),
        replace(ended.result, reasons=("forfeited", "played")),
    ]
    for result in results:
        with pytest.raises(Difference):
            check_transcripts(replace(record, entries=(ordered, Ended(result=result))), [transcript])


@pytest.mark.parametrize("luck", ["own", "shared"])
def test_luck_that_is_not_that_of_the_event_is_found(luck: Luck) -> None:
    for game in LUCKY:
        said = announced(game, RoundRobin(), 2, 2, luck=luck)
        record, (transcript,) = event(game, said)
        assert check_transcripts(record, [transcript]) == 1
        loaded = replace(transcript, nonces=("a number of", "its own"))
        with pytest.raises(Difference, match="does not follow from the seed"):
            check_transcripts(record, [loaded])
        check_transcripts(replace(record, seed=None), [loaded])


def test_a_deal_that_is_not_that_of_the_event_is_found() -> None:
    for game in GAMES.values():
        said = announced(game, RoundRobin(), 2, 2)
        record, (transcript,) = event(game, said)
        bots = {entrant.id: ("random", partial(iterations, 1)) for entrant in said.entrants}
        (order,) = Ledger(record).orders.values()
        result, elsewhere = played_order(game, said, replace(order, deal=77), bots)
        foreign = replace(record, entries=(record.entries[0], Ended(result=result)))
        if elsewhere.deal == transcript.deal:
            continue  # a game without luck has one deal
        with pytest.raises(Difference, match="was not dealt as deal 1"):
            check_transcripts(foreign, [elsewhere])
        check_transcripts(replace(foreign, seed=None), [elsewhere])
