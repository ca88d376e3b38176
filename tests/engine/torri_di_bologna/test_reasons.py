"""Every refusal is explained, and nothing else is: `why_not` is empty exactly for legal moves."""

import re
from collections.abc import Iterator
from itertools import islice

import pytest

from engine.chance import Draw
from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.lattice import lattice
from engine.torri_di_bologna.model import State
from engine.torri_di_bologna.sentences import REASONS
from tests.engine.torri_di_bologna import randoms, slow
from tests.engine.torri_di_bologna.positions import legal, on_wall, played

KINDS = ("walk", "build", "cap")


def direct(state: State) -> Iterator[str]:
    """Every spelling without a route, one outside the wall among them."""
    yield from ("place:a", "place:g", "pass", "walk:z9")
    for name in lattice(state.wall).names:
        yield from (f"{kind}:{name}" for kind in KINDS)


def routed(state: State, draw: Draw, most: int) -> Iterator[str]:
    """Spellings with one to four cells on the way: walked at random, mostly over what is close and own."""
    ground = lattice(state.wall)
    home = next(seat for seat in GAME.active(state) if seat == GAME.to_move(state))
    for number in range(most):
        cell = state.builders[home]
        path = []
        for step in range(2 + draw.below(4, number, "length")):
            near = ground.steps[cell]
            own = [other for other in near if state.towers[other] and state.towers[other][-1] % 4 == home]
            choice = own if own and draw.below(3, number, "own", step) else near
            if not draw.below(9, number, "anywhere", step):
                choice = tuple(range(len(ground.names)))
            cell = choice[draw.below(len(choice), number, "to", step)]
            path.append(ground.names[cell])
        *via, to = path
        yield f"{KINDS[draw.below(3, number, 'kind')]}:{to}:via:{','.join(via)}"


def agree(states: Iterator[State], key: str, most: int) -> tuple[int, int, set[str]]:
    """How many routed spellings were legal, how many not, and every code met."""
    counts = [0, 0]
    codes: set[str] = set()
    for number, state in enumerate(states):
        listed = set(legal(state))
        for text in direct(state):
            move = GAME.parse(text)
            reasons = GAME.why_not(state, move)
            assert (reasons == ()) == (text in listed) == (GAME.normal(state, move) == move)
            codes |= {reason.code for reason in reasons}
        for text in routed(state, Draw(f"{key} {number}".encode()), most):
            move = GAME.parse(text)
            reasons = GAME.why_not(state, move)
            verdict = slow.is_legal(state, text)
            assert (reasons == ()) == verdict == (GAME.normal(state, move) is not None), (text, reasons)
            assert all(GAME.sentence(reason) for reason in reasons)
            counts[not verdict] += 1
            codes |= {reason.code for reason in reasons}
    return counts[0], counts[1], codes


def states(first: int, matches: int, thrown: int) -> Iterator[State]:
    for number in range(first, first + matches):
        yield from islice(randoms.reached(number), number % 11, None, 11)
    yield from map(randoms.thrown, range(first, first + thrown))


def test_reasons_are_empty_exactly_for_legal_moves() -> None:
    kept, refused, codes = agree(states(0, 12, 60), "reasons", 40)
    assert kept > 300
    assert refused > 3_000
    # Every condition of a turn has been met; the others are of the time before and after.
    assert codes == set(REASONS) - {"builder_due", "match_over"}


@pytest.mark.soak
def test_reasons_of_many_positions() -> None:
    kept, refused, _ = agree(states(5_000, 120, 1_500), "more reasons", 100)
    assert kept > 10_000
    assert refused > 100_000


def test_reasons_when_builders_are_placed() -> None:
    state = on_wall("2p-quadrato")
    for text in direct(state):
        codes = [reason.code for reason in GAME.why_not(state, GAME.parse(text))]
        assert codes == ([] if text.startswith("place:") else ["builder_due"])
    state = played(state, "place:a", "place:a")
    assert [reason.rule for reason in GAME.why_not(state, GAME.parse("place:a"))] == ["TB-1.5"]


def test_reasons_when_the_match_is_over() -> None:
    state = GAME.retire(on_wall("2p-quadrato"), 0)[0]
    for text in direct(state):
        assert [reason.code for reason in GAME.why_not(state, GAME.parse(text))] == ["match_over"]


def test_a_route_is_recorded_without_itself_if_it_is_the_canonical_one() -> None:
    dropped = kept = 0
    for number, state in enumerate(states(0, 12, 60)):
        for text in routed(state, Draw(f"normal {number}".encode()), 40):
            move = GAME.normal(state, GAME.parse(text))
            if move is None:
                continue
            best = slow.legal(state)[1][text.split(":")[1]]
            canonical = ",".join(slow.names(state, best.cells[:-1])) == text.split(":")[3]
            assert GAME.write(move) == (":".join(text.split(":")[:2]) if canonical else text)
            dropped, kept = dropped + canonical, kept + (not canonical)
    assert dropped > 100
    assert kept > 100


def test_reasons_speak_in_words_and_not_in_notation() -> None:
    start = on_wall("2p-quadrato")
    (due,) = GAME.why_not(start, GAME.parse("walk:a1"))
    assert "Torre degli Asinelli or Torre della Garisenda" in GAME.sentence(due)
    assert [text for text in REASONS.values() if re.search(r"\w:\w", text)] == []
