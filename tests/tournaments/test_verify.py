"""A file is believed only if everything in it follows from its record: every kind of tampering is found."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.chance import commitment
from service.tournaments.manifest import (
    Arena,
    Duplicate,
    FaultPolicy,
    FaultRule,
    Knockout,
    Placings,
    RoundRobin,
    Swiss,
    digest,
)
from service.tournaments.record import Ended, Entered, Left, MatchOrder, MatchResult, Record, Stopped
from service.tournaments.seeds import match_seed
from service.tournaments.statement import Export, export
from service.tournaments.verify import Difference, check_record, read_export, verify
from tests.tournaments.playing import SEED, by_luck, entrants, manifest, played, result

STRICT = FaultPolicy(no_show=FaultRule(then="forfeit"))
ANNOUNCED = manifest(RoundRobin(), 4, 3, design=Duplicate(seatings="cyclic"), late=1, faults=STRICT)
FORMATS = [RoundRobin(rounds=2), Swiss(rounds=3), Knockout(best_of=3), Arena(sets=20)]


def committed(order: MatchOrder) -> MatchResult:
    ended = by_luck(b"verify", 0.5)(order)
    return replace(ended, commitment=commitment(match_seed(ANNOUNCED, SEED, order)))


def true_file() -> Any:
    record = replace(played(ANNOUNCED, committed), seed=SEED.hex())
    return msgspec.json.decode(export(record))


@pytest.mark.parametrize("chosen", FORMATS, ids=lambda chosen: type(chosen).__name__)
@pytest.mark.parametrize("seats", [2, 3])
def test_what_was_really_played_is_believed(chosen: Any, seats: int) -> None:
    verify(read_export(export(played(manifest(chosen, 6, seats), by_luck(b"true")))))


def test_a_bare_record_is_read_as_servers_tell_it() -> None:
    file = true_file()
    verify(read_export(msgspec.json.encode(file["record"])))
    file["record"]["seed"] = "00" * 32
    with pytest.raises(Difference, match="committed"):
        verify(read_export(msgspec.json.encode(file["record"])))


def test_a_manifest_of_absurd_size_is_refused() -> None:
    file = true_file()
    file["record"]["manifest"]["options"] = {"x": [[]] * 3_000_000}
    for part in (file, file["record"]):
        with pytest.raises(Difference, match="manifest: it is larger"):
            read_export(msgspec.json.encode(part))


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"format": RoundRobin(rounds=10_000)}, "format"),
        ({"design": Duplicate(), "seats": 16}, "design"),
    ],
)
def test_what_is_too_much_to_be_computed_is_refused_at_once(changes: dict[str, Any], where: str) -> None:
    absurd = replace(ANNOUNCED, entrants=entrants(1_000), **changes)
    with pytest.raises(Difference, match=r"too many|at most") as refused:
        check_record(Record(manifest=absurd, hash=digest(absurd)))
    assert refused.value.where == where


def test_no_more_can_come_late_than_can_take_part() -> None:
    full = manifest(Arena(sets=1), 1_000, 2, late=1)
    late = Entered(entrant=replace(full.entrants[0], id="late"), at=1)
    with pytest.raises(Difference, match="late cannot come in here"):
        check_record(Record(manifest=full, hash=digest(full), entries=(late,)))


def ended(file: Any) -> list[Any]:
    return [entry["result"] for entry in file["record"]["entries"] if entry["entry"] == "ended"]


def ordered(file: Any) -> list[Any]:
    return [entry["orders"] for entry in file["record"]["entries"] if entry["entry"] == "ordered"]


def other_winner(file: Any) -> None:
    ended(file)[0]["ranks"].reverse()


def other_score(file: Any) -> None:
    ended(file)[0]["scores"][0] += 1


def other_forfeit(file: Any) -> None:
    ended(file)[0]["faults"] = [{"seat": 0, "fault": "no_show", "count": 1}]
    ended(file)[0]["ranks"] = [1, 2, 3]


def times_of_too_few(file: Any) -> None:
    ended(file)[0]["latencies"] = [[[1, 1]]]


def fault_of_nobody(file: Any) -> None:
    ended(file)[0]["faults"] = [{"seat": 3, "fault": "timeout", "count": 1}]


def no_fault(file: Any) -> None:
    ended(file)[0]["faults"] = [{"seat": 0, "fault": "timeout", "count": -1}]


def voided_by_nobody(file: Any) -> None:
    faults = [{"seat": 9, "fault": "timeout", "count": 1}]
    file["record"]["entries"].insert(1, {"entry": "voided", "order": 1, "match": "", "faults": faults})


def no_ranking(file: Any) -> None:
    ended(file)[0]["ranks"] = [1, 2, 2.5]


def broken_ranking(file: Any) -> None:
    ended(file)[0]["ranks"] = [1, 3, 3]


def other_pairing(file: Any) -> None:
    ordered(file)[0][0]["entrants"].reverse()


def other_deal(file: Any) -> None:
    ordered(file)[0][0]["deal"] = 99


def order_left_out(file: Any) -> None:
    ordered(file)[0].pop()


def result_twice(file: Any) -> None:
    file["record"]["entries"].append(file["record"]["entries"][-1])


def other_place(file: Any) -> None:
    file["statement"]["standings"][0]["points"] += 0.5


def other_rating(file: Any) -> None:
    file["statement"]["ratings"][1]["mu"] += 0.001


def other_cell(file: Any) -> None:
    file["statement"]["crosstable"][3]["points"] += 1


def other_seed(file: Any) -> None:
    file["record"]["seed"] = "00" * 32


def no_seed(file: Any) -> None:
    file["record"]["seed"] = "secret"


def other_match_seed(file: Any) -> None:
    ended(file)[2]["commitment"] = "0" * 64


def other_manifest(file: Any) -> None:
    file["record"]["manifest"]["limits"]["atOnce"] = 7


def stranger_leaves(file: Any) -> None:
    file["record"]["entries"].append({"entry": "left", "entrant": "e77"})


def too_late(file: Any) -> None:
    entrant = {"id": "e9", "name": "Late"}
    file["record"]["entries"].append({"entry": "entered", "entrant": entrant})


def stopped_for_nothing(file: Any) -> None:
    file["record"]["entries"].append({"entry": "stopped", "cause": "decided"})


def struck_out_for_nothing(file: Any) -> None:
    file["record"]["entries"].append({"entry": "left", "entrant": "e1", "cause": "struck_out"})


def out_of_no_time(file: Any) -> None:
    file["record"]["entries"].append({"entry": "stopped", "cause": "time"})


def after_the_stop(file: Any) -> None:
    stop = {"entry": "stopped", "cause": "cancelled"}
    file["record"]["entries"] += [stop, {"entry": "left", "entrant": "e1"}]


def unknown_field(file: Any) -> None:
    file["record"]["manifest"]["luckily"] = True


TAMPERINGS: list[tuple[Callable[[Any], None], str]] = [
    (other_winner, "statement"),
    (other_score, "statement.standings"),
    (other_forfeit, "entries["),
    (times_of_too_few, "entries["),
    (fault_of_nobody, "entries["),
    (no_fault, "entries["),
    (voided_by_nobody, "entries["),
    (no_ranking, "file"),
    (broken_ranking, "entries["),
    (other_pairing, "entries[0]"),
    (other_deal, "entries[0]"),
    (order_left_out, "entries[0]"),
    (result_twice, "entries["),
    (other_place, "statement.standings[0].points"),
    (other_rating, "statement.ratings[1].mu"),
    (other_cell, "statement.crosstable[3].points"),
    (other_seed, "seed"),
    (no_seed, "seed"),
    (other_match_seed, "entries["),
    (other_manifest, "hash"),
    (stranger_leaves, "entries["),
    (too_late, "entries["),
    (stopped_for_nothing, "entries["),
    (struck_out_for_nothing, "entries["),
    (out_of_no_time, "entries["),
    (after_the_stop, "entries["),
    (unknown_field, "file"),
]


@pytest.mark.parametrize(("tamper", "where"), TAMPERINGS, ids=lambda given: getattr(given, "__name__", ""))
def test_tampering_is_found_and_named(tamper: Callable[[Any], None], where: str) -> None:
    file = true_file()
    verify(read_export(msgspec.json.encode(file)))
    tamper(file)
    with pytest.raises(Difference) as found:
        verify(read_export(msgspec.json.encode(file)))
    assert found.value.where.startswith(where)


def test_no_file_is_no_tournament() -> None:
    for data in (b"", b"{}", b"[" * 100_000, b"\xff"):
        with pytest.raises(Difference):
            read_export(data)


def test_results_that_came_after_the_stop_count_for_nothing() -> None:
    record = played(manifest(RoundRobin(), 3), by_luck(b"stop"))
    *before, last = record.entries
    stopped = Record(
        manifest=record.manifest, hash=record.hash, entries=(*before, Stopped(cause="cancelled"))
    )
    later = stopped.with_entries([last])
    check_record(later)
    assert (
        msgspec.json.decode(export(later), type=Export).statement
        == msgspec.json.decode(export(stopped), type=Export).statement
    )


def test_late_entries_and_departures_are_part_of_the_record() -> None:
    (newcomer,) = entrants(1, first=9)
    record = played(
        manifest(RoundRobin(), 4, late=99),
        meanwhile=lambda ledger: [
            *(
                [Entered(entrant=newcomer)]
                if len(ledger.results) == 2 and "e9" not in ledger.entrants
                else []
            ),
            *([Left(entrant="e1")] if len(ledger.results) == 4 and not ledger.left else []),
        ],
    )
    check_record(record)


def test_a_decided_event_stops_where_its_rule_says() -> None:
    announced = manifest(RoundRobin(rounds=50), 3, 3, stopping=Placings(entrant="e1"))
    record = played(announced)
    check_record(record.with_entries([Stopped(cause="decided")]))
    assert 5 < sum(isinstance(entry, Ended) for entry in record.entries) < 120
    with pytest.raises(Difference, match="had not come to an answer"):
        check_record(replace(record, entries=record.entries[:3]).with_entries([Stopped(cause="decided")]))


def test_a_result_for_too_few_seats_is_refused() -> None:
    record = played(ANNOUNCED, lambda order: replace(result(order, (1, 2, 3)), scores=(1,)))
    with pytest.raises(Difference, match="is not for 3 seats"):
        check_record(record)
