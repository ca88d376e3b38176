"""Where players are kept."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from service.accounts import keys
from service.accounts.errors import NoSuchPlayer
from service.accounts.record import PlayerRecord, read_player
from service.store.errors import Repeated
from service.store.link import Link, Script
from service.store.record import Answer, Idem, encode, read_answer

ABANDONED: Final = 60_000
"""Milliseconds after which a claim is void if there is no such player: its registration broke off."""
_COMMIT: Final = Script("player.lua", __package__)
_CLAIM: Final = Script("claim.lua", __package__)
_RELEASE: Final = Script("release.lua", __package__)


class Known(NamedTuple):
    """A player, the revision to name when it is written again, and when its tokens were used last, by id."""

    rev: int
    record: PlayerRecord
    used: dict[str, int]


class Players:
    """The players of one store. Every method raises StoreGone while the server does not answer."""

    def __init__(self, link: Link, answer_ttl: int, clock: Callable[[], int]) -> None:
        self._link = link
        self._answer_ttl = answer_ttl
        self._clock = clock

    async def load(self, player_id: str) -> Known:
        """The player, in one round trip. Raises NoSuchPlayer, BadRecord."""
        (rev, blob), used = await self._link.calls(
            [("HMGET", keys.player(player_id), "rev", "blob"), ("HGETALL", keys.used(player_id))]
        )
        if rev is None:
            raise NoSuchPlayer(f"There is no player '{player_id[:60]}'.")
        names, times = used[::2], used[1::2]
        last = {name.decode(): int(time) for name, time in zip(names, times, strict=True)}
        return Known(int(rev), read_player(blob), last)

    async def missing(self, player_ids: Sequence[str]) -> tuple[str, ...]:
        """Those of the ids that are no player's."""
        found = await self._link.calls([("EXISTS", keys.player(player_id)) for player_id in player_ids])
        return tuple(player_id for player_id, there in zip(player_ids, found, strict=True) if not there)

    async def commit(self, expected_rev: int, record: PlayerRecord, idem: Idem | None = None) -> bool:
        """Whether the player was written, which it is unless somebody else wrote since. Raises Repeated."""
        what, *values = await self._link.run(
            _COMMIT,
            (keys.player(record.id), keys.answer(record.id, idem.key if idem else b"")),
            expected_rev,
            encode(record),
            encode(idem.answer) if idem else "",
            self._answer_ttl,
        )
        if what == b"repeated":
            raise Repeated(read_answer(values[0]))
        return bool(what == b"committed")

    async def answer(self, player_id: str, key: bytes) -> Answer | None:
        """The answer recorded under a request's key, also where there is no player."""
        blob = await self._link.call("GET", keys.answer(player_id, key))
        return None if blob is None else read_answer(blob)

    async def record_answer(self, player_id: str, idem: Idem) -> Answer:
        """The answer that stands for a request: an earlier one, or `idem`'s, recorded now."""
        name = keys.answer(player_id, idem.key)
        blob = await self._link.call("SET", name, encode(idem.answer), "NX", "GET", "PX", self._answer_ttl)
        return idem.answer if blob is None else read_answer(blob)

    async def note_use(self, player_id: str, grant_id: str, at: int) -> None:
        """Remember when an API token was used."""
        await self._link.call("HSET", keys.used(player_id), grant_id, at)

    async def forget_use(self, player_id: str, grant_id: str) -> None:
        """Forget when an API token was used that is no more."""
        await self._link.call("HDEL", keys.used(player_id), grant_id)

    async def claim(self, key: str, player_id: str) -> bool:
        """Whether the player has now what only one player can have: a name or an invite."""
        now = self._clock()
        claim = f"{player_id} {now}"
        stands = await self._link.run(_CLAIM, (key,), claim, "")
        if stands is None:
            return True
        holder, since = stands.decode().split(" ")
        if now - int(since) < ABANDONED or not await self.missing((holder,)):
            return False
        return await self._link.run(_CLAIM, (key,), claim, stands) is None

    async def release(self, key: str, player_id: str) -> None:
        """Give up what was claimed."""
        await self._link.run(_RELEASE, (key,), player_id)
