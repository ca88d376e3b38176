"""From a tournament as it is stored to what clients read. The seed leaves here only when all is over.

Where a deal is still to be played by others, it is not told in which match it was: who knows its id could
read the deal there.
"""

from msgspec.structs import replace

from schema.wire_tournaments import (
    EntrantView,
    EntryView,
    MatchStage,
    TournamentMatchPage,
    TournamentMatchView,
    TournamentSummary,
    TournamentView,
)
from service.tokens import Tokens
from service.tournaments.document import Document
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import digest
from service.tournaments.matchmaking import match_id_of
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
        round=ledger.round,
        ordered=sum(not order.is_bye for order in ledger.orders.values()),
        done=len(ledger.results),
        entries=len(standing.entries),
        commitment=document.manifest.commitment,
        hash=digest(document.manifest) if document.has_begun else None,
        seed=document.seed.hex() if document.is_over else None,
        is_entered=player in {entrant.id for entrant in entrants} and player not in left,
    )


def match_page(
    standing: Standing, tokens: Tokens, player: str, after: int, limit: int
) -> TournamentMatchPage:
    """Matches whose number follows `after`, at most so many."""
    ledger = Ledger(standing.record)
    numbers = [number for number in sorted(ledger.orders) if number > after]
    page = tuple(_match(standing, ledger, tokens, player, number) for number in numbers[:limit])
    return TournamentMatchPage(page, numbers[limit - 1] if len(numbers) > limit else None)


def _match(
    standing: Standing, ledger: Ledger, tokens: Tokens, player: str, number: int
) -> TournamentMatchView:
    order, result = ledger.orders[number], ledger.results.get(number)
    is_shown = player in order.entrants or _is_public(standing, ledger, order)
    match = match_id_of(tokens, standing.document.id, number, ledger.voids[number])
    return TournamentMatchView(
        number,
        order.round,
        order.table,
        order.deal,
        _stage(ledger, number),
        order.entrants,
        match if is_shown and not order.is_bye and (result is None or result.match) else None,
        None if result is None else result.ranks,
        None if result is None else result.scores,
        None if result is None else result.reasons,
    )


def _stage(ledger: Ledger, number: int) -> MatchStage:
    if ledger.orders[number].is_bye:
        return "bye"
    if number in ledger.results:
        return "done"
    return "open" if number in ledger.open else "void"


def shown_entries(standing: Standing, after: int) -> tuple[EntryView, ...]:
    """The entries after so many, as everybody may read them now."""
    ledger = Ledger(standing.record)
    return tuple(
        EntryView(number, _shown(standing, ledger, entry))
        for number, entry in enumerate(standing.entries[after:], after + 1)
    )


def shown_record(standing: Standing) -> Record:
    """The record, as everybody may read it now: as it is when all is over."""
    return standing.document.record(tuple(view.entry for view in shown_entries(standing, 0)))


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
