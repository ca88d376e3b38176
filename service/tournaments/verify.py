"""Whether what is stated of a tournament follows from its record.

The record is read entry by entry as it was written, everything that is a function of it is computed again,
and the first difference is named. Matches themselves are checked by their transcripts, if these are given.
"""

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO, Final

import msgspec

from engine.chance import Draw, commitment, match_draw
from engine.errors import BadTranscript
from engine.match import AnyGame, Step, digest
from engine.transcript import Transcript, opening, replay
from service.tournaments.check import luck_objections, size_objections
from service.tournaments.faults import forfeit_ranks, struck_out
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import MOST_ENTRANTS, Manifest
from service.tournaments.manifest import digest as manifest_digest
from service.tournaments.record import (
    Ended,
    Entered,
    Entry,
    FaultCount,
    Left,
    MatchOrder,
    MatchResult,
    Ordered,
    Reason,
    Record,
    Stopped,
    Voided,
)
from service.tournaments.schedule import due
from service.tournaments.seeds import chance_name, deal_draw, match_seed
from service.tournaments.statement import Export, stated
from service.tournaments.stopping import is_decided

CLOSE: Final = 1e-6
"""How far floats may lie apart: machines round differently."""

MB: Final = 1024 * 1024
LARGEST: Final = 512 * MB
"""Bytes of a file, at most: about twice what the longest event there can be comes to."""
LARGEST_MANIFEST: Final = 8 * MB
"""Bytes of a manifest, at most: its options may hold anything, which takes far more memory when read."""

REASONS: Final[Mapping[str | None, tuple[Reason, ...]]] = {
    None: ("played", "absent"),
    "resigned": ("resigned",),
    "flagged": ("flagged", "absent"),
    "forfeited": ("forfeited", "absent"),
}
"""How a seat may have ended, by the cause for which it left the match, None if it never did."""


class Difference(Exception):
    """Something that does not follow from the record, or cannot stand in one. `where` names it."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where = where


def read_file(file: BinaryIO) -> Export:
    """The file of a tournament, or its record as a server tells it.

    Raises Difference if it is neither, or larger than a record can be.
    """
    return read_export(file.read(LARGEST + 1))


def read_export(data: bytes) -> Export:
    """As `read_file`, of the bytes of the file."""
    if len(data) > LARGEST:
        raise Difference("file", f"it is larger than {LARGEST // MB} MB")
    try:
        parts = _parts(data)
        record = parts if "manifest" in parts else _parts(parts.get("record", b"{}"))
        if len(bytes(record.get("manifest", b""))) > LARGEST_MANIFEST:
            raise Difference("manifest", f"it is larger than {LARGEST_MANIFEST // MB} MB")
        if record is parts:
            return Export(record=msgspec.json.decode(data, type=Record))
        return msgspec.json.decode(data, type=Export)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Difference("file", str(error)) from None


def _parts(data: bytes | msgspec.Raw) -> dict[str, msgspec.Raw]:
    """The entries of an object, as they are written."""
    return msgspec.json.decode(data, type=dict[str, msgspec.Raw])


def verify(export: Export) -> None:
    """Nothing, if all that is stated follows from the record. Raises Difference with what first does not."""
    check_record(export.record)
    if export.statement is not None:
        stated_again = msgspec.to_builtins(stated(export.record))
        compare("statement", msgspec.to_builtins(export.statement), stated_again)


def check_record(record: Record) -> None:
    """Nothing, if every entry can stand where it stands. Raises Difference."""
    if record.hash != manifest_digest(record.manifest):
        raise Difference("hash", "it is not that of the manifest")
    for where, why in (*luck_objections(record.manifest), *size_objections(record.manifest)):
        raise Difference(where, why)
    seed = _seed_of(record)
    ledger = Ledger(Record(manifest=record.manifest, hash=record.hash))
    for number, entry in enumerate(record.entries):
        if ledger.stopped and not isinstance(entry, Ended | Voided):
            raise Difference(f"entries[{number}]", "the event was stopped before")
        for why in _objections(ledger, entry, seed):
            raise Difference(f"entries[{number}]", why)
        ledger.add(entry)


def check_transcripts(record: Record, transcripts: Iterable[Transcript], game: AnyGame | None = None) -> int:
    """How many of the results were played again, every move by the rules, and found as they are stated.

    With the seed published deals and luck are computed again too. Raises Difference.
    """
    ledger = Ledger(record)
    results = {result.match: result for result in ledger.results.values() if result.match}
    seed = _seed_of(record)
    checked = 0
    for transcript in transcripts:
        result = results.get(transcript.match)
        if result is None:
            raise Difference(f"transcript {transcript.match}", "no result of the record is of this match")
        for why in _faults_of(ledger, result, transcript, seed, game):
            raise Difference(f"transcript {transcript.match}", why)
        checked += 1
    return checked


def compare(where: str, claimed: Any, found: Any) -> None:
    """Nothing, if both are the same up to rounding. Raises Difference with where they first differ."""
    if isinstance(claimed, Mapping) and isinstance(found, Mapping) and claimed.keys() == found.keys():
        for name in found:
            compare(f"{where}.{name}", claimed[name], found[name])
    elif isinstance(claimed, list | tuple) and isinstance(found, list | tuple) and len(claimed) == len(found):
        for place, (one, other) in enumerate(zip(claimed, found, strict=True)):
            compare(f"{where}[{place}]", one, other)
    elif isinstance(claimed, float) and isinstance(found, float):
        if not math.isclose(claimed, found, rel_tol=CLOSE, abs_tol=CLOSE):
            raise Difference(where, f"{claimed} is stated, {found} is computed")
    elif claimed != found:
        raise Difference(where, f"{_short(claimed)} is stated, {_short(found)} is computed")


def _short(value: Any) -> str:
    return msgspec.json.encode(value).decode()[:80]


def _seed_of(record: Record) -> bytes | None:
    """The secret seed, once it is published."""
    if record.seed is None:
        return None
    try:
        seed = bytes.fromhex(record.seed)
    except ValueError:
        raise Difference("seed", "it is not hexadecimal") from None
    if hashlib.sha256(seed).hexdigest() != record.manifest.commitment:
        raise Difference("seed", "it is not the one that the manifest is committed to")
    return seed


def _objections(ledger: Ledger, entry: Entry, seed: bytes | None) -> Iterator[str]:
    """Why the entry cannot follow here."""
    match entry:
        case Ordered(orders=orders):
            yield from _of_orders(due(ledger), orders)
        case Ended(result=result) if result.order not in ledger.open:
            if not ledger.stopped:
                yield f"order {result.order} does not wait for a result"
        case Ended(result=result):
            yield from _of_result(ledger, result, seed)
        case Voided(order=order) if order not in ledger.open and not ledger.stopped:
            yield f"order {order} does not wait for a result"
        case Voided(order=order) if order in ledger.open:
            yield from _of_faults(ledger.orders[order], entry.faults)
        case Entered() | Left():
            yield from _of_entrant(ledger, entry)
        case Stopped(cause="decided") if not is_decided(ledger):
            yield "the stopping rule had not come to an answer"
        case Stopped(cause="time") if not getattr(ledger.manifest.format, "duration_ms", 0):
            yield "no time was set"


def _of_entrant(ledger: Ledger, entry: Entered | Left) -> Iterator[str]:
    """Why somebody cannot come or go here."""
    match entry:
        case Entered(entrant=entrant) if (
            entrant.id in ledger.entrants
            or ledger.round_played > ledger.manifest.late
            or len(ledger.entrants) >= MOST_ENTRANTS
        ):
            yield f"{entrant.id} cannot come in here"
        case Left(entrant=entrant) if entrant not in ledger.active:
            yield f"{entrant} takes no part"
        case Left(entrant=entrant, cause="struck_out") if entrant not in struck_out(ledger):
            yield f"{entrant} has no more strikes than are allowed"


def _of_orders(expected: tuple[MatchOrder, ...], claimed: tuple[MatchOrder, ...]) -> Iterator[str]:
    """The first order that is not the one due."""
    for one, other in zip(expected, claimed, strict=False):
        if one != other:
            yield f"order {one.number} is {_told(one)}, not {_told(other)}"
    if len(expected) != len(claimed):
        yield f"{len(expected)} orders are due, not {len(claimed)}"


def _told(order: MatchOrder) -> str:
    return (
        f"number {order.number}, round {order.round}, table {order.table}, deal {order.deal}, "
        f"{' - '.join(order.entrants)}"
    )


def _of_result(ledger: Ledger, result: MatchResult, seed: bytes | None) -> Iterator[str]:
    order = ledger.orders[result.order]
    seats = len(order.entrants)
    told = {len(result.ranks), len(result.scores), len(result.reasons), len(result.latencies) or seats}
    if told != {seats}:
        yield f"the result of order {order.number} is not for {seats} seats"
    elif any(rank != 1 + sum(other < rank for other in result.ranks) for rank in result.ranks):
        yield f"the ranks of order {order.number} are no ranking"
    elif _forfeited(ledger.manifest, result) not in (None, result.ranks):
        yield f"the ranks of order {order.number} are not those of its forfeit"
    yield from _of_faults(order, result.faults)
    if seed and result.commitment:
        own = match_seed(ledger.manifest, seed, order, ledger.voids[order.number])
        if commitment(own) != result.commitment:
            yield f"the seed of the match of order {order.number} does not follow from that of the event"


def _of_faults(order: MatchOrder, faults: Iterable[FaultCount]) -> Iterator[str]:
    """The first fault that nobody at the table can have made."""
    for seen in faults:
        if seen.count < 1 or not (seen.seat is None or 0 <= seen.seat < len(order.entrants)):
            yield f"order {order.number} has no {seen.count} faults of seat {seen.seat}"


def _faults_of(
    ledger: Ledger, result: MatchResult, transcript: Transcript, seed: bytes | None, game: AnyGame | None
) -> Iterator[str]:
    """What is wrong with the transcript of a match."""
    manifest = ledger.manifest
    if transcript.game != manifest.game or transcript.edition != manifest.edition:
        yield "it is of another game or edition"
    try:
        bound, begun = opening(transcript, game)
        steps = tuple(replay(transcript, bound))
    except BadTranscript as error:
        yield str(error)
        return
    yield from _of_moves(manifest, bound, steps[-1].state if steps else begun, result)
    yield from _of_reasons(manifest, transcript, result)
    if result.commitment and transcript.commitment != result.commitment:
        yield "it is committed to another seed than the result says"
    if seed is not None:
        yield from _of_deal(manifest, ledger.orders[result.order], bound, transcript, seed)
        yield from _of_luck(bound, begun, steps, _draw_of(ledger, result, transcript, seed))


def _of_moves(manifest: Manifest, game: AnyGame, state: Any, result: MatchResult) -> Iterator[str]:
    """Where the moves come to something else than the result says."""
    rows = [row for row in game.standing(state).rows if row.label is None]
    if result.digest and result.digest != digest(state):
        yield "the moves lead to another state than the result says"
    if tuple(row.total for row in rows) != result.scores:
        yield f"the moves give the scores {[row.total for row in rows]}, not {list(result.scores)}"
    if _forfeited(manifest, result) is None and tuple(row.rank for row in rows) != result.ranks:
        yield f"the moves give the ranks {[row.rank for row in rows]}, not {list(result.ranks)}"


def _of_reasons(manifest: Manifest, transcript: Transcript, result: MatchResult) -> Iterator[str]:
    """The first seat that ended otherwise than the result says."""
    causes = {event.seat: event.cause for event in reversed(transcript.events) if event.kind == "retire"}
    for seat, reason in enumerate(result.reasons):
        is_forfeited = reason == "forfeited" and _forfeited(manifest, result) is not None
        if reason not in REASONS.get(causes.get(seat), ()) and not (is_forfeited and seat not in causes):
            yield f"seat {seat} has {causes.get(seat, 'not left')}, and the result says {reason}"
            return


def _forfeited(manifest: Manifest, result: MatchResult) -> tuple[int, ...] | None:
    """The ranks of the match if its faults ended it, None if its moves give them."""
    return forfeit_ranks(manifest.faults, result.faults, len(result.ranks))


def _of_deal(
    manifest: Manifest, order: MatchOrder, game: AnyGame, transcript: Transcript, seed: bytes
) -> Iterator[str]:
    options = msgspec.convert(manifest.options, game.options_type)
    due_deal = game.deal(options, manifest.seats, deal_draw(seed, order.deal))
    if msgspec.convert(transcript.deal, game.deal_type) != due_deal:
        yield f"it was not dealt as deal {order.deal} of the event"


def _draw_of(ledger: Ledger, result: MatchResult, transcript: Transcript, seed: bytes) -> Draw:
    """The chance of a match, as it follows from the seed of the event."""
    order = ledger.orders[result.order]
    own = match_seed(ledger.manifest, seed, order, ledger.voids[order.number])
    nonces = transcript.nonces or ("",) * len(order.entrants)
    return match_draw(own, chance_name(ledger.manifest, order, result.match), nonces)


def _of_luck(game: AnyGame, state: Any, steps: Iterable[Step], draw: Draw) -> Iterator[str]:
    """The first outcome that is not the one that follows from the chance of the match."""
    for step in steps:
        if step.event.kind == "outcome" and step.event.move != game.write(game.outcome(state, draw)):
            yield f"event {step.event.version}, {step.event.move}, does not follow from the seed of the event"
            return
        state = step.state
