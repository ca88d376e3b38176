"""Elements of an SVG document, as text; everything that comes from outside is escaped."""

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final, NamedTuple

INK: Final = "#222222"
HINT: Final = "#8f1d5c"
PAPER: Final = "#f6f1e4"
FREE: Final = "#fffdf8"
COLOURS: Final = {
    "yellow": "#e8c02c",
    "blue": "#7cb4ec",
    "red": "#ec8f7c",
    "green": "#6fbd78",
    "white": "#ffffff",
    "Ivan": "#c9c4bb",
}
_STROKES: Final = {
    "yellow": "M0 8 8 0",
    "blue": "M0 4H8",
    "red": "M4 0V8",
    "green": "M0 0 8 8M0 8 8 0",
    "Ivan": "M4 3V5",
}
"""Over each colour, so that it is told apart without colour: rising, level, upright, crossed, dotted."""


class Area(NamedTuple):
    """A rectangle: its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float


def document(width: float, height: float, title: str, body: Iterable[str]) -> str:
    """The document, with the patterns that `fill` names."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_number(width)} {_number(height)}" '
        f'role="img" font-family="sans-serif" fill="{INK}"><title>{escape(title)}</title>'
        f"<defs>{''.join(map(_pattern, _STROKES))}</defs>"
        f'<rect width="100%" height="100%" fill="{PAPER}"/>{"".join(body)}</svg>'
    )


class Mark(NamedTuple):
    """The notations of the legal moves that lead to a thing; without any, the one somebody means who chooses
    it, whose refusal can be explained, or nothing."""

    moves: tuple[str, ...] = ()
    ask: str = ""


UNMARKED: Final = Mark()


def group(mark: Mark, area: Area, body: Iterable[str]) -> str:
    """Elements within an area: `data-move` and a frame of the class `hint`, or `data-ask`, by the mark.

    A frame takes what is pressed between the elements too.
    """
    if mark.moves:
        frame = _frame(area, f'class="hint" stroke="{HINT}" stroke-width="2" stroke-dasharray="7 3"')
        return f'<g data-move="{escape(" ".join(mark.moves))}">{"".join(body)}{frame}</g>'
    if mark.ask:
        return f'<g data-ask="{escape(mark.ask)}">{"".join(body)}{_frame(area, "")}</g>'
    return f"<g>{''.join(body)}</g>"


def part_beside(top: float, part: Iterable[str], below: float, rest: Iterable[str]) -> Iterator[str]:
    """Elements from `top` to `below` that may as well stand beside all others, and the rest, below them."""
    yield f'<g data-beside="{_number(top)} {_number(below)}">{"".join(part)}</g>'
    yield f'<g data-below="">{"".join(rest)}</g>'


def _frame(area: Area, style: str) -> str:
    x, y, width, height = map(_number, (area.x + 1.5, area.y + 1.5, area.width - 3, area.height - 3))
    place = f'x="{x}" y="{y}" width="{width}" height="{height}" rx="3"'
    return f'<rect {place} fill="none" pointer-events="all" {style}/>'


def text(x: float, y: float, content: str, size: float = 12, **attributes: str) -> str:
    """A line of text; its baseline begins at the point."""
    more = "".join(f' {name.replace("_", "-")}="{escape(value)}"' for name, value in attributes.items())
    return (
        f'<text x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}"{more}>{escape(content)}</text>'
    )


def box(area: Area, fill: str = FREE, width: float = 1, **attributes: str) -> str:
    """A rectangle with a border so many units wide."""
    more = "".join(f' {name.replace("_", "-")}="{escape(value)}"' for name, value in attributes.items())
    return (
        f'<rect x="{_number(area.x)}" y="{_number(area.y)}" width="{_number(area.width)}" '
        f'height="{_number(area.height)}" rx="4" fill="{escape(fill)}" stroke="{INK}" '
        f'stroke-width="{_number(width)}"{more}/>'
    )


def disc(x: float, y: float, radius: float, fill: str) -> str:
    """A circle."""
    middle = f'cx="{_number(x)}" cy="{_number(y)}"'
    return f'<circle {middle} r="{_number(radius)}" fill="{escape(fill)}" stroke="{INK}"/>'


def fill_of(name: str) -> str:
    """The pattern of a side, by its colour or `Ivan`."""
    return f"url(#{name})"


def _pattern(name: str) -> str:
    return (
        f'<pattern id="{name}" width="8" height="8" patternUnits="userSpaceOnUse">'
        f'<rect width="8" height="8" fill="{COLOURS[name]}"/>'
        f'<path d="{_STROKES[name]}" stroke="{INK}" stroke-opacity="0.25" fill="none"/></pattern>'
    )


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
