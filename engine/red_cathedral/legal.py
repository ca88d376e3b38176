"""Which moves are legal: the only judge of legality.

`legal` lists them by kind in the order of the table in part 8 of the rules: claims, deliveries, ornaments,
moves of dice, takes, influence effects, activations, trade, re-rolls, done, end; or Ivan's claims; or the
outcomes. Within a kind: sections tower by tower from the bottom, then materials, jewels, workshop spaces
(face up before face down), dice and extra spaces in their fixed orders, numbers ascending; payments before
gains; one delivery before two. Source: RC-8.3.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import ge, sub
from typing import Any, Final

from engine.red_cathedral.components import Payment, Tile
from engine.red_cathedral.layout import (
    DIE_MOVES,
    REROLLS,
    TAKES,
    Layout,
    Place,
    PlayableEffect,
    Use,
    Ways,
    outcomes,
)
from engine.red_cathedral.model import (
    CLOSED,
    DELIVERIES,
    GREEN,
    HUMAN,
    MATERIALS,
    MAX_EXTRA,
    PURPLE,
    RECOGNITION,
    ROOM,
    RUBLES,
    UNUSED,
    WHITE,
    Action,
    Build,
    Decision,
    Finish,
    IvanClaim,
    Market,
    Over,
    Player,
    Roll,
    Section,
    State,
)
from engine.red_cathedral.moves import (
    Activate,
    Claim,
    ClaimForIvan,
    Decorate,
    Deliver,
    Deliveries,
    Delivery,
    Done,
    End,
    Influence,
    Move,
    MoveDie,
    Outcome,
    Reroll,
    Take,
    Trade,
)

ENDLESS: Final = 1 << 30
"""How much recognition there is."""
TRADES: Final = (Trade(),)
DONES: Final = (Done(),)
ENDS: Final = (End(),)
ACTIVATIONS: Final = tuple(
    Activate(space) for space in ("yellow", "blue", "red", "green", "white1", "white2")
)


def legal(layout: Layout, state: State) -> list[Move]:
    """Every legal move or, at chance, every outcome; empty iff the match is over."""
    moves: list[Move] = []
    for listed in LISTS[type(state.decision)].values():
        moves += listed(layout, state)
    return moves


def is_legal(layout: Layout, state: State, move: Move) -> bool:
    """Whether `move` is in the legal list."""
    listed = LISTS[type(state.decision)].get(type(move))
    return listed is not None and move in listed(layout, state)


# ---------------------------------------------------------------------------------------- what there is


def free_places(layout: Layout, player: Player) -> int:
    """Places of the inventory that hold neither a banner nor a material. Source: RC-1.8, RC-4.2."""
    inside = player.banners - layout.box.outside
    return layout.box.places - sum(player.inventory) - (inside if inside > 0 else 0)


def room_for(layout: Layout, reserve: Sequence[int], player: Player, resource: int) -> int:
    """How much of a resource can be gained: what the reserve holds and, of materials, what fits. Source: RC-4.7."""
    if resource == RECOGNITION:
        return ENDLESS
    there = reserve[resource]
    return there if resource == RUBLES else min(there, free_places(layout, player))


def benefit(layout: Layout, spaces: Sequence[int], tile: Tile) -> tuple[int, int]:
    """The resource and the amount that a workshop tile gives. Source: RC-4.6."""
    if tile.die is None:
        return tile.resource, tile.amount
    space = spaces[tile.die]
    return layout.market[space], layout.amounts[space]


def can_lose_prestige(layout: Layout, player: Player) -> bool:
    """Whether there is a prestige space behind. Source: RC-2.5."""
    return layout.box.track.behind(player.position) is not None


# ---------------------------------------------------------------------------------------------- claims


def is_open(sections: Sequence[Section], place: Place) -> bool:
    """Whether a section may be claimed by anybody. Source: RC-4.1."""
    if sections[place.index].owner is not None:
        return False
    return place.below is None or sections[place.below].owner is not None


def claims(layout: Layout, state: State) -> Iterator[Claim]:
    """Every section open to a banner, with every way to place its tile. Source: RC-4.1 to RC-4.8."""
    player = state.players[state.seat]
    if not player.banners:
        return
    ways = _ways(player, layout.prices[state.seat])
    for place in layout.sections:
        if is_open(state.sections, place):
            yield from place.moves.claims(ways)


def _ways(player: Player, prices: tuple[int, ...]) -> Ways:
    return tuple(
        (space, up)
        for space, placed in enumerate(player.workshop)
        if placed is None
        for up in (True, False)
        if not up or prices[space] <= player.rubles
    )


# ----------------------------------------------------------------------------------------------- build


def deliveries_left(decision: Decision) -> int:
    """How many deliveries the build action has left, begun or not. Source: RC-5.1."""
    return decision.left if isinstance(decision, Build) else DELIVERIES


def deliveries(layout: Layout, state: State) -> list[Deliver]:
    """Every material in hand for every own section that lacks it. Source: RC-5.1, RC-5.2."""
    inventory = state.players[state.seat].inventory
    if not deliveries_left(state.decision) or not any(inventory):
        return []
    moves: list[Deliver] = []
    for index, section in enumerate(state.sections):
        if section.owner == state.seat and not section.finished:
            place = layout.sections[index]
            for material, due in enumerate(place.cost):
                if due > section.delivered[material] and inventory[material]:
                    moves.append(place.moves.deliveries[material])
    return moves


def unlocked(layout: Layout, player: Player, kind: int) -> int:
    """How many ornaments of a kind (for BASE, MIDDLE, DOME) a player may place. Source: RC-4.5, RC-5.4."""
    left = player.ornaments[kind]
    for space in layout.locks[kind]:
        placed = player.workshop[space]
        if placed is None or not placed.up:
            left -= 1
    return left


def decorations(layout: Layout, state: State) -> list[Decorate]:
    """Every bare finished section that an own ornament fits, with every set of jewels. Source: RC-5.4."""
    player, left = state.players[state.seat], deliveries_left(state.decision)
    if not left or not any(player.inventory):
        return []
    sets: list[tuple[int, ...] | None] = [None, None, None]
    moves: list[Decorate] = []
    for index, section in enumerate(state.sections):
        if section.finished and section.ornament is None:
            place = layout.sections[index]
            known = sets[place.kind]
            if known is None:
                known = sets[place.kind] = _jewel_sets(layout, player, place.kind, left)
            for number in known:
                moves.append(place.moves.decorations[number])
    return moves


def _jewel_sets(layout: Layout, player: Player, kind: int, left: int) -> tuple[int, ...]:
    """The numbers of the sets of jewels that an ornament of this kind may carry; none if it cannot be placed."""
    inventory = player.inventory
    if not inventory[layout.box.ornament_costs[kind]] or unlocked(layout, player, kind) < 1:
        return ()
    return tuple(
        number
        for number, green, purple in layout.jewel_sets
        if green + purple < left and green <= inventory[GREEN] and purple <= inventory[PURPLE]
    )


# ---------------------------------------------------------------------------------------------- market


def landing(space: int, steps: int) -> int:
    """The space so many steps on in arrow direction. Source: RC-6.1."""
    return (space - 1 + steps) % 8 + 1


def has_room(spaces: tuple[int, ...], die: int, space: int) -> bool:
    """Whether a lifted die may stop on a space. Source: RC-6.2."""
    return spaces.count(space) - (spaces[die] == space) < ROOM


def die_moves(layout: Layout, state: State) -> list[MoveDie]:
    """Every die with every number of extra spaces that ends where there is room. Source: RC-6.1, RC-6.2."""
    paid = min(MAX_EXTRA, state.players[state.seat].rubles)
    own = layout.table.colours[state.seat]
    spaces = state.spaces
    full = [space for space in set(spaces) if spaces.count(space) >= ROOM]
    moves: list[MoveDie] = []
    for die, ready in enumerate(DIE_MOVES):
        most = paid + 1 if die in (own, WHITE) else 1
        if full:
            start = spaces[die] + state.pips[die]
            moves += [ready[extra] for extra in range(most) if has_room(spaces, die, landing(start, extra))]
        else:
            moves += ready[:most]
    return moves


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


def _delivering(layout: Layout, state: State, effect: PlayableEffect, payment: Payment) -> Iterator[Influence]:
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


def workshop_spaces(die: int) -> tuple[int, ...]:
    """The workshop spaces of a die's colour. Source: RC-6.8."""
    return (WHITE, WHITE + 1) if die == WHITE else (die,)


# ------------------------------------------------------------------------ optional actions, end of turn


def trades(layout: Layout, state: State) -> Sequence[Trade]:
    """Whether a prestige point can be traded. Source: RC-3.2, RC-3.3."""
    open_now = state.trade != CLOSED or layout.table.trade_any
    possible = open_now and state.reserve[RUBLES] and can_lose_prestige(layout, state.players[state.seat])
    return TRADES if possible else ()


def rerolls(layout: Layout, state: State) -> list[Reroll]:
    """The spaces whose dice may be rolled for a prestige point. Source: RC-3.2, RC-3.4."""
    if state.rerolled or not can_lose_prestige(layout, state.players[state.seat]):
        return []
    return [REROLLS[space - 1] for space in sorted(set(state.spaces))]


def dones(layout: Layout, state: State) -> Sequence[Done]:
    """Closing the market action but not the turn, if something is possible after it. Source: part 8 (`done`)."""
    if layout.table.roll_before or not can_lose_prestige(layout, state.players[state.seat]):
        return ()
    trade_after = state.reserve[RUBLES] and (state.trade == UNUSED or layout.table.trade_any)
    return DONES if trade_after or not state.rerolled else ()


def ends(_layout: Layout, _state: State) -> Sequence[End]:
    """The end of a turn with its basic action. Source: RC-3.5."""
    return ENDS


# ---------------------------------------------------------------------------------------- Ivan, chance


def ivan_sections(layout: Layout, sections: Sequence[Section]) -> list[int]:
    """The sections that Ivan may claim: the first that exist of those above the human's, bases, any. Source: RC-7.13."""
    available = [place for place in layout.sections if is_open(sections, place)]
    above = [place.index for place in available if place.below is not None and sections[place.below].owner == HUMAN]
    bases = [place.index for place in available if place.below is None]
    return above or bases or [place.index for place in available]


def ivan_claims(layout: Layout, state: State) -> list[ClaimForIvan]:
    """The human's choices for Ivan. Source: RC-7.13."""
    return [layout.sections[index].moves.for_ivan for index in ivan_sections(layout, state.sections)]


def rolled(_layout: Layout, state: State) -> Sequence[Outcome]:
    """Every outcome of the pending roll. Source: RC-8.1."""
    assert isinstance(state.decision, Roll)
    return outcomes(state.decision.dice)


Listed = Callable[[Layout, State], Any]
_OPTIONAL: Final[Mapping[type, Listed]] = {Trade: trades, Reroll: rerolls}
LISTS: Final[Mapping[type, Mapping[type, Listed]]] = {
    Action: {Claim: claims, Deliver: deliveries, Decorate: decorations, MoveDie: die_moves, **_OPTIONAL},
    Build: {Deliver: deliveries, Decorate: decorations, **_OPTIONAL, End: ends},
    Market: {Take: takes, Influence: influences, Activate: activations, **_OPTIONAL, Done: dones, End: ends},
    Finish: {**_OPTIONAL, End: ends},
    IvanClaim: {ClaimForIvan: ivan_claims},
    Roll: {Outcome: rolled},
    Over: {},
}
"""By what is decided: the kinds of move that may be legal, in the order of the list, each with its function."""
