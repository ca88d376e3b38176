"""Ratings over time as a picture: one line an entrant, in a band of its 95 % bounds, as plain SVG.

The picture loads nothing, runs nothing and holds no date: the same record gives the same bytes. As PNG it is
drawn by `service.drawing`.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from service.tournaments.elo import NORMAL
from service.tournaments.ledger import Ledger
from service.tournaments.ratings import Moment, history
from service.tournaments.record import Record

WIDTH: Final = 900
HEIGHT: Final = 480
LEFT, TOP, RIGHT, BOTTOM = 50, 44, 190, 44
"""Margins around the field of the lines, in px."""

POINTS: Final = 120
MOST_LINES: Final = 12
"""Points of a line, and entrants with a line of their own, at most: the strongest ones."""

INKS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Colours that people tell apart who see few: Okabe and Ito (2008). The second dozen is dashed."""


class Point(NamedTuple):
    """A rating after so many matches of the event."""

    matches: int
    mu: float
    half: float


class Frame(NamedTuple):
    """What lies within the margins: matches from 0, and the least and the greatest rating."""

    matches: int
    low: float
    high: float

    def x(self, matches: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * matches / self.matches, 1)

    def y(self, rating: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (self.high - rating) / (self.high - self.low), 1)


def ratings_plot(record: Record) -> str:
    """The ratings of the strongest entrants match by match, as an SVG document."""
    ledger = Ledger(record)
    moments = list(history(ledger))
    lines = {entrant: _line(entrant, moments) for entrant in ledger.entrants}
    strongest = sorted((one for one in lines if lines[one]), key=lambda one: -lines[one][-1].mu)[:MOST_LINES]
    points = [point for one in strongest for point in lines[one]] or [Point(0, 25.0, 25.0)]
    frame = Frame(
        max(1, len(moments)),
        min(point.mu - point.half for point in points) // 5 * 5,
        -(max(point.mu + point.half for point in points) // -5) * 5,
    )
    drawn = (
        part
        for place, one in enumerate(strongest)
        for part in _drawn(frame, lines[one], place, ledger.entrants[one].name)
    )
    return "\n".join([*_head(record.manifest.name), *_grid(frame), *drawn, "</svg>"]) + "\n"


def _line(entrant: str, moments: Sequence[Moment]) -> tuple[Point, ...]:
    """The rating after each match of the entrant, thinned out to what can be seen."""
    rated = ((number, moment.after.get(entrant)) for number, moment in enumerate(moments, 1))
    mine = [(number, rating) for number, rating in rated if rating]
    every = max(1, -(-len(mine) // POINTS))
    kept = mine[every - 1 :: every] + (mine[-1:] if len(mine) % every else [])
    return tuple(Point(number, mu, NORMAL * sigma) for number, (mu, sigma) in kept)


def _head(name: str) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" font-family="sans-serif" font-size="12" role="img">'
    )
    yield f"<title>{escape(name)}: ratings</title>"
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    yield f'<text x="{LEFT}" y="24" font-size="16">{escape(name)}: ratings with 95 % bounds</text>'


def _grid(frame: Frame) -> Iterator[str]:
    """Lines at round ratings, and the numbers of matches below."""
    step = max(5, round((frame.high - frame.low) / 8 / 5) * 5)
    for rating in range(int(frame.low), int(frame.high) + 1, step):
        y = frame.y(rating)
        yield f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end" fill="#555">{rating}</text>'
    for quarter in range(5):
        matches = frame.matches * quarter // 4
        x, y = frame.x(matches), HEIGHT - BOTTOM + 18
        yield f'<text x="{x}" y="{y}" text-anchor="middle" fill="#555">{matches}</text>'
    middle = (LEFT + WIDTH - RIGHT) // 2
    yield f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle" fill="#555">matches</text>'


def _drawn(frame: Frame, line: Sequence[Point], place: int, name: str) -> Iterator[str]:
    """The band, the line and the legend of one entrant."""
    ink = INKS[place % len(INKS)]
    dashes = "" if place < len(INKS) else ' stroke-dasharray="5 3"'
    above = [f"{frame.x(point.matches)} {frame.y(point.mu + point.half)}" for point in line]
    below = [f"{frame.x(point.matches)} {frame.y(point.mu - point.half)}" for point in reversed(line)]
    middle = [f"{frame.x(point.matches)} {frame.y(point.mu)}" for point in line]
    yield f'<path d="M{"L".join(above + below)}Z" fill="{ink}" fill-opacity="0.08"/>'
    yield f'<path d="M{"L".join(middle)}" fill="none" stroke="{ink}" stroke-width="2"{dashes}/>'
    x, y = WIDTH - RIGHT + 12, TOP + 10 + 32 * place
    told = f"{line[-1].mu:.1f} ± {line[-1].half:.1f}"
    yield f'<path d="M{x} {y - 4}h18" stroke="{ink}" stroke-width="2"{dashes}/>'
    yield f'<text x="{x + 24}" y="{y}" fill="#222">{escape(name[:22])}</text>'
    yield f'<text x="{x + 24}" y="{y + 14}" fill="#555">{told}</text>'
