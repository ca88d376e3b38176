"""The table as an SVG document.

Drawn for a phone: 360 units wide. It brings its own light ground, so it reads the same on a dark page, and
tells seats by digit and pattern as well as by colour. The group of a cell that legal moves lead to bears
their notations in `data-move`, separated by blanks, and a frame of the class `hint`. That of another cell
bears in `data-ask` the move that somebody means who chooses it: why that is not legal can be asked.
"""

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final, NamedTuple

from engine.speech import ENGLISH, Captions, Speech
from engine.torri_di_bologna.captions import captions_in
from engine.torri_di_bologna.lattice import Lattice, lattice
from engine.torri_di_bologna.legal import legal
from engine.torri_di_bologna.model import BATTLEMENT, NOWHERE, Over, State, is_finished, owner
from engine.torri_di_bologna.moves import Build
from engine.torri_di_bologna.notation import write
from engine.torri_di_bologna.picture import headline, pieces
from engine.torri_di_bologna.touched import touched

WIDTH: Final = 360
"""Units across; the height follows from the wall."""

_MARGIN: Final = 22
_LINE: Final = 20
_LARGEST: Final = 56
_HEADLINE: Final = 600
"""The most that size and characters of the headline make together, so that it fits the line in any font."""
_INK: Final = "#222222"
_PAPER: Final = "#f6f1e4"
_FREE: Final = "#fffdf8"
_STONE: Final = "#cfc8b8"
_COLOURS: Final = ("#e8a82c", "#7cc4ec", "#62bd98", "#e0a3c4")
_STROKES: Final = ("M0 8 8 0", "M0 4H8", "M4 0V8", "M0 0 8 8M0 8 8 0")
"""Over the colour of each seat: rising, level, upright, crossed."""


class Square(NamedTuple):
    """A square: its upper left corner and its side."""

    x: float
    y: float
    side: float


def board(state: State, speech: Speech = ENGLISH) -> str:
    """The SVG document."""
    captions, ground = captions_in(speech), lattice(state.wall)
    rows, columns = (range(min(values), max(values) + 1) for values in zip(*ground.spots, strict=True))
    side = min(_LARGEST, (WIDTH - 2 * _MARGIN) / len(columns))
    left, top = (WIDTH - side * len(columns)) / 2, _LINE + _MARGIN
    moves = _moves(state, ground)
    due = headline(captions, state)
    body = [*_patterns(), _text(_MARGIN, 16, due, font_size=min(13, _HEADLINE / len(due)))]
    for place, column in enumerate(columns):
        body.append(_text(left + side * (place + 0.5), top - 6, chr(ord("a") + column), text_anchor="middle"))
    for place, row in enumerate(rows):
        body.append(_text(left - 6, top + side * (place + 0.5) + 4, str(row + 1), text_anchor="end"))
    for cell, (row, column) in enumerate(ground.spots):
        square = Square(left + side * (column - columns[0]), top + side * (row - rows[0]), side)
        body.append(_cell(captions, state, ground, cell, square, moves.get(cell, [])))
    bottom = top + side * len(rows) + _LINE
    body += _side_view(state, ground, bottom)
    body += _seats(captions, state, bottom + 2 * _LINE)
    return _document(bottom + (2 + len(state.gold)) * _LINE, body)


def _moves(state: State, ground: Lattice) -> dict[int, list[str]]:
    """The legal moves by the cell they lead to."""
    found: dict[int, list[str]] = {}
    for move in legal(state):
        for cell in touched(state, move):
            found.setdefault(ground.cells[cell], []).append(write(move))
    return found


def _cell(
    captions: Captions, state: State, ground: Lattice, cell: int, square: Square, moves: list[str]
) -> str:
    """A cell: its ground, base, top piece, pieces from the bottom, battlement and builders."""
    x, y, side = square
    tower = state.towers[cell]
    central = cell in ground.centrals
    parts = [_tag("title", escape(_title(captions, state, ground, cell)))]
    parts.append(_rect(square, _fill(state, cell, central), stroke_width=2.5 if central else 0.8))
    if central:
        parts.append(_rect(Square(x + 3, y + 3, side - 6), "none", stroke_width=1))
        letter = "A" if cell == ground.asinelli else "G"
        parts.append(_text(x + 6, y + side * 0.3, letter, font_size=side * 0.26, font_weight="bold"))
    if tower:
        size = len(tower) - is_finished(tower)
        parts.append(
            _text(x + side / 2, y + side * 0.62, str(size), font_size=side * 0.42, text_anchor="middle")
        )
        told = pieces(tower)
        row = " ".join(told if len(told) <= 6 else ["…", *told[-5:]])
        parts.append(_text(x + side / 2, y + side * 0.9, row, font_size=side * 0.19, text_anchor="middle"))
    if is_finished(tower) or (central and state.is_closed):
        parts.append(_crenels(square))
    parts += _builders(state, cell, square)
    name = ground.names[cell]
    if moves:
        frame = Square(x + 2, y + 2, side - 4)
        parts.append(_rect(frame, "none", stroke_width=1.6, stroke_dasharray="4 3", class_="hint"))
        return _tag("g", *parts, data_cell=name, data_move=" ".join(moves))
    if isinstance(state.decision, Over):
        return _tag("g", *parts, data_cell=name)
    return _tag("g", *parts, data_cell=name, data_ask=write(Build(name)))


def _fill(state: State, cell: int, central: bool) -> str:
    holder = owner(state.towers[cell])
    if central and (state.is_closed or holder is None):
        return _STONE
    return _FREE if holder is None else f"url(#seat{holder})"


def _title(captions: Captions, state: State, ground: Lattice, cell: int) -> str:
    """A cell in words, for a pointer that rests on it and for a screen reader."""
    words = [ground.names[cell]]
    if cell in ground.centrals:
        words.append("Torre degli Asinelli" if cell == ground.asinelli else "Torre della Garisenda")
        words += [captions.say("closed_tower")] if state.is_closed else []
    tower = state.towers[cell]
    words.append(
        captions.say("stack", pieces=" ".join(pieces(tower))) if tower else captions.say("no_pieces")
    )
    words += [
        captions.say("builder_here", seat=seat) for seat, place in enumerate(state.builders) if place == cell
    ]
    return ", ".join(words)


def _crenels(square: Square) -> str:
    """Battlements along the upper edge."""
    x, y, side = square
    tooth = side / 7
    path = f"M{_number(x)} {_number(y + 5)}" + f"v-5h{_number(tooth)}v5h{_number(tooth)}" * 3
    return _tag("path", d=f"{path}v-5h{_number(tooth)}v5z", fill=_INK)


def _builders(state: State, cell: int, square: Square) -> Iterator[str]:
    """The builders on a cell, below each other from its upper right corner, as large as they fit."""
    here = [seat for seat, place in enumerate(state.builders) if place == cell]
    radius = min(square.side * 0.15, (square.side - 8) / 2 / max(1, len(here)))
    for place, seat in enumerate(here):
        x = square.x + square.side - 2 - radius
        y = square.y + 6 + radius * (2 * place + 1)
        yield _tag("circle", cx=x, cy=y, r=radius, fill=_INK)
        yield _text(
            x,
            y + radius * 0.62,
            str(seat),
            font_size=radius * 1.7,
            text_anchor="middle",
            fill=_PAPER,
            stroke="none",
        )


def _side_view(state: State, ground: Lattice, y: float) -> Iterator[str]:
    """Both central towers lying on their side, the bottom at the left. Source: TB-4.3."""
    longest = max(len(state.towers[cell]) for cell in ground.centrals)
    side = min(_LINE - 4.0, (WIDTH - 3 * _MARGIN) / max(longest, 1))
    for line, (letter, cell) in enumerate(zip("AG", ground.centrals, strict=True)):
        base = y + line * _LINE
        yield _text(_MARGIN, base, letter, font_weight="bold")
        for place, seat in enumerate(state.towers[cell]):
            square = Square(2 * _MARGIN + place * side, base - side + 3, side)
            yield _rect(square, f"url(#seat{seat})", stroke_width=0.6)
            yield _text(square.x + side / 2, base, str(seat), font_size=side * 0.75, text_anchor="middle")


def _seats(captions: Captions, state: State, y: float) -> Iterator[str]:
    """A line for each seat: its number on its colour, gold and pieces in hand."""
    for seat, gold in enumerate(state.gold):
        base = y + seat * _LINE
        yield _rect(Square(_MARGIN, base - 12, 15), f"url(#seat{seat})", stroke_width=0.8)
        yield _text(_MARGIN + 7.5, base, str(seat), font_size=12, text_anchor="middle")
        plain, battlements = state.plain[seat], state.battlements[seat]
        told = [captions.say("hand", gold=gold, plain=plain, amount=battlements)]
        if state.builders[seat] == NOWHERE:
            told.append(captions.say("not_placed"))
        if seat in state.retired:
            told.append(captions.say("retired"))
        yield _text(2 * _MARGIN, base, ", ".join(told))


def _patterns() -> Iterator[str]:
    for seat in range(BATTLEMENT):
        ground = _tag("rect", width=8, height=8, fill=_COLOURS[seat])
        strokes = _tag("path", d=_STROKES[seat], stroke=_INK, stroke_width=0.7, fill="none")
        yield _tag(
            "pattern", ground, strokes, id=f"seat{seat}", width=8, height=8, patternUnits="userSpaceOnUse"
        )


def _rect(square: Square, fill: str, **style: str | float) -> str:
    x, y, side = square
    return _tag("rect", x=x, y=y, width=side, height=side, fill=fill, stroke=_INK, **style)


def _text(x: float, y: float, text: str, **style: str | float) -> str:
    """A text with a halo, so that it can be read on a pattern."""
    halo: dict[str, str | float] = {
        "stroke": _PAPER,
        "stroke_width": 3,
        "paint_order": "stroke",
        "fill": _INK,
    }
    return _tag("text", escape(text), x=x, y=y, **{"font_size": 13, **halo, **style})


def _document(height: float, body: Iterable[str]) -> str:
    size = f"0 0 {WIDTH} {_number(height)}"
    paper = _tag("rect", width=WIDTH, height=height, rx=6, fill=_PAPER)
    content = ("\n", paper, "\n", "\n".join(body), "\n")
    name = "Le Torri di Bologna"
    space = "http://www.w3.org/2000/svg"
    return _tag(
        "svg", *content, xmlns=space, viewBox=size, role="img", aria_label=name, font_family="sans-serif"
    )


def _tag(tag: str, *content: str, **attributes: str | float) -> str:
    """An element; content is markup, attributes are values: they are escaped, `_` in names is `-`."""
    told = "".join(
        f' {name.strip("_").replace("_", "-")}="{_value(value)}"' for name, value in attributes.items()
    )
    return f"<{tag}{told}>{''.join(content)}</{tag}>" if content else f"<{tag}{told}/>"


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else _number(value)


def _number(value: float) -> str:
    """At most two decimals, none that are not needed."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
