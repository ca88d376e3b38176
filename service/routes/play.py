"""Playing: the move path, and leaving a match."""

from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from engine.errors import BadNotation
from engine.match import AnyGame, parse_batch
from schema.operations import PLAY_MOVES, RESIGN
from schema.wire import Nothing, PlayMoves, PlayMovesQuery
from schema.wire_views import PlayedView
from service.accounts.credential import Credential, seat_of
from service.catalogue import rules_of
from service.clocks.referee import Moment
from service.clocks.views import clock_view
from service.desk import Deed, Desk
from service.errors import Failure, InvalidBody, StaleVersion, failure
from service.http import Body, Incoming, Query, Reply, change, language_of, respond
from service.languages import ENGLISH, Language
from service.matches import Decision, play_moves, resign, state_of
from service.routes.common import NO_QUERY, credential, desk, match_id, position, route
from service.store.record import MatchRecord
from service.tournaments.refusals import is_fault, note_refusal
from service.views import event_views, holder, notations

MOVES: Final = Body(PlayMoves)
MOVES_QUERY: Final = Query(PlayMovesQuery)
RESIGNATION: Final = Body(Nothing)
MOST_MISSED: Final = 200
"""Events in the answer to a stale move at most."""


class BySeat(Deed):
    """What a seat does in a running match; it is answered with what came of it."""

    has_sentences = True

    def __init__(
        self, at_desk: Desk, shown: Credential, language: Language = ENGLISH, with_legal_moves: bool = False
    ) -> None:
        self._desk = at_desk
        self._shown = shown
        self._language = language
        self._with_legal_moves = with_legal_moves
        self._seat = -1
        self._game: AnyGame

    def admit(self, record: MatchRecord) -> None:
        self._seat = seat_of(record, self._shown)
        self._game = self._desk.catalogue.game_of(record)

    def tell(self, decision: Decision) -> tuple[Struct, None]:
        record, game, stopped_by = decision.record, self._game, decision.stopped_by
        stop = None if stopped_by is None else failure(stopped_by, game, self._language)
        view = PlayedView(
            version=record.version,
            status=record.status,
            events=event_views(game, decision.events, self._language),
            played=decision.played,
            to_move=holder(game, decision.state),
            stopped_at=UNSET if stopped_by is None else stopped_by.index,
            reason=UNSET if stop is None else stop.problem,
            legal_moves=notations(game, decision.state) if self._with_legal_moves else UNSET,
            clock=clock_view(record.clock) or UNSET,
        )
        return view, None

    async def explain(self, record: MatchRecord, error: Exception, language: Language) -> Failure | None:
        """With what the client needs to go on: after a stale move the events missed, the turn, the moves."""
        if isinstance(error, StaleVersion):
            error.extra |= await self._missed(record, error.chosen_at)
        return failure(error, self._game, language)

    async def _missed(self, record: MatchRecord, since: int) -> dict[str, Any]:
        state = state_of(self._game, record.state)
        mover = holder(self._game, state)
        most = min(MOST_MISSED, record.version - since)
        events = await self._desk.store.events(record.id, since, most) if most > 0 else ()
        return {
            "events": event_views(self._game, events, self._language),
            "next": since + most if since + most < record.version else None,
            "to_move": mover,
            "legal_moves": notations(self._game, state) if mover == self._seat else UNSET,
        }


class Play(BySeat):
    """A seat plays a batch of moves."""

    def __init__(
        self,
        at_desk: Desk,
        shown: Credential,
        asked: PlayMoves,
        with_legal_moves: bool,
        language: Language = ENGLISH,
    ) -> None:
        super().__init__(at_desk, shown, language, with_legal_moves)
        self._asked = asked
        self._moves: tuple[Any, ...] = ()
        self._unparsable: BadNotation | None = None

    def follows(self, record: MatchRecord) -> bool:
        return self._asked.version == record.version

    def admit(self, record: MatchRecord) -> None:
        try:
            self._moves = parse_batch(rules_of(record), self._asked.moves)
        except BadNotation as error:
            if not record.tournament:
                raise
            self._unparsable = error  # refused when it is known whose fault it is
        super().admit(record)

    async def decide(self, record: MatchRecord, moment: Moment) -> Decision:
        if self._unparsable is not None:
            raise self._unparsable
        return play_moves(record, self._game, self._seat, self._asked, self._moves, moment)

    async def explain(self, record: MatchRecord, error: Exception, language: Language) -> Failure | None:
        """In a tournament it is counted, too."""
        if record.tournament and is_fault(error):
            await note_refusal(self._desk.store.link, record, self._seat)
        return await super().explain(record, error, language)

    async def explain_again(
        self, record: MatchRecord, error: StaleVersion, language: Language
    ) -> Failure | None:
        """The same events and moves: what came later is not told."""
        at = await position(self._desk, record, error.version)
        self._language = language
        return await self.explain(replace(record, version=error.version, state=at.data), error, language)


@route(PLAY_MOVES)
async def post_moves(request: Incoming) -> Reply:
    """What the moves came to."""
    query = MOVES_QUERY.read(request)
    asked, body = await MOVES.read(request)
    at_desk = desk(request)
    if len(asked.moves) > at_desk.settings.max_batch:
        raise InvalidBody(f"$.moves: At most {at_desk.settings.max_batch} moves.", where="$.moves")
    shown = await credential(request, "play")
    deed = Play(at_desk, shown, asked, query.include is not None, language_of(request.scope))
    return respond(await at_desk.carry_out(match_id(request), change(request, body, shown.token), deed))


class Resign(BySeat):
    """A seat leaves."""

    async def decide(self, record: MatchRecord, moment: Moment) -> Decision:
        return resign(record, self._game, self._seat, moment)


@route(RESIGN)
async def post_resignation(request: Incoming) -> Reply:
    """What the resignation came to."""
    NO_QUERY.read(request)
    _, body = await RESIGNATION.read(request)
    shown = await credential(request, "play")
    deed = Resign(desk(request), shown, language_of(request.scope))
    return respond(await desk(request).carry_out(match_id(request), change(request, body, shown.token), deed))


ROUTES: Final = (post_moves, post_resignation)
