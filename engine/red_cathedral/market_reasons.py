"""Why a move of a market action is not legal.

Source: RC-6.3 to RC-6.8 of the rules.
"""

from collections import Counter
from collections.abc import Iterator
from operator import sub

from engine.game import Reason
from engine.red_cathedral import facts, market
from engine.red_cathedral.captions import effect_text
from engine.red_cathedral.components import Payment
from engine.red_cathedral.layout import Layout, PlayableEffect, Use
from engine.red_cathedral.model import (
    DICE,
    MATERIALS,
    RECOGNITION,
    RESOURCES,
    RUBLES,
    WORKSHOP,
    Market,
    State,
)
from engine.red_cathedral.moves import Activate, Choice, Deliveries, Influence, Kinds, Take
from engine.red_cathedral.shortages import (
    delivery_reasons,
    gain_reasons,
    reason,
    ruble_reasons,
    short_of,
)

Reasons = Iterator[Reason]


def take_reasons(layout: Layout, state: State, move: Take) -> Reasons:
    """Source: RC-6.3, RC-6.4."""
    action = state.decision
    if not isinstance(action, Market):
        yield reason("RC-6.3", "no_market_action")
        return
    if action.taken:
        yield reason("RC-6.3", "taken_already")
    resource, most = layout.market[state.spaces[action.die]], market.obtainable(layout, state, action)
    if resource == RECOGNITION:
        if move.amount != most:
            yield reason("RC-6.4", "recognition_in_full", amount=most)
        return
    if move.amount < 1:
        yield reason("RC-6.4", "at_least_one")
    if move.amount > most:
        yield reason("RC-6.4", "more_than_yield", amount=move.amount, most=most, resource=RESOURCES[resource])
    if move.amount > state.reserve[resource]:
        yield reason("RC-6.4", "reserve_short", resource=RESOURCES[resource], there=state.reserve[resource])
    free = facts.free_places(layout, state.players[state.seat])
    if resource < RUBLES and move.amount > free:
        yield reason("RC-6.4", "too_few_places", amount=move.amount, free=free)


def activate_reasons(layout: Layout, state: State, move: Activate) -> Reasons:
    """Source: RC-6.3, RC-6.8."""
    action = state.decision
    if not isinstance(action, Market):
        yield reason("RC-6.3", "no_market_action")
        return
    if action.activated:
        yield reason("RC-6.3", "activated_already")
    space = WORKSHOP.index(move.workshop_space)
    if space not in facts.workshop_spaces(action.die):
        yield reason("RC-6.8", "other_colour", workshop_space=move.workshop_space, die=DICE[action.die])
    placed = state.players[state.seat].workshop[space]
    if placed is None:
        yield reason("RC-6.8", "no_tile", workshop_space=move.workshop_space)
    elif not placed.up:
        yield reason("RC-6.8", "tile_face_down", workshop_space=move.workshop_space)
    else:
        resource, _ = facts.benefit(layout, state.spaces, layout.sections[placed.section].tile)
        yield from gain_reasons(layout, state, resource, "RC-6.8")


def influence_reasons(layout: Layout, state: State, move: Influence) -> Reasons:
    """Source: RC-6.5 to RC-6.7."""
    action = state.decision
    if not isinstance(action, Market):
        yield reason("RC-6.3", "no_market_action")
        return
    if action.effect and action.effect != move.effect:
        yield reason("RC-6.5", "other_effect_used", effect=action.effect)
    elif action.effect and action.closed:
        yield reason("RC-6.5", "effect_closed", effect=action.effect)
    effect = layout.effects[state.spaces[action.die]][move.effect - 1]
    read = _payment(effect, move.choices)
    if read is None:
        yield _misfit(effect)
        return
    payment, gained = read
    player = state.players[state.seat]
    yield from ruble_reasons(player, payment.rubles, "RC-6.6")
    for material, count in enumerate(payment.materials):
        yield from short_of(player.inventory, material, count, "RC-6.6")
    if effect.delivers:
        yield from _delivering(layout, state, effect, payment, gained)
    elif move in effect.uses:
        yield from _nothing_given(layout, state, effect.uses[move])
    else:
        yield _kind_just_paid(effect, payment, gained) or _misfit(effect)


def _misfit(effect: PlayableEffect) -> Reason:
    return reason("RC-6.5", "choices_misfit", effect=effect.number, text=effect_text(effect.effect))


def _payment(
    effect: PlayableEffect, choices: tuple[Choice, ...]
) -> tuple[Payment, tuple[Choice, ...]] | None:
    """What the choices pay with, and those left for the gain; None if they pay with nothing known."""
    for payment, _ in effect.payments:
        if payment.choice is None:
            return payment, choices
        if choices and choices[0] == payment.choice:
            return payment, choices[1:]
    return None


def _kind_just_paid(effect: PlayableEffect, payment: Payment, gained: tuple[Choice, ...]) -> Reason | None:
    match gained:
        case (Kinds((material,)),) if effect.effect.other and payment.materials[MATERIALS.index(material)]:
            return reason("RC-6.6", "kind_just_paid", material=material)
        case _:
            return None


def _nothing_given(layout: Layout, state: State, use: Use) -> Reasons:
    """Why a use that fits the card gives nothing. Source: RC-6.6."""
    if market.gives(layout, state, use):
        return
    if use.space:
        yield reason("RC-6.6", "no_dice", space=use.space)
        return
    player, payment = state.players[state.seat], use.payment
    if use.resource < RUBLES and facts.free_places(layout, player) + sum(payment.materials) < 1:
        yield reason("RC-6.6", "no_free_place")
    paid = payment.rubles if use.resource == RUBLES else payment.materials[use.resource]
    if not state.reserve[use.resource] + paid:
        yield reason("RC-6.6", "reserve_short", resource=RESOURCES[use.resource], there=0)


def _delivering(
    layout: Layout, state: State, effect: PlayableEffect, payment: Payment, gained: tuple[Choice, ...]
) -> Reasons:
    """Why deliveries by an effect are not possible, one after the other. Source: RC-6.7."""
    if len(gained) != 1 or not isinstance(gained[0], Deliveries):
        yield _misfit(effect)
        return
    given = gained[0].deliveries
    if not 1 <= len(given) <= effect.delivers:
        yield reason("RC-6.7", "too_many_deliveries", pieces=len(given), left=effect.delivers)
    inventory = tuple(map(sub, state.players[state.seat].inventory, payment.materials))
    for delivery, count in Counter(given).items():
        yield from delivery_reasons(layout, state, (delivery.section, delivery.material), count)
    for material, count in Counter(delivery.material for delivery in given).items():
        yield from short_of(inventory, MATERIALS.index(material), count, "RC-6.7")
