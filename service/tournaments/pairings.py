"""The matches of a tournament as clients read them: who meets whom, how it ended, where to look on.

Where a deal is still to be played by others, it is not told in which match it was: who knows its id could
read the deal there.
"""

from collections.abc import Sequence

from schema.wire_tournaments import (
    MatchStage,
    TournamentMatchesQuery,
    TournamentMatchPage,
    TournamentMatchView,
)
from service.store.store import Store
from service.tokens import Tokens
from service.tournaments.ledger import Ledger
from service.tournaments.matchmaking import match_id_of
from service.tournaments.record import MatchOrder
from service.tournaments.store import Standing


async def match_page(
    store: Store, tokens: Tokens, standing: Standing, player: str, query: TournamentMatchesQuery
) -> TournamentMatchPage:
    """The matches that are asked for, as a player may read them, empty for a guest. Raises StoreGone."""
    ledger = Ledger(standing.record)
    numbers = [number for number in sorted(ledger.orders) if number > query.after]
    orders = [ledger.orders[number] for number in numbers[: query.limit]]
    called = await _called(store, tokens, standing.document.id, ledger, orders)
    views = []
    for order in orders:
        is_told = player in order.entrants or _is_for_all(standing, ledger, order)
        match = called.get(order.number)
        stage = _stage(standing, ledger, order, match is not None)
        views.append(_view(ledger, order, stage, match if is_told else None))
    return TournamentMatchPage(tuple(views), numbers[query.limit - 1] if len(numbers) > query.limit else None)


async def _called(
    store: Store, tokens: Tokens, tournament: str, ledger: Ledger, orders: Sequence[MatchOrder]
) -> dict[int, str]:
    """The ids of those matches that there are, by number."""
    ids = {
        order.number: match_id_of(tokens, tournament, order.number, ledger.voids[order.number])
        for order in orders
        if not order.is_bye
    }
    unsure = [number for number in ids if number not in ledger.results]
    heads = await store.heads([ids[number] for number in unsure]) if unsure else ()
    absent = {number for number, head in zip(unsure, heads, strict=True) if head is None}
    absent |= {number for number, result in ledger.results.items() if not result.match}
    return {number: match for number, match in ids.items() if number not in absent}


def _view(ledger: Ledger, order: MatchOrder, stage: MatchStage, match: str | None) -> TournamentMatchView:
    result = ledger.results.get(order.number)
    return TournamentMatchView(
        order.number,
        order.round,
        order.table,
        order.deal,
        stage,
        order.entrants,
        match,
        None if result is None else result.ranks,
        None if result is None else result.scores,
        None if result is None else result.reasons,
    )


def _stage(standing: Standing, ledger: Ledger, order: MatchOrder, is_called: bool) -> MatchStage:
    if order.is_bye:
        return "bye"
    if order.number in ledger.results:
        return "done"
    if standing.document.is_over or order.number not in ledger.open:
        return "void"
    return "open" if is_called else "ordered"


def _is_for_all(standing: Standing, ledger: Ledger, order: MatchOrder) -> bool:
    """Whether nobody plays the deal any more but those who play it in this match."""
    others = (number for number in ledger.open if number != order.number)
    return standing.document.is_over or all(ledger.orders[number].deal != order.deal for number in others)
