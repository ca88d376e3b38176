"""What clients send: a Struct for every body and every query.

Fields are camelCase on the wire; unknown ones are refused. What is answered stands in `wire_views`.
"""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct, ValidationError

from engine.choices import with_choices

MOST_SEATS: Final = 16
LONGEST_NAME: Final = 40
LONGEST_MOVE: Final = 200
LONGEST_TOKEN: Final = 200
LARGEST_BATCH: Final = 1_000
LARGEST_PAGE: Final = 200
LARGEST_LIST: Final = 10_000
"""What may be asked for of a list that is not divided into pages."""
LONGEST_CURSOR: Final = 200
LATEST_VERSION: Final = 10_000_000
LONGEST_WAIT: Final = 60
LONGEST_ID: Final = 64
MOST_LEVELS: Final = 64
"""Levels of what is read of a body at most, and more: what is deeper is refused, for it is of no type."""
SHORTEST_TIME: Final = 100
LONGEST_TIME: Final = 90 * 86_400_000
"""What a clock may be set to, in ms: up to 90 days."""

_END = r"$(?![\s\S])"  # `$` alone also matches before a last line feed
_CONTROLS = r"\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff"
NAME_PATTERN: Final = rf"^[^\s{_CONTROLS}]([^{_CONTROLS}]*[^\s{_CONTROLS}])?{_END}"
NONCE_PATTERN: Final = rf"^[!-~]*{_END}"
SEED_PATTERN: Final = rf"^[0-9a-fA-F]{{64}}{_END}"
POSITION_PATTERN: Final = rf"^\d{{1,19}}-\d{{1,19}}{_END}"

PATTERNS: Final = {
    NAME_PATTERN: "without control characters and without blanks at its ends",
    NONCE_PATTERN: "of visible ASCII characters",
    SEED_PATTERN: "of 64 hexadecimal digits",
    POSITION_PATTERN: "that is the id of a message, such as 1700000000000-0",
}
"""What the patterns mean, in words."""

Status = Literal["open", "running", "finished", "cancelled", "aborted"]
Visibility = Literal["public", "unlisted"]
Joining = Literal["open", "invited"]
Scope = Literal["read", "play", "create", "account"]
PlayerId = Annotated[str, Meta(max_length=LONGEST_ID, description="The id of a player.")]
Version = Annotated[int, Meta(ge=0, le=LATEST_VERSION, description="Number of events so far; 0 is the deal.")]
Limit = Annotated[int, Meta(ge=1, le=LARGEST_PAGE, description="Entries at most.")]
Cursor = Annotated[str, Meta(max_length=LONGEST_CURSOR, description="The `next` of the page before.")]
Slug = Annotated[str, Meta(max_length=60, description="The name of a game.")]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_SEATS, description="A seat, counted from 0.")]
Nonce = Annotated[
    str,
    Meta(
        max_length=64,
        pattern=NONCE_PATTERN,
        description="Text of yours that chance depends on: the server cannot choose your luck.",
    ),
]
Time = Annotated[int, Meta(ge=SHORTEST_TIME, le=LONGEST_TIME)]
Allowance = Annotated[int, Meta(ge=0, le=LONGEST_TIME)]
OnFlag = Literal["retire", "abort"]
TimeKind = Literal["none", "base", "perTurn"]
Notation = Annotated[str, Meta(max_length=LONGEST_MOVE, description="A move in the game's notation.")]


class Asked(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Base of everything a client sends."""


class Nothing(Asked, frozen=True):
    """No parameters: an empty object, or no body at all."""


class AskedClock(Asked, frozen=True):
    """Time for each seat, in ms: `base` for the match, with `increment` or `delay`, or `perTurn`."""

    base: Annotated[Time | None, Meta(description="Time for the whole match.", examples=[300_000])] = None
    increment: Annotated[Allowance, Meta(description="Added at the end of each turn.")] = 0
    delay: Annotated[Allowance, Meta(description="Of each turn, the first part that costs nothing.")] = 0
    per_turn: Annotated[
        Time | None, Meta(description="Time for each turn anew; what is left of it lapses.")
    ] = None
    grace: Annotated[
        Allowance, Meta(description="Of a seat's first turn, the first part that costs nothing.")
    ] = 0
    on_flag: Annotated[
        OnFlag,
        Meta(description="When time is over: the seat is retired, or the match aborted without a result."),
    ] = "retire"


class CreateMatch(Asked, frozen=True):
    """A match to be created. Beside a deal, its seats and options may be left out, or must be equal."""

    game: Slug
    seats: Annotated[
        int | None, Meta(description="Number of seats; needed unless a deal is given.", examples=[2])
    ] = None
    options: Annotated[
        dict[str, Any] | None,
        Meta(description="Options of the game, as its schema describes; absent ones default."),
    ] = None
    visibility: Annotated[
        Visibility, Meta(description="`unlisted` matches stand in no list; who knows the id may read them.")
    ] = "public"
    seed: Annotated[
        Annotated[str, Meta(pattern=SEED_PATTERN)] | None,
        Meta(description="The seed of all chance, 256 bits in hex. Without it: a secret one."),
    ] = None
    deal: Annotated[
        dict[str, Any] | None, Meta(description="The opening deal, in the game's own spelling.")
    ] = None
    edition: Annotated[
        Annotated[str, Meta(max_length=64)] | None,
        Meta(description="Name or digest of the box to play with; without it the one of new matches."),
    ] = None
    clock: Annotated[
        AskedClock | None, Meta(description="The time control; without it nobody runs out of time.")
    ] = None
    join: Annotated[
        Joining, Meta(description="`invited`: only the players invited, and the creator, may take a seat.")
    ] = "open"
    invited: Annotated[
        tuple[PlayerId, ...],
        Meta(max_length=MOST_SEATS, description="Players who are told of the match."),
    ] = ()


class JoinMatch(Asked, frozen=True):
    """Somebody takes a seat: the one named, or the first free one."""

    seat: SeatNumber | None = None
    name: Annotated[
        Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, pattern=NAME_PATTERN)] | None,
        Meta(description="How the player is called at the table.", examples=["Ada"]),
    ] = None
    nonce: Nonce = ""


class KickSeat(Asked, frozen=True):
    """A seat that becomes free again, before the start."""

    seat: SeatNumber


class Rematch(Asked, frozen=True):
    """The same players again, each one seat further on."""

    nonce: Nonce = ""


class PlayMoves(Asked, frozen=True):
    """Moves to be played in order, chosen at `version`."""

    version: Version
    moves: Annotated[tuple[Notation, ...], Meta(min_length=1, max_length=LARGEST_BATCH)]
    continue_through_chance: Annotated[
        bool,
        Meta(
            description="Go on after rolls and forced moves as far as the moves are legal; else all or none."
        ),
    ] = False


class NoQuery(Asked, frozen=True):
    """No parameters."""


class MatchesQuery(Asked, frozen=True):
    """Which public matches to list, newest first."""

    game: Slug | None = None
    status: Status | None = None
    seats: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_SEATS)] | None, Meta(description="Matches with so many seats.")
    ] = None
    free: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_SEATS)] | None,
        Meta(description="Matches in which at least so many seats are free for anybody."),
    ] = None
    join: Annotated[Joining | None, Meta(description="Matches that may be joined so.")] = None
    clock: Annotated[
        TimeKind | None,
        Meta(description="Matches with time for the whole match, for each turn, or no clock."),
    ] = None
    player: Annotated[
        Annotated[str, Meta(max_length=LONGEST_ID)] | None,
        Meta(description="Matches in which the player with this id has a seat."),
    ] = None
    cursor: Cursor | None = None
    limit: Limit = 50


class LegalMovesQuery(Asked, frozen=True):
    """Which legal moves to list."""

    version: Version | None = None
    kind: Annotated[str, Meta(max_length=40, description="Only moves of this kind.")] | None = None
    touching: Annotated[
        Annotated[str, Meta(max_length=40)] | None,
        Meta(description="Only moves about this thing on the table: a cell, a section, or as in `die:blue`."),
    ] = None
    limit: Annotated[
        Annotated[int, Meta(ge=1, le=LARGEST_LIST)] | None, Meta(description="So many at most.")
    ] = None


class ThingsQuery(Asked, frozen=True):
    """Which things to list."""

    version: Version | None = None
    kind: Annotated[str, Meta(max_length=40, description="Only things of this kind.")] | None = None


class PlayMovesQuery(Asked, frozen=True):
    """What to add to the answer."""

    include: Annotated[
        Literal["legalMoves"] | None, Meta(description="Adds the notations that are legal next.")
    ] = None


class EventsQuery(Asked, frozen=True):
    """Which events to list, or to stream. `limit`, `wait` and `status` are for lists."""

    after: Version = 0
    limit: Limit = LARGEST_PAGE
    wait: Annotated[
        int,
        Meta(ge=0, le=LONGEST_WAIT, description="Seconds to wait for an event if there is none."),
    ] = 0
    status: Annotated[
        Status | None,
        Meta(description="The status that you know: when it is another one, there is nothing to wait for."),
    ] = None


class VersionQuery(Asked, frozen=True):
    """At which version; without it at the current one."""

    version: Version | None = None


class BoardQuery(VersionQuery, frozen=True):
    """The board at which version, and how it is drawn."""

    size: Annotated[int, Meta(ge=64, le=2_000, description="Pixels across.")] | None = None
    theme: Annotated[Literal["light", "dark"], Meta(description="The ground that it is drawn on.")] = "light"


class TranscriptsQuery(Asked, frozen=True):
    """Which finished public matches to export, newest first."""

    game: Slug | None = None
    cursor: Cursor | None = None
    limit: Annotated[int, Meta(ge=1, le=100, description="Matches at most.")] = 20


def with_whole_numbers(data: Any, levels: int = MOST_LEVELS) -> Any:
    """The same data, with an int for each float without a fraction (JSON Schema, validation, 6.1.1), as many
    levels down as anything has that is read here."""
    match data:
        case float() if data.is_integer():
            return int(data)
        case list() if levels:
            return [with_whole_numbers(entry, levels - 1) for entry in data]
        case dict() if levels:
            return {name: with_whole_numbers(entry, levels - 1) for name, entry in data.items()}
    return data


def in_words(error: ValidationError, kind: Any) -> tuple[str, str]:
    """What does not fit a `kind`, with patterns said in words, and where: a path such as `$.moves[0]`."""
    text, _, where = str(error).partition(" - at `")
    for pattern, words in PATTERNS.items():
        text = text.replace(f"matching regex {pattern!r}", words)
    key, _, above = where.rstrip("`").rpartition("` in `")
    where = above or "$"
    text = text if key else with_choices(text, where, kind)
    return f"{where}: {text}{', as a key' if key else ''}.", where
