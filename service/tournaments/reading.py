"""What a process has read of the tournaments that are followed there: of each once, for all who follow it.

A record may have a hundred thousand entries, so not every follower can have one of its own.
"""

from typing import Final
from weakref import WeakKeyDictionary, WeakValueDictionary

from service.desk import Desk
from service.store.link import Link
from service.tournaments.ledger import Ledger
from service.tournaments.office import tournaments_of
from service.tournaments.store import Standing, Tournaments


class Reading:
    """A tournament as it was read last, and its record indexed."""

    def __init__(self, tournaments: Tournaments, tournament_id: str) -> None:
        self._tournaments = tournaments
        self._id = tournament_id
        self._known: Standing | None = None
        self._ledger: Ledger

    async def now(self) -> tuple[Standing, Ledger]:
        """How it stands; the ledger is that of the record until the next one asks.

        Raises NoSuchTournament, BadRecord, StoreGone.
        """
        read = await self._tournaments.load(self._id, self._known.entries if self._known else ())
        if self._known and read.rev < self._known.rev:  # the store has lost what it was told last
            self._known = None
            read = await self._tournaments.load(self._id)
        if self._known is None or not self._known.document.has_begun:
            self._known, self._ledger = read, Ledger(read.record)
        elif read.rev > self._known.rev:
            for entry in read.entries[len(self._known.entries) :]:
                self._ledger.add(entry)
            self._known = read
        return self._known, self._ledger


def reading_of(desk: Desk, tournament_id: str) -> Reading:
    """What is read of a tournament; forgotten when nobody follows it any more."""
    readings = _readings.setdefault(desk.store.link, WeakValueDictionary())
    found = readings.get(tournament_id)
    if found is None:
        found = readings[tournament_id] = Reading(tournaments_of(desk), tournament_id)
    return found


_readings: Final[WeakKeyDictionary[Link, WeakValueDictionary[str, Reading]]] = WeakKeyDictionary()
