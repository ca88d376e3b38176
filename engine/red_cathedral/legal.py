"""Which moves are legal: the only judge of legality.

`legal` lists them by kind in the order of the table in part 8 of the rules: claims, deliveries, ornaments,
moves of dice, takes, influence effects, activations, trade, re-rolls, done, end; or Ivan's claims; or the
outcomes. Within a kind: sections tower by tower from the bottom, then materials, jewels, workshop spaces
(face up before face down), dice and extra spaces in their fixed orders, numbers ascending; payments before
gains; one delivery before two. Source: RC-8.3.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from engine.red_cathedral.facts import (
    can_lose_prestige,
    deliveries_left,
    has_room,
    is_open,
    landing,
    unlocked,
)
from engine.red_cathedral.layout import (
    DIE_MOVES,
    REROLLS,
    Layout,
    Ways,
    outcomes,
)
from engine.red_cathedral.market import activations, influences, takes
from engine.red_cathedral.model import (
    CLOSED,
    GREEN,
    HUMAN,
    MAX_EXTRA,
    PURPLE,
    ROOM,
    RUBLES,
    UNUSED,
    WHITE,
    Action,
    Build,
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

TRADES: Final = (Trade(),)
DONES: Final = (Done(),)
ENDS: Final = (End(),)


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


# ---------------------------------------------------------------------------------------------- claims


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
            moves += [place.moves.decorations[number] for number in known]
    return moves


def _jewel_sets(layout: Layout, player: Player, kind: int, left: int) -> tuple[int, ...]:
    """The sets of jewels that an ornament of this kind may carry; none if it cannot be placed."""
    inventory = player.inventory
    if not inventory[layout.box.ornament_costs[kind]] or unlocked(layout, player, kind) < 1:
        return ()
    return tuple(
        number
        for number, green, purple in layout.jewel_sets
        if green + purple < left and green <= inventory[GREEN] and purple <= inventory[PURPLE]
    )


# --------------------------------------------------------------------------------------- moving a die


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
    """Closing the market action alone, if something is possible after it. Source: part 8 (`done`)."""
    if layout.table.roll_before or not can_lose_prestige(layout, state.players[state.seat]):
        return ()
    trade_after = state.reserve[RUBLES] and (state.trade == UNUSED or layout.table.trade_any)
    return DONES if trade_after or not state.rerolled else ()


def ends(_layout: Layout, _state: State) -> Sequence[End]:
    """The end of a turn with its basic action. Source: RC-3.5."""
    return ENDS


# ---------------------------------------------------------------------------------------- Ivan, chance


def ivan_sections(layout: Layout, sections: Sequence[Section]) -> list[int]:
    """What Ivan may claim: above the human's; if there is none, bases; if none, any. Source: RC-7.13."""
    available = [place for place in layout.sections if is_open(sections, place)]
    above = [
        place.index for place in available if place.below is not None and sections[place.below].owner == HUMAN
    ]
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
"""By what is decided: the kinds of move that may be legal, in order, each with its function."""
