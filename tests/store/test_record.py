"""What was written by an older release is read; what cannot be read is refused clearly."""

from pathlib import Path

import msgspec
import pytest

from engine.game import Change
from engine.match import Event, Step
from service.clocks.arithmetic import Clock, Control, Timing
from service.store.errors import BadRecord
from service.store.record import (
    Answer,
    MatchRecord,
    SeatRecord,
    StoredEvent,
    encode,
    ended,
    read_answer,
    read_event,
    read_record,
    snapshots,
    stored_events,
)
from tests.store.records import a_record

BLOBS = Path(__file__).parent / "blobs"

MATCH = MatchRecord(
    format=1,
    id="abcdefghijklmnopqrstuvwx",
    game="some-game",
    rules=3,
    edition_name="standard",
    edition_digest="0f" * 32,
    status="finished",
    visibility="unlisted",
    seats=(
        SeatRecord("Ada", b"\x01" * 32, "nonce", 1_700_000_000_001),
        SeatRecord(None, b"\x02" * 32, "", 5),
    ),
    options=b'{"option":true}',
    deal=b'{"seats":2}',
    state=b"\x93\x01\x02\x03",
    version=42,
    seed=bytes(range(32)),
    commitment="ab" * 32,
    given=("seed", "deal"),
    host_hash=b"\x03" * 32,
    created_at=1_700_000_000_000,
    started_at=1_700_000_000_002,
    updated_at=1_700_000_000_003,
    ended_at=1_700_000_000_003,
    ranks=(2, 1),
)
EVENT = StoredEvent(
    7,
    "retire",
    1,
    "retire:1",
    "flagged",
    1_700_000_000_000,
    (Change("left", None, {"seat": 1, "name": "Ada"}),),
)
CLOCK = Clock(
    Control(300_000, 2_000, 0, 0, 10_000, "abort"), (250_000, 0, 7), 2, 1_700_000_000_001, 9, 3, 2, 1
)
TIMED_MATCH = msgspec.structs.replace(MATCH, clock=CLOCK)
TIMED_EVENT = msgspec.structs.replace(
    EVENT, offered=1_699_999_999_000, received=1_699_999_999_990, spent=990, left=250_000
)
ANSWER = Answer(b"\x04" * 32, 201, (("location", "/m"),), b'{"a":1}')


def test_a_match_stored_by_format_1() -> None:
    assert read_record((BLOBS / "match_1.msgpack").read_bytes()) == MATCH


def test_an_event_stored_by_format_1() -> None:
    assert read_event((BLOBS / "event_1.msgpack").read_bytes()) == EVENT


def test_a_match_with_clocks_stored_by_format_1() -> None:
    assert read_record((BLOBS / "match_1_clock.msgpack").read_bytes()) == TIMED_MATCH


def test_an_event_with_times_stored_by_format_1() -> None:
    assert read_event((BLOBS / "event_1_times.msgpack").read_bytes()) == TIMED_EVENT


def test_an_answer_stored_by_format_1() -> None:
    assert read_answer((BLOBS / "answer_1.msgpack").read_bytes()) == ANSWER


def test_another_format_is_refused() -> None:
    for blob in (encode([2, "another", {"shape": 1}]), encode(msgspec.structs.replace(MATCH, format=2))):
        with pytest.raises(BadRecord, match=r"has format 2; this release reads format 1\."):
            read_record(blob)


@pytest.mark.parametrize(
    "blob", [b"", b"\xc1", encode([]), encode({"format": 1}), encode([1, "short"]), encode("x")]
)
def test_damage_is_refused(blob: bytes) -> None:
    for read in (read_record, read_event, read_answer):
        with pytest.raises(BadRecord, match="cannot be read"):
            read(blob)


def test_a_field_added_at_the_end_is_left_aside() -> None:
    fields = [*msgspec.msgpack.decode(encode(MATCH)), "from the future"]
    assert read_record(encode(fields)) == MATCH


def test_no_seed_in_a_log() -> None:
    for text in (repr(MATCH), str(MATCH), f"{[MATCH]}"):
        assert "finished" in text
        assert repr(MATCH.seed)[2:-1] not in text


def test_the_end_of_a_match() -> None:
    over = ended(a_record(), "cancelled", 9)
    assert over.is_over
    assert not a_record().is_over
    assert (over.status, over.ended_at, over.updated_at, over.ranks) == ("cancelled", 9, 9, ())


def test_no_clock_runs_after_the_end() -> None:
    assert ended(TIMED_MATCH, "aborted", 9).clock == msgspec.structs.replace(CLOCK, running=None, free=0)


def test_steps_become_events_and_kept_states() -> None:
    changes = (Change("built", 0, {}),)
    steps = [
        Step(Event(version, "action", 0, "m"), changes, ("state", version)) for version in range(254, 258)
    ]
    timings = [Timing(version, version + 1, version + 2, None) for version in range(254, 258)]
    stored = stored_events(steps, 5, timings)
    assert [event.event for event in stored] == [step.event for step in steps]
    assert all((event.at, event.changes) == (5, changes) for event in stored)
    assert [(event.offered, event.received, event.spent, event.left) for event in stored] == timings
    assert snapshots(steps) == ((256, encode(("state", 256))),)
