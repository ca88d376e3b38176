"""Matches without a server."""

import secrets
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from engine.chance import Draw, commitment, match_draw
from engine.match import AnyGame, Event, Step, advance, digest, play
from engine.opening import check_seats, read_options
from engine.transcript import Transcript
from service.client.bots import Bot, Position

MATCH_ID: Final = "local"
"""What stands for the match's id where chance is keyed."""


class LocalMatch(NamedTuple):
    """A match that is dealt, and the chance it is played with; `given` says what was chosen by people."""

    game: AnyGame
    deal: Any
    draw: Draw
    seed: bytes
    given: tuple[str, ...]


def deal_match(game: AnyGame, seats: int, options: dict[str, Any], seed: bytes | None) -> LocalMatch:
    """The match that follows from `seed`, or from one of the operating system's. Raises BadSetup."""
    check_seats(game, seats)
    given = ("seed",) if seed else ()
    seed = seed or secrets.token_bytes(32)
    draw = match_draw(seed, MATCH_ID, ("",) * seats)
    return LocalMatch(game, game.deal(read_options(game, options), seats, draw), draw, seed, given)


def steps_of(match: LocalMatch, bots: Sequence[Bot]) -> Iterator[Step]:
    """Each step of the match to its end, every seat played by its bot."""
    game = match.game
    state = game.setup(match.deal)
    steps: Sequence[Step] = advance(game, state, 0, match.draw)
    version = 0
    while True:
        for step in steps:
            state, version = step.state, step.event.version
            yield step
        seat = game.to_move(state)
        if seat is None:
            return
        moves = bots[seat](Position(game, state, version, seat))
        steps = play(game, state, version, seat, moves, match.draw).steps


def transcript_of(
    match: LocalMatch, names: tuple[str, ...], events: Sequence[Event], state: Any
) -> Transcript:
    """The transcript of a match that is over."""
    game = match.game
    return Transcript(
        game=game.slug,
        rules=game.rules,
        edition=game.edition,
        deal=msgspec.to_builtins(match.deal),
        match=MATCH_ID,
        names=names,
        given=match.given,
        commitment=commitment(match.seed),
        nonces=("",) * len(names),
        seed=match.seed.hex(),
        events=tuple(events),
        digest=digest(state),
        ranks=tuple(row.rank for row in game.standing(state).rows),
    )
