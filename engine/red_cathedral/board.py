"""The table as an SVG document.

Drawn for a phone: 400 units wide, with a light ground of its own. Sides are told apart by name and pattern as
well as by colour. Groups that legal moves lead to (market spaces, dice, influence cards, sections, workshop
spaces, the headline for what touches nothing) bear the notations in `data-move`, separated by blanks, and a
frame of the class `hint`; the others in `data-ask` the move that somebody means who chooses them. The
cathedral is a group with `data-beside`, where it begins and ends: on a wide screen it may stand beside, and
what is below it, a group with `data-below`, takes its place.
"""

from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap
from typing import Final

from engine.red_cathedral.boxfile import CODES
from engine.red_cathedral.captions import (
    amounts,
    called,
    captions_in,
    effect_text,
    given,
    letters,
    name_of,
    tile_name,
)
from engine.red_cathedral.layout import Layout, Place
from engine.red_cathedral.model import DICE, IVAN, MATERIALS, WORKSHOP, State
from engine.red_cathedral.notation import write
from engine.red_cathedral.picture import decision_text, ornament_text, side_lines, tile_text
from engine.red_cathedral.svg import (
    COLOURS,
    FREE,
    INK,
    UNMARKED,
    Area,
    Mark,
    box,
    disc,
    document,
    fill_of,
    group,
    part_beside,
    text,
)
from engine.red_cathedral.touched import Touched, meant, touched
from engine.speech import Captions, Speech

WIDTH: Final = 400
"""Units across; the height follows from the cathedral and the seats."""

_MARGIN: Final = 8
_LINE: Final = 16
_RING: Final = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1))
"""Column and row of spaces 1 to 8, clockwise round an empty middle."""
_SPACE: Final = (128, 66)
_SECTION: Final = 62
_SMALL: Final = 10.5
_CHARACTERS: Final = 58
"""Characters of small text that fit a line, whatever the font."""

_EFFECT: Final = 484
"""Size of a line about an effect times its characters, if it is to fit."""

Marks = Mapping[Touched, Mark]


def board(layout: Layout, state: State, speech: Speech) -> str:
    """The SVG document."""
    captions, marks = captions_in(speech), _marks(layout, state)
    headline = wrap(decision_text(captions, layout, state), 52)
    top = (1.0 + len(headline)) * _LINE
    whole = Area(_MARGIN / 2, _MARGIN / 2, WIDTH - _MARGIN, top - _MARGIN)
    body = [group(_of(marks, "", 0), whole, _lines(headline, _MARGIN, 1.2 * _LINE, 12))]
    body += _market(captions, layout, state, marks, top)
    top += 3 * _SPACE[1] + _LINE
    body += _influence(captions, layout, marks, top)
    top += 8 * _LINE + _LINE / 2
    cathedral, below = _cathedral(captions, layout, state, marks, top)
    sides, bottom = _sides(captions, layout, state, marks, below)
    body += part_beside(top, cathedral, below, sides)
    return document(WIDTH, bottom, "The Red Cathedral", body)


def _cathedral(
    captions: Captions, layout: Layout, state: State, marks: Marks, top: float
) -> tuple[list[str], float]:
    """The towers in their rows, and where they end."""
    towers: list[str] = []
    for row in _tower_rows(layout):
        tallest = max(len(layout.towers[tower]) for tower in row)
        area = Area(_MARGIN, top, WIDTH - 2 * _MARGIN, tallest * _SECTION)
        towers += _towers(captions, layout, state, marks, row, area)
        top += tallest * _SECTION + _LINE / 2
    return towers, top


def _sides(
    captions: Captions, layout: Layout, state: State, marks: Marks, top: float
) -> tuple[list[str], float]:
    """The sides, the reserve and the legend below each other, and where they end."""
    sides: list[str] = []
    for side in range(layout.sides):
        told = side_lines(captions, layout, state, side)
        lines = [part for line in told for part in wrap(line, _CHARACTERS)]
        workshop = not (layout.solitaire and side == IVAN)
        area = Area(_MARGIN, top, WIDTH - 2 * _MARGIN, len(lines) * _LINE + 34 * workshop + 8)
        sides += _side(layout, state, side, lines, area)
        if workshop:
            own: Marks = marks if side == state.seat else {}
            sides += _workshop(captions, layout, state, side, own, top + 4 + len(lines) * _LINE)
        top += area.height + 4
    reserve = captions.say("reserve_goods", goods=amounts(captions, enumerate(state.reserve)))
    legend = captions.say("cost_letters", words=letters(captions, dict(zip(CODES, MATERIALS, strict=True))))
    lines = [*wrap(reserve, _CHARACTERS), *wrap(legend, _CHARACTERS)]
    sides += _lines(lines, _MARGIN, top + _LINE, _SMALL)
    return sides, top + (1 + len(lines)) * _LINE


def _marks(layout: Layout, state: State) -> Marks:
    """The mark of each thing that has one."""
    moves: dict[Touched, tuple[str, ...]] = {}
    for thing, notation in touched(layout, state):
        moves[thing] = (*moves.get(thing, ()), notation)
    meanings = {thing: Mark(ask=write(move)) for thing, move in meant(layout, state)}
    return {**meanings, **{thing: Mark(notations) for thing, notations in moves.items()}}


def _of(marks: Marks, kind: str, number: int) -> Mark:
    return marks.get((kind, number), UNMARKED)


def _lines(lines: Iterable[str], x: float, y: float, size: float) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield text(x, y + number * _LINE, line, size)


# ----------------------------------------------------------------------------------------------- market


def _market(captions: Captions, layout: Layout, state: State, marks: Marks, top: float) -> Iterator[str]:
    for space, (column, row) in enumerate(_RING, 1):
        area = Area(_MARGIN + column * _SPACE[0], top + row * _SPACE[1], _SPACE[0] - 4, _SPACE[1] - 4)
        tile = f"{space}: {given(captions, layout.amounts[space], layout.market[space])}"
        line = text(area.x + 5, area.y + 15, tile, 12 if len(tile) <= 17 else 10)
        yield group(_of(marks, "space", space), area, [box(area), line])
        dice = [die for die, at in enumerate(state.spaces) if at == space]
        for place, die in enumerate(dice):
            yield _die(captions, state, marks, die, Area(area.x + 6 + 33 * place, area.y + 26, 27, 27))
    middle = Area(_MARGIN + _SPACE[0], top + _SPACE[1], _SPACE[0] - 4, _SPACE[1] - 4)
    words = captions.say("round", round=state.round), captions.say("clockwise")
    yield text(middle.x + middle.width / 2, middle.y + 26, words[0], text_anchor="middle")
    yield text(middle.x + middle.width / 2, middle.y + 44, words[1], 11, text_anchor="middle")


def _die(captions: Captions, state: State, marks: Marks, die: int, area: Area) -> str:
    name = captions.speech.say(DICE[die])
    return group(
        _of(marks, "die", die),
        Area(area.x - 4, area.y - 4, area.width + 8, area.height + 8),
        [
            box(area, COLOURS[DICE[die]], 2),
            text(area.x + area.width / 2, area.y + 17, str(state.pips[die]), 15, text_anchor="middle"),
            text(area.x + area.width / 2, area.y + 25, name, min(7, 44 / len(name)), text_anchor="middle"),
        ],
    )


def _influence(captions: Captions, layout: Layout, marks: Marks, top: float) -> Iterator[str]:
    for quadrant, card in enumerate(layout.cards):
        y = top + 2 * _LINE * quadrant + 12
        for number, effect in enumerate(card.effects):
            spaces = (
                f"{2 * quadrant + 1}-{2 * quadrant + 2} {captions.say(card.group)}" if number == 0 else ""
            )
            told = effect_text(effect, captions.speech)
            words = f"{number + 1}: {captions.say('repeat', effect=told) if effect.repeat else told}"
            here = y + number * _LINE
            line = [text(_MARGIN, here, spaces, 11), text(112, here, words, min(11, _EFFECT / len(words)))]
            area = Area(_MARGIN / 2, here - 12, WIDTH - _MARGIN, _LINE)
            yield group(_of(marks, "effect", 2 * quadrant + number), area, line)


# ----------------------------------------------------------------------------------------------- towers


def _tower_rows(layout: Layout) -> list[range]:
    """The towers by rows that a phone can show: four beside each other, or three if there are more."""
    count = len(layout.towers)
    most = 4 if count <= 4 else 3
    return [range(first, min(first + most, count)) for first in range(0, count, most)]


def _towers(
    captions: Captions, layout: Layout, state: State, marks: Marks, row: range, area: Area
) -> Iterator[str]:
    width = area.width / len(row)
    for column, tower in enumerate(row):
        for index in layout.towers[tower]:
            place = layout.sections[index]
            y = area.y + area.height - (place.level + 1) * _SECTION
            spot = Area(area.x + column * width, y, width - 4, _SECTION - 3)
            yield group(_of(marks, "section", index), spot, _section(captions, layout, state, place, spot))


def _section(captions: Captions, layout: Layout, state: State, place: Place, area: Area) -> Iterator[str]:
    section, card = state.sections[place.index], place.card
    fill = FREE if section.owner is None else fill_of(name_of(layout, section.owner))
    yield box(
        area, fill, 3 if section.finished else 1, **({} if section.finished else {"stroke_dasharray": "4 3"})
    )
    yield text(area.x + 4, area.y + 13, place.name, 11)
    reward = f"{card.recognition}+{card.rubles}"
    yield text(area.x + area.width - 4, area.y + 13, reward, 11, text_anchor="end")
    if not section.finished:
        yield from _cost(place, section.delivered, area)
    if section.owner is None:
        tile = tile_name(captions, place.tile)
        yield text(area.x + 4, area.y + 53, tile, 10 if len(tile) <= 15 else 9)
        return
    owner = called(captions, layout, section.owner)
    told = captions.say("done", name=owner) if section.finished else owner
    yield text(area.x + 4, area.y + 53, told, 11 if len(told) <= 12 else 9, font_weight="bold")
    if section.ornament is not None:
        words = ornament_text(captions, layout, place, section.ornament)
        yield text(area.x + 4, area.y + 34, words, 11 if len(words) <= 15 else 9)


def _cost(place: Place, delivered: tuple[int, ...], area: Area) -> Iterator[str]:
    """A disc for each material of the cost: dark if it is there. Ivan's count, whatever their kind."""
    letters = [kind for kind, due in enumerate(place.cost) for _ in range(due)]
    other_kinds = any(there > due for there, due in zip(delivered, place.cost, strict=True))
    left = list(delivered)
    for position, kind in enumerate(letters):
        there = position < sum(delivered) if other_kinds else left[kind] > 0
        left[kind] -= 1
        x, y = area.x + 13 + 18 * position, area.y + 29
        yield disc(x, y, 8, INK if there else "#ffffff")
        yield text(x, y + 4, CODES[kind], 11, text_anchor="middle", fill="#ffffff" if there else INK)


# ------------------------------------------------------------------------------------------------ sides


def _side(layout: Layout, state: State, side: int, lines: list[str], area: Area) -> Iterator[str]:
    yield box(area, FREE, 2 if side == state.seat else 1)
    yield box(Area(area.x, area.y, 10, area.height), fill_of(name_of(layout, side)))
    yield from _lines(lines, area.x + 16, area.y + 14, _SMALL)


def _workshop(
    captions: Captions, layout: Layout, state: State, side: int, marks: Marks, top: float
) -> Iterator[str]:
    for space in range(len(WORKSHOP)):
        area = Area(_MARGIN + 14 + 61 * space, top, 59, 30)
        tile = tile_text(captions, layout, state, side, space)
        words = captions.say("price", price=layout.prices[side][space]) if tile is None else tile
        name = captions.speech.say(WORKSHOP[space])
        yield group(_of(marks, "workshop", space), area, _workshop_space(name, words, area))


def _workshop_space(name: str, words: str, area: Area) -> Iterator[str]:
    yield box(area)
    yield text(area.x + 3, area.y + 11, name, 9)
    yield text(area.x + 3, area.y + 24, words, 9 if len(words) <= 10 else min(7.5, 102 / len(words)))
