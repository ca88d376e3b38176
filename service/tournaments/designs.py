"""Which tables a number of entrants sits at, so that everybody meets everybody equally often.

Entrants are numbers 0..n-1 here. Two at a table: the circle method, which is exact. More: balanced incomplete
blocks where the numbers allow, found by differences (Bose 1939, "On the construction of balanced incomplete
block designs") or by exchanges; where they do not allow it, nearly balanced ones. Everybody always sits at
equally many tables if that number is a multiple of what divisibility asks for, see `sittings`.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from engine.chance import Draw

Table = tuple[int, ...]

MOST_BASES: Final = 1_000
"""Base tables looked at, at most, for each that is taken."""

EXCHANGES: Final = 3_000
"""Exchanges tried, at most, to even out a design."""


def circle(entrants: int) -> Iterator[tuple[Table, ...]]:
    """Rounds in which every two meet once; with an odd number one has no partner in each round."""
    size = entrants + entrants % 2
    for turn in range(size - 1):
        places = [0, *((turn + step) % (size - 1) + 1 for step in range(size - 1))]
        pairs = ((places[step], places[size - 1 - step]) for step in range(size // 2))
        yield tuple((min(pair), max(pair)) for pair in pairs if max(pair) < entrants)


def sittings(entrants: int, seats: int, meetings: int) -> int:
    """At how many tables each sits, so that all sit at equally many and each two meet `meetings` times.

    Where these numbers do not fit it is the least that is not too few.
    """
    step = seats // math.gcd(entrants, seats)
    least = -(-meetings * (entrants - 1) // (seats - 1)) if seats > 1 else meetings
    return -(-least // step) * step


@lru_cache(maxsize=256)
def tables(entrants: int, seats: int, each: int) -> tuple[Table, ...]:
    """Tables so that everybody sits at `each` of them and every two share about equally many.

    `each * entrants` is a multiple of `seats`. All combinations are taken as often as they fit in. None is
    where there are fewer entrants than seats.
    """
    if entrants < seats:
        return ()
    whole = math.comb(entrants - 1, seats - 1)
    every = tuple(combinations(range(entrants), seats)) if each >= whole else ()
    rest = each % whole
    return every * (each // whole) + (_partial(entrants, seats, rest) if rest else ())


def rounds_of(chosen: Iterable[Table]) -> tuple[tuple[Table, ...], ...]:
    """The tables in rounds in which nobody sits at two; each stands in the first that has room for it."""
    rounds: list[list[Table]] = []
    busy: list[set[int]] = []
    for table in chosen:
        number = next((n for n, seated in enumerate(busy) if seated.isdisjoint(table)), len(rounds))
        if number == len(rounds):
            rounds.append([])
            busy.append(set())
        rounds[number].append(table)
        busy[number].update(table)
    return tuple(map(tuple, rounds))


def pair_counts(chosen: Iterable[Table]) -> Counter[tuple[int, int]]:
    """How often every two that meet share a table."""
    return Counter(pair for table in chosen for pair in combinations(sorted(table), 2))


def _partial(entrants: int, seats: int, each: int) -> tuple[Table, ...]:
    """Some of the combinations, everybody in `each`, pairs as even as was found."""
    if each % seats == 0:
        found = _by_differences(entrants, seats, each // seats)
    else:
        found = _dealt_out(entrants, seats, each)
    return _evened_out(entrants, found)


def _by_differences(entrants: int, seats: int, orbits: int) -> tuple[Table, ...]:
    """Base tables, each shifted all the way round: those whose differences are the most even."""
    counts: Counter[int] = Counter()
    bases: list[Table] = []
    for _ in range(orbits):
        best = min(_bases(entrants, seats, bases), key=lambda base: _unevenness(base, entrants, counts))
        bases.append(best)
        counts.update(_differences(best, entrants))
    return tuple(
        tuple(sorted((place + shift) % entrants for place in base))
        for base in bases
        for shift in range(entrants)
    )


def _bases(entrants: int, seats: int, taken: Sequence[Table]) -> Iterator[Table]:
    """Tables with entrant 0: all, or if those are too many some; those taken before come last."""
    if math.comb(entrants - 1, seats - 1) <= MOST_BASES:
        drawn: Iterable[Table] = combinations(range(1, entrants), seats - 1)
    else:
        draw = Draw(b"bases").branch(len(taken))
        drawn = (_drawn(draw.branch(number), entrants, seats) for number in range(MOST_BASES // 2))
    yield from ((0, *others) for others in drawn if (0, *others) not in taken)
    yield from taken


def _drawn(draw: Draw, entrants: int, seats: int) -> Table:
    """Some entrants beside 0, one fewer than a table has seats."""
    pool = list(range(1, entrants))
    return tuple(sorted(pool.pop(draw.below(len(pool), place)) for place in range(seats - 1)))


def _differences(base: Table, modulus: int) -> Iterator[int]:
    return ((second - first) % modulus for first in base for second in base if first != second)


def _unevenness(base: Table, modulus: int, counts: Counter[int]) -> int:
    """How much the squares of the counts grow with one more base table."""
    added = Counter(_differences(base, modulus))
    return sum(2 * counts[step] * times + times * times for step, times in added.items())


def _dealt_out(entrants: int, seats: int, each: int) -> tuple[Table, ...]:
    """Tables filled one after another with whoever sat least, and of them who met the others there least."""
    sat: Counter[int] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    made: list[Table] = []
    for _ in range(entrants * each // seats):
        table: list[int] = []
        while len(table) < seats:
            free = (one for one in range(entrants) if one not in table and sat[one] < each)
            table.append(
                min(free, key=lambda one: (sat[one], sum(met[_pair(one, other)] for other in table)))
            )
        sat.update(table)
        met.update(combinations(sorted(table), 2))
        made.append(tuple(sorted(table)))
    return tuple(made)


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _evened_out(entrants: int, found: tuple[Table, ...]) -> tuple[Table, ...]:
    """The tables after exchanges of two entrants between two tables that make the pairs more even."""
    design = [set(table) for table in found]
    met = pair_counts(found)
    squares = sum(times * times for times in met.values())
    fewest = _fewest_squares(math.comb(entrants, 2), met.total())
    draw = Draw(b"exchanges")
    for step in range(EXCHANGES):
        if squares == fewest or len(design) < 2:
            break
        one, other = (design[draw.below(len(design), side, step)] for side in ("one", "other"))
        leaves, comes = (sorted(a - b) for a, b in ((one, other), (other, one)))
        if not leaves:
            continue
        out, into = (side[draw.below(len(side), "who", step, *side)] for side in (leaves, comes))
        squares += _exchanged(one, other, (out, into), met)
    return tuple(tuple(sorted(table)) for table in design)


def _exchanged(one: set[int], other: set[int], swap: tuple[int, int], met: Counter[tuple[int, int]]) -> int:
    """How the squares change by the swap, which is made if they do not grow."""
    out, into = swap
    fewer = [_pair(out, mate) for mate in one - {out}] + [_pair(into, mate) for mate in other - {into}]
    more = [_pair(into, mate) for mate in one - {out}] + [_pair(out, mate) for mate in other - {into}]
    change = sum(1 - 2 * met[pair] for pair in fewer) + sum(1 + 2 * met[pair] for pair in more)
    change += 2 * sum(-1 for pair in more if pair in fewer)
    if change > 0:
        return 0
    met.subtract(fewer)
    met.update(more)
    one ^= {out, into}
    other ^= {out, into}
    return change


def _fewest_squares(pairs: int, meetings: int) -> int:
    """The least sum of squares that so many meetings, spread over so many pairs, can have."""
    low, more = divmod(meetings, pairs)
    return (pairs - more) * low * low + more * (low + 1) * (low + 1)
