"""Every format, at every table: who meets whom follows from the record and breaks for nobody."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.tournaments.formats.knockout import next_size, stages
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import Arena, Duplicate, Gauntlet, Knockout, RoundRobin, Swiss
from service.tournaments.record import Entered, Entry, Left, MatchOrder, Record, Stopped
from service.tournaments.schedule import due, is_finished, orders_due, planned_matches
from service.tournaments.seating import imbalance
from tests.tournaments.playing import by_luck, entrants, manifest, opened, played

FORMATS: list[Any] = [
    RoundRobin(rounds=2),
    Gauntlet(heroes=("e1",)),
    Swiss(rounds=3),
    Knockout(best_of=3),
    Arena(sets=20),
]
TABLES = [2, 3, 4]


def matches_of(record: Record) -> list[MatchOrder]:
    return [order for order in Ledger(record).orders.values() if not order.is_bye]


def met(record: Record) -> Counter[tuple[str, ...]]:
    """How often every two met, match by match."""
    return Counter(pair for order in matches_of(record) for pair in combinations(sorted(order.entrants), 2))


def in_order(record: Record) -> list[MatchOrder]:
    return [order for _, order in sorted(Ledger(record).orders.items())]


@pytest.mark.parametrize("seats", TABLES)
@pytest.mark.parametrize("chosen", FORMATS, ids=lambda chosen: type(chosen).__name__)
def test_nobody_has_two_tables_in_a_round(chosen: Any, seats: int) -> None:
    for number in (seats, seats + 1, 9):
        record = played(manifest(chosen, number, seats), by_luck(b"any"))
        assert is_finished(record)
        for _, orders in Ledger(record).rounds():
            tables = {order.table: order.entrants for order in orders}
            seated = [entrant for table in tables.values() for entrant in table]
            assert len(set(seated)) == len(seated)


@pytest.mark.parametrize("seats", TABLES)
@pytest.mark.parametrize("chosen", FORMATS[:4], ids=lambda chosen: type(chosen).__name__)
@given(st.binary(max_size=4), st.integers(4, 9))
@settings(max_examples=4)
def test_the_sequence_of_arrivals_does_not_matter(
    chosen: Any, seats: int, arrivals: bytes, number: int
) -> None:
    announced = manifest(chosen, number, seats, design=Duplicate(seatings="cyclic"))
    assert in_order(played(announced, by_luck(b"x"), arrivals)) == in_order(played(announced, by_luck(b"x")))


@pytest.mark.parametrize("chosen", FORMATS, ids=lambda chosen: type(chosen).__name__)
def test_what_is_due_does_not_change_when_asked_again(chosen: Any) -> None:
    record = played(manifest(chosen, 6), by_luck(b"again"))
    for length in range(0, len(record.entries), 5):
        part = opened(record.manifest).with_entries(record.entries[:length])
        assert orders_due(part) == orders_due(part)


@given(st.data())
@settings(max_examples=30)
def test_who_comes_late_or_leaves_breaks_nothing(data: st.DataObject) -> None:
    chosen = data.draw(st.sampled_from(FORMATS))
    seats = data.draw(st.sampled_from(TABLES))
    announced = manifest(chosen, data.draw(st.integers(seats + 1, 8)), seats, late=10)
    newcomers = iter(entrants(3, first=20))

    def meanwhile(ledger: Ledger) -> list[Entry]:
        happens = data.draw(st.integers(0, 19))
        newcomer = next(newcomers, None) if happens == 0 and not isinstance(chosen, Knockout) else None
        if newcomer:
            return [Entered(entrant=newcomer)]
        if happens == 1 and len(ledger.active) > seats:
            return [Left(entrant=data.draw(st.sampled_from(ledger.active)))]
        return []

    record = played(announced, by_luck(b"come and go", 0.5), meanwhile=meanwhile)
    assert is_finished(record)
    gone: set[str] = set()
    ledger = Ledger(opened(announced))
    for entry in record.entries:
        orders = due(ledger) if entry.__class__.__name__ == "Ordered" else ()
        assert gone.isdisjoint(entrant for order in orders for entrant in order.entrants)
        ledger.add(entry)
        gone |= {entry.entrant} if isinstance(entry, Left) else set()


@pytest.mark.parametrize("number", range(2, 10))
def test_double_round_robin_of_two_is_perfect(number: int) -> None:
    record = played(manifest(RoundRobin(rounds=2), number))
    assert imbalance(
        [f"e{one}" for one in range(1, number + 1)], 2, [o.entrants for o in matches_of(record)]
    ) == (
        0,
        0,
        0,
        0,
    )


def test_single_round_robin_of_three_and_four_at_a_table() -> None:
    seven = played(manifest(RoundRobin(), 7, 3))
    assert set(met(seven).values()) == {1}
    assert len(met(seven)) == 21
    eight = played(manifest(RoundRobin(), 8, 3))
    assert len(met(eight)) == 28
    assert (
        imbalance([f"e{one}" for one in range(1, 9)], 3, [o.entrants for o in matches_of(eight)]).matches == 0
    )
    assert set(met(played(manifest(RoundRobin(), 13, 4))).values()) == {1}


def test_who_comes_late_to_a_round_robin_meets_everybody() -> None:
    newcomer = iter(entrants(1, first=6))

    def meanwhile(ledger: Ledger) -> list[Entry]:
        return [Entered(entrant=one) for one in newcomer] if len(ledger.results) == 3 else []

    record = played(manifest(RoundRobin(), 5), meanwhile=meanwhile)
    assert met(record) == Counter(combinations([f"e{one}" for one in range(1, 7)], 2))


def test_who_left_is_not_ordered_again_and_the_others_go_on() -> None:
    def meanwhile(ledger: Ledger) -> list[Entry]:
        return [Left(entrant="e2")] if len(ledger.results) == 10 and not ledger.left else []

    record = played(manifest(RoundRobin(rounds=12), 6), meanwhile=meanwhile)
    times = met(record)
    assert all(times[pair] == 12 for pair in combinations(["e1", "e3", "e4", "e5", "e6"], 2))
    assert 0 < sum(times[pair] for pair in times if "e2" in pair) < 60


@pytest.mark.parametrize("seats", TABLES)
def test_in_a_gauntlet_heroes_meet_all_and_nobody_meets_without_one(seats: int) -> None:
    record = played(manifest(Gauntlet(heroes=("e1", "e2")), 9, seats))
    for order in matches_of(record):
        assert len({"e1", "e2"} & set(order.entrants)) == 1
    for hero in ("e1", "e2"):
        times = [met(record)[tuple(sorted((hero, f"e{other}")))] for other in range(3, 10)]
        assert min(times) >= 1
        assert len(set(times)) == 1


@given(st.integers(4, 24), st.binary(max_size=2))
@settings(max_examples=12)
def test_swiss_of_two_has_no_rematch_no_second_bye_and_even_seats(number: int, key: bytes) -> None:
    rounds = min(6, number // 2)
    record = played(manifest(Swiss(rounds=rounds), number), by_luck(key, 0.3))
    assert max(met(record).values()) == 1
    assert len(matches_of(record)) == rounds * (number // 2)
    byes = Counter(order.entrants[0] for order in in_order(record) if order.is_bye)
    assert max(byes.values(), default=1) == 1
    seatings = [order.entrants for order in matches_of(record)]
    assert imbalance(list(Ledger(record).entrants), 2, seatings).seats <= 2


def test_swiss_meets_again_when_everybody_has_met() -> None:
    record = played(manifest(Swiss(rounds=5), 4))
    assert max(met(record).values()) == 2
    assert len(matches_of(record)) == 10


@pytest.mark.parametrize(("number", "seats", "rounds"), [(3, 2, 9), (5, 3, 10), (7, 4, 14)])
def test_byes_of_a_long_swiss_go_round(number: int, seats: int, rounds: int) -> None:
    record = played(manifest(Swiss(rounds=rounds), number, seats))
    byes = Counter(order.entrants[0] for order in in_order(record) if order.is_bye)
    assert set(byes.values()) == {rounds * (number % seats) // number}
    assert len(byes) == number


def test_swiss_brings_the_best_together() -> None:
    record = played(manifest(Swiss(rounds=4), 16))
    last = [set(order.entrants) for order in matches_of(record) if order.round == 4]
    assert {"e1", "e2"} in [set(order.entrants) for order in matches_of(record)]
    assert any("e1" in pair and pair & {"e2", "e3", "e4"} for pair in last)


@pytest.mark.parametrize("seats", [3, 4])
def test_swiss_of_more_avoids_meeting_again(seats: int) -> None:
    record = played(manifest(Swiss(rounds=3), seats * seats + 1, seats), by_luck(b"s", 0.3))
    assert sum(times - 1 for times in met(record).values()) <= 3
    assert sum(order.is_bye for order in in_order(record)) == 3


def test_a_swiss_round_waits_for_the_one_before() -> None:
    announced = manifest(Swiss(rounds=2), 4)
    record = played(announced)
    ledger = Ledger(opened(announced))
    for entry in record.entries[:2]:
        ledger.add(entry)
    assert ledger.open
    assert due(ledger) == ()


@pytest.mark.parametrize(("seats", "advance"), [(2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3)])
@given(st.integers(4, 40))
@settings(max_examples=10)
def test_a_knockout_comes_down_to_one_table_with_the_best(seats: int, advance: int, number: int) -> None:
    record = played(manifest(Knockout(advance=advance), number, seats))
    found = stages(Ledger(record))
    sizes = [stage.size for stage in found]
    assert sizes == sorted(set(sizes), reverse=True)
    assert sizes[-1] == seats
    assert found[-1].tables[0].entrants[0] == "e1"
    assert all(not stage.byes for stage in found[1:]) or seats > 2


def test_byes_of_a_knockout_go_to_the_best_seeds_in_the_first_round() -> None:
    first, *others = stages(Ledger(played(manifest(Knockout(), 13))))
    assert first.byes == ("e1", "e2", "e3")
    assert [stage.size for stage in others] == [8, 4, 2]
    assert {table.entrants for table in others[0].tables} >= {("e1", "e8"), ("e2", "e7"), ("e4", "e5")}


def test_best_of_three_ends_when_it_is_decided() -> None:
    assert len(matches_of(played(manifest(Knockout(best_of=3), 2)))) == 2
    draws = played(manifest(Knockout(best_of=3), 2), by_luck(b"close"))
    assert 2 <= len(matches_of(draws)) <= 3


def test_sizes_of_a_knockout() -> None:
    assert [next_size(size, 2, 1) for size in (2, 3, 4, 5, 8, 9, 16)] == [2, 2, 2, 4, 4, 8, 8]
    assert [next_size(size, 4, 2) for size in (5, 8, 9, 16)] == [4, 4, 8, 8]
    assert [next_size(size, 3, 2) for size in (4, 5, 6, 7)] == [3, 4, 4, 6]


@pytest.mark.parametrize("seats", TABLES)
def test_an_arena_mixes_and_keeps_to_its_number(seats: int) -> None:
    record = played(manifest(Arena(sets=60), 8, seats), by_luck(b"arena"))
    assert len(matches_of(record)) == 60
    assert len(met(record)) == 28
    counts = Counter(entrant for order in matches_of(record) for entrant in order.entrants)
    assert max(counts.values()) - min(counts.values()) <= 8


def test_an_arena_of_one_table_goes_on_all_the_same() -> None:
    assert len(matches_of(played(manifest(Arena(sets=7), 2)))) == 7


def test_nothing_is_due_after_the_stop() -> None:
    record = played(
        manifest(Arena(), 4), meanwhile=lambda ledger: [Stopped(cause="time")] * (len(ledger.results) > 5)
    )
    assert len(Ledger(record).results) == 6
    assert orders_due(record) == ()
    assert is_finished(record)


def test_long_plans_are_ordered_bit_by_bit() -> None:
    record = opened(manifest(RoundRobin(rounds=100), 4))
    first = orders_due(record)
    assert 64 <= len(first) < 70
    assert planned_matches(Ledger(record)) == 600


@pytest.mark.parametrize("seats", TABLES)
@pytest.mark.parametrize("chosen", FORMATS[:4], ids=lambda chosen: type(chosen).__name__)
def test_no_match_is_planned_where_no_table_is_full(chosen: Any, seats: int) -> None:
    """So it is with a tournament that is cancelled before enough have joined."""
    for number in range(seats):
        assert planned_matches(Ledger(opened(manifest(chosen, number, seats)))) in (0, None)
