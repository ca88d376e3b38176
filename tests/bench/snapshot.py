"""What it costs to keep a match: copying, encoding and decoding its state and its whole document."""

import statistics
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec

from engine.chance import commitment
from engine.match import AnyGame
from engine.registry import GAMES
from service.store.record import FORMAT, MatchRecord, SeatRecord, encode, read_record
from tests.bench.timing import microseconds
from tests.conformance.walks import random_match

AIM = 1_500


def figures() -> Iterator[str]:
    """Times in microseconds for the middle of a random match; sizes over the whole match, in bytes."""
    columns = f"{'copy':>8}{'encode':>8}{'decode':>8}{'bytes: state':>14}{'document':>10}{'most':>7}"
    yield f"{'game':<20}{'seats':>6}{columns}"
    for game in GAMES.values():
        decode = msgspec.msgpack.Decoder(game.state_type).decode
        for seats in game.seats:
            documents = [_document(game, seats, state) for state in _states(game, seats)]
            middle = documents[len(documents) // 2]
            state, blob = decode(middle.state), encode(middle)
            sizes = [len(encode(document)) for document in documents]
            yield (
                f"{game.slug:<20}{seats:>6}"
                f"{microseconds(partial(msgspec.structs.replace, state)):>8.2f}"
                f"{microseconds(partial(encode, state)):>8.2f}"
                f"{microseconds(partial(_both, decode, blob)):>8.2f}"
                f"{len(middle.state):>14,}{statistics.median(sizes):>10,.0f}{max(sizes):>7,}"
            )
    yield f"\nAim: a document under {AIM:,} bytes. Decode is document and state together."


def _both(decode: Callable[[bytes], Any], blob: bytes) -> Any:
    return decode(read_record(blob).state)


def _states(game: AnyGame, seats: int) -> list[Any]:
    walk = random_match(game, seats, 1)
    return [(walk.deal, walk.start), *((walk.deal, step.state) for step in walk.steps)]


def _document(game: AnyGame, seats: int, dealt: tuple[Any, Any]) -> MatchRecord:
    deal, state = dealt
    seat = SeatRecord("a name of a player", bytes(32), "a nonce of 22 letters", 1_800_000_000_000)
    return MatchRecord(
        format=FORMAT,
        id="a" * 24,
        game=game.slug,
        rules=game.rules,
        edition_name=game.edition.name,
        edition_digest=game.edition.digest,
        status="running",
        visibility="public",
        seats=(seat,) * seats,
        options=msgspec.json.encode(deal.options),
        deal=b"",
        state=encode(state),
        version=100,
        seed=bytes(32),
        commitment=commitment(bytes(32)),
        given=(),
        host_hash=bytes(32),
        created_at=1_800_000_000_000,
        started_at=1_800_000_000_000,
        updated_at=1_800_000_000_000,
    )
