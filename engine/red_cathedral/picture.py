"""The table as text, at most 80 columns wide."""

import textwrap
from collections.abc import Iterator
from typing import Final

from engine.red_cathedral.boxfile import CODES
from engine.red_cathedral.facts import free_places
from engine.red_cathedral.layout import Layout, Place
from engine.red_cathedral.model import (
    DICE,
    IVAN,
    MATERIALS,
    ORNAMENTS,
    RESOURCES,
    RUBLES,
    WORKSHOP,
    Action,
    Build,
    Finish,
    IvanClaim,
    Market,
    Roll,
    State,
    Table,
)

WIDTH: Final = 80
HOUSE_RULES: Final = (
    "market_gain pips",
    "market_roll before",
    "tower_places one",
    "tower_ties split",
    "two_seat_towers standard",
    "trade_moments any",
    "jewel_pairs different",
)
"""The contested rulings as other readings spell them, in the order of the options."""


PAINTS: Final = tuple(
    (rf"\b{colour}\b|\b{colour[0]}[1-6]\b", shade)
    for colour, shade in {
        "yellow": "yellow",
        "blue": "bright_blue",
        "red": "red",
        "green": "green",
        "white": "bright_white",
    }.items()
)
"""Dice and players."""


def picture(layout: Layout, state: State) -> str:
    """Decision, what was agreed, market ring with influence cards, towers from the top, seats and reserve."""
    parts = (
        [decision_text(layout, state), *_agreed(layout.table)],
        ["", *_market(layout, state)],
        ["", *_towers(layout, state)],
        ["", *_sides(layout, state)],
    )
    lines = (line for part in parts for line in part)
    return "\n".join(line if len(line) <= WIDTH else line[: WIDTH - 1] + "…" for line in lines)


def name_of(layout: Layout, side: int) -> str:
    """What a side is called: Ivan, or the colour of its seat."""
    return "Ivan" if layout.solitaire and side == IVAN else DICE[layout.table.colours[side]]


def decision_text(layout: Layout, state: State) -> str:
    """What is asked now, of whom."""
    decision = state.decision
    who = f"Round {state.round}, seat {state.seat} ({name_of(layout, state.seat)})"
    if isinstance(decision, Action):
        return f"{who}: a basic action"
    if isinstance(decision, Build):
        return f"{who}: building, {decision.left} deliveries left"
    if isinstance(decision, Market):
        return f"{who}: on the market with the {DICE[decision.die]} die{_done_so_far(decision)}"
    if isinstance(decision, Finish):
        return f"{who}: the basic action is done"
    if isinstance(decision, IvanClaim):
        return f"Round {state.round}: seat 0 chooses what Ivan claims"
    if isinstance(decision, Roll):
        return f"{who}: to be rolled: {', '.join(DICE[die] for die in decision.dice)}"
    return "The match is over"


def _done_so_far(market: Market) -> str:
    done = [
        word
        for word, is_done in (
            ("taken", market.taken),
            ("activated", market.activated),
            (f"effect {market.effect}{' closed' if market.closed else ''}", market.effect),
        )
        if is_done
    ]
    return f" ({', '.join(done)})" if done else ""


def _agreed(table: Table) -> list[str]:
    """The options that are not the usual ones. Source: RC-1.10, part 11."""
    words = ["advanced workshop"] if table.advanced else []
    if table.ivan and table.difficulty != "normal":
        words.append(f"{table.difficulty} Ivan")
    words += [rule for rule, other in zip(HOUSE_RULES, _other_readings(table), strict=True) if other]
    return _wrapped(f"agreed: {', '.join(words)}") if words else []


def _other_readings(table: Table) -> tuple[bool, ...]:
    return (
        table.gain_pips,
        table.roll_before,
        table.third_is_one,
        table.split_ties,
        table.two_as_many,
        table.trade_any,
        table.jewels_differ,
    )


def _market(layout: Layout, state: State) -> Iterator[str]:
    yield "MARKET           dice        influence (* may be repeated)"
    for space in range(1, 9):
        tile = f"{layout.amounts[space]} {RESOURCES[layout.market[space]]}"
        dice = " ".join(
            f"{DICE[die][0]}{state.pips[die]}" for die in range(len(DICE)) if state.spaces[die] == space
        )
        card = layout.cards[(space - 1) // 2]
        number = 2 - space % 2
        effect = card.effects[number - 1]
        title = card.id if number == 1 else ""
        text = f"{number}{'*' if effect.repeat else ' '} {effect.text}"
        yield f"{space}  {tile:<13} {dice:<11} {title:<11} {text}"
    yield f"dice: {', '.join(f'{die[0]} {die}' for die in DICE)}"


def _towers(layout: Layout, state: State) -> Iterator[str]:
    yield "TOWERS   cost  there  RP+rubles"
    for tower in layout.towers:
        for index in reversed(tower):
            yield _section(layout, state, layout.sections[index])
        yield ""
    yield f"cost: {', '.join(f'{code} {word}' for code, word in zip(CODES, MATERIALS, strict=True))}"


def _section(layout: Layout, state: State, place: Place) -> str:
    section, card = state.sections[place.index], place.card
    there = _letters(section.delivered)
    reward = f"{card.recognition}+{card.rubles}"
    if section.owner is None:
        status = f"tile {place.tile.id}"
    else:
        status = f"{'finished by' if section.finished else 'claimed by'} {name_of(layout, section.owner)}"
    if section.ornament is not None:
        status += f", {ORNAMENTS[place.kind]} of {name_of(layout, section.ornament)}"
    return f"{place.name}  {card.id:<4} {_letters(place.cost):<5} {there:<6} {reward:<5} {status}"


def _letters(counts: tuple[int, ...]) -> str:
    return "".join(code * count for code, count in zip(CODES, counts, strict=True))


def _sides(layout: Layout, state: State) -> Iterator[str]:
    for side in range(layout.sides):
        yield from _side(layout, state, side)
    yield from _wrapped(f"RESERVE  {_amounts(state.reserve)}")


def _side(layout: Layout, state: State, side: int) -> Iterator[str]:
    first, *rest = side_lines(layout, state, side)
    yield f"SEAT {side}  {first}"
    for line in rest:
        yield from _wrapped(f"  {line}")
    if layout.solitaire and side == IVAN:
        return
    tiles = [
        f"{space} {layout.sections[placed.section].tile.id if placed.up else 'face down'}"
        for space, placed in zip(WORKSHOP, state.players[side].workshop, strict=True)
        if placed is not None
    ]
    yield from _wrapped(f"  workshop: {', '.join(tiles) or 'empty'}")


def side_lines(layout: Layout, state: State, side: int) -> list[str]:
    """What a side has, but for its workshop."""
    player = state.players[side]
    left = ", retired" if side in state.retired else ""
    last = ", finished first" if side == state.trigger else ""
    points = layout.box.track.prestige(player.position)
    ornaments = ", ".join(f"{count} {name}" for count, name in zip(player.ornaments, ORNAMENTS, strict=True))
    lines = [
        f"{name_of(layout, side)}: space {player.position} (PP {points}){left}{last}",
        f"{player.banners} banners, {ornaments}{_locked(layout, state, side)}",
    ]
    if layout.solitaire and side == IVAN:
        return lines + _ivan(layout, state)
    free = free_places(layout, player)
    return [*lines, f"{player.rubles} rubles; inventory: {_amounts(player.inventory)}; {free} places free"]


def _locked(layout: Layout, state: State, side: int) -> str:
    if layout.solitaire and side == IVAN:
        return ""
    workshop = state.players[side].workshop
    locked = [
        f"{ORNAMENTS[kind]} on {WORKSHOP[space]}"
        for kind, spaces in enumerate(layout.locks)
        for space in spaces
        if (placed := workshop[space]) is None or not placed.up
    ]
    return f"; locked: {', '.join(locked)}" if locked else ""


def _ivan(layout: Layout, state: State) -> list[str]:
    ivan = state.ivan
    assert ivan is not None
    row = [f"[{card}]" if place == ivan.next else card for place, card in enumerate(layout.table.ivan)]
    return [
        f"cards, the next in brackets: {' '.join(row)}",
        f"inventory: {_amounts(ivan.inventory)}; construction: {_amounts(ivan.construction)}",
    ]


def _amounts(counts: tuple[int, ...]) -> str:
    words = [
        f"{count} {RESOURCES[kind]}" for kind, count in enumerate(counts) if count or len(counts) > RUBLES
    ]
    return ", ".join(words) or "nothing"


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, subsequent_indent="    ")
