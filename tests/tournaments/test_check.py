"""A manifest that no tournament can be held by is refused, and says why."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.errors import BadSetup
from engine.opening import read_options
from engine.registry import GAMES
from schema.wire_tournaments import CreateTournament
from service.tournaments.check import check, check_entry, check_plan, most_matches
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import (
    Arena,
    Duplicate,
    FaultPolicy,
    FaultRule,
    Gauntlet,
    Knockout,
    Manifest,
    Placings,
    RoundRobin,
    Sprt,
    Swiss,
)
from service.tournaments.record import Ended, Ordered, Stopped
from service.tournaments.schedule import due, planned_matches
from tests.tournaments.playing import by_luck, by_strength, entrants, manifest, opened, played
from tests.tournaments.real import announced

GAME = next(game for game in GAMES.values() if 3 in game.seats)
GOOD = announced(GAME, RoundRobin(), 4, 3)


def policy(**rules: FaultRule) -> dict[str, Any]:
    return {"faults": FaultPolicy(**rules)}  # type: ignore[arg-type]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"seats": 16}, "seats"),
    ({"options": {"unheard_of": 1, "turn_limit": "x"}}, "options"),
    ({"rules": GAME.rules + 1}, "rules"),
    ({"entrants": entrants(2)}, "entrants"),
    ({"entrants": entrants(3) + entrants(1)}, "entrants"),
    ({"luck": "shared", "entrants": tuple(replace(one, kind="remote") for one in entrants(4))}, "luck"),
    ({"luck": "shared", "late": 2}, "luck"),
    ({"format": Gauntlet(heroes=("e1", "e1"))}, "heroes"),
    ({"format": Gauntlet(heroes=("e9",))}, "heroes"),
    ({"format": Gauntlet(heroes=("e1", "e2", "e3"))}, "heroes"),
    ({"format": Knockout(advance=3)}, "advance"),
    ({"format": Knockout(), "late": 1}, "late"),
    ({"format": Arena()}, "format"),
    ({"stopping": Sprt()}, "stopping"),
    ({"stopping": Placings(entrant="e9")}, "stopping"),
    (policy(timeout=FaultRule(then="retry")), "faults"),
    (policy(server=FaultRule(then="forfeit")), "faults"),
    ({"faults": FaultPolicy(gone_after_ms=29_999)}, "faults"),
]
BEFORE_ANYBODY_COMES = ("seats", "options", "rules", "advance", "late", "format", "faults")


def test_a_good_manifest_is_taken() -> None:
    check(GOOD, GAME)
    check(replace(GOOD, luck="shared"), GAME)
    check(replace(GOOD, faults=FaultPolicy(gone_after_ms=30_000)), GAME)
    check(replace(GOOD, faults=FaultPolicy(gone_after_ms=0)), GAME)
    check(replace(GOOD, format=Arena(duration_ms=60_000)), GAME)
    check(replace(GOOD, format=Gauntlet(heroes=("e1",)), stopping=Placings(entrant="e1")), GAME)


@pytest.mark.parametrize(("change", "where"), REFUSED)
def test_a_bad_one_is_refused_and_the_entry_named(change: dict[str, Any], where: str) -> None:
    with pytest.raises(BadSetup) as refused:
        check(replace(GOOD, **change), GAME)
    assert refused.value.where == where


@pytest.mark.parametrize(
    ("change", "where"), [(change, where) for change, where in REFUSED if where in BEFORE_ANYBODY_COMES]
)
def test_what_needs_nobody_is_refused_before_anybody_comes(change: dict[str, Any], where: str) -> None:
    with pytest.raises(BadSetup) as refused:
        check_plan(replace(GOOD, **change, entrants=()), GAME)
    assert refused.value.where == where


@pytest.mark.parametrize(
    ("slug", "options"),
    [
        ("red-cathedral", {"colours": ["blue", "red", "green", "yellow"]}),
        ("torri-di-bologna", {"wall": "none"}),
    ],
)
def test_options_that_no_match_can_be_dealt_by_are_refused(slug: str, options: dict[str, Any]) -> None:
    game = GAMES[slug]
    read_options(game, options)
    with pytest.raises(BadSetup) as refused:
        check_plan(replace(announced(game, RoundRobin(), 4, 3), options=options), game)
    assert refused.value.where == f"options.{next(iter(options))}"


def test_a_fault_is_called_as_bodies_call_it() -> None:
    with pytest.raises(BadSetup, match="noShow can lead to retry, strike, retire, forfeit only"):
        check(replace(GOOD, **policy(no_show=FaultRule(then="void"))), GAME)


def test_more_matches_than_can_be_played_are_refused() -> None:
    with pytest.raises(BadSetup, match="matches"):
        check(replace(GOOD, format=RoundRobin(rounds=10_000), design=Duplicate(deals=100)), GAME)


@pytest.mark.parametrize("name", ["", " Cup", "Cup\n", "\x1b[2JCup", "x" * 101])
def test_a_name_cannot_write_on_the_screen_of_who_reads_it(name: str) -> None:
    asked = {"name": name, "game": GAME.slug, "seats": 3, "format": {"format": "round_robin"}}
    with pytest.raises(msgspec.ValidationError, match="name"):
        msgspec.convert(asked, CreateTournament)


def test_a_service_is_asked_for_shared_luck_in_vain() -> None:
    asked = {"name": "Cup", "game": GAME.slug, "seats": 3, "format": {"format": "round_robin"}}
    msgspec.convert(asked, CreateTournament)
    with pytest.raises(msgspec.ValidationError, match="luck"):
        msgspec.convert(asked | {"luck": "shared"}, CreateTournament)


def test_the_likelihood_ratio_test_wants_two_and_an_interval() -> None:
    game = next(game for game in GAMES.values() if 2 in game.seats)
    good = announced(game, RoundRobin(), 2, 2, stopping=Sprt())
    check(good, game)
    with pytest.raises(BadSetup, match="less than"):
        check(replace(good, stopping=Sprt(elo0=5, elo1=5)), game)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_number_of_matches_is_known_beforehand(seats: int) -> None:
    for chosen in (RoundRobin(rounds=2), Swiss(rounds=3), Arena(sets=9)):
        for number in (seats, 7):
            said = manifest(chosen, number, seats, design=Duplicate(seatings="cyclic"))
            ledger = Ledger(played(said, by_luck(b"count")))
            assert most_matches(said) == planned_matches(ledger) == len(ledger.results)
    for other in (Gauntlet(heroes=("e1",)), Knockout(best_of=3)):
        said = manifest(other, 7, seats)
        assert most_matches(said) >= len(Ledger(played(said, by_luck(b"count"))).results)


def late(said: Manifest) -> Ledger:
    return Ledger(played(said, by_luck(b"late")))


def test_who_comes_too_late_or_twice_is_refused() -> None:
    (newcomer,) = entrants(1, first=30)
    start = Ledger(opened(manifest(Swiss(rounds=3), 4, late=2)))
    check_entry(start, newcomer)
    with pytest.raises(BadSetup, match="already"):
        check_entry(start, entrants(1)[0])
    start.add(Stopped(cause="cancelled"))
    with pytest.raises(BadSetup, match="too late"):
        check_entry(start, newcomer)
    with pytest.raises(BadSetup, match="too late"):
        check_entry(late(manifest(Swiss(rounds=3), 4, late=2)), newcomer)


def test_rounds_that_are_ordered_but_not_played_keep_nobody_out() -> None:
    (newcomer,) = entrants(1, first=30)
    ledger = Ledger(opened(manifest(RoundRobin(), 6, late=2)))
    ledger.add(Ordered(orders=due(ledger)))
    assert ledger.round == 5
    for number in range(1, 7):
        check_entry(ledger, newcomer)
        ledger.add(Ended(result=by_strength(ledger.orders[number])))
    with pytest.raises(BadSetup, match="too late"):
        check_entry(ledger, newcomer)
