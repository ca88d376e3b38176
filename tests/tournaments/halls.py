"""Small tournaments with everything real but the bots' machines and the time."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from engine.registry import GAMES
from schema.manifest import Format, RoundRobin
from schema.wire import PlayMoves
from schema.wire_tournaments import CreateTournament
from service.accounts.record import PlayerRecord
from service.catalogue import Catalogue
from service.clocks.referee import Moment
from service.matches import Decision, free_seat, join, play_moves, resign, state_of
from service.settings import Settings
from service.store.link import Link
from service.store.record import MatchRecord, SeatRecord
from service.store.store import Store
from service.tokens import Tokens, token_hash
from service.tournaments import deeds
from service.tournaments.document import Document
from service.tournaments.manifest import Entrant
from service.tournaments.runner import LOOK_MS, Hall, Runner
from service.tournaments.store import Tournaments

ID = "aaaabbbbccccdddd"
SEED = bytes(range(32))
TOKENS = Tokens(b"of the tests " * 3)
*_, GAME = GAMES
NAMES = ("ada", "bea", "cid", "dan", "eva")


class Killed(BaseException):
    """The worker is gone, in the midst of whatever it did."""


class MortalMux:
    """A connection whose user is killed at its exchange number `at`, before it or after it."""

    def __init__(self, mux: Any, at: int, is_after: bool) -> None:
        self._mux = mux
        self._at = at
        self._is_after = is_after
        self.count = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._mux, name)

    async def exchange(self, commands: Any) -> Any:
        self.count += 1
        if self.count == self._at and not self._is_after:
            raise Killed
        answers = await self._mux.exchange(commands)
        if self.count == self._at:
            raise Killed
        return answers


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


def hall_of(
    settings: Settings, clock: Callable[[], int], worker: str, at: int = 0, is_after: bool = False
) -> Hall:
    """What a worker has, which is killed at an exchange with the store, 0 for never."""
    link = Link(settings.redis_url, settings.store_timeout)
    link._mux = MortalMux(link._mux, at, is_after)  # type: ignore[assignment]
    store = Store(link, settings, clock)
    return Hall(store, Tournaments(link, 86_400_000), TOKENS, Catalogue(), worker)


def announced(entrants: int, seats: int, chosen: Format | None = None, **more: Any) -> Document:
    """A tournament that is to begin."""
    asked = CreateTournament("Cup", GAME, seats, chosen or RoundRobin(), **more)
    document = deeds.announce(asked, GAMES[GAME], ID, SEED, "organiser", 1)
    players = tuple(Entrant(id=name, name=name.title()) for name in NAMES[:entrants])
    return _begun(document, players)


def _begun(document: Document, entrants: tuple[Entrant, ...]) -> Document:
    manifest = replace(document.manifest, entrants=entrants)
    return replace(document, status="running", manifest=manifest, entrants=entrants, started_at=2)


async def opened(hall: Hall, document: Document) -> None:
    """The tournament and its players are there."""
    for entrant in document.entrants:
        await hall.store.players.commit(0, PlayerRecord(1, entrant.id, entrant.name, "bot", 1))
    await hall.tournaments.commit(0, document)


async def passed(runner: Runner, clock: Clock) -> bool:
    """Whether it is over, when the runner has done all there is to be done now."""
    clock.now += LOOK_MS
    await runner._refresh()
    while await runner._step():
        await runner._refresh()
    if runner._standing.document.is_over:
        await runner._close()
    return runner._standing.document.is_over


async def bots_act(store: Store, numbers: range) -> None:
    """Everybody joins; the first mover plays once, then a seat that the match decides resigns."""
    for number in numbers:
        for attempt in range(3):
            match = TOKENS.match_id(f"tournament {ID} {number} {attempt}")
            for _ in range(8):
                (head,) = await store.heads([match])
                if head is None or head.status not in ("open", "running"):
                    break
                rev, record, _ = await store.load(match)
                done = act(record, store.clock())
                await store.commit(rev, done.record, done.events, done.snapshots)


def act(record: MatchRecord, at: int) -> Decision:
    game = GAMES[record.game]
    if record.status == "open":
        seat = next(number for number, seat in enumerate(record.seats) if not seat.is_taken)
        player = record.seats[seat].held_for
        assert free_seat(record, None, player) == seat
        return join(record, game, seat, SeatRecord(player, token_hash(f"{record.id}{seat}"), "", at, player))
    state = state_of(game, record.state)
    mover = game.to_move(state)
    assert mover is not None
    if record.version == 0:
        move = game.legal(state)[0]
        asked = PlayMoves(record.version, (game.write(move),))
        return play_moves(record, game, mover, asked, (move,), Moment(at, at))
    active = game.active(state)
    return resign(record, game, active[ord(record.id[0]) % len(active)], Moment(at, at))
