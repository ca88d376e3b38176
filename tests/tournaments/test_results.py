"""What a record comes to: worked examples of places, tables, ratings and faults."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.chance import commitment
from service.tournaments import faults
from service.tournaments.elo import difference, estimate, expected
from service.tournaments.latency import BUCKETS, counted, merged, percentile
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import (
    Arena,
    Duplicate,
    FaultClass,
    FaultPolicy,
    FaultRule,
    Gauntlet,
    Knockout,
    Manifest,
    RoundRobin,
    Swiss,
    canonical,
    digest,
)
from service.tournaments.ratings import history, ratings
from service.tournaments.record import (
    Ended,
    Entry,
    FaultCount,
    Left,
    MatchOrder,
    MatchResult,
    Ordered,
    Record,
    Voided,
)
from service.tournaments.schedule import orders_due
from service.tournaments.scoring import duels, halves
from service.tournaments.seeds import chance_name, deal_draw, match_seed
from service.tournaments.standings import Place, standings
from service.tournaments.statement import stated
from service.tournaments.tables import crosstable, elo_rows, seat_advantage
from tests.tournaments.playing import SEED, by_luck, by_strength, manifest, opened, played, result


def table(record: Record) -> list[tuple[int, str, float]]:
    return [(row.place, row.entrant, row.points) for row in standings(Ledger(record))]


def with_results(announced: Manifest, outcomes: dict[frozenset[str], str]) -> Record:
    """A round in which of every two the one named won, or nobody."""

    def play(order: MatchOrder) -> MatchResult:
        winner = outcomes.get(frozenset(order.entrants), "")
        return result(order, tuple(1 if winner in ("", one) else 2 for one in order.entrants))

    return played(announced, play)


def pairs(*won: str) -> dict[frozenset[str], str]:
    """`e1>e2` for each."""
    return {frozenset(text.split(">")): text.split(">")[0] for text in won}


@given(st.lists(st.integers(1, 4), min_size=2, max_size=4))
def test_points_are_shared_out_completely(ranks: list[int]) -> None:
    assert sum(halves(ranks)) == len(ranks) * (len(ranks) - 1)


def test_points_by_rank() -> None:
    assert halves((1, 2, 3, 4)) == (6, 4, 2, 0)
    assert halves((1, 1, 3)) == (3, 3, 0)
    order = MatchOrder(number=1, round=1, table=1, deal=1, entrants=("a", "b"))
    assert [tuple(duel) for duel in duels(order, result(order, (2, 1), (5, 9)))] == [
        ("a", "b", 0, -4),
        ("b", "a", 2, 4),
    ]


def test_the_stronger_ones_are_ahead_in_every_format() -> None:
    for chosen in (RoundRobin(), Swiss(rounds=5), Knockout(), Arena(sets=60)):
        rows = standings(Ledger(played(manifest(chosen, 6), by_strength)))
        assert rows[0].entrant == "e1"
        assert rows[-1].entrant == "e6" or isinstance(chosen, Knockout)


def test_equals_are_parted_by_direct_encounter_and_else_share_a_place() -> None:
    outcomes = pairs("e1>e2", "e3>e1", "e4>e1", "e2>e3", "e2>e4")
    record = with_results(manifest(RoundRobin(), 4, ties=("direct",)), outcomes)
    assert table(record) == [(1, "e2", 2.0), (2, "e3", 1.5), (2, "e4", 1.5), (4, "e1", 1.0)]
    outcomes = pairs("e1>e2", "e3>e1", "e1>e4", "e2>e3", "e2>e4", "e4>e3")
    record = with_results(manifest(RoundRobin(), 4, ties=("direct",)), outcomes)
    rows = standings(Ledger(record))
    assert [(row.place, row.entrant) for row in rows] == [(1, "e1"), (2, "e2"), (3, "e4"), (4, "e3")]
    assert rows[0].ties == {"direct": 1.0}


def test_buchholz_sums_what_opponents_have() -> None:
    record = with_results(manifest(Swiss(rounds=1), 4, ties=("buchholz",)), pairs("e1>e3"))
    rows = {row.entrant: row for row in standings(Ledger(record))}
    assert rows["e2"].ties == {"buchholz": 0.5}
    assert [rows[one].place for one in ("e1", "e2", "e4", "e3")] == [1, 2, 2, 4]


def test_margins_stand_beside_wins_and_leave_out_who_left_early() -> None:
    announced = manifest(RoundRobin(rounds=2), 2)
    first, second = orders_due(opened(announced))
    ends: list[Entry] = [
        Ended(result=result(first, (1, 2), (30, 20))),
        Ended(result=replace(result(second, (1, 2), (9, 0)), reasons=("played", "resigned"))),
    ]
    rows = standings(Ledger(opened(announced).with_entries([Ordered(orders=(first, second)), *ends])))
    assert [(row.margin.mean, row.margin.count) for row in rows if row.margin] == [(10.0, 1), (-10.0, 1)] or [
        row.margin.mean for row in rows if row.margin
    ] == [-10.0, 10.0]


def test_who_played_and_lost_is_before_who_did_not_come() -> None:
    def play(order: MatchOrder) -> MatchResult:
        played_out = result(order, tuple(1 + (one != "e1") for one in order.entrants))
        reasons = tuple("absent" if one == "e2" else "played" for one in order.entrants)
        return replace(played_out, reasons=reasons)

    record = played(manifest(Gauntlet(heroes=("e1",)), 3, ties=("margin",)), play)
    rows = [(row.place, row.entrant, row.ties) for row in standings(Ledger(record))]
    assert rows == [(1, "e1", {}), (2, "e3", {"margin": -10.0}), (3, "e2", {})]


def test_who_left_stays_in_the_table_and_shares_are_of_what_was_played() -> None:
    def meanwhile(ledger: Ledger) -> list[Entry]:
        return [Left(entrant="e1")] if len(ledger.results) == 12 and not ledger.left else []

    rows = standings(Ledger(played(manifest(RoundRobin(rounds=20), 4), meanwhile=meanwhile)))
    first = rows[0]
    assert (first.entrant, first.left) == ("e1", "withdrawn")
    assert first.matches < rows[1].matches


def test_duplicate_deals_are_scored_per_deal() -> None:
    record = played(manifest(RoundRobin(), 3, 3, design=Duplicate(deals=4)), by_luck(b"deal"))
    rows = standings(Ledger(record))
    assert all(row.share and row.share.count == 4 and row.matches == 24 for row in rows)


def test_the_crosstable_has_both_sides() -> None:
    record = played(manifest(RoundRobin(rounds=2), 4), by_luck(b"cross"))
    cells = {(cell.one, cell.other): cell for cell in crosstable(Ledger(record))}
    assert len(cells) == 12
    for (one, other), cell in cells.items():
        mirror = cells[other, one]
        assert cell.points + mirror.points == cell.matches == 2
        assert cell.margin is not None
        assert mirror.margin == -cell.margin


def test_the_worth_of_seats() -> None:
    def first_wins(order: MatchOrder) -> MatchResult:
        return result(order, tuple(range(1, len(order.entrants) + 1)))

    rows = seat_advantage(Ledger(played(manifest(RoundRobin(rounds=2), 4, 3), first_wins)))
    assert [row.share.mean for row in rows] == [1.0, 0.5, 0.0]


def test_ratings_follow_strength_and_are_surer_with_time() -> None:
    few, many = (
        ratings(Ledger(played(manifest(RoundRobin(rounds=rounds), 5, 3), by_strength))) for rounds in (1, 6)
    )
    assert [row.entrant for row in many] == ["e1", "e2", "e3", "e4", "e5"]
    assert all(row.low < row.mu < row.high for row in many)
    assert max(row.sigma for row in many) < min(row.sigma for row in few)
    assert len(list(history(Ledger(played(manifest(RoundRobin(), 4), by_strength))))) == 6


def test_elo_of_a_known_score() -> None:
    assert expected(0) == 0.5
    assert expected(400) == pytest.approx(10 / 11)
    assert difference(expected(123)) == pytest.approx(123)
    assert difference(0.0) is None


def test_elo_bounds_hold_what_is_true_and_shrink() -> None:
    half = estimate([0.5] * 10)
    assert half.elo == 0
    assert half.low is not None
    assert half.high is not None
    assert half.low == pytest.approx(-half.high)
    wide, narrow = (estimate([0.0, 1.0, 1.0] * times) for times in (4, 100))
    assert wide.high is not None
    assert narrow.high is not None
    assert narrow.high < wide.high
    winner = estimate([1.0] * 8)
    assert winner.elo is None
    assert winner.low is not None
    assert winner.low > 0


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=60))
def test_elo_bounds_are_around_the_estimate(scores: Sequence[float]) -> None:
    found = estimate(scores)
    if found.elo is not None:
        assert found.low is not None
        assert found.high is not None
        assert found.low <= found.elo <= found.high


def test_elo_is_for_two() -> None:
    assert elo_rows(Ledger(played(manifest(RoundRobin(), 3, 3)))) == ()
    rows = elo_rows(Ledger(played(manifest(RoundRobin(rounds=4), 3), by_luck(b"elo"))))
    assert [row.entrant for row in rows] == ["e1", "e2", "e3"]


@given(st.lists(st.integers(0, 10**7), max_size=50), st.integers(1, 100))
def test_percentiles_are_bounds_to_a_bucket(times: list[int], percent: int) -> None:
    bound = percentile(counted(times), percent)
    if not times:
        assert bound is None
        return
    assert bound is not None
    exact = sorted(times)[max(0, -(-len(times) * percent // 100) - 1)]
    assert exact <= bound <= max(10, exact * 1.3)


def test_latencies_add_up() -> None:
    one, other = counted([3, 3, 17]), counted([20, 10**12])
    assert merged([one, other]) == ((3, 2), (20, 2), (BUCKETS[-1], 1))


@pytest.mark.parametrize("fault", faults.CLASSES)
def test_faults_are_borne_and_then_cost_something(fault: FaultClass) -> None:
    policy = replace(FaultPolicy(), **{fault: FaultRule(borne=2, then="forfeit")})
    told = [faults.consequence(policy, fault, times) for times in (1, 2, 3, 4)]
    assert told == ["retry", "retry", "forfeit", "forfeit"]


def test_strikes_are_counted_over_the_event_and_strike_out() -> None:
    policy = FaultPolicy(illegal_move=FaultRule(borne=1, then="strike"), strikes=2)
    announced = manifest(RoundRobin(rounds=2), 2, faults=policy)
    orders = orders_due(opened(announced))
    ledger = Ledger(opened(announced).with_entries([Ordered(orders=orders)]))
    for number, order in enumerate(orders, 1):
        seen = FaultCount(seat=order.entrants.index("e2"), fault="illegal_move", count=1 + number)
        ledger.add(Ended(result=replace(result(order, (1, 2)), faults=(seen,))))
        assert faults.strikes(ledger) == {"e2": number * (number + 1) // 2}
        assert faults.struck_out(ledger) == (("e2",) if number == 2 else ())
    rows = {row.entrant: row for row in faults.fault_rows(ledger)}
    assert (rows["e2"].faults["illegal_move"], rows["e2"].strikes) == (5, 3)
    assert sum(rows["e1"].faults.values()) == 0


def test_a_voided_match_is_open_again_until_it_was_voided_too_often() -> None:
    announced = manifest(RoundRobin(), 2)
    (order,) = orders_due(opened(announced))
    ledger = Ledger(opened(announced).with_entries([Ordered(orders=(order,))]))
    fault = FaultCount(seat=None, fault="server", count=1)
    for times in range(4):
        assert 1 in ledger.open
        assert not ledger.is_deal_over(order.deal)
        ledger.add(Voided(order=1, match=f"m{times}", faults=(fault,)))
    assert not ledger.open
    assert ledger.is_deal_over(order.deal)
    assert faults.fault_rows(ledger)[-1].faults["server"] == 4


def test_who_forfeits_a_match_is_last_and_the_others_are_equal() -> None:
    policy = FaultPolicy(illegal_move=FaultRule(borne=1, then="forfeit"), no_show=FaultRule(then="forfeit"))
    borne, cheated = (FaultCount(seat=1, fault="illegal_move", count=count) for count in (1, 2))
    absent = FaultCount(seat=0, fault="no_show", count=1)
    gone = FaultCount(seat=2, fault="disconnect", count=1)
    assert faults.forfeit_ranks(policy, (borne, gone), 3) is None
    assert faults.forfeit_ranks(policy, (cheated, gone), 3) == (1, 3, 1)
    assert faults.forfeit_ranks(policy, (cheated, absent), 3) == (2, 2, 1)
    assert faults.forfeit_ranks(policy, (cheated, absent), 2) == (1, 1)


def test_matches_that_never_began_say_nothing_about_strength() -> None:
    def walkover(order: MatchOrder) -> MatchResult:
        return replace(by_strength(order), match="", scores=(0, 0), reasons=("played", "absent"))

    record = played(manifest(RoundRobin(), 2), walkover)
    assert [row.matches for row in ratings(Ledger(record))] == [0, 0]
    assert table(record)[0] == (1, "e1", 1.0)


def test_the_hash_of_a_manifest_is_of_its_canonical_bytes() -> None:
    announced = manifest(RoundRobin(), 3)
    assert canonical(announced) == canonical(manifest(RoundRobin(rounds=1), 3))
    assert canonical(announced).startswith(b'{"clock":null,"commitment":')
    assert digest(announced) != digest(replace(announced, luck="shared"))
    assert commitment(SEED) == announced.commitment


def test_every_match_has_a_seed_of_its_own_and_every_deal_one_layout() -> None:
    announced = manifest(RoundRobin(), 2, design=Duplicate(deals=2))
    orders = orders_due(opened(announced))
    assert len({match_seed(announced, SEED, order) for order in orders}) == 4
    assert len({deal_draw(SEED, order.deal).below(2**60, "x") for order in orders}) == 2
    assert match_seed(announced, SEED, orders[0], 1) != match_seed(announced, SEED, orders[0])
    assert chance_name(announced, orders[0], "some-match") == "some-match"


def test_shared_luck_is_that_of_the_deal() -> None:
    announced = manifest(RoundRobin(), 2, design=Duplicate(deals=2), luck="shared")
    orders = orders_due(opened(announced))
    keys = {
        (order.deal, match_seed(announced, SEED, order), chance_name(announced, order, f"m{order.number}"))
        for order in orders
    }
    assert len(keys) == 2


def test_everything_is_stated_of_an_event_that_has_not_begun() -> None:
    for seats in (2, 3):
        nothing = stated(opened(manifest(RoundRobin(), 4, seats)))
        assert [row.place for row in nothing.standings] == [1] * 4
        assert nothing.progress.ended == 0
        assert not nothing.progress.finished


def test_places_are_the_same_whatever_came_first() -> None:
    announced = manifest(RoundRobin(rounds=2), 5, 3, design=Duplicate(seatings="cyclic"))
    first, second = (
        stated(played(announced, by_luck(b"same", 0.4), arrivals)) for arrivals in (b"one", b"two")
    )
    assert first == second


def is_ascending(rows: Sequence[Place]) -> bool:
    return [row.place for row in rows] == sorted(row.place for row in rows)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_places_ascend_in_every_format(seats: int) -> None:
    for chosen in (RoundRobin(), Swiss(rounds=3), Knockout(best_of=3), Arena(sets=12)):
        record = played(manifest(chosen, 8, seats), by_luck(b"ascend"))
        rows = standings(Ledger(record))
        assert is_ascending(rows)
        assert sorted(row.entrant for row in rows) == sorted(Ledger(record).entrants)
