"""Why a well-formed move is not legal: every condition of the rules that it fails, with the numbers.

`legal.py` is the judge; what is here explains its verdict and is asked only about moves it refused.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from engine.game import Reason
from engine.red_cathedral import facts, legal
from engine.red_cathedral.layout import JEWELS, Layout, Place
from engine.red_cathedral.market_reasons import activate_reasons, influence_reasons, take_reasons
from engine.red_cathedral.model import (
    CLOSED,
    COLOURS,
    DICE,
    GREEN,
    MATERIALS,
    MAX_EXTRA,
    ORNAMENTS,
    PURPLE,
    RUBLES,
    WHITE,
    WORKSHOP,
    Action,
    Build,
    IvanClaim,
    Market,
    Over,
    Roll,
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
from engine.red_cathedral.shortages import delivery_reasons, reason, ruble_reasons, section_reasons, short_of

Reasons = Iterator[Reason]


def why_not(layout: Layout, state: State, move: Move) -> tuple[Reason, ...]:
    """The conditions that `move` fails; empty iff it is legal."""
    if legal.is_legal(layout, state, move):
        return ()
    decision = state.decision
    if isinstance(decision, Over):
        return (reason("RC-7.1", "match_over"),)
    if isinstance(decision, Roll) and not isinstance(move, Outcome):
        dice = ", ".join(DICE[die] for die in decision.dice)
        return (reason("RC-8.1", "roll_pending", dice=dice),)
    if isinstance(decision, IvanClaim) and not isinstance(move, ClaimForIvan):
        return (reason("RC-7.13", "ivan_first"),)
    return tuple(_REASONS[type(move)](layout, state, move))


def _basic_action_is_due(state: State) -> Reasons:
    """A claim or a market action can only begin a turn's basic action. Source: RC-3.1."""
    if not isinstance(state.decision, Action):
        yield reason("RC-3.1", "basic_action_taken")


def _claim(layout: Layout, state: State, move: Claim) -> Reasons:
    player = state.players[state.seat]
    yield from _basic_action_is_due(state)
    yield from _not_open(layout, state, move.section)
    if not player.banners:
        yield reason("RC-4.8", "no_banners")
    space = WORKSHOP.index(move.workshop_space)
    if player.workshop[space] is not None:
        yield reason("RC-4.3", "workshop_space_used", workshop_space=move.workshop_space)
    price = layout.prices[state.seat][space]
    if move.up:
        yield from ruble_reasons(player, price, "RC-4.5" if layout.table.advanced else "RC-4.4")


def _not_open(layout: Layout, state: State, name: str) -> Reasons:
    """Why a section cannot be claimed by anybody. Source: RC-4.1."""
    yield from section_reasons(layout, name)
    index = layout.index.get(name)
    if index is None:
        return
    owner, below = state.sections[index].owner, layout.sections[index].below
    if owner is not None:
        yield reason("RC-4.1", "section_claimed", section=name, owner=owner)
    if below is not None and state.sections[below].owner is None:
        yield reason("RC-4.1", "nothing_below", section=name, below=layout.sections[below].name)


def _may_build(state: State, pieces: int) -> Reasons:
    if not isinstance(state.decision, Action | Build):
        yield reason("RC-3.1", "basic_action_taken")
        return
    left = facts.deliveries_left(state.decision)
    if pieces > left:
        yield reason("RC-5.1", "too_many_deliveries", pieces=pieces, left=left)


def _deliver(layout: Layout, state: State, move: Deliver) -> Reasons:
    yield from _may_build(state, 1)
    inventory = state.players[state.seat].inventory
    yield from delivery_reasons(layout, state, (move.section, move.material), 1)
    yield from short_of(inventory, MATERIALS.index(move.material), 1, "RC-5.1")


def _decorate(layout: Layout, state: State, move: Decorate) -> Reasons:
    yield from _may_build(state, 1 + len(move.jewels))
    if move.jewels not in JEWELS:
        yield reason("RC-5.4", "jewels_misspelled", jewels="+".join(move.jewels))
    elif layout.table.jewels_differ and len(set(move.jewels)) < len(move.jewels):
        yield reason("RC-5.5", "jewels_must_differ")
    yield from section_reasons(layout, move.section)
    if move.section not in layout.index:
        return
    place = layout.sections[layout.index[move.section]]
    section = state.sections[place.index]
    if not section.finished:
        yield reason("RC-5.4", "not_finished", section=place.name)
    if section.ornament is not None:
        yield reason("RC-5.4", "decorated_already", section=place.name, owner=section.ornament)
    yield from _no_ornament(layout, state, place)
    inventory = state.players[state.seat].inventory
    yield from short_of(inventory, layout.box.ornament_costs[place.kind], 1, "RC-5.4")
    for jewel, count in ((GREEN, move.jewels.count("green")), (PURPLE, move.jewels.count("purple"))):
        yield from short_of(inventory, jewel, count, "RC-5.4")


def _no_ornament(layout: Layout, state: State, place: Place) -> Reasons:
    player, ornament = state.players[state.seat], ORNAMENTS[place.kind]
    if not player.ornaments[place.kind]:
        yield reason("RC-5.4", "no_ornament", ornament=ornament)
    elif facts.unlocked(layout, player, place.kind) < 1:
        yield reason("RC-4.5", "ornament_locked", ornament=ornament)


def _move_die(layout: Layout, state: State, move: MoveDie) -> Reasons:
    yield from _basic_action_is_due(state)
    die, player = DICE.index(move.die), state.players[state.seat]
    own = layout.table.colours[state.seat]
    if move.extra and die not in (own, WHITE):
        yield reason("RC-6.1", "not_own_die", die=move.die, own=COLOURS[own])
    if move.extra > MAX_EXTRA:
        yield reason("RC-6.1", "too_far", extra=move.extra, most=MAX_EXTRA)
    yield from ruble_reasons(player, move.extra, "RC-6.1")
    space = facts.landing(state.spaces[die], state.pips[die] + move.extra)
    if not facts.has_room(state.spaces, die, space):
        yield reason("RC-6.2", "space_full", space=space)


def _needs_prestige(layout: Layout, state: State) -> Reasons:
    player = state.players[state.seat]
    if not facts.can_lose_prestige(layout, player):
        yield reason("RC-2.5", "no_prestige", position=player.position)


def _trade(layout: Layout, state: State, _move: Trade) -> Reasons:
    if state.trade == CLOSED and not layout.table.trade_any:
        yield reason("RC-3.3", "trade_closed")
    if not state.reserve[RUBLES]:
        yield reason("RC-3.2", "reserve_short", resource="rubles", there=0)
    yield from _needs_prestige(layout, state)


def _reroll(layout: Layout, state: State, move: Reroll) -> Reasons:
    if state.rerolled:
        yield reason("RC-3.4", "rerolled_already")
    if move.space not in state.spaces:
        yield reason("RC-3.2", "no_dice", space=move.space)
    yield from _needs_prestige(layout, state)


def _done(layout: Layout, state: State, _move: Done) -> Reasons:
    if not isinstance(state.decision, Market):
        yield reason("RC-6.9", "no_market_action")
    elif layout.table.roll_before:
        yield reason("RC-6.9", "rolled_before")
    else:
        yield reason("RC-3.2", "nothing_after")


def _end(_layout: Layout, _state: State, _move: End) -> Reasons:
    yield reason("RC-3.1", "basic_action_owed")


def _ivan(layout: Layout, state: State, move: ClaimForIvan) -> Reasons:
    if not isinstance(state.decision, IvanClaim):
        yield reason("RC-7.13", "no_choice_for_ivan")
        return
    choices = ", ".join(choice.section for choice in legal.ivan_claims(layout, state))
    yield reason("RC-7.13", "not_for_ivan", section=move.section, choices=choices)


def _outcome(_layout: Layout, state: State, _move: Outcome) -> Reasons:
    if not isinstance(state.decision, Roll):
        yield reason("RC-8.1", "no_roll_pending")
        return
    yield reason("RC-8.1", "other_dice", dice=", ".join(DICE[die] for die in state.decision.dice))


_REASONS: Final[Mapping[type, Callable[[Layout, State, Any], Reasons]]] = {
    Claim: _claim,
    Deliver: _deliver,
    Decorate: _decorate,
    MoveDie: _move_die,
    Take: take_reasons,
    Influence: influence_reasons,
    Activate: activate_reasons,
    Trade: _trade,
    Reroll: _reroll,
    Done: _done,
    End: _end,
    ClaimForIvan: _ivan,
    Outcome: _outcome,
}
