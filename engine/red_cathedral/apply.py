"""What each move does: one function a kind, on a draft of the state.

Nothing here asks whether a move is legal; `legal.py` has said so.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from engine.game import Change
from engine.red_cathedral import ivan
from engine.red_cathedral.building import decorate, deliver
from engine.red_cathedral.components import Payment
from engine.red_cathedral.draft import Draft
from engine.red_cathedral.facts import benefit, deliveries_left, landing
from engine.red_cathedral.layout import Layout, PlayableEffect
from engine.red_cathedral.model import (
    DICE,
    MATERIALS,
    OPEN,
    ORNAMENTS,
    RUBLES,
    WORKSHOP,
    Action,
    Build,
    Finish,
    Market,
    Pass,
    Placed,
    State,
)
from engine.red_cathedral.moves import (
    Activate,
    Claim,
    ClaimForIvan,
    Decorate,
    Deliver,
    Deliveries,
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
from engine.red_cathedral.turn import close_market, close_trade, leave, pass_turn, roll, settle

TRADE_RUBLES: Final = 2


def apply(layout: Layout, state: State, move: Move) -> tuple[State, tuple[Change, ...]]:
    """The state after a legal move, and what changed."""
    draft = Draft(layout, state)
    APPLIED[type(move)](draft, move)
    return draft.state(), tuple(draft.changes)


def retire(layout: Layout, state: State, seat: int) -> tuple[State, tuple[Change, ...]]:
    """The state after an active seat has left, and what changed. Source: RC-3.6."""
    draft = Draft(layout, state)
    leave(draft, seat)
    return draft.state(), tuple(draft.changes)


def _claim(draft: Draft, move: Claim) -> None:
    """Banner, price, ornament unlocked, benefit. Source: RC-4.2, RC-4.3, RC-4.5, RC-4.7."""
    layout, seat = draft.layout, draft.seat
    player = draft.players[seat]
    index, space = layout.index[move.section], WORKSHOP.index(move.workshop_space)
    workshop = (*player.workshop[:space], Placed(index, move.up), *player.workshop[space + 1 :])
    draft.players[seat] = replace(player, banners=player.banners - 1, workshop=workshop)
    draft.sections[index] = replace(draft.sections[index], owner=seat)
    tile = layout.sections[index].tile
    draft.note("claimed", seat, section=move.section, workshop_space=move.workshop_space, tile=tile.id)
    if move.up:
        draft.pay_rubles(seat, layout.prices[seat][space])
        for kind, locks in enumerate(layout.locks):
            if space in locks:
                draft.note("unlocked", seat, ornament=ORNAMENTS[kind])
        draft.gain(seat, *benefit(layout, draft.spaces, tile))
    draft.decision = Finish()
    close_trade(draft)


def _deliver(draft: Draft, move: Deliver) -> None:
    """Source: RC-5.1."""
    _build(draft, 1)
    deliver(draft, draft.layout.index[move.section], MATERIALS.index(move.material))


def _decorate(draft: Draft, move: Decorate) -> None:
    """Source: RC-5.4."""
    _build(draft, 1 + len(move.jewels))
    jewels = (move.jewels.count("green"), move.jewels.count("purple"))
    decorate(draft, draft.layout.index[move.section], jewels)


def _build(draft: Draft, pieces: int) -> None:
    draft.decision = Build(deliveries_left(draft.decision) - pieces)
    close_trade(draft)


def _move_die(draft: Draft, move: MoveDie) -> None:
    """Source: RC-6.1, part 11 (`market_roll`)."""
    die = DICE.index(move.die)
    value = draft.pips[die]
    draft.pay_rubles(draft.seat, move.extra)
    space = landing(draft.spaces[die], value + move.extra)
    draft.move_die(die, space)
    market = Market(die, value)
    if draft.layout.table.roll_before:
        roll(draft, space, market)
    else:
        draft.decision = market
    close_trade(draft)


def _market(draft: Draft) -> Market:
    market = draft.decision
    assert isinstance(market, Market)
    return market


def _shut_effect(market: Market) -> bool:
    """Whether the influence effect is closed by a take or an activation. Source: RC-6.5."""
    return market.closed or market.effect > 0


def _take(draft: Draft, move: Take) -> None:
    """Source: RC-6.4."""
    market = _market(draft)
    draft.decision = replace(market, taken=True, closed=_shut_effect(market))
    draft.gain(draft.seat, draft.layout.market[draft.spaces[market.die]], move.amount)
    close_trade(draft)


def _activate(draft: Draft, move: Activate) -> None:
    """Source: RC-6.8."""
    market = _market(draft)
    draft.decision = replace(market, activated=True, closed=_shut_effect(market))
    placed = draft.players[draft.seat].workshop[WORKSHOP.index(move.workshop_space)]
    assert placed is not None
    draft.gain(draft.seat, *benefit(draft.layout, draft.spaces, draft.layout.sections[placed.section].tile))
    close_trade(draft)


def _influence(draft: Draft, move: Influence) -> None:
    """Source: RC-6.5 to RC-6.7."""
    market = _market(draft)
    effect = draft.layout.effects[draft.spaces[market.die]][move.effect - 1]
    after = draft.decision = replace(market, effect=effect.number, closed=not effect.repeat)
    close_trade(draft)
    if effect.delivers:
        _deliver_by_effect(draft, effect, move)
        return
    use = effect.uses[move]
    _pay(draft, use.payment)
    if use.space:
        roll(draft, use.space, after)
    else:
        draft.gain(draft.seat, use.resource, use.amount)


def _deliver_by_effect(draft: Draft, effect: PlayableEffect, move: Influence) -> None:
    *paid, given = move.choices
    assert isinstance(given, Deliveries)
    choice = paid[0] if paid else None
    _pay(draft, next(payment for payment, _ in effect.payments if payment.choice == choice))
    for delivery in given.deliveries:
        deliver(draft, draft.layout.index[delivery.section], MATERIALS.index(delivery.material))


def _pay(draft: Draft, payment: Payment) -> None:
    draft.pay_rubles(draft.seat, payment.rubles)
    draft.pay_materials(draft.seat, payment.materials)


def _trade(draft: Draft, _move: Trade) -> None:
    """Source: RC-3.2, RC-3.3."""
    draft.trade = OPEN
    draft.lose_prestige(draft.seat)
    draft.gain(draft.seat, RUBLES, TRADE_RUBLES)


def _reroll(draft: Draft, move: Reroll) -> None:
    """Source: RC-3.2, RC-3.4."""
    draft.rerolled = True
    close_trade(draft)
    draft.lose_prestige(draft.seat)
    then = draft.decision
    assert isinstance(then, Action | Build | Market | Finish)
    roll(draft, move.space, then)


def _done(draft: Draft, _move: Done) -> None:
    """Source: RC-6.9."""
    close_trade(draft)
    close_market(draft, Finish())


def _end(draft: Draft, _move: End) -> None:
    """Source: RC-3.5, RC-6.9."""
    draft.note("turn_ended", draft.seat)
    if not close_market(draft, Pass()):
        pass_turn(draft)


def _ivan(draft: Draft, move: ClaimForIvan) -> None:
    """Source: RC-7.13."""
    ivan.claim(draft, draft.layout.index[move.section])
    ivan.move_die(draft)


def _outcome(draft: Draft, move: Outcome) -> None:
    """Source: RC-8.1."""
    settle(draft, move.dice)


APPLIED: Final[Mapping[type, Callable[[Draft, Any], None]]] = {
    Claim: _claim,
    Deliver: _deliver,
    Decorate: _decorate,
    MoveDie: _move_die,
    Take: _take,
    Influence: _influence,
    Activate: _activate,
    Trade: _trade,
    Reroll: _reroll,
    Done: _done,
    End: _end,
    ClaimForIvan: _ivan,
    Outcome: _outcome,
}
"""What each kind of move does."""
