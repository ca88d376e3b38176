"""Changes tell everything: who follows a match by its changes alone knows the whole table."""

from typing import Any

import pytest

from engine.game import Change
from engine.red_cathedral import GAME
from engine.red_cathedral.model import DICE, IVAN, MATERIALS, ORNAMENTS, State
from tests.conformance.walks import random_match
from tests.engine.red_cathedral.table import section_number

Figures = dict[str, Any]


def figures(state: State) -> Figures:
    """What lies on the table, by name."""
    found: Figures = {}
    for die, space, value in zip(DICE, state.spaces, state.pips, strict=True):
        found |= {f"{die} space": space, f"{die} value": value}
    for side, player in enumerate(state.players):
        found |= {f"{side} position": player.position, f"{side} banners": player.banners}
        found |= {f"{side} {name}": count for name, count in zip(ORNAMENTS, player.ornaments, strict=True)}
        if state.ivan is None or side != IVAN:
            held = dict(zip(MATERIALS, player.inventory, strict=True))
            found |= {f"{side} {name}": count for name, count in held.items()} | {
                f"{side} rubles": player.rubles
            }
    for number, section in enumerate(state.sections):
        found |= {f"#{number} owner": section.owner, f"#{number} ornament": section.ornament}
        found |= {f"#{number} finished": section.finished, f"#{number} delivered": sum(section.delivered)}
    if state.ivan is not None:
        found |= {"stored": sum(state.ivan.inventory), "ready": sum(state.ivan.construction)}
    return found


def entered(change: Change, section: str) -> Figures:
    """The figures that a change names as they are now."""
    values, side = change.values, change.seat
    match change.code:
        case "recognition_gained" | "recognition_lost" | "prestige_gained" | "prestige_lost":
            return {f"{side} position": values["position"]}
        case "claimed" | "ivan_claimed":
            return {f"{section} owner": side}
        case "finished":
            return {f"{section} finished": True, f"{section} delivered": 0}
        case "decorated":
            return {f"{section} ornament": side}
        case "die_moved":
            return {f"{values['die']} space": values["space"]}
        case "rolled":
            return {f"{values['die']} value": values["value"]}
    return {}


def counted(change: Change, section: str) -> dict[str, int]:
    """What a change adds to figures, or takes away."""
    values, side = change.values, change.seat
    amount = int(values.get("amount", 1))
    match change.code:
        case "gained" | "paid":
            return {f"{side} {values['resource']}": amount if change.code == "gained" else -amount}
        case "delivered":
            return {f"{side} {values['material']}": -1, f"{section} delivered": 1}
        case "ivan_delivered":
            return {"ready": -1, f"{section} delivered": 1}
        case "claimed" | "ivan_claimed":
            return {f"{side} banners": -1}
        case "decorated":
            return {f"{side} {values['ornament']}": -1}
        case "ivan_stored":
            return {"stored": amount}
        case "ivan_transported":
            return {"stored": -amount, "ready": amount}
    return {}


def note(book: Figures, state: State, change: Change) -> None:
    """Enter a change in the figures of a table."""
    section = f"#{section_number(state, str(change.values['section']))}" if "section" in change.values else ""
    for name, more in counted(change, section).items():
        book[name] += more
    book |= entered(change, section)


TABLES: list[tuple[int, dict[str, Any]]] = [
    *((1, {"difficulty": level}) for level in ("easy", "normal", "hard")),
    *((seats, {"workshop": "advanced"}) for seats in (1, 2, 4)),
    (3, {}),
]


@pytest.mark.parametrize("number", [31, 32])
@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_a_ledger_kept_by_changes_agrees_after_every_event(
    seats: int, options: dict[str, Any], number: int
) -> None:
    walk = random_match(GAME, seats, number, turn_limit=60, **options)
    book = figures(walk.start)
    for step in walk.steps:
        for change in step.changes:
            note(book, walk.start, change)
        assert book == figures(step.state), step.event


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_the_turn_of_ivan_belongs_to_the_event_that_ended_the_humans(level: str) -> None:
    """His card, then his die, told in full with the human's `end`, or with the roll that it made due."""
    walk = random_match(GAME, 1, 33, difficulty=level)
    turns = 0
    market_closed = False
    for step in walk.steps:
        codes = [change.code for change in step.changes]
        if "ivan_card" in codes:
            turns += 1
            assert step.event.move == "end" or (step.event.kind == "outcome" and market_closed)
            assert codes.index("turn_begun") < codes.index("ivan_card")
            moved = [change for change in step.changes if change.code == "die_moved"]
            chooses = bool(GAME.legal(step.state)) and GAME.write(GAME.legal(step.state)[0]).startswith(
                "ivan:"
            )
            assert len(moved) == (0 if chooses else 1)
            assert all(GAME.sentence(change).endswith(".") for change in step.changes)
        market_closed = step.event.move == "end" and "ivan_card" not in codes
    assert turns > 10
