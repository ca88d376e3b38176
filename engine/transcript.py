"""The transcript of a match: everything needed to play it again, as text or JSON, without the seed.

Text: the line `cantiere-transcript 1`, then `name: value` lines, an empty line, and one line an event:
`<version> <seat> <move>`, with `*` for the seat of an outcome, ` forced` behind a forced move and the cause
behind a retirement. Values are JSON. Unknown names are refused, so that nothing is lost in silence.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import Struct

from engine.errors import BadSetup, BadTranscript, UnknownGame
from engine.game import Edition
from engine.match import AnyGame, Event, Kind, Step, check, digest, fold
from engine.opening import read_deal
from engine.registry import find_game

FIRST_LINE: Final = "cantiere-transcript 1"
_NUMBER: Final = re.compile(r"[0-9]{1,9}").fullmatch


class Transcript(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A match as a document.

    `deal` is the opening deal in the game's own spelling; `given` says what the creator chose (`seed`,
    `deal`); `seed` is hex and absent while it is secret; `digest` is that of the last state and `ranks` the
    ranking by row of the standing, null while the match runs.
    """

    game: str
    rules: int
    edition: Edition
    deal: dict[str, Any]
    match: str = ""
    names: tuple[str | None, ...] = ()
    given: tuple[str, ...] = ()
    commitment: str = ""
    nonces: tuple[str, ...] = ()
    seed: str | None = None
    events: tuple[Event, ...] = ()
    digest: str = ""
    ranks: tuple[int, ...] | None = None


def write_text(transcript: Transcript) -> str:
    """The transcript as text; `parse_text` reads it back to an equal value."""
    values = msgspec.to_builtins(transcript)
    values.pop("events", None)
    head = [f"{name}: {msgspec.json.encode(value).decode()}" for name, value in values.items()]
    return "\n".join([FIRST_LINE, *head, "", *map(_write_event, transcript.events)]) + "\n"


def parse_text(text: str) -> Transcript:
    """The transcript that the text writes. Raises BadTranscript with the line at fault."""
    lines = text.replace("\r\n", "\n").split("\n")  # not splitlines: names may hold other separators
    if not lines or lines[0].strip() != FIRST_LINE:
        raise BadTranscript(f"a transcript begins with '{FIRST_LINE}'", 1)
    names = set(Transcript.__struct_fields__) - {"events"}
    values: dict[str, Any] = {}
    number = 1
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            break
        name, colon, value = line.partition(":")
        if not colon or name not in names or name in values:
            raise BadTranscript(f"'{name[:40]}' is no entry of a transcript, or stands twice", number)
        try:
            values[name] = msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadTranscript(f"{name}: {error}", number) from None
    values["events"] = [
        _parse_event(line, at) for at, line in enumerate(lines[number:], number + 1) if line.strip()
    ]
    return _convert(values)


def write_json(transcript: Transcript) -> bytes:
    """The transcript as one line of JSON."""
    return msgspec.json.encode(transcript)


def parse_json(data: bytes) -> Transcript:
    """The transcript in a JSON document. Raises BadTranscript."""
    try:
        return msgspec.json.decode(data, type=Transcript)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadTranscript(str(error)) from None


def opening(transcript: Transcript, game: AnyGame | None = None) -> tuple[AnyGame, Any]:
    """The game, bound to the box that the transcript names, and the state at version 0.

    `game` is for a box that is not the built-in one. Raises BadTranscript.
    """
    try:
        game = game or find_game(transcript.game)
        deal = read_deal(game, transcript.deal)
    except (UnknownGame, BadSetup) as error:
        raise BadTranscript(str(error)) from None
    if transcript.edition != game.edition:
        raise BadTranscript(f"{transcript.edition} was played with, here is {game.edition}")
    if transcript.rules != game.rules:
        raise BadTranscript(f"played by version {transcript.rules} of the rules, here is {game.rules}")
    return game, game.setup(deal)


def replay(transcript: Transcript, game: AnyGame | None = None) -> Iterator[Step]:
    """A step for each event, every one checked against the rules, and the digest at the end.

    Raises BadTranscript at the first event that the rules do not allow.
    """
    game, state = opening(transcript, game)
    for number, event in enumerate(transcript.events, 1):
        if event.version != number:
            raise BadTranscript(f"version {event.version} stands where {number} is due")
        check(game, state, event)
        (step,) = fold(game, state, (event,))
        state = step.state
        yield step
    if transcript.digest and transcript.digest != digest(state):
        raise BadTranscript("the moves lead to another state than the digest says")


def _write_event(event: Event) -> str:
    seat = "*" if event.seat is None else event.seat
    remark = event.cause if event.kind == "retire" else "forced" if event.kind == "forced" else None
    return f"{event.version} {seat} {event.move}" + (f" {remark}" if remark else "")


def _parse_event(line: str, number: int) -> Event:
    words = line.split()
    if len(words) not in (3, 4) or not _NUMBER(words[0]) or not (words[1] == "*" or _NUMBER(words[1])):
        raise BadTranscript(f"'{line[:60]}' is not '<version> <seat> <move>'", number)
    remark = words[3] if len(words) == 4 else None
    kind: Kind = "action"
    if words[1] == "*":
        kind = "outcome"
    elif words[2].startswith("retire:"):
        kind = "retire"
    elif remark == "forced":
        kind = "forced"
    elif remark:
        raise BadTranscript(f"'{remark[:40]}' is no remark to a move", number)
    seat = None if words[1] == "*" else int(words[1])
    return Event(int(words[0]), kind, seat, words[2], remark if kind == "retire" else None)


def _convert(values: dict[str, Any]) -> Transcript:
    try:
        return msgspec.convert(values, Transcript)
    except msgspec.ValidationError as error:
        raise BadTranscript(str(error)) from None
