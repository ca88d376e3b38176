"""One match of a local tournament, played by processes that are made for it and end with it.

`python -m service.tournaments.local` reads on its standard input what is to be played, and answers on its
standard output. A player is a function of the state and of chance of its own, and every seat has a process to
itself, which ends with the match: nothing is left that could be remembered in the next one.
"""

import sys
from collections.abc import Sequence
from time import monotonic
from typing import Any

import msgspec

from engine.chance import Draw, commitment, match_draw
from engine.match import AnyGame, Step, advance, digest, play
from engine.opening import read_options
from engine.players.roster import PLAYERS
from engine.registry import find_game
from engine.transcript import Transcript
from service.tournaments.apart import Player, apart
from service.tournaments.latency import counted
from service.tournaments.manifest import Manifest
from service.tournaments.record import MatchOrder, MatchResult
from service.tournaments.seeds import chance_name, deal_draw, match_seed, player_draw


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
    with apart(_players(asked, game)) as players:
        steps, times = _course(game, game.setup(deal), draw, players)
    state = steps[-1].state
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


def _course(
    game: AnyGame, first: Any, draw: Draw, players: Sequence[Player]
) -> tuple[list[Step], list[list[int]]]:
    """All that happens from the first state on, and by seat how many milliseconds each choice took."""
    steps = advance(game, first, 0, draw)
    times: list[list[int]] = [[] for _ in players]
    while True:
        state = steps[-1].state if steps else first
        seat = game.to_move(state)
        if seat is None:
            return steps, times
        began = monotonic()
        moves = players[seat](state, len(steps))
        times[seat].append(round((monotonic() - began) * 1_000))
        steps += play(game, state, len(steps), seat, moves, draw).steps


def _players(asked: Asked, game: AnyGame) -> list[Player]:
    """By seat."""

    def player(seat: int, name: str) -> Player:
        own = player_draw(asked.seed, asked.order, seat)

        def choose(state: Any, version: int) -> tuple[Any, ...]:
            deadline = monotonic() + asked.think
            return PLAYERS[name](game, state, own.branch("choose", version), lambda: monotonic() < deadline)

        return choose

    return [player(seat, name) for seat, name in enumerate(asked.players)]


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
