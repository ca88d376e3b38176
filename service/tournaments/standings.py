"""The final table: places by what the format asks for, equals parted by the tie-breaks of the manifest.

Round robin, gauntlet and arena go by the share of the points that were possible, so that who played fewer
matches, because somebody left, is not behind for that; a Swiss by points, byes among them; a knockout by how
far one came.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby

from service.tournaments.counting import Mean, Tally, counting, mean_of, tallies
from service.tournaments.elo import rounded
from service.tournaments.formats.knockout import stages
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import Knockout, Swiss, TieBreak
from service.tournaments.record import Written
from service.tournaments.scoring import Match, duels, totals

Key = Callable[[str], float | Fraction | tuple[int, int] | tuple[bool, float | Fraction]]


class Place(Written, frozen=True, kw_only=True):
    """One line of the table. Equals share a `place`.

    `points` are one for each opponent outdone in a match and a half for each equalled, byes among them;
    `share` is the mean part of them that was won in a unit, `margin` the mean lead over the others' mean
    score, in points of the game. `wins` are first ranks. `ties` are what equals were parted by. `left` is
    why somebody takes no part any more.
    """

    place: int
    entrant: str
    name: str
    matches: int
    byes: int
    points: float
    wins: int
    share: Mean | None
    margin: Mean | None
    ties: dict[str, float]
    left: str | None = None


def standings(ledger: Ledger) -> tuple[Place, ...]:
    """The table, best first; equals in the sequence of entry."""
    matches = counting(ledger)
    table = tallies(ledger, matches)
    points = totals(ledger, matches)
    tied = _grouped(tuple(ledger.entrants), _primary(ledger, table, points))
    breaks: dict[str, dict[str, float]] = defaultdict(dict)
    for tie in () if isinstance(ledger.manifest.format, Knockout) else ledger.manifest.ties:
        tied = [part for group in tied for part in _parted(group, tie, ledger, matches, table, breaks)]
    places: list[Place] = []
    for group in tied:
        place = len(places) + 1
        places += [_place(ledger, place, one, table[one], points[one], breaks[one]) for one in group]
    return tuple(places)


def _primary(ledger: Ledger, table: dict[str, Tally], points: dict[str, int]) -> Key:
    """What the format goes by, the more the better."""
    match ledger.manifest.format:
        case Swiss():
            return lambda one: points[one]
        case Knockout():
            reached = _reached(ledger)
            return lambda one: reached.get(one, (0, 0))
        case _:
            return lambda one: Fraction(table[one].won, table[one].possible) if table[one].possible else -1


def _reached(ledger: Ledger) -> dict[str, tuple[int, int]]:
    """The last round of each, and how far from the last place of its table there."""
    found: dict[str, tuple[int, int]] = {}
    for stage in stages(ledger):
        found.update(dict.fromkeys(stage.byes, (stage.number, 0)))
        for table in stage.tables:
            for behind, entrant in enumerate(reversed(table.entrants)):
                found[entrant] = (stage.number, behind)
    return found


def _parted(
    group: tuple[str, ...],
    tie: TieBreak,
    ledger: Ledger,
    matches: Sequence[Match],
    table: dict[str, Tally],
    breaks: dict[str, dict[str, float]],
) -> list[tuple[str, ...]]:
    """The equals parted by one tie-break, which is noted for each of them."""
    if len(group) == 1:
        return [group]
    values = _values(group, tie, ledger, matches, table)
    for one, value in values.items():
        breaks[one][tie] = rounded(float(value)) or 0.0
    return _grouped(group, lambda one: (one in values, values.get(one, 0)))


def _values(
    group: Sequence[str], tie: TieBreak, ledger: Ledger, matches: Sequence[Match], table: dict[str, Tally]
) -> dict[str, Fraction | float]:
    """The tie-break of each of the equals, the more the better; who has none is behind those who have.

    So nobody who did not come is before somebody who played and lost.
    """
    if tie == "wins":
        return {one: table[one].wins for one in group}
    if tie == "margin":
        means = {one: mean_of(table[one].margins) for one in group}
        return {one: rounded(mean.mean) or 0.0 for one, mean in means.items() if mean}
    if tie == "direct":
        return _among(group, matches)
    return _opponents(group, ledger, matches)


def _among(group: Sequence[str], matches: Sequence[Match]) -> dict[str, Fraction | float]:
    """Direct encounter: the share of what could be won against the other equals."""
    won: defaultdict[str, list[int]] = defaultdict(list)
    for order, result in matches:
        for duel in duels(order, result):
            if duel.one in group and duel.other in group:
                won[duel.one].append(duel.halves)
    return {one: Fraction(sum(won[one]), 2 * len(won[one])) if won[one] else Fraction(0) for one in group}


def _opponents(group: Sequence[str], ledger: Ledger, matches: Sequence[Match]) -> dict[str, Fraction | float]:
    """Buchholz: the sum of the points of everybody met, as often as met."""
    points = totals(ledger, matches)
    sums: defaultdict[str, int] = defaultdict(int)
    for order, _ in matches:
        for one in set(group).intersection(order.entrants):
            sums[one] += sum(points[other] for other in order.entrants if other != one)
    return {one: Fraction(sums[one], 2) for one in group}


def _grouped(entrants: Sequence[str], key: Key) -> list[tuple[str, ...]]:
    """The entrants by key, the greatest first, equals together."""
    ordered = sorted(entrants, key=key, reverse=True)
    groups = (tuple(group) for _, group in groupby(ordered, key))
    return [tuple(sorted(group, key=list(entrants).index)) for group in groups]


def _place(
    ledger: Ledger, place: int, entrant: str, tally: Tally, points: int, ties: dict[str, float]
) -> Place:
    left = ledger.left.get(entrant)
    return Place(
        place=place,
        entrant=entrant,
        name=ledger.entrants[entrant].name,
        matches=tally.matches,
        byes=sum(order.is_bye and order.entrants[0] == entrant for order in ledger.orders.values()),
        points=points / 2,
        wins=tally.wins,
        share=mean_of(tally.scores),
        margin=mean_of(tally.margins),
        ties=ties,
        left=left.cause if left else None,
    )
