"""From a tournament as it is stored to what clients read. The seed leaves here only when all is over.

Where a deal is still to be played by others, it is not told in which match it was: who knows its id could
read the deal there.
"""

from msgspec.structs import replace

from schema.wire_tournaments import (
    EntrantView,
    EntryView,
    TournamentSummary,
    TournamentView,
)
from service.tournaments.document import Document
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import digest
from service.tournaments.record import Ended, Entry, MatchOrder, Record, Voided
from service.tournaments.store import Standing
from service.views import when, when_or_never


def tournament_summary(document: Document) -> TournamentSummary:
    """A tournament in a list."""
    manifest = document.manifest
    count = len(manifest.entrants or document.entrants)
    return TournamentSummary(
        document.id,
        manifest.name,
        document.status,
        manifest.game,
        manifest.seats,
        document.organiser,
        count,
        when(document.created_at),
        when_or_never(document.started_at),
        when_or_never(document.ended_at),
    )


def tournament_view(standing: Standing, player: str) -> TournamentView:
    """A tournament as it stands, for a player; empty for a guest."""
    document, ledger = standing.document, Ledger(standing.record)
    entrants = ledger.entrants.values() if document.has_begun else document.entrants
    left = {name: entry.cause for name, entry in ledger.left.items()}
    return TournamentView(
        id=document.id,
        name=document.manifest.name,
        status=document.status,
        game=document.manifest.game,
        seats=document.manifest.seats,
        organiser=document.organiser,
        entrants=tuple(EntrantView(entrant.id, entrant.name, left.get(entrant.id)) for entrant in entrants),
        created_at=when(document.created_at),
        started_at=when_or_never(document.started_at),
        ended_at=when_or_never(document.ended_at),
        round=ledger.round_played,
        ordered=sum(not order.is_bye for order in ledger.orders.values()),
        done=len(ledger.results),
        entries=len(standing.entries),
        commitment=document.manifest.commitment,
        hash=digest(document.manifest) if document.has_begun else None,
        seed=document.seed.hex() if document.is_over else None,
        is_entered=player in {entrant.id for entrant in entrants} and player not in left,
    )


def shown_entries(
    standing: Standing, ledger: Ledger, after: int, first: int | None = None
) -> tuple[EntryView, ...]:
    """The entries after so many, or the first of them, as everybody may read them now."""
    last = None if first is None else after + first
    return tuple(
        EntryView(number, _shown(standing, ledger, entry))
        for number, entry in enumerate(standing.entries[after:last], after + 1)
    )


def shown_record(standing: Standing) -> Record:
    """The record, as everybody may read it now: as it is when all is over."""
    shown = shown_entries(standing, Ledger(standing.record), 0)
    return standing.document.record(tuple(view.entry for view in shown))


def _shown(standing: Standing, ledger: Ledger, entry: Entry) -> Entry:
    match entry:
        case Ended(result=result) if not _is_public(standing, ledger, ledger.orders[result.order]):
            return replace(entry, result=replace(result, match="", commitment="", digest=""))
        case Voided(order=order) if not _is_public(standing, ledger, ledger.orders[order]):
            return replace(entry, match="")
    return entry


def _is_public(standing: Standing, ledger: Ledger, order: MatchOrder) -> bool:
    """Whether nobody is to play the deal of the order any more."""
    return standing.document.is_over or ledger.is_deal_over(order.deal)
