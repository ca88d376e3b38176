"""Elements of an SVG document, as text; everything that comes from outside is escaped."""

from collections.abc import Iterable
from html import escape
from typing import Final, NamedTuple

INK: Final = "#222222"
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


def group(moves: Iterable[str], body: Iterable[str]) -> str:
    """Elements that legal moves lead to; the notations stand in `data-move`."""
    notations = " ".join(moves)
    marked = f' data-move="{escape(notations)}"' if notations else ""
    return f"<g{marked}>{''.join(body)}</g>"


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
