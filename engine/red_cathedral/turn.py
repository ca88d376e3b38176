"""The flow of turns: what comes after a move, all in one place.

Source: part 3 and RC-7.1, RC-7.7, RC-7.11, RC-8.1 of the rules.
"""

from engine.red_cathedral.draft import Draft
from engine.red_cathedral.ivan import take_turn
from engine.red_cathedral.model import (
    CLOSED,
    DICE,
    IVAN,
    OPEN,
    UNUSED,
    Action,
    AfterRoll,
    Finish,
    Market,
    Over,
    Pass,
    Roll,
)
from engine.red_cathedral.moves import Face


def close_trade(draft: Draft) -> None:
    """Any move but a trade closes the trading of this turn. Source: RC-3.3."""
    if draft.trade == OPEN and not draft.layout.table.trade_any:
        draft.trade = CLOSED


def roll(draft: Draft, space: int, then: AfterRoll) -> None:
    """The dice of a space are to be rolled before anything else. Source: RC-8.1."""
    draft.decision = Roll(draft.dice_at(space), then)


def close_market(draft: Draft, then: Finish | Pass) -> bool:
    """Whether closing the basic action rolls dice; if so, that is what is due now. Source: RC-6.9."""
    market = draft.decision
    if not isinstance(market, Market) or draft.layout.table.roll_before:
        return False
    roll(draft, draft.spaces[market.die], then)
    return True


def settle(draft: Draft, faces: tuple[Face, ...]) -> None:
    """The dice of the pending roll show `faces`, and what was to follow follows. Source: RC-8.1."""
    pending = draft.decision
    assert isinstance(pending, Roll)
    pips, rolls = list(draft.pips), list(draft.rolls)
    for face in faces:
        die = DICE.index(face.die)
        pips[die] = face.value
        rolls[die] += 1
        draft.note("rolled", None, die=face.die, value=face.value)
    draft.pips, draft.rolls = tuple(pips), tuple(rolls)
    if isinstance(pending.then, Pass):
        pass_turn(draft)
    elif isinstance(pending.then, Over):
        end_match(draft, "retired")
    else:
        draft.decision = pending.then


def pass_turn(draft: Draft) -> None:
    """The turn goes to the next seat that is owed one, or the match ends. Source: RC-3.1, RC-7.1, RC-7.7."""
    layout, seat = draft.layout, draft.seat
    while True:
        seat = (seat + 1) % layout.sides
        if seat == draft.trigger:
            return end_match(draft, "sixth_section")
        if seat == 0:
            if draft.round == layout.table.turn_limit:
                return end_match(draft, "turn_limit")
            draft.round += 1
        if seat not in draft.retired:
            return _begin(draft, seat)


def _begin(draft: Draft, seat: int) -> None:
    draft.seat, draft.trade, draft.rerolled = seat, UNUSED, False
    draft.decision = Action()
    draft.note("turn_begun", seat, round=draft.round)
    if draft.layout.solitaire and seat == IVAN:
        take_turn(draft)


def end_match(draft: Draft, cause: str) -> None:
    """The match is over: `sixth_section`, `turn_limit` or `retired`."""
    draft.decision = Over()
    draft.note("match_over", None, cause=cause)


def leave(draft: Draft, seat: int) -> None:
    """A seat retires: its turn, if it has it, ends at once, and the last active seat wins. Source: RC-3.6."""
    draft.retired = (*draft.retired, seat)
    draft.note("retired", seat)
    pending = draft.decision
    if draft.layout.seats - len(draft.retired) < 2:
        if isinstance(pending, Roll):
            draft.decision = Roll(pending.dice, Over())
        else:
            end_match(draft, "retired")
    elif seat == draft.seat:
        if isinstance(pending, Roll):
            draft.decision = Roll(pending.dice, Pass())
        else:
            pass_turn(draft)
