"""Tree search with upper confidence bounds, on the protocol alone, for two to four seats and for one.

The tree is one of whole turns: at every node the few best turns that greedy search finds, and after a turn
the rolls it ends in, made by chance of the search's own. A node is valued by the game's `outlook`, for every
side its own less the best other's. Without rolls the tree grows by a node a visit, and its depths even out.
With them nearly every node is new: there play goes on, by greedy's turns, until all sides had as many turns
as the one that chooses had after this one, so that what is found can be compared; and the nth visit of every
turn meets the same dice, which cancels most luck between turns.

Sources: Kocsis and Szepesvari, Bandit based Monte-Carlo planning (2006); Tesauro and Galperin, On-line policy
improvement using Monte-Carlo search (1996); the weight of turns not yet tried follows Rosin, Multi-armed
bandits with episode context (2011).
"""

import math
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Final

from engine.chance import Draw
from engine.game import CHANCE
from engine.match import AnyGame, is_due
from engine.players.greedy import Breadth, Line, turns

GoOn = Callable[[], bool]

WIDE: Final = Breadth(width=30, patience=2)
"""How turns are searched that can be chosen."""
NARROW: Final = Breadth(width=3, patience=1)
"""How turns are searched that may follow."""
CHOICES: Final = 16
"""Turns compared at a node, at most."""
WORLDS: Final = 64
"""Ways the dice may fall after a turn; then the first ones come again."""
EXPLORATION: Final = 0.6
SHARPNESS: Final = 6.0
"""How much likelier the best looking turn is tried than the worst: e to this power."""
DECIDED: Final = 4.0
"""What victory adds to the points by which a side leads."""

Worth = tuple[float, ...]


class Choice:
    """A turn that may be chosen at a node: how likely it is tried, what came of it, where it led by world."""

    __slots__ = ("led_to", "line", "prior", "totals", "visits")

    def __init__(self, line: Line, prior: float, rows: int) -> None:
        self.line: Final = line
        self.prior: Final = prior
        self.visits = 0
        self.totals = [0.0] * rows
        self.led_to: Final[list[Node]] = []


class Node:
    """A state where a seat has a choice, or the match is over.

    `visits` led through it; `choices` are made at the first that goes on from it, the best looking one first.
    """

    __slots__ = ("choices", "holder", "state", "turn", "visits")

    def __init__(self, game: AnyGame, state: Any) -> None:
        self.state: Final = state
        self.holder: Final = game.to_move(state)
        self.turn: Final = game.turn(state)
        self.visits = 0
        self.choices: tuple[Choice, ...] = ()


class Search:
    """One search from one state: the tree and the range of the values in it."""

    def __init__(self, game: AnyGame, state: Any, draw: Draw, go_on: GoOn) -> None:
        self.game: Final = game
        self.draw: Final = draw
        self.root: Final = Node(game, state)
        self.rows: Final = len(game.outlook(state))
        self.round: Final = max(2, len(game.active(state)))
        self.low, self.high = math.inf, -math.inf
        self.root.visits = 1
        self._expand(self.root, turns(game, state, WIDE, go_on))
        self.rolls = any(game.to_move(choice.line.state) == CHANCE for choice in self.root.choices)

    def visit(self) -> None:
        """One way down the tree, and what it came to added to every choice on it."""
        node, path, taken = self.root, list[Choice](), 0
        while node.holder is not None and (node.visits or (self.rolls and not self._is_round(taken))):
            node.visits += 1
            if not node.choices:
                self._expand(node, turns(self.game, node.state, NARROW, lambda: True))
            choice = self._most_promising(node)
            path.append(choice)
            reached = self._follow(choice)
            taken += reached.turn != node.turn
            node = reached
        node.visits += 1
        worth = self._worth(node)
        for choice in path:
            choice.visits += 1
            choice.totals = [total + value for total, value in zip(choice.totals, worth, strict=True)]

    def _is_round(self, taken: int) -> bool:
        """Whether after so many turns every side had one after the first, and all had as many."""
        return taken > self.round and taken % self.round == 1

    def _most_promising(self, node: Node) -> Choice:
        """The choice with the highest upper bound; one not yet tried counts as it looks."""
        seat = node.holder
        assert seat is not None
        tried = sum([choice.visits for choice in node.choices])
        reach = EXPLORATION * ((self.high - self.low) or 1.0) * math.sqrt(tried + 1)

        def bound(choice: Choice) -> float:
            found = choice.totals[seat] / choice.visits if choice.visits else choice.line.value
            return found + reach * choice.prior / (1 + choice.visits)

        return max(node.choices, key=bound)

    def _expand(self, node: Node, lines: Sequence[Line]) -> None:
        """Make the choices of a node of these turns, the best first."""
        top, last = lines[0].value, lines[-1].value
        self.low, self.high = min(self.low, last), max(self.high, top)
        span = (top - last) or 1.0
        weights = [math.exp(SHARPNESS * (line.value - top) / span) for line in lines[:CHOICES]]
        node.choices = tuple(
            Choice(line, weight / sum(weights), self.rows)
            for line, weight in zip(lines, weights, strict=False)
        )

    def _follow(self, choice: Choice) -> Node:
        """Where the turn leads to in the world that it is due to meet."""
        world = choice.visits % WORLDS
        if world < len(choice.led_to):
            return choice.led_to[world]
        state = choice.line.state
        if world and not is_due(self.game, state):
            return choice.led_to[0]
        dice = self.draw.branch("world", world)
        while is_due(self.game, state):
            chance = self.game.to_move(state) == CHANCE
            self.rolls = self.rolls or chance
            due = self.game.outcome(state, dice) if chance else self.game.forced(state)
            state = self.game.apply(state, due)[0]
        choice.led_to.append(Node(self.game, state))
        return choice.led_to[-1]

    def _worth(self, node: Node) -> Worth:
        worth = margins(self.game, node.state)
        if node.holder is None:
            ranks = [row.rank for row in self.game.standing(node.state).rows]
            worth = tuple(value + DECIDED * (rank == 1) for value, rank in zip(worth, ranks, strict=True))
        return worth


def margins(game: AnyGame, state: Any) -> Worth:
    """For each row of the standing, its outlook less the best other's."""
    outlook = game.outlook(state)
    if len(outlook) == 1:
        return outlook
    first, second = sorted(outlook)[-1:-3:-1]
    return tuple(value - (second if value == first else first) for value in outlook)


def choose(game: AnyGame, state: Any, draw: Draw, go_on: GoOn) -> tuple[Any, ...]:
    """The turn that the search visited most, up to the first roll."""
    if len(only := game.legal(state)) == 1:
        return tuple(only)
    search = Search(game, state, draw, go_on)
    if len(search.root.choices) > 1:
        search.visit()
        while go_on():
            search.visit()
    return max(search.root.choices, key=attrgetter("visits")).line.moves
