"""The client of a server: a method for each thing a program does with matches."""

from collections.abc import Generator
from typing import Any, Self
from urllib.parse import quote

from engine.transcript import Transcript
from schema.operations import API
from schema.wire import AskedClock, CreateMatch, JoinMatch, Nothing, PlayMoves, Status, Visibility
from schema.wire_players import OwnEventPage
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
from service.client.news import News, NoStream, Stream, polled
from service.client.transport import Transport


class Client:
    """The matches of one server, as typed values.

    Every method may raise Refused, Unreachable or BadAnswer. A request is repeated until the server answers,
    for `patience` seconds at most, and never carried out twice. Usable as a context manager.
    """

    def __init__(self, url: str, patience: float = 30.0, timeout: float = 10.0) -> None:
        self._transport = Transport(url, patience, timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        """The address of the server, without a slash at its end."""
        return self._transport.url

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def ready(self) -> Health:
        """An answer as soon as the service can work."""
        return self._transport.get(f"{API}/health/ready", Health)

    def games(self) -> tuple[GameSummary, ...]:
        """Every game of the server."""
        return self._transport.get(f"{API}/games", GameList).games

    def create(
        self,
        game: str,
        seats: int,
        options: dict[str, Any] | None = None,
        *,
        visibility: Visibility = "public",
        seed: str | None = None,
        clock: AskedClock | None = None,
        key: str | None = None,
    ) -> CreatedView:
        """A new match, which waits for its players, and the token of its host."""
        body = CreateMatch(game, seats, options, visibility, seed, clock=clock)
        return self._transport.post(f"{API}/matches", body, CreatedView, key=key)

    def join(
        self,
        match: str,
        name: str | None = None,
        seat: int | None = None,
        nonce: str = "",
        *,
        token: str | None = None,
        key: str | None = None,
    ) -> JoinedView:
        """A seat of the match, the one asked for or the first free one, and its token.

        With an API token it is the seat of that player.
        """
        body = JoinMatch(seat, name, nonce)
        return self._transport.post(_at(match, "/join"), body, JoinedView, token, key)

    def own_events(self, token: str, after: str | None = None, *, wait: int = 0) -> OwnEventPage:
        """What concerns the player with this API token: what is pending, or what came after a position.

        With `wait` the answer comes when there is something, or after so many seconds (60 at most).
        """
        asked = {"after": after, "wait": wait or None}
        return self._transport.get(f"{API}/me/events", OwnEventPage, wait, token, **asked)

    def cancel(self, match: str, host_token: str, *, key: str | None = None) -> MatchView:
        """The match, cancelled before its start or aborted in its first turn."""
        return self._transport.post(_at(match, "/cancel"), Nothing(), MatchView, host_token, key)

    def match(self, match: str) -> MatchView:
        """The match as it is now."""
        return self._transport.get(_at(match), MatchView)

    def clock(self, match: str) -> ClockNow:
        """What each seat has left now."""
        return self._transport.get(_at(match, "/clock"), ClockNow)

    def matches(
        self, game: str | None = None, status: Status | None = None, cursor: str | None = None
    ) -> MatchPage:
        """Public matches, newest first."""
        return self._transport.get(f"{API}/matches", MatchPage, game=game, status=status, cursor=cursor)

    def play(
        self, match: str, version: int, moves: tuple[str, ...], token: str, *, key: str | None = None
    ) -> PlayedView:
        """What a batch of moves, chosen at `version`, came to."""
        return self._transport.post(_at(match, "/moves"), PlayMoves(version, moves), PlayedView, token, key)

    def resign(self, match: str, token: str, *, key: str | None = None) -> PlayedView:
        """What giving up the seat of this token came to."""
        return self._transport.post(_at(match, "/resign"), Nothing(), PlayedView, token, key)

    def legal_moves(self, match: str, version: int | None = None) -> LegalMoves:
        """Every legal move, with sentences and fields."""
        return self._transport.get(_at(match, "/legal-moves"), LegalMoves, version=version)

    def events(self, match: str, after: int = 0, *, wait: int = 0, status: Status | None = None) -> EventPage:
        """The events after a version, at most as many as the server gives at once.

        With `wait`: if there are none and the match still has this `status`, the answer comes when that
        changes, or after so many seconds (60 at most).
        """
        asked = {"after": after, "wait": wait or None, "status": status}
        return self._transport.get(_at(match, "/events"), EventPage, wait, **asked)

    def follow(self, match: str, after: int = 0) -> Generator[News, None, None]:
        """What happens after a version, as it happens, up to the end of the match.

        The status is told first of all, and now and then when nothing has happened. Close the iterator to
        stop earlier. A server that goes away is waited for; nothing is told twice.
        """
        stream = Stream(self._transport, _at(match, "/events"), after)
        try:
            yield from stream.news()
        except NoStream:
            yield from polled(lambda *asked: self._polled(match, *asked), stream.after)

    def _polled(self, match: str, after: int, wait: int, status: Status | None) -> EventPage:
        return self.events(match, after, wait=wait, status=status)

    def standing(self, match: str, version: int | None = None) -> StandingView:
        """The score sheets."""
        return self._transport.get(_at(match, "/standing"), StandingView, version=version)

    def picture(self, match: str) -> str:
        """The table as text."""
        return self._transport.get_text(_at(match, "/picture"))

    def box(self, game: str, edition: str) -> bytes:
        """The component data of an edition, by its digest or name."""
        return self._transport.get_text(f"{API}/games/{_quoted(game)}/editions/{_quoted(edition)}").encode()

    def transcript(self, match: str) -> Transcript:
        """The deal and the events so far of a match that has started."""
        return self._transport.get(_at(match, "/transcript"), Transcript)


def _at(match: str, what: str = "") -> str:
    """The path of something about a match."""
    return f"{API}/matches/{_quoted(match)}{what}"


def _quoted(name: str) -> str:
    """A part of a path, whatever characters somebody gave for a name."""
    return quote(name, safe="")
