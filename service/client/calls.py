"""What can be asked of a server: each function describes one request, and how its answer is read.

Nothing is sent here. A client, blocking or not, sends what is described as often as it takes.
"""

import secrets
from collections.abc import Callable
from typing import Any, Generic, Literal, NamedTuple, TypeVar
from urllib.parse import quote

import httpx
import msgspec
from msgspec.structs import asdict

from engine.transcript import Transcript
from schema.operations import API
from schema.wire import (
    AskedClock,
    CreateMatch,
    JoinMatch,
    MatchesQuery,
    Nothing,
    PlayMoves,
    Status,
    Visibility,
)
from schema.wire_players import (
    AddBot,
    BotSeatedView,
    CreateToken,
    MeView,
    NewTokenView,
    OwnEventPage,
    RegisteredView,
    RegisterPlayer,
    TokenList,
)
from schema.wire_views import (
    ClockNow,
    CreatedView,
    EventPage,
    GameList,
    GameSummary,
    Health,
    JoinedView,
    LegalMoves,
    MatchPage,
    MatchView,
    PlayedView,
    StandingView,
)
from service.client.errors import BadAnswer

T = TypeVar("T")
Read = Callable[[httpx.Response], T]


class Call(NamedTuple, Generic[T]):
    """A request. `held` is for how many seconds the server may hold the answer back.

    What changes something has a `key`, so that it is carried out once however often it is sent.
    """

    method: Literal["GET", "POST", "DELETE"]
    path: str
    read: Read[T]
    query: dict[str, str | int] = {}  # noqa: RUF012  # never written to
    body: bytes | None = None
    token: str | None = None
    key: str | None = None
    held: float = 0.0
    accept: str = "application/json"


def new_key() -> str:
    """A fresh idempotency key: 22 characters, 128 random bits."""
    return secrets.token_urlsafe(16)


def read(kind: type[T]) -> Read[T]:
    """Reads an answer as a value. What it makes raises BadAnswer."""

    def decoded(response: httpx.Response) -> T:
        try:
            return msgspec.json.decode(response.content, type=kind)
        except msgspec.DecodeError as error:
            raise BadAnswer(f"{response.url} does not answer as expected: {error}") from None

    return decoded


def get(
    path: str, answer: Read[T], token: str | None = None, held: float = 0.0, **query: str | int | None
) -> Call[T]:
    """What is at a path; parameters that are None are left out."""
    asked = {name: value for name, value in query.items() if value is not None}
    return Call("GET", f"{API}{path}", answer, asked, token=token, held=held)


def get_text(path: str) -> Call[str]:
    """What is at a path as plain text."""
    return Call("GET", f"{API}{path}", _text, accept="text/plain, */*;q=0.5")


def post(
    path: str, body: msgspec.Struct, answer: Read[T], token: str | None = None, key: str | None = None
) -> Call[T]:
    """Something to be changed. Give the key of an earlier call to get that call's answer again."""
    encoded = msgspec.json.encode(body)
    return Call("POST", f"{API}{path}", answer, body=encoded, token=token, key=key or new_key())


def ready() -> Call[Health]:
    """An answer as soon as the service can work."""
    return get("/health/ready", read(Health))


def games() -> Call[tuple[GameSummary, ...]]:
    """Every game of the server."""
    return get("/games", lambda response: read(GameList)(response).games)


def create(
    game: str,
    seats: int,
    options: dict[str, Any] | None = None,
    *,
    visibility: Visibility = "public",
    seed: str | None = None,
    clock: AskedClock | None = None,
    key: str | None = None,
) -> Call[CreatedView]:
    """A new match, which waits for its players, and the token of its host."""
    return open_match(CreateMatch(game, seats, options, visibility, seed, clock=clock), key=key)


def open_match(asked: CreateMatch, token: str | None = None, *, key: str | None = None) -> Call[CreatedView]:
    """As `create`, with all that can be said of a match. With an API token that player is its host, too."""
    return post("/matches", asked, read(CreatedView), token, key)


def add_bot(match: str, asked: AddBot, host_token: str, *, key: str | None = None) -> Call[BotSeatedView]:
    """A seat of the match, taken by a built-in bot."""
    return post(at(match, "/bots"), asked, read(BotSeatedView), host_token, key)


def join(
    match: str,
    name: str | None = None,
    seat: int | None = None,
    nonce: str = "",
    *,
    token: str | None = None,
    key: str | None = None,
) -> Call[JoinedView]:
    """A seat of the match, the one asked for or the first free one, and its token.

    With an API token it is the seat of that player.
    """
    return post(at(match, "/join"), JoinMatch(seat, name, nonce), read(JoinedView), token, key)


def register(asked: RegisterPlayer, *, key: str | None = None) -> Call[RegisteredView]:
    """A new player, and its first API token."""
    return post("/players", asked, read(RegisteredView), key=key)


def me(token: str) -> Call[MeView]:
    """The player with this API token."""
    return get("/me", read(MeView), token)


def tokens(token: str) -> Call[TokenList]:
    """The API tokens of the player with this one, the oldest first."""
    return get("/me/tokens", read(TokenList), token)


def create_token(asked: CreateToken, token: str, *, key: str | None = None) -> Call[NewTokenView]:
    """A further API token of the player with this one."""
    return post("/me/tokens", asked, read(NewTokenView), token, key)


def revoke_token(token_id: str, token: str, key: str | None = None) -> Call[TokenList]:
    """The tokens that the player with this one has left."""
    path = f"{API}/me/tokens/{quoted(token_id)}"
    return Call("DELETE", path, read(TokenList), token=token, key=key or new_key())


def own_events(token: str, after: str | None = None, *, wait: int = 0) -> Call[OwnEventPage]:
    """What concerns the player with this API token: what is pending, or what came after a position.

    With `wait` the answer comes when there is something, or after so many seconds (60 at most).
    """
    return get("/me/events", read(OwnEventPage), token, wait, after=after, wait=wait or None)


def cancel(match: str, host_token: str, *, key: str | None = None) -> Call[MatchView]:
    """The match, cancelled before its start or aborted in its first turn."""
    return post(at(match, "/cancel"), Nothing(), read(MatchView), host_token, key)


def match(match: str) -> Call[MatchView]:
    """The match as it is now."""
    return get(at(match), read(MatchView))


def clock(match: str) -> Call[ClockNow]:
    """What each seat has left now."""
    return get(at(match, "/clock"), read(ClockNow))


def matches(
    game: str | None = None, status: Status | None = None, cursor: str | None = None
) -> Call[MatchPage]:
    """Public matches, newest first."""
    return lobby(MatchesQuery(game, status, cursor=cursor))


def lobby(asked: MatchesQuery) -> Call[MatchPage]:
    """As `matches`, with all that can be asked of them."""
    return get("/matches", read(MatchPage), **asdict(asked))


def play(
    match: str, version: int, moves: tuple[str, ...], token: str, *, key: str | None = None
) -> Call[PlayedView]:
    """What a batch of moves, chosen at `version`, came to."""
    return post(at(match, "/moves"), PlayMoves(version, moves), read(PlayedView), token, key)


def leave(match: str, token: str, *, key: str | None = None) -> Call[MatchView]:
    """The match, not yet begun, without the seat of this token, or without the invitation of its player."""
    return post(at(match, "/leave"), Nothing(), read(MatchView), token, key)


def resign(match: str, token: str, *, key: str | None = None) -> Call[PlayedView]:
    """What giving up the seat of this token came to."""
    return post(at(match, "/resign"), Nothing(), read(PlayedView), token, key)


def legal_moves(match: str, version: int | None = None) -> Call[LegalMoves]:
    """Every legal move, with sentences and fields."""
    return get(at(match, "/legal-moves"), read(LegalMoves), version=version)


def events(match: str, after: int = 0, *, wait: int = 0, status: Status | None = None) -> Call[EventPage]:
    """The events after a version, at most as many as the server gives at once.

    With `wait`: if there are none and the match still has this `status`, the answer comes when that
    changes, or after so many seconds (60 at most).
    """
    path = at(match, "/events")
    return get(path, read(EventPage), None, wait, after=after, wait=wait or None, status=status)


def standing(match: str, version: int | None = None) -> Call[StandingView]:
    """The score sheets."""
    return get(at(match, "/standing"), read(StandingView), version=version)


def picture(match: str) -> Call[str]:
    """The table as text."""
    return get_text(at(match, "/picture"))


def box(game: str, edition: str) -> Call[bytes]:
    """The component data of an edition, by its digest or name."""
    call = get_text(f"/games/{quoted(game)}/editions/{quoted(edition)}")
    return Call(call.method, call.path, _bytes, accept=call.accept)


def transcript(match: str) -> Call[Transcript]:
    """The deal and the events so far of a match that has started."""
    return get(at(match, "/transcript"), read(Transcript))


def at(match: str, what: str = "") -> str:
    """The path of something about a match."""
    return f"/matches/{quoted(match)}{what}"


def quoted(name: str) -> str:
    """A part of a path, whatever characters somebody gave for a name."""
    return quote(name, safe="")


def _text(response: httpx.Response) -> str:
    return response.text


def _bytes(response: httpx.Response) -> bytes:
    return response.content
