"""Which moves of an open market action are legal; a part of `legal.py`.

Source: RC-6.3 to RC-6.8 of the rules.
"""

from collections.abc import Iterator, Sequence
from operator import ge, sub
from typing import Final

from engine.red_cathedral.components import Payment
from engine.red_cathedral.facts import benefit, free_places, room_for, workshop_spaces
from engine.red_cathedral.layout import TAKES, Layout, PlayableEffect, Use
from engine.red_cathedral.model import MATERIALS, RECOGNITION, RUBLES, WORKSHOP, Market, Player, State
from engine.red_cathedral.moves import Activate, Deliveries, Delivery, Influence, Take

ACTIVATIONS: Final = tuple(Activate(space) for space in WORKSHOP)


def takes(layout: Layout, state: State) -> Sequence[Take]:
    """The amounts that may be obtained. Source: RC-6.4."""
    market = state.decision
    assert isinstance(market, Market)
    if market.taken:
        return ()
    space = state.spaces[market.die]
    resource = layout.market[space]
    most = obtainable(layout, state, market)
    if resource == RECOGNITION:
        return TAKES[most : most + 1]
    return TAKES[1 : min(most, room_for(layout, state.reserve, state.players[state.seat], resource)) + 1]


def obtainable(layout: Layout, state: State, market: Market) -> int:
    """What the space yields, whatever fits. Source: RC-6.4, part 11 (`market_gain`)."""
    space = state.spaces[market.die]
    times = market.value if layout.table.gain_pips else state.spaces.count(space)
    return layout.amounts[space] * times


def playable_effects(layout: Layout, state: State) -> Sequence[PlayableEffect]:
    """The effects of the quadrant's card that may still be used. Source: RC-6.5."""
    market = state.decision
    assert isinstance(market, Market)
    both = layout.effects[state.spaces[market.die]]
    if not market.effect:
        return both
    return () if market.closed else (both[market.effect - 1],)


def influences(layout: Layout, state: State) -> list[Influence]:
    """Every use of the influence card that can be paid and gives something. Source: RC-6.5 to RC-6.7."""
    moves: list[Influence] = []
    player = state.players[state.seat]
    for effect in playable_effects(layout, state):
        for payment, uses in effect.payments:
            if not can_pay(player, payment):
                continue
            if effect.delivers:
                moves += _delivering(layout, state, effect, payment)
            else:
                moves += [use.move for use in uses if gives(layout, state, use)]
    return moves


def can_pay(player: Player, payment: Payment) -> bool:
    """Whether the player has what an effect costs. Source: RC-6.6."""
    return player.rubles >= payment.rubles and all(map(ge, player.inventory, payment.materials))


def gives(layout: Layout, state: State, use: Use) -> bool:
    """Whether a use that is paid gives something. Source: RC-6.6."""
    if use.space:
        return use.space in state.spaces
    resource, payment = use.resource, use.payment
    if resource == RECOGNITION:
        return True
    if resource == RUBLES:
        return state.reserve[RUBLES] + payment.rubles > 0
    places = free_places(layout, state.players[state.seat]) + sum(payment.materials)
    return places > 0 and state.reserve[resource] + payment.materials[resource] > 0


def _delivering(
    layout: Layout, state: State, effect: PlayableEffect, payment: Payment
) -> Iterator[Influence]:
    paid = () if payment.choice is None else (payment.choice,)
    inventory = tuple(map(sub, state.players[state.seat].inventory, payment.materials))
    singles = list(_deliverable(layout, state, inventory))
    for single in singles:
        yield Influence(effect.number, (*paid, Deliveries((single,))))
    if effect.delivers == 2:
        for first in singles:
            for second in singles:
                if are_deliverable(layout, state, inventory, (first, second)):
                    yield Influence(effect.number, (*paid, Deliveries((first, second))))


def _deliverable(layout: Layout, state: State, inventory: tuple[int, ...]) -> Iterator[Delivery]:
    for index, section in enumerate(state.sections):
        if section.owner == state.seat and not section.finished:
            place = layout.sections[index]
            for material, due in enumerate(place.cost):
                if due > section.delivered[material] and inventory[material]:
                    yield Delivery(MATERIALS[material], place.name)


def are_deliverable(
    layout: Layout, state: State, inventory: tuple[int, ...], given: tuple[Delivery, ...]
) -> bool:
    """Whether deliveries, each of them possible, are possible one after the other. Source: RC-6.7."""
    for delivery in given:
        material, index = MATERIALS.index(delivery.material), layout.index[delivery.section]
        lacks = layout.sections[index].cost[material] - state.sections[index].delivered[material]
        kind = sum(other.material == delivery.material for other in given)
        if kind > inventory[material] or given.count(delivery) > lacks:
            return False
    return True


def activations(layout: Layout, state: State) -> list[Activate]:
    """The face-up tiles of the moved die's colour that give something. Source: RC-6.8."""
    market = state.decision
    assert isinstance(market, Market)
    if market.activated:
        return []
    player = state.players[state.seat]
    moves: list[Activate] = []
    for space in workshop_spaces(market.die):
        placed = player.workshop[space]
        if placed is not None and placed.up:
            resource, _ = benefit(layout, state.spaces, layout.sections[placed.section].tile)
            if room_for(layout, state.reserve, player, resource):
                moves.append(ACTIVATIONS[space])
    return moves
