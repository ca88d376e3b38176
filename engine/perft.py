"""Counting the move tree: how many sequences of moves, seats' and chance's alike, a position has."""

from engine.match import AnyGame


def perft(game: AnyGame, state: object, depth: int) -> int:
    """The number of sequences of exactly `depth` moves from `state`; an early end counts none."""
    if depth == 0:
        return 1
    moves = game.legal(state)
    if depth == 1:
        return len(moves)
    return sum(perft(game, game.apply(state, move)[0], depth - 1) for move in moves)


def divide(game: AnyGame, state: object, depth: int) -> dict[str, int]:
    """For each legal move, in order, the number of sequences of `depth` moves that begin with it."""
    return {
        game.write(move): perft(game, game.apply(state, move)[0], depth - 1) for move in game.legal(state)
    }
