"""Rules that stop an event err no more often than they say, by simulation."""

import math
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from engine.chance import Draw
from service.tournaments.elo import expected
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import Duplicate, Placings, RoundRobin, Sprt, Stopping
from service.tournaments.record import Ended
from service.tournaments.schedule import due
from service.tournaments.scoring import halves
from service.tournaments.stopping import Seen, Verdict, judged, likelihood_ratio, observations, verdict
from tests.tournaments.playing import by_luck, manifest, opened, played

Score = Callable[[Draw], float]
FINE = 2**30
ALPHA = 0.05


def of_two(mean: float, draws: float, matches: int) -> Score:
    """The score of so many matches of two, a share of them drawn."""

    def one(draw: Draw, match: int) -> float:
        at = draw.below(FINE, match) / FINE
        return 0.5 if at < draws else float(at < mean + draws / 2)

    return lambda draw: sum(one(draw, match) for match in range(matches)) / matches


@cache
def of_equals(seats: int) -> Score:
    """The score of one of equals in a deal that is played in all cyclic seatings and favours some seats.

    Drawn from some such scores and their mirror images, so that their mean is one half exactly.
    """
    scores = [_of_deal(Draw(b"deal").branch(deal), seats) for deal in range(100)]
    pool = [*scores, *(1 - score for score in scores)]
    return lambda draw: pool[draw.below(len(pool))]


def _of_deal(draw: Draw, seats: int) -> float:
    favour = [draw.below(4, "favour", seat) for seat in range(seats)]
    won = 0
    for shift in range(seats):
        points = [-draw.below(6, "points", shift, seat) - favour[seat] for seat in range(seats)]
        won += halves([1 + sum(other > own for other in points) for own in points])[shift]
    return won / seats / (2 * seats - 2)


def runs(rule: Stopping, score: Score, times: int, units: int) -> list[Verdict]:
    """The verdicts of so many events of at most so many units."""

    def seen(draw: Draw) -> Iterator[Seen]:
        return (Seen(score(draw.branch(unit)), unit) for unit in range(1, units + 1))

    return [judged(rule, seen(Draw(b"simulated").branch(run))) for run in range(times)]


def share(verdicts: list[Verdict], *accepted: str) -> float:
    return sum(found.accepted in accepted for found in verdicts) / len(verdicts)


WIDE = Sprt(elo0=0, elo1=200, alpha=ALPHA, beta=ALPHA)


@pytest.mark.parametrize(("draws", "matches"), [(0.0, 1), (0.4, 1), (0.2, 2)])
def test_the_likelihood_ratio_test_errs_as_rarely_as_it_says(draws: float, matches: int) -> None:
    false = runs(WIDE, of_two(expected(0), draws, matches), 200, 300)
    missed = runs(WIDE, of_two(expected(200), draws, matches), 200, 300)
    assert share(false, "elo1") <= ALPHA
    assert share(missed, "elo0") <= ALPHA
    assert share(false + missed, "") == 0


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_test_on_placings_rarely_takes_equals_for_unequal(seats: int) -> None:
    found = runs(Placings(entrant="e1", alpha=ALPHA), of_equals(seats), 100, 60)
    assert share(found, "better", "worse") <= ALPHA


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_test_on_placings_rarely_errs_in_long_events(seats: int) -> None:
    found = runs(Placings(entrant="e1", alpha=ALPHA), of_equals(seats), 2_000, 400)
    assert share(found, "better", "worse") <= ALPHA


@pytest.mark.soak
@pytest.mark.parametrize("high", [50, 100, 200])
@pytest.mark.parametrize(("draws", "matches"), [(0.0, 1), (0.4, 1), (0.0, 2), (0.4, 2)])
def test_the_likelihood_ratio_test_rarely_errs_in_many_events(high: int, draws: float, matches: int) -> None:
    rule = Sprt(elo0=0, elo1=high, alpha=ALPHA, beta=ALPHA)
    found = runs(rule, of_two(expected(0), draws, matches), 2_000, 2_000)
    # The ratio is sound for many observations; what is allowed above alpha is the doubt of the simulation.
    assert share(found, "elo1") <= ALPHA + 2 * math.sqrt(ALPHA * (1 - ALPHA) / len(found))


@pytest.mark.parametrize(("strength", "accepted"), [(0.75, "better"), (0.25, "worse")])
def test_the_test_on_placings_finds_who_is_better_or_worse(strength: float, accepted: str) -> None:
    found = runs(Placings(entrant="e1"), of_two(strength, 0.0, 2), 20, 200)
    assert share(found, accepted) == 1


def test_the_likelihood_ratio_of_wins_and_losses_is_that_of_coins() -> None:
    exact = 30 * math.log(0.6 / 0.5) + 20 * math.log(0.4 / 0.5)
    assert likelihood_ratio({1.0: 30, 0.0: 20}, 0.5, 0.6) == pytest.approx(exact)


def test_the_likelihood_ratio_of_pairs() -> None:
    counts = {0.0: 10.0, 0.25: 50.0, 0.5: 120.0, 0.75: 60.0, 1.0: 12.0}
    total = sum(counts.values())
    mean = sum(score * times for score, times in counts.items()) / total
    spread = sum((score - mean) ** 2 * times for score, times in counts.items()) / total
    low, high = expected(0), expected(10)
    # What it comes to for many observations: Van den Bergh, "Comments on normalized Elo" (2020).
    near = total * ((mean - low) ** 2 - (mean - high) ** 2) / (2 * spread)
    assert likelihood_ratio(counts, low, high) == pytest.approx(near, rel=0.02)
    assert likelihood_ratio(counts, high, low) == pytest.approx(-likelihood_ratio(counts, low, high))


def test_units_count_in_their_sequence_only() -> None:
    announced = manifest(RoundRobin(rounds=3), 2, design=Duplicate(), stopping=Sprt())
    ledger = Ledger(opened(announced))
    record = played(announced, by_luck(b"units"))
    (ordered, *ends) = record.entries
    ledger.add(ordered)
    by_number = {entry.result.order: entry for entry in ends if isinstance(entry, Ended)}
    for number in (3, 4, 1):
        ledger.add(by_number[number])
    assert list(observations(ledger, "e1")) == []
    ledger.add(by_number[2])
    assert [seen.last for seen in observations(ledger, "e1")] == [2, 4]


def test_an_event_ends_when_its_rule_has_an_answer_whatever_came_first() -> None:
    announced = manifest(RoundRobin(rounds=500), 2, stopping=WIDE)
    verdicts = []
    for arrivals in (b"one", b"other"):
        ledger = Ledger(played(announced, by_luck(b"equal", -2.0), arrivals))
        assert due(ledger) == ()
        verdicts.append(verdict(ledger))
    assert verdicts[0] == verdicts[1]
    assert verdicts[0]
    assert verdicts[0].accepted
