"""One shape for everything that is refused or fails: RFC 9457 problem details with a stable code.

Every exception that a request can end with has a code in the table `schema.problems.KINDS`; any other is a
fault of ours, logged once and masked.
"""

from typing import Any, ClassVar, Final, NamedTuple

from litestar.exceptions import HTTPException, MethodNotAllowedException, NotFoundException
from msgspec.structs import replace

from engine.errors import (
    BadNotation,
    BadSetup,
    EngineError,
    IllegalMove,
    MatchOver,
    MoveRefused,
    NotYourTurn,
)
from engine.match import AnyGame
from schema.problems import KINDS
from schema.wire_views import EditionView, Problem, ReasonView
from service.details import Detail, detail
from service.languages import ENGLISH, Language
from service.store.errors import MatchExpired, NoMatch, StoreError, StoreGone

PROBLEMS: Final = "/api/v1/problems"
NOT_LEGAL: Final = "'{move}' is not legal now."


class Refused(Exception):
    """Base of what the service itself refuses. `extra` are further entries of the problem."""

    code: ClassVar[str] = "bad_request"

    def __init__(self, text: str, **extra: Any) -> None:
        super().__init__(text)
        self.extra = extra


class MalformedBody(Refused):
    """A body that is not JSON, or not MessagePack, as its content type says."""

    code = "malformed_body"


class InvalidBody(Refused):
    """A body with an unknown or missing field, or a value that is not allowed."""

    code = "invalid_body"


class InvalidQuery(Refused):
    """An unknown parameter, or a value that is not allowed."""

    code = "invalid_query"


class InvalidHeader(Refused):
    """A header whose value is not allowed."""

    code = "invalid_header"


class UnsupportedMediaType(Refused):
    """A body of a content type that is not read here."""

    code = "unsupported_media_type"


class NotAcceptable(Refused):
    """A request for a media type that is not made here."""

    code = "not_acceptable"


class BodyTimeout(Refused):
    """A body that did not come in time."""

    code = "body_timeout"


class TokenRequired(Refused):
    """A request without the token it needs."""

    code = "token_required"


class UnknownToken(Refused):
    """A token that this match has not given, or not any longer."""

    code = "unknown_token"


class WrongToken(Refused):
    """A token of this match that does not allow this."""

    code = "wrong_token"


class UnknownVersion(Refused):
    """A version that the match has not reached, or that has no state."""

    code = "unknown_version"


class UnknownSeat(Refused):
    """A number that is no seat of the match."""

    code = "unknown_seat"


class StaleVersion(Refused):
    """A move chosen at another version than the current one."""

    code = "stale_version"

    def __init__(self, chosen_at: int, version: int) -> None:
        super().__init__(detail("stale_version", version=version, chosen_at=chosen_at), version=version)
        self.chosen_at = chosen_at
        self.version = version


class MatchNotStarted(Refused):
    """Something that needs a running match while it is open."""

    code = "match_not_started"


class MatchStarted(Refused):
    """Something that needs an open match after the start."""

    code = "match_started"


class MatchIsOver(Refused):
    """Something that cannot be done any more."""

    code = "match_over"


class SeatTaken(Refused):
    """A seat, or every seat, that somebody has already."""

    code = "seat_taken"


class NotInvited(Refused):
    """A seat in a match for others."""

    code = "not_invited"


class AlreadySeated(Refused):
    """A second seat for a player."""

    code = "already_seated"


class MatchNotOver(Refused):
    """Something that can be done only when the match is over."""

    code = "match_not_over"


class SeatFree(Refused):
    """A seat that nobody has."""

    code = "seat_free"


class SeatRetired(Refused):
    """A seat that has left already."""

    code = "seat_retired"


class OtherRules(Refused):
    """A match begun with other rules or components than this release has."""

    code = "other_rules"


class EditionMissing(Refused):
    """Play in a match whose box is not loaded here."""

    code = "edition_missing"

    def __init__(self, name: str, digest: str) -> None:
        super().__init__(
            f"The match is played with the edition '{name}' (SHA-256 {digest}), which is not loaded here:"
            " it can be read, but not played on.",
            edition=EditionView(name, digest),
        )


class UnknownEdition(Refused):
    """A name or digest that no box of the game has."""

    code = "unknown_edition"


class KeyReused(Refused):
    """An idempotency key that came before with another request."""

    code = "key_reused"


class TooManyRequests(Refused):
    """A request of a client that has asked too often."""

    code = "too_many_requests"

    def __init__(
        self, text: str, *, retry_after: int, told: tuple[tuple[bytes, bytes], ...] = (), **extra: Any
    ) -> None:
        """`told` are headers that say how the client stands."""
        super().__init__(text, retry_after=retry_after, **extra)
        self.retry_after = retry_after
        self.told = told


class TooManyStreams(Refused):
    """A stream to an address that has as many as it may have."""

    code = "too_many_streams"

    def __init__(self, text: str) -> None:
        super().__init__(text, bucket="stream")


class SubscribeTimeout(Refused):
    """A WebSocket on which the first message did not come."""

    code = "subscribe_timeout"


class UpgradeRequired(Refused):
    """A plain request to the address of a WebSocket."""

    code = "upgrade_required"


class Busy(Refused):
    """A change that others forestalled again and again."""

    code = "busy"


class Failure(NamedTuple):
    """A problem, the headers that go with it, and the language that it is told in."""

    problem: Problem
    headers: tuple[tuple[str, str], ...] = ()
    language: Language = ENGLISH


def problem(code: str, text: str, **extra: Any) -> Problem:
    """The problem with this code, and what is said in detail."""
    status, title = KINDS[code]
    return Problem(
        type=f"{PROBLEMS}/{code}", title=title, status=status, detail=str(text), code=code, **extra
    )


def failure(error: Exception, game: AnyGame | None = None, language: Language = ENGLISH) -> Failure | None:
    """What `error` is answered with, None if it is a fault of ours. `game` words reasons of illegal moves.

    In another language than English these reasons and the title are, and of details those in
    `service.details.DETAILS`.
    """
    told = _failure(error, game, language)
    if told is None or language is ENGLISH:
        return told
    said, known = language.own, _known_detail(error)
    worded = told.problem.detail if known is None else known.said(said)
    problem = replace(told.problem, title=said.say(told.problem.title), detail=worded)
    return told._replace(problem=problem, language=language)


def _known_detail(error: Exception) -> Detail | None:
    """What is said in detail, if the catalogue has it."""
    match error:
        case Refused(args=[Detail() as said, *_]):
            return said
        case NotYourTurn():
            return detail("not_your_turn", to_move=error.to_move, seat=error.seat)
        case MatchOver():
            return detail("match_over")
        case MatchExpired():
            return detail("match_expired", match_id=error.match_id[:60])
        case NoMatch():
            return detail("no_such_match", match_id=error.match_id[:60])
        case StoreGone():
            return detail("store_gone")
        case NotFoundException():
            return detail("no_such_address")
    return None


def _failure(error: Exception, game: AnyGame | None, language: Language) -> Failure | None:
    match error:
        case TooManyRequests():
            headers = (("Retry-After", str(error.retry_after)),)
            return Failure(problem(error.code, str(error), **error.extra), headers)
        case Refused():
            return Failure(problem(error.code, str(error), **error.extra), _headers(error.code))
        case EngineError():
            text = _text(error, game, language)
            return Failure(problem(error.code, text, **_of_engine(error, game, language)))
        case StoreGone():
            # Why is for the log: it names addresses.
            return Failure(
                problem(error.code, detail("store_gone")), (("Retry-After", str(error.retry_after)),)
            )
        case StoreError() if error.code in KINDS:
            return Failure(problem(error.code, str(error)))
        case HTTPException():
            return _of_framework(error)
    return None


def masked(request_id: str) -> Failure:
    """What is answered for a fault of ours: nothing of the fault but where it is found in the log."""
    return Failure(problem("internal_error", f"The fault is logged as {request_id}."))


def _headers(code: str) -> tuple[tuple[str, str], ...]:
    match KINDS[code].status:
        case 408:
            return (("Connection", "close"),)
        case 401:
            return (("WWW-Authenticate", "Bearer"),)
        case 426:
            return (("Upgrade", "websocket"), ("Connection", "upgrade"))
        case 429 | 503:
            return (("Retry-After", "1"),)
    return ()


def _text(error: EngineError, game: AnyGame | None, language: Language) -> str:
    if not isinstance(error, IllegalMove) or game is None or language is ENGLISH:
        return str(error)
    reasons = (game.sentence(reason, language.of(game)) for reason in error.reasons)
    return " ".join((language.own.say(NOT_LEGAL).format(move=error.move), *reasons))


def _of_engine(error: EngineError, game: AnyGame | None, language: Language) -> dict[str, Any]:
    extra: dict[str, Any] = {}
    if isinstance(error, MoveRefused | BadNotation):
        extra["index"] = error.index
    match error:
        case IllegalMove():
            reasons = tuple(
                ReasonView(
                    reason.rule,
                    reason.code,
                    reason.values,
                    game.sentence(reason, language.of(game)) if game else "",
                )
                for reason in error.reasons
            )
            extra |= {"move": error.move, "reasons": reasons, "closest": error.closest}
        case NotYourTurn():
            extra["to_move"] = error.to_move
        case BadNotation():
            extra["move"] = error.text
        case BadSetup():
            extra["where"] = error.where
    return extra


def _of_framework(error: HTTPException) -> Failure | None:
    """What Litestar refuses before a handler runs."""
    if isinstance(error, NotFoundException):
        return Failure(problem("not_found", detail("no_such_address")))
    if isinstance(error, MethodNotAllowedException):
        # The framework counts `websocket` among the methods of an address.
        named = (error.headers or {}).get("allow", "").split(", ")
        allowed = ", ".join(method for method in named if method.isupper())
        return Failure(
            problem("method_not_allowed", "The header Allow names those that are."), (("Allow", allowed),)
        )
    if error.status_code == 413:
        return Failure(problem("body_too_large", "The body is larger than this service reads."))
    if error.status_code < 500:
        return Failure(problem("bad_request", error.detail or "The request cannot be read."))
    return None
