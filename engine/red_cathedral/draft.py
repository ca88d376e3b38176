"""A state being changed: what `apply` works on between one frozen state and the next.

A draft never leaves the function that made it. Everything that happens is recorded as a change.
"""

from typing import Final

from msgspec.structs import replace

from engine.game import Change
from engine.red_cathedral.facts import room_for
from engine.red_cathedral.layout import Layout
from engine.red_cathedral.model import (
    DICE,
    IVAN,
    MATERIALS,
    RECOGNITION,
    RESOURCES,
    RUBLES,
    Decision,
    State,
)


class Draft:
    """A state whose parts can be set; `state()` freezes it."""

    __slots__ = (
        "changes",
        "decision",
        "ivan",
        "layout",
        "pips",
        "players",
        "rerolled",
        "reserve",
        "retired",
        "rolls",
        "round",
        "seat",
        "sections",
        "spaces",
        "trade",
        "trigger",
    )

    def __init__(self, layout: Layout, state: State) -> None:
        self.layout: Final = layout
        self.changes: Final[list[Change]] = []
        self.decision: Decision = state.decision
        self.seat = state.seat
        self.round = state.round
        self.trade = state.trade
        self.rerolled = state.rerolled
        self.spaces = state.spaces
        self.pips = state.pips
        self.rolls = state.rolls
        self.reserve: Final = list(state.reserve)
        self.players: Final = list(state.players)
        self.sections: Final = list(state.sections)
        self.trigger = state.trigger
        self.retired = state.retired
        self.ivan = state.ivan

    def state(self) -> State:
        """The state that the draft has become."""
        return State(
            self.layout.table,
            self.decision,
            self.seat,
            self.round,
            self.trade,
            self.rerolled,
            self.spaces,
            self.pips,
            self.rolls,
            tuple(self.reserve),
            tuple(self.players),
            tuple(self.sections),
            self.trigger,
            self.retired,
            self.ivan,
        )

    def note(self, code: str, seat: int | None, **values: int | str) -> None:
        """Record a change; Ivan's carry his name."""
        if seat == IVAN and self.layout.solitaire:
            values["name"] = "Ivan"
        self.changes.append(Change(code, seat, values))

    # ------------------------------------------------------------------------------ resources

    def gain(self, seat: int, resource: int, amount: int) -> None:
        """A seat gains a resource as far as it fits and the reserve has it. Source: RC-4.7, RC-5.3."""
        player = self.players[seat]
        amount = min(amount, room_for(self.layout, self.reserve, player, resource))
        if not amount:
            return
        if resource == RECOGNITION:
            self.advance(seat, amount)
            return
        self.reserve[resource] -= amount
        if resource == RUBLES:
            self.players[seat] = replace(player, rubles=player.rubles + amount)
        else:
            self.players[seat] = replace(player, inventory=added(player.inventory, resource, amount))
        self.note("gained", seat, resource=RESOURCES[resource], amount=amount)

    def pay_rubles(self, seat: int, amount: int) -> None:
        """Rubles go back to the reserve."""
        if amount:
            player = self.players[seat]
            self.players[seat] = replace(player, rubles=player.rubles - amount)
            self.reserve[RUBLES] += amount
            self.note("paid", seat, resource=RESOURCES[RUBLES], amount=amount)

    def pay_materials(self, seat: int, materials: tuple[int, ...]) -> None:
        """Materials of the inventory go back to the reserve."""
        for material, amount in enumerate(materials):
            if amount:
                self.hand_over(seat, material, amount)
                self.reserve[material] += amount
                self.note("paid", seat, resource=MATERIALS[material], amount=amount)

    def hand_over(self, seat: int, material: int, amount: int) -> None:
        """Materials leave the inventory; where they go is the caller's to say."""
        player = self.players[seat]
        self.players[seat] = replace(player, inventory=added(player.inventory, material, -amount))

    # ---------------------------------------------------------------------------------- track

    def advance(self, seat: int, amount: int) -> None:
        """A seat gains recognition points. Source: RC-2.3."""
        if amount:
            self._move_marker(seat, self.players[seat].position + amount)
            self.note("recognition_gained", seat, amount=amount, position=self.players[seat].position)

    def fall_back(self, seat: int, amount: int) -> None:
        """A seat loses recognition points, never below 0. Source: RC-2.3."""
        self._move_marker(seat, max(0, self.players[seat].position - amount))
        self.note("recognition_lost", seat, amount=amount, position=self.players[seat].position)

    def gain_prestige(self, seat: int, amount: int) -> None:
        """A seat's marker goes to the next prestige space, `amount` times. Source: RC-2.4."""
        position = self.players[seat].position
        for _ in range(amount):
            position = self.layout.box.track.ahead(position)
        self._move_marker(seat, position)
        self.note("prestige_gained", seat, amount=amount, position=position)

    def lose_prestige(self, seat: int) -> None:
        """A seat's marker goes to the prestige space behind, which exists. Source: RC-2.5."""
        position = self.layout.box.track.behind(self.players[seat].position)
        assert position is not None
        self._move_marker(seat, position)
        self.note("prestige_lost", seat, amount=1, position=position)

    def _move_marker(self, seat: int, position: int) -> None:
        self.players[seat] = replace(self.players[seat], position=position)

    # ----------------------------------------------------------------------------------- dice

    def move_die(self, die: int, space: int) -> None:
        """A die lies on another space."""
        self.spaces = (*self.spaces[:die], space, *self.spaces[die + 1 :])
        self.note("die_moved", self.seat, die=DICE[die], space=space)

    def dice_at(self, space: int) -> tuple[int, ...]:
        """The dice that lie on a space, ascending."""
        return tuple(die for die, at in enumerate(self.spaces) if at == space)


def added(counts: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    """The counts with `more` added to one of them."""
    return (*counts[:index], counts[index] + more, *counts[index + 1 :])
