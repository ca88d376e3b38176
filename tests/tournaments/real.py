"""Real matches of a tournament, played in this process by players of the engine."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from engine.chance import Draw, commitment, match_draw
from engine.match import AnyGame, Step, advance, digest, play
from engine.opening import read_options
from engine.players.roster import PLAYERS, GoOn
from engine.registry import GAMES
from engine.transcript import Transcript
from service.tournaments.manifest import Format, Manifest
from service.tournaments.record import MatchOrder, MatchResult
from service.tournaments.seeds import chance_name, deal_draw, match_seed
from tests.tournaments.playing import SEED, manifest

Think = Callable[[], GoOn]
LUCKY = [
    game
    for game in GAMES.values()
    if len({str(game.deal(read_options(game, {}), 2, Draw(k))) for k in (b"a", b"b")}) > 1
]
"""Games in which one match begins otherwise than another."""


def announced(game: AnyGame, chosen: Format, number: int, seats: int, **others: Any) -> Manifest:
    bare = manifest(chosen, number, seats, **others)
    return msgspec.structs.replace(bare, game=game.slug, rules=game.rules, edition=game.edition)


def played_order(
    game: AnyGame,
    announced: Manifest,
    order: MatchOrder,
    bots: Mapping[str, tuple[str, Think]],
    seed: bytes = SEED,
) -> tuple[MatchResult, Transcript]:
    """The match of an order between bots, each the name of a player and its budget for a turn."""
    match = f"match-{order.number}"
    own = match_seed(announced, seed, order)
    draw = match_draw(own, chance_name(announced, order, match), [""] * announced.seats)
    deal = game.deal(read_options(game, announced.options), announced.seats, deal_draw(seed, order.deal))
    steps: list[Step] = []
    state = game.setup(deal)
    new = advance(game, state, 0, draw)
    while True:
        steps += new
        state = steps[-1].state if steps else state
        seat = game.to_move(state)
        if seat is None:
            break
        name, think = bots[order.entrants[seat]]
        moves = PLAYERS[name](game, state, draw.branch("player", seat, len(steps)), think())
        new = list(play(game, state, len(steps), seat, moves, draw).steps)
    return _told(game, order, match, own, deal, state, steps)


def _told(
    game: AnyGame, order: MatchOrder, match: str, own: bytes, deal: Any, state: Any, steps: list[Step]
) -> tuple[MatchResult, Transcript]:
    rows = game.standing(state).rows
    ranks = tuple(row.rank for row in rows)
    result = MatchResult(
        order=order.number,
        match=match,
        ranks=ranks,
        scores=tuple(row.total for row in rows),
        reasons=tuple("played" for _ in rows),
        commitment=commitment(own),
        digest=digest(state),
    )
    transcript = Transcript(
        game=game.slug,
        rules=game.rules,
        edition=game.edition,
        deal=msgspec.to_builtins(deal),
        match=match,
        names=order.entrants,
        commitment=commitment(own),
        events=tuple(step.event for step in steps),
        digest=digest(state),
        ranks=ranks,
    )
    return result, transcript
