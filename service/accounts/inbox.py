"""A player's own stream: what is pending at its beginning, then what happens, in the order in which it did.

The store keeps of a message who, where and when; what it says is made when it is read, from the match as it
is then. So a turn that is over by then is not told any more.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from schema.wire_players import (
    AliveMessage,
    InvitedMessage,
    MatchOverMessage,
    MatchStartedMessage,
    MovedMessage,
    ReadyMessage,
    StoppedMessage,
    Told,
    TournamentOverMessage,
    TournamentRoundMessage,
    TournamentStartedMessage,
    YourTurnMessage,
)
from service.accounts import keys
from service.accounts.caller import Caller, granted, is_expired
from service.accounts.low import LowClocks
from service.accounts.notices import KEPT_FOR
from service.accounts.record import read_player
from service.accounts.shelf import concerns, seat_of_player
from service.clocks.arithmetic import Stalls, deadline
from service.desk import Desk
from service.errors import EditionMissing, OtherRules
from service.languages import ENGLISH, Language
from service.live.frames import Frame
from service.matches import state_of
from service.store.errors import StoreGone
from service.store.record import MatchRecord
from service.views import event_views, notations, seat_views

START: Final = "0-0"
TOURNAMENTS: Final[
    Mapping[str, type[TournamentStartedMessage] | type[TournamentRoundMessage] | type[TournamentOverMessage]]
] = {
    "tournament_started": TournamentStartedMessage,
    "tournament_round": TournamentRoundMessage,
    "tournament_over": TournamentOverMessage,
}
"""What is told of tournaments: the place of the match is theirs then, and that of the version the round's."""
PAGE: Final = 100
MOST_EVENTS: Final = 200
"""Events of a match in one message at most: the last ones."""
PRESENT_WITHIN: Final = 1_000
"""How exactly it is known when a player listened last, in ms."""
PRESENCE_KEPT: Final = 86_400_000
SOON: Final = 10.0
"""Seconds within which a clock is low that an alarm is set for; streams look again before that anyhow."""


class Entry(NamedTuple):
    """What is kept of a message. `id` is None for what is pending."""

    id: str | None
    kind: str
    match: str
    version: int
    known: int


class Inbox:
    """What one player is told from a position on, from the beginning if that is None: a source of frames."""

    def __init__(self, desk: Desk, caller: Caller, after: str | None, language: Language = ENGLISH) -> None:
        self._desk = desk
        self._language = language
        self._player = caller.player.id
        self._token = caller.token
        self._is_new = after is None
        self._is_checked = False
        self._noted_at = 0
        self._clocks = LowClocks(caller.player.id)
        self._alarm: asyncio.TimerHandle | None = None
        self.wake: Callable[[], object] | None = None
        """Has `due` asked again; None where nobody waits for more."""
        self.after = after or START
        self.is_over = False

    async def due(self) -> Sequence[Frame]:
        """What is to be sent now; nothing if everything was, or if the store is away."""
        try:
            return await self.read()
        except StoreGone:
            return ()

    async def read(self) -> Sequence[Frame]:
        """As `due`, but raises StoreGone."""
        await self._note_presence()
        if not self._is_checked:
            self._is_new = self._is_new or not await self._is_kept()
            await self._begin()
        if not self._is_new:
            told = await self._happened()
            self._set_alarm()
            return told
        frames = await self._pending()
        self._is_new = False
        return frames

    def heartbeat(self) -> Frame:
        """A sign of life."""
        return Frame(AliveMessage(self.after), self.after)

    def cut(self, reason: Literal["stopping", "revoked"]) -> Frame:
        """That the stream is to be continued elsewhere."""
        return Frame(StoppedMessage(self.after, reason))

    def _set_alarm(self) -> None:
        """Look again as soon as the next clock is low, if that is soon: nothing else may happen before."""
        if self._alarm is not None:
            self._alarm.cancel()
        if self.wake is None or (low_at := self._clocks.soonest()) is None:
            return
        seconds = (low_at - self._desk.store.clock()) / 1_000
        if seconds < SOON:
            self._alarm = asyncio.get_running_loop().call_later(max(0.05, seconds), self.wake)

    async def _note_presence(self) -> None:
        """That the player listens, as exactly as anybody needs to know it."""
        now = self._desk.store.clock()
        if now - self._noted_at >= PRESENT_WITHIN:
            self._noted_at = now
            await self._desk.store.link.call("SET", keys.present(self._player), now, "PX", PRESENCE_KEPT)

    async def _begin(self) -> None:
        """Watch the clocks that run. Who comes back has been warned of those that are low already."""
        for record in await self._live():
            await self._watch(record)
        if not self._is_new:
            self._clocks.pass_over(self._desk.store.clock())
        self._is_checked = True

    async def _is_kept(self) -> bool:
        """Whether everything after the position is still in the stream."""
        if self.after != START and _place(self.after)[0] < self._desk.store.clock() - KEPT_FOR:
            return False  # the stream may have been another one since
        name = keys.events(self._player)
        link = self._desk.store.link
        if not await link.call("EXISTS", name):
            return self.after == START
        told = await link.call("XINFO", "STREAM", name)
        info = dict(zip(told[::2], told[1::2], strict=True))
        if _place(self.after) > _place(info[b"last-generated-id"].decode()):
            return False  # of a stream that there was before
        if info[b"entries-added"] == info[b"length"]:
            return True
        first = info[b"first-entry"]
        return first is not None and _place(self.after) >= _place(first[0].decode())

    async def _pending(self) -> Sequence[Frame]:
        """What the player has to do in any match, and that this is all."""
        last = await self._desk.store.link.call("XREVRANGE", keys.events(self._player), "+", "-", "COUNT", 1)
        self.after = last[0][0].decode() if last else START
        frames = []
        for record in await self._live():
            kind = "your_turn" if record.status == "running" else "invited"
            message = await self._message(Entry(None, kind, record.id, record.version, 0), record)
            if message is not None:
                frames.append(Frame(message))
        return [*frames, Frame(ReadyMessage(self.after), self.after)]

    async def _live(self) -> Sequence[MatchRecord]:
        """The matches that concern the player and are not over, the one that waits longest first."""
        store, name = self._desk.store, keys.live(self._player)
        ids = [match.decode() for match in await store.link.call("SMEMBERS", name)]
        records = {record.id: record for record in await store.load_many(ids)}
        if gone := [match for match in ids if not _is_live(records.get(match), self._player)]:
            await store.link.call("SREM", name, *gone)
        live = (record for record in records.values() if record.id not in gone)
        return sorted(live, key=lambda record: record.updated_at)

    async def _watch(self, record: MatchRecord) -> Stalls:
        """What of the time the clock of a match is credited; from now on its clock is watched."""
        stalls = await self._desk.store.lease.stalls_for(record.clock)
        self._clocks.note(record, stalls)
        return stalls

    async def _happened(self) -> Sequence[Frame]:
        """What follows the position, and what time has brought. Raises StoreGone only before it moves on."""
        news = await self._news()
        try:
            return [*news, *await self._warnings()]
        except StoreGone:
            if not news:
                raise
            return news

    async def _warnings(self) -> Sequence[Frame]:
        """That clocks of the player are low."""
        store = self._desk.store
        if not (due := tuple(self._clocks.due(store.clock()))):
            return ()
        warnings = []
        records = await store.load_many(due)
        for match in {*due}.difference(record.id for record in records):
            self._clocks.forget(match)
        for record in records:
            stalls = await store.lease.stalls_for(record.clock)
            warnings.append(self._clocks.warning(record, stalls, store.clock()))
        return [Frame(warning) for warning in warnings if warning is not None]

    async def _news(self) -> Sequence[Frame]:
        """Some of what follows the position; that it is over if the token does not count any more."""
        store = self._desk.store
        while not self.is_over:
            found, blob = await store.link.calls(
                [
                    ("XRANGE", keys.events(self._player), f"({self.after}", "+", "COUNT", PAGE),
                    ("HGET", keys.player(self._player), "blob"),
                ]
            )
            grant = None if blob is None else granted(read_player(blob), self._token)
            if grant is None or is_expired(grant, store.clock()):
                self.is_over = True
                return (self.cut("revoked"),)
            entries = [_entry(*entry) for entry in found]
            frames = await self._frames(entries)
            if entries:
                self.after = entries[-1].id or self.after
            if frames or not entries:
                return frames
        return ()

    async def _frames(self, entries: Sequence[Entry]) -> Sequence[Frame]:
        frames = await self._of_matches([entry for entry in entries if entry.kind not in TOURNAMENTS])
        of_tournaments = (entry for entry in entries if entry.kind in TOURNAMENTS)
        frames += [Frame(_of_tournament(entry), entry.id) for entry in of_tournaments]
        return sorted(frames, key=lambda frame: _place(str(frame.position)))

    async def _of_matches(self, entries: Sequence[Entry]) -> list[Frame]:
        ids = list(dict.fromkeys(entry.match for entry in entries))
        records = {record.id: record for record in await self._desk.store.load_many(ids)}
        frames = []
        for entry in entries:
            if (record := records.get(entry.match)) is not None:
                message = await self._message(entry, record)
                frames += [] if message is None else [Frame(message, entry.id)]
        return frames

    async def _message(self, entry: Entry, record: MatchRecord) -> Told | None:
        """What is said, None if there is no point in it any more or this release cannot say it."""
        seat = seat_of_player(record, self._player)
        head = (entry.id, record.id, record.game)
        match entry.kind:
            case "invited" if seat is None and concerns(record, self._player):
                return InvitedMessage(
                    *head, record.creator or None, seat_views(record), record.tournament or None
                )
            case "match_started" if seat is not None:
                return MatchStartedMessage(*head, seat, entry.version, seat_views(record))
            case "match_over":
                return MatchOverMessage(*head, seat, record.version, record.status, record.ranks or None)
            case "moved" | "your_turn" if seat is not None:
                return await self._of_play(entry, record, seat)
        return None

    async def _of_play(self, entry: Entry, record: MatchRecord, seat: int) -> Told | None:
        try:
            game = self._desk.catalogue.game_of(record)
        except (OtherRules, EditionMissing):
            return None
        head: tuple[str | None, str, str, int] = (entry.id, record.id, record.game, seat)
        if entry.kind == "moved":
            after = max(entry.known, entry.version - MOST_EVENTS)
            events = await self._desk.store.events(record.id, after, entry.version - after)
            return MovedMessage(*head, after, entry.version, event_views(game, events, self._language))
        if record.status != "running" or record.version != entry.version:
            return None
        state = state_of(game, record.state)
        if game.to_move(state) != seat:
            return None
        due = None if record.clock is None else deadline(record.clock, await self._watch(record))
        left = None if due is None else max(0, due - self._desk.store.clock())
        return YourTurnMessage(*head, entry.version, notations(game, state), left)


def _is_live(record: MatchRecord | None, player: str) -> bool:
    return record is not None and not record.is_over and concerns(record, player)


def _entry(position: bytes, fields: Sequence[bytes]) -> Entry:
    values = dict(zip(fields[::2], fields[1::2], strict=True))
    kind, match = values[b"k"].decode(), values[b"m"].decode()
    return Entry(position.decode(), kind, match, int(values[b"v"]), int(values[b"a"]))


def _of_tournament(entry: Entry) -> Told:
    return TOURNAMENTS[entry.kind](entry.id or START, entry.match, entry.version)


def _place(position: str) -> tuple[int, int]:
    """What positions are ordered by."""
    ms, _, number = position.partition("-")
    return int(ms), int(number)
