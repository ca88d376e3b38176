"""From records, events and states to what clients read. The seed leaves here only when a match is over."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

import msgspec
from msgspec import UNSET

from engine.game import CHANCE, Change, Edition, Standing
from engine.match import AnyGame, digest
from engine.transcript import Transcript
from schema.games import move_kinds, schemas, shapes
from schema.wire_views import (
    ChangeView,
    EditionView,
    EventView,
    GameSummary,
    GameView,
    LegalMove,
    LegalMoves,
    Links,
    MatchSummary,
    MatchView,
    SeatView,
    StandingRow,
    StandingView,
    Things,
)
from service.catalogue import rules_of
from service.clocks.arithmetic import NEVER_STALLED, Stalls
from service.clocks.views import clock_view, event_time
from service.http import encoded
from service.languages import ENGLISH, Language, with_option_texts
from service.matches import state_of
from service.store.record import MatchRecord, SeatRecord, StoredEvent

API: Final = "/api/v1"
Holder = int | Literal["chance"] | None
_LEFT: Final = {
    "": "Seat {seat} left the match.",
    "resigned": "Seat {seat} resigned.",
    "flagged": "Seat {seat} ran out of time.",
    "forfeited": "Seat {seat} forfeited the match.",
}
EVENT_TEXTS: Final = tuple(_LEFT.values())
"""What the service itself says of events."""


@lru_cache(maxsize=256)
def when(ms: int) -> datetime:
    """A time in ms since 1970, in UTC."""
    return datetime.fromtimestamp(ms / 1_000, UTC)


def when_or_never(ms: int) -> datetime | None:
    """As `when`, None for 0: not yet."""
    return when(ms) if ms else None


def game_summary(game: AnyGame, editions: Iterable[Edition]) -> GameSummary:
    """A game in the list."""
    boxes = tuple(map(_edition, editions))
    return GameSummary(game.slug, game.title, game.seats, game.rules, _edition(game.edition), boxes)


def game_view(game: AnyGame, editions: Iterable[Edition], language: Language = ENGLISH) -> GameView:
    """A game with its schemas."""
    speech, documents = language.of(game), schemas(game.slug)
    return GameView(
        game.slug,
        game.title,
        game.seats,
        game.rules,
        _edition(game.edition),
        tuple(map(_edition, editions)),
        **documents | {"options": with_option_texts(documents["options"], speech)},
        move_kinds=move_kinds(game.slug),
        labels={key: speech.say(label) for key, label in game.labels.items()},
    )


def match_summary(record: MatchRecord, stalls: Stalls = NEVER_STALLED) -> MatchSummary:
    """A match in a list. `stalls` put off the deadline of its clock."""
    return MatchSummary(**_summary(record, stalls))


def match_view(record: MatchRecord, stalls: Stalls = NEVER_STALLED) -> MatchView:
    """A match as it stands. `stalls` put off the deadline of its clock. Raises OtherRules."""
    game = rules_of(record)
    shape = shapes(game.slug)
    state = state_of(game, record.state) if record.state else None
    return MatchView(
        **_summary(record, stalls),
        rules=record.rules,
        edition=EditionView(record.edition_name, record.edition_digest),
        options=shape.options_view(msgspec.json.decode(record.options, type=game.options_type)),
        commitment=record.commitment,
        seed=published_seed(record),
        to_move=None if state is None or record.is_over else holder(game, state),
        state=None if state is None else shape.state_view(state),
        links=links(record.id),
    )


def seat_views(record: MatchRecord) -> tuple[SeatView, ...]:
    """The places at the table."""
    return tuple(
        SeatView(
            number,
            seat.is_taken,
            seat.name,
            seat.nonce,
            when_or_never(seat.joined_at),
            seat.player or (seat.held_for if seat.held_for in record.invited else None),
            seat.bot or None,
        )
        for number, seat in enumerate(record.seats)
    )


def published_seed(record: MatchRecord) -> str | None:
    """The seed in hex, None as long as the match, or another one of its deal, is not over."""
    return record.seed.hex() if record.is_over and not record.is_withheld else None


def links(match_id: str) -> Links:
    """The addresses below a match."""
    base = f"{API}/matches/{match_id}"
    parts = ("events", "legal-moves", "moves", "standing", "picture", "board", "transcript")
    return Links(base, *(f"{base}/{part}" for part in parts))


def holder(game: AnyGame, state: Any) -> Holder:
    """Who decides: a seat, `chance`, or None when it is over."""
    mover = game.to_move(state)
    return "chance" if mover == CHANCE else mover


def notations(game: AnyGame, state: Any) -> tuple[str, ...]:
    """The spellings of all legal moves."""
    return tuple(map(game.write, game.legal(state)))


class Chosen(NamedTuple):
    """Which of the legal moves are asked for: of one kind, about one thing, so many at most; None for all."""

    kind: str | None = None
    touching: str | None = None
    limit: int | None = None

    def among(self, game: AnyGame, state: Any, legal: Sequence[Any]) -> Sequence[int]:
        """The places of these moves among the legal ones, in order."""
        if self.kind is None and self.touching is None:
            return range(len(legal))[: self.limit]
        found = [
            place
            for place, move in enumerate(legal)
            if self.kind in (None, move.__struct_config__.tag)
            and (self.touching is None or self.touching in game.touched(state, move))
        ]
        return found[: self.limit]


EVERY: Final = Chosen()


def legal_moves(
    game: AnyGame, state: Any, version: int, chosen: Chosen = EVERY, language: Language = ENGLISH
) -> LegalMoves:
    """The legal moves that are asked for; at chance the outcomes with their odds."""
    legal, mover = game.legal(state), holder(game, state)
    places = chosen.among(game, state, legal)
    odds = tuple(game.odds(state)) if mover == "chance" else None
    return LegalMoves(
        version,
        mover,
        tuple([_legal_move(game, legal[place], language) for place in places]),
        UNSET if odds is None else tuple(odds[place] for place in places),
    )


@lru_cache(maxsize=1_024)
def legal_body(
    game: AnyGame,
    state: bytes,
    version: int,
    chosen: Chosen,
    media_type: str,
    language: Language,
) -> bytes:
    """The legal moves in a state, as they are sent. The players and all who watch ask for the same ones."""
    return encoded(legal_moves(game, state_of(game, state), version, chosen, language), media_type)


def things_view(game: AnyGame, state: Any, version: int, kind: str | None, language: Language) -> Things:
    """What has a name on the table, or what of it is of one kind, told in a language."""
    found = game.things(state, language.of(game))
    things = (thing for thing in found if kind in (None, thing.__struct_config__.tag))
    return Things(version, tuple(map(shapes(game.slug).thing_view, things)))


@lru_cache(maxsize=16_384)
def _legal_move(game: AnyGame, move: Any, language: Language) -> LegalMove:
    """The same moves are legal again and again."""
    text = game.sentence(move, language.of(game))
    return LegalMove(game.write(move), text, shapes(game.slug).move_view(move))


def event_views(
    game: AnyGame, events: Iterable[StoredEvent], language: Language = ENGLISH
) -> tuple[EventView, ...]:
    """Events with their sentences."""
    return tuple(
        EventView(
            event.version,
            event.kind,
            event.seat,
            event.move,
            _told(game, event, language),
            event.cause,
            when(event.at),
            tuple(change_view(game, change, language) for change in event.changes),
            event_time(event),
        )
        for event in events
    )


def standing_view(standing: Standing, seats: tuple[SeatRecord, ...], version: int) -> StandingView:
    """Score sheets with the names of the players."""
    rows = (
        StandingRow(
            row.seat,
            seats[row.seat].name if row.label is None else None,
            row.label,
            row.scores,
            row.total,
            row.ties,
            row.rank,
            row.retired,
        )
        for row in standing.rows
    )
    return StandingView(version, tuple(rows))


def transcript_of(record: MatchRecord, deal: bytes, events: Iterable[StoredEvent]) -> Transcript:
    """The transcript of a match that has started; `deal` is JSON, `events` are all. Raises OtherRules."""
    game = rules_of(record)
    return Transcript(
        game=record.game,
        rules=record.rules,
        edition=Edition(record.edition_name, record.edition_digest),
        deal=msgspec.json.decode(deal),
        match=record.id,
        names=tuple(seat.name for seat in record.seats),
        given=record.given,
        commitment=record.commitment,
        nonces=tuple(seat.nonce for seat in record.seats),
        seed=published_seed(record),
        events=tuple(event.event for event in events),
        digest=digest(state_of(game, record.state)),
        ranks=record.ranks or None,
    )


def _summary(record: MatchRecord, stalls: Stalls) -> dict[str, Any]:
    return {
        "id": record.id,
        "game": record.game,
        "status": record.status,
        "visibility": record.visibility,
        "seats": seat_views(record),
        "version": record.version,
        "given": record.given,
        "creator": record.creator or None,
        "join": record.joining,
        "invited": record.invited,
        "rematch_of": record.rematch_of or None,
        "tournament": record.tournament or None,
        "created_at": when(record.created_at),
        "started_at": when_or_never(record.started_at),
        "updated_at": when(record.updated_at),
        "ended_at": when_or_never(record.ended_at),
        "ranks": record.ranks or None,
        "clock": clock_view(record.clock, stalls),
    }


def _edition(edition: Edition) -> EditionView:
    return EditionView(edition.name, edition.digest)


def _told(game: AnyGame, event: StoredEvent, language: Language) -> str:
    if event.kind == "retire":
        return language.own.say(_LEFT.get(event.cause or "", _LEFT[""])).format(seat=event.seat)
    return sentence_of(game, event.move, language)


@lru_cache(maxsize=16_384)
def sentence_of(game: AnyGame, notation: str, language: Language = ENGLISH) -> str:
    """The move that a notation spells, in words."""
    return game.sentence(game.parse(notation), language.of(game))


def change_view(game: AnyGame, change: Change, language: Language = ENGLISH) -> ChangeView:
    """A consequence with its sentence."""
    return _change_view(game, change.code, change.seat, tuple(change.values.items()), language)


@lru_cache(maxsize=16_384)
def _change_view(
    game: AnyGame, code: str, seat: int | None, values: tuple[tuple[str, int | str], ...], language: Language
) -> ChangeView:
    """The same things happen again and again."""
    change = Change(code, seat, dict(values))
    return ChangeView(code, seat, change.values, game.sentence(change, language.of(game)))
