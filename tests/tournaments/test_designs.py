"""Who sits with whom and where: as even as the numbers allow."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.tournaments.designs import circle, pair_counts, rounds_of, sittings, tables
from service.tournaments.manifest import Duplicate, Rotation
from service.tournaments.seating import (
    Meeting,
    balanced,
    evened,
    imbalance,
    orders_of,
    planned,
    set_size,
    turns,
)

EXACT = [(4, 3, 1), (5, 3, 2), (6, 3, 2), (7, 3, 1), (9, 3, 1), (13, 3, 1), (5, 4, 1), (7, 4, 2), (13, 4, 1)]
"""Entrants, seats, meetings: every two meet equally often in what is found."""


@pytest.mark.parametrize("entrants", range(2, 12))
def test_in_the_circle_every_two_meet_once_and_nobody_is_at_two_tables(entrants: int) -> None:
    rounds = list(circle(entrants))
    assert len(rounds) == entrants - (entrants % 2 == 0)
    assert pair_counts(table for tables in rounds for table in tables) == Counter(
        combinations(range(entrants), 2)
    )
    for at_once in rounds:
        assert len({one for table in at_once for one in table}) == 2 * len(at_once)


@pytest.mark.parametrize(("entrants", "seats", "meetings"), EXACT)
def test_blocks_are_found_in_which_every_two_meet_equally_often(
    entrants: int, seats: int, meetings: int
) -> None:
    chosen = tables(entrants, seats, sittings(entrants, seats, meetings))
    times = {pair_counts(chosen)[pair] for pair in combinations(range(entrants), 2)}
    assert len(times) == 1
    assert times.pop() >= meetings


@given(st.integers(3, 12), st.integers(3, 4), st.integers(1, 4))
@settings(max_examples=25)
def test_everybody_sits_equally_often_and_once_a_round(entrants: int, seats: int, meetings: int) -> None:
    if entrants < seats:
        return
    each = sittings(entrants, seats, meetings)
    chosen = tables(entrants, seats, each)
    assert set(Counter(one for table in chosen for one in table).values()) == {each}
    assert all(len(set(table)) == seats for table in chosen)
    met = [pair_counts(chosen)[pair] for pair in combinations(range(entrants), 2)]
    assert max(met) - min(met) <= 2
    rounds = rounds_of(chosen)
    assert sorted(table for at_once in rounds for table in at_once) == sorted(chosen)
    for at_once in rounds:
        assert len({one for table in at_once for one in table}) == seats * len(at_once)


@settings(max_examples=50)
@given(st.data())
def test_seats_of_any_tables_are_even_to_one(data: st.DataObject) -> None:
    seats = data.draw(st.integers(2, 4))
    everybody = [f"e{one}" for one in range(data.draw(st.integers(seats, 9)))]
    drawn = data.draw(
        st.lists(
            st.lists(st.sampled_from(everybody), min_size=seats, max_size=seats, unique=True), max_size=40
        )
    )
    seated = balanced([tuple(table) for table in drawn])
    assert [sorted(table) for table in seated] == [sorted(table) for table in drawn]
    assert imbalance(everybody, seats, seated).seats <= 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_table_that_comes_back_goes_round(seats: int) -> None:
    table = tuple(f"e{one}" for one in range(seats))
    assert imbalance(table, seats, planned([table] * (2 * seats), seats)) == (0, 0, 0, 0)


@pytest.mark.parametrize(("seats", "number"), [(2, 2), (3, 6), (4, 24)])
def test_all_seatings_are_all_there_are(seats: int, number: int) -> None:
    assert len(set(turns(seats))) == len(turns(seats)) == number


@settings(max_examples=30)
@given(st.lists(st.permutations(["e1", "e2", "e3"]), max_size=12))
def test_the_next_seating_mends_what_was_uneven(before: list[list[str]]) -> None:
    played = [tuple(seating) for seating in before]
    for _ in range(3 * len(before) + 6):
        played.append(evened(["e1", "e2", "e3"], played))
    assert imbalance(["e1", "e2", "e3"], 3, played).seats <= 1


def test_a_deal_is_played_in_every_seating() -> None:
    design = Duplicate(deals=2)
    orders = list(orders_of(Meeting(4, 2, ("a", "b", "c")), design, 11, 7))
    assert [order.number for order in orders] == list(range(11, 23))
    assert len(orders) == set_size(3, design) == 12
    for deal in (7, 8):
        seatings = {order.entrants for order in orders if order.deal == deal}
        assert len(seatings) == 6
    assert {(order.round, order.table) for order in orders} == {(4, 2)}


def test_cyclic_seatings_give_everybody_every_seat_once() -> None:
    orders = list(orders_of(Meeting(1, 1, ("a", "b", "c", "d")), Duplicate(seatings="cyclic"), 1, 1))
    assert imbalance("abcd", 4, [order.entrants for order in orders]).seats == 0
    assert len(orders) == 4


def test_in_a_rotation_every_match_has_a_deal_of_its_own() -> None:
    orders = list(orders_of(Meeting(1, 1, ("a", "b")), Rotation(matches=3), 1, 5))
    assert [order.deal for order in orders] == [5, 6, 7]
    assert [order.entrants for order in orders] == [("a", "b"), ("b", "a"), ("a", "b")]


def test_a_bye_is_an_order_of_one() -> None:
    (bye,) = orders_of(Meeting(1, 3, ("a",)), Rotation(), 9, 4)
    assert bye.is_bye
    assert (bye.number, bye.deal) == (9, 0)
