"""The changes of a move tell all that it did: applied to the figures before it they give those after it."""

import itertools
from collections import Counter
from typing import Any

import pytest

from engine.game import Change
from engine.match import Step
from engine.red_cathedral import GAME
from engine.red_cathedral.model import DICE, WORKSHOP, State
from tests.conformance.walks import random_match
from tests.engine.red_cathedral.slow_position import PRESTIGE
from tests.engine.red_cathedral.table import match, materials

OPTIONS: list[dict[str, Any]] = [
    {"turn_limit": 25},
    {
        "turn_limit": 25,
        "workshop": "advanced",
        "difficulty": "hard",
        "house_rules": {"market_roll": "before"},
    },
]
UNLOCKS: dict[str, str] = {"yellow": "door", "blue": "arch", "red": "arch", "green": "cross"}
"""Which ornament a space of the advanced workshop unlocks. Source: RC-4.5."""


class Figures:
    """What changes speak of."""

    def __init__(self, state: State) -> None:
        names = [
            f"{'abcdefghij'[tower]}{level}"
            for tower, cards in enumerate(state.table.cards)
            for level in range(1, len(cards) + 1)
        ]
        sections = dict(zip(names, state.sections, strict=True))
        self.positions = [player.position for player in state.players]
        self.goods = [Counter(materials(player.inventory)) for player in state.players]
        for goods, player in zip(self.goods, state.players, strict=True):
            goods["rubles"] = player.rubles
        self.dice: dict[str, list[int]] = {
            name: [state.spaces[n], state.pips[n]] for n, name in enumerate(DICE)
        }
        self.owners = {name: each.owner for name, each in sections.items() if each.owner is not None}
        self.finished = {name for name, each in sections.items() if each.finished}
        self.ornaments = {name: each.ornament for name, each in sections.items() if each.ornament is not None}
        self.lying = {name: Counter(materials(each.delivered)) for name, each in sections.items()}
        self.trigger = state.trigger
        self.retired = set(state.retired)
        self.turn = (state.seat, state.round)
        self.over = GAME.to_move(state) is None
        ivan = state.ivan
        self.stored = Counter(materials(ivan.inventory)) if ivan else Counter()
        self.stock = Counter(materials(ivan.construction)) if ivan else Counter()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Figures) and vars(self) == vars(other)

    def __hash__(self) -> int:
        raise TypeError

    def __repr__(self) -> str:
        return str(vars(self))

    def apply(self, change: Change) -> None:
        """What one change says."""
        apply = getattr(self, f"on_{change.code}", None)
        if apply is not None:
            values = {name: value for name, value in change.values.items() if name != "name"}
            apply(change.seat, **values)

    def on_gained(self, seat: int, resource: str, amount: int) -> None:
        assert amount > 0
        self.goods[seat][resource] += amount

    def on_paid(self, seat: int, resource: str, amount: int) -> None:
        assert amount > 0
        self.goods[seat][resource] -= amount

    def on_delivered(self, seat: int, material: str, section: str) -> None:
        self.goods[seat][material] -= 1
        self.lying[section][material] += 1

    def on_recognition_gained(self, seat: int, amount: int, position: int) -> None:
        self.positions[seat] += amount
        assert self.positions[seat] == position

    def on_recognition_lost(self, seat: int, amount: int, position: int) -> None:
        self.positions[seat] = max(0, self.positions[seat] - amount)
        assert self.positions[seat] == position

    def on_prestige_gained(self, seat: int, amount: int, position: int) -> None:
        ahead = [space for space in PRESTIGE if space > self.positions[seat]]
        assert ahead[amount - 1] == position
        self.positions[seat] = position

    def on_prestige_lost(self, seat: int, amount: int, position: int) -> None:
        behind = [space for space in PRESTIGE if space < self.positions[seat]]
        assert behind[-amount] == position
        self.positions[seat] = position

    def on_die_moved(self, seat: int, die: str, space: int) -> None:
        self.dice[die][0] = space

    def on_rolled(self, seat: None, die: str, value: int) -> None:
        self.dice[die][1] = value

    def on_claimed(self, seat: int, section: str, workshop_space: str, tile: str) -> None:
        self.owners[section] = seat

    def on_ivan_claimed(self, seat: int, section: str) -> None:
        self.owners[section] = seat

    def on_finished(self, seat: int, section: str) -> None:
        assert self.owners[section] == seat
        self.finished.add(section)
        self.lying[section] = Counter()

    def on_decorated(self, seat: int, section: str, ornament: str) -> None:
        self.ornaments[section] = seat

    def on_last_turns(self, seat: int) -> None:
        self.trigger = seat

    def on_retired(self, seat: int) -> None:
        self.retired.add(seat)

    def on_turn_begun(self, seat: int, round: int) -> None:  # noqa: A002  # the name of a value
        self.turn = (seat, round)

    def on_match_over(self, seat: None, cause: str) -> None:
        self.over = True

    def on_ivan_stored(self, seat: int, material: str, amount: int) -> None:
        self.stored[material] += amount

    def on_ivan_transported(self, seat: int, amount: int) -> None:
        assert amount == self.stored.total()
        self.stock, self.stored = self.stock + self.stored, Counter()

    def on_ivan_delivered(self, seat: int, material: str, section: str) -> None:
        self.stock[material] -= 1
        self.lying[section][material] += 1


def told(state: State, step: Step) -> Figures:
    """The figures after a step by what its changes say."""
    figures = Figures(state)
    for change in step.changes:
        figures.apply(change)
    return figures


@pytest.mark.parametrize("options", OPTIONS, ids=["basic", "advanced"])
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_changes_tell_every_difference(seats: int, options: dict[str, Any]) -> None:
    walk = random_match(GAME, seats, 31, **options)
    state = walk.start
    for step in walk.steps:
        assert told(state, step) == Figures(step.state), step.event
        state = step.state


@pytest.mark.parametrize("leavers", list(itertools.permutations(range(3), 2)))
def test_changes_tell_a_retirement(leavers: tuple[int, int]) -> None:
    state = random_match(GAME, 3, 32).start
    for seat in leavers:
        after, changes = GAME.retire(state, seat)
        figures = Figures(state)
        for change in changes:
            figures.apply(change)
        assert figures == Figures(after)
        state = after
    assert GAME.to_move(state) is None


@pytest.mark.parametrize("space", WORKSHOP)
@pytest.mark.parametrize("way", ["up", "down"])
@pytest.mark.parametrize("workshop", ["basic", "advanced"])
def test_changes_tell_the_ornament_that_a_claim_unlocks(workshop: str, space: str, way: str) -> None:
    state = match(options={"workshop": workshop})
    _, changes = GAME.apply(state, GAME.parse(f"claim:a1:{space}:{way}"))
    told = [change.values["ornament"] for change in changes if change.code == "unlocked"]
    unlocks = workshop == "advanced" and way == "up" and space in UNLOCKS
    assert told == ([UNLOCKS[space]] if unlocks else [])


def test_changes_of_ivan_bear_his_name_and_no_others_do() -> None:
    for seats in (1, 2):
        walk = random_match(GAME, seats, 34, turn_limit=30)
        for step in walk.steps:
            for change in step.changes:
                assert change.values.get("name") == ("Ivan" if seats == 1 and change.seat == 1 else None)
