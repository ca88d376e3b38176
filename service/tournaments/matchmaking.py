"""The match of an order: its id, seed and deal follow from the tournament, so it is made once at most."""

import msgspec
from msgspec.structs import replace

from engine.match import AnyGame
from engine.opening import read_options
from schema.wire import CreateMatch
from service.matches import Born, create
from service.store.record import MatchRecord, SeatRecord
from service.tokens import Tokens, token_hash
from service.tournaments.document import Document
from service.tournaments.record import MatchOrder
from service.tournaments.seeds import chance_name, deal_draw, match_seed


def match_id_of(tokens: Tokens, tournament: str, order: int, attempt: int) -> str:
    """The id of the match of an order; `attempt` counts those of it that were voided before."""
    return tokens.match_id(f"tournament {tournament} {order} {attempt}")


def match_record(
    document: Document, order: MatchOrder, attempt: int, game: AnyGame, tokens: Tokens, at: int
) -> MatchRecord:
    """The open match of an order, in which each seat is held for its entrant. Raises BadSetup."""
    manifest, seed = document.manifest, document.seed
    match_id = match_id_of(tokens, document.id, order.number, attempt)
    asked = CreateMatch(
        game=game.slug,
        seats=len(order.entrants),
        visibility="unlisted",
        clock=manifest.clock,
        join="invited",
        invited=order.entrants,
    )
    host = token_hash(tokens.host_token(match_id, f"tournament {document.id}"))
    made = create(asked, game, Born(match_id, match_seed(manifest, seed, order, attempt), host, at)).record
    options = read_options(game, manifest.options)
    deal = game.deal(options, len(order.entrants), deal_draw(seed, order.deal))
    name = chance_name(manifest, order, match_id)
    return replace(
        made,
        seats=tuple(SeatRecord(held_for=entrant) for entrant in order.entrants),
        options=msgspec.json.encode(options),
        deal=msgspec.json.encode(deal),
        tournament=document.id,
        chance="" if name == match_id else name,
        is_withheld=True,
    )


def with_absent(record: MatchRecord, seat: int, tokens: Tokens, at: int) -> SeatRecord:
    """What takes a seat whose entrant has not come: nobody knows its token."""
    token = tokens.seat_token(record.id, seat, f"absent {record.tournament}")
    return SeatRecord(None, token_hash(token), "", at)
