"""One match of a local tournament, played by a process that is made for it and ends with it.

`python -m service.tournaments.local` reads on its standard input what is to be played, and answers on its
standard output. A player is a function of the state and of chance of its own, which is made anew for every
seat, and its process ends with the match: nothing is left that could be remembered in the next one.
"""

import sys
from collections.abc import Callable
from time import monotonic
from typing import Any

import msgspec

from engine.chance import commitment, match_draw
from engine.match import AnyGame, Step, advance, digest, play
from engine.opening import read_options
from engine.players.roster import PLAYERS
from engine.registry import find_game
from engine.transcript import Transcript
from service.tournaments.latency import counted
from service.tournaments.manifest import Manifest
from service.tournaments.record import MatchOrder, MatchResult
from service.tournaments.seeds import chance_name, deal_draw, match_seed, player_draw

Choice = Callable[[AnyGame, Any, int, int], tuple[Any, ...]]
"""The moves that are played in a state, at a version, by a seat."""


class Asked(msgspec.Struct, frozen=True):
    """What is to be played: `seed` is the secret one of the event, `players` are the names by seat, each
    with `think` seconds for a choice."""

    manifest: Manifest
    order: MatchOrder
    seed: bytes
    players: tuple[str, ...]
    think: float


class Told(msgspec.Struct, frozen=True):
    """What came of it."""

    result: MatchResult
    transcript: Transcript


def played(asked: Asked) -> Told:
    """The match of an order, to its end. It follows from what is asked, unless thinking was cut short."""
    manifest, order = asked.manifest, asked.order
    game, seats = find_game(manifest.game), len(order.entrants)
    seed, match = match_seed(manifest, asked.seed, order), f"local-{order.number}"
    draw = match_draw(seed, chance_name(manifest, order, match), ("",) * seats)
    deal = game.deal(read_options(game, manifest.options), seats, deal_draw(asked.seed, order.deal))
    state, steps, times = game.setup(deal), list[Step](), [list[int]() for _ in range(seats)]
    choose = _players(asked)
    new = advance(game, state, 0, draw)
    while True:
        steps += new
        state = steps[-1].state if steps else state
        seat = game.to_move(state)
        if seat is None:
            break
        began = monotonic()
        moves = choose(game, state, len(steps), seat)
        times[seat].append(round((monotonic() - began) * 1_000))
        new = list(play(game, state, len(steps), seat, moves, draw).steps)
    rows = [row for row in game.standing(state).rows if row.label is None]
    result = MatchResult(
        order=order.number,
        match=match,
        ranks=tuple(row.rank for row in rows),
        scores=tuple(row.total for row in rows),
        reasons=tuple("played" for _ in rows),
        latencies=tuple(map(counted, times)),
        commitment=commitment(seed),
        digest=digest(state),
    )
    return Told(result, _transcript(asked, game, deal, steps, result))


def _players(asked: Asked) -> Choice:
    draws = [player_draw(asked.seed, asked.order, seat) for seat in range(len(asked.players))]

    def choose(game: AnyGame, state: Any, version: int, seat: int) -> tuple[Any, ...]:
        deadline = monotonic() + asked.think
        own = draws[seat].branch("choose", version)
        return PLAYERS[asked.players[seat]](game, state, own, lambda: monotonic() < deadline)

    return choose


def _transcript(asked: Asked, game: AnyGame, deal: Any, steps: list[Step], result: MatchResult) -> Transcript:
    return Transcript(
        game=game.slug,
        rules=game.rules,
        edition=game.edition,
        deal=msgspec.to_builtins(deal),
        match=result.match,
        names=asked.order.entrants,
        commitment=result.commitment,
        nonces=("",) * len(asked.players),
        seed=match_seed(asked.manifest, asked.seed, asked.order).hex(),
        events=tuple(step.event for step in steps),
        digest=result.digest,
        ranks=result.ranks,
    )


if __name__ == "__main__":
    question = msgspec.json.decode(sys.stdin.buffer.read(), type=Asked)
    sys.stdout.buffer.write(msgspec.json.encode(played(question)))
