"""Tree search with upper confidence bounds, on the protocol alone, for two to four seats and for one.

A node is valued by the game's `outlook`, for every side its own less the best other's. New nodes are tried
in the order of their values, and the more often a node was visited the more its average counts. Chance
nodes draw by their odds among outcomes whose number grows with the visits. Where the search has hardly
looked, the rest of a turn is the greedy player's.

Source: Kocsis and Szepesvari, Bandit based Monte-Carlo planning (2006); the weight of untried moves follows
Rosin, Multi-armed bandits with episode context (2011).
"""

import math
from collections.abc import Callable
from typing import Any, Final

from engine.chance import Draw
from engine.game import CHANCE
from engine.match import AnyGame, is_due
from engine.players import greedy

EXPLORATION: Final = 0.6
SHARPNESS: Final = 6.0
"""How much likelier the best looking move is tried than the worst: e to this power."""
TRUSTED: Final = 12
"""Visits from which on a node's average decides."""

Worth = tuple[float, ...]


class Node:
    """A state in the tree; children are made when it is visited for the second time."""

    __slots__ = ("children", "holder", "moves", "priors", "state", "totals", "visits", "worth")

    def __init__(self, game: AnyGame, state: Any) -> None:
        self.state = state
        self.holder = game.to_move(state)
        self.worth = margins(game, state)
        self.visits = 0
        self.totals = [0.0] * len(self.worth)
        self.moves: tuple[Any, ...] = ()
        self.children: list[Node] = []
        self.priors: list[float] = []


class Search:
    """One search from one state: the tree and the range of the values in it."""

    def __init__(self, game: AnyGame, state: Any, draw: Draw) -> None:
        self.game = game
        self.draw = draw
        self.drawn = 0
        self.root = Node(game, state)
        self.low = self.high = self.root.worth[self.root.holder or 0]

    def visit(self) -> None:
        """One way down the tree to a node not seen before, and its worth added all the way up."""
        node = self.root
        path = [node]
        while node.visits and node.holder is not None:
            node = self._outcome(node) if node.holder == CHANCE else self._best_child(node)
            path.append(node)
        worth = node.worth
        for passed in path:
            passed.visits += 1
            passed.totals = [total + value for total, value in zip(passed.totals, worth, strict=True)]

    def _best_child(self, node: Node) -> Node:
        if not node.children:
            self._expand(node)
        seat, reach = node.holder, EXPLORATION * math.sqrt(node.visits)
        assert seat is not None
        low, span = self.low, (self.high - self.low) or 1.0
        best, best_score = node.children[0], -math.inf
        for child, prior in zip(node.children, node.priors, strict=True):
            mean = child.totals[seat] / child.visits if child.visits else child.worth[seat]
            score = (mean - low) / span + reach * prior / (1 + child.visits)
            if score > best_score:
                best, best_score = child, score
        return best

    def _expand(self, node: Node) -> None:
        game, seat = self.game, node.holder
        assert seat is not None
        node.moves = tuple(game.legal(node.state))
        node.children = [Node(game, game.apply(node.state, move)[0]) for move in node.moves]
        values = [child.worth[seat] for child in node.children]
        self.low, self.high = min(self.low, *values), max(self.high, *values)
        top, span = max(values), (max(values) - min(values)) or 1.0
        weights = [math.exp(SHARPNESS * (value - top) / span) for value in values]
        node.priors = [weight / sum(weights) for weight in weights]

    def _outcome(self, node: Node) -> Node:
        """A child of a chance node: a new outcome while there are few for its visits, else an old one."""
        if len(node.children) ** 2 > node.visits:
            return node.children[self._below(len(node.children))]
        outcomes, odds = self.game.legal(node.state), self.game.odds(node.state)
        pick = self._below(sum(odds))
        for outcome, weight in zip(outcomes, odds, strict=True):
            pick -= weight
            if pick < 0:
                child = Node(self.game, self.game.apply(node.state, outcome)[0])
                node.children.append(child)
                return child
        raise AssertionError("odds add up to more than their sum")

    def _below(self, n: int) -> int:
        self.drawn += 1
        return self.draw.below(n, self.drawn)


def margins(game: AnyGame, state: Any) -> Worth:
    """For each row of the standing, its outlook less the best other's."""
    outlook = game.outlook(state)
    if len(outlook) == 1:
        return outlook
    first, second = sorted(outlook)[-1:-3:-1]
    return tuple(value - (second if value == first else first) for value in outlook)


def choose(game: AnyGame, state: Any, draw: Draw, go_on: Callable[[], bool]) -> tuple[Any, ...]:
    """The turn that the search visited most, up to the first roll."""
    seat = game.to_move(state)
    if len(only := game.legal(state)) == 1:
        return tuple(only)
    search = Search(game, state, draw)
    search.visit()
    search.visit()
    while go_on():
        search.visit()
    node, line = search.root, list[Any]()
    while node.holder == seat and not is_due(game, node.state):
        if line and node.visits < TRUSTED:
            return (*line, *greedy.choose(game, node.state, draw, go_on))
        visits = [child.visits for child in node.children]
        pick = visits.index(max(visits))
        line.append(node.moves[pick])
        node = node.children[pick]
    return tuple(line)
