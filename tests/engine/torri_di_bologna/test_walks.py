"""What is always true (end of section 7), after every step of walks over legal moves."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.match import digest
from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.lattice import lattice
from engine.torri_di_bologna.legal import level_limit
from engine.torri_di_bologna.model import BATTLEMENT, NOWHERE, State
from tests.engine.torri_di_bologna.positions import PRESETS, is_placing, on_wall


def supplies(state: State) -> Counter[tuple[str, int]]:
    """Pieces placed and in hand, by kind and seat."""
    count: Counter[tuple[str, int]] = Counter()
    for tower in state.towers:
        count.update(
            ("battlement", piece - 4) if piece >= BATTLEMENT else ("plain", piece) for piece in tower
        )
    for seat, (plain, battlements) in enumerate(zip(state.plain, state.battlements, strict=True)):
        count["plain", seat] += plain
        count["battlement", seat] += battlements
    return count


def hold(state: State) -> None:
    """The invariants of one state."""
    ground = lattice(state.wall)
    limit = level_limit(state)
    assert min(state.gold) >= 0
    for cell, tower in enumerate(state.towers):
        height = (
            len(tower) if state.battlement_mode == "level" else sum(piece < BATTLEMENT for piece in tower)
        )
        assert cell in ground.centrals or height <= limit
        assert all(piece < BATTLEMENT for piece in (tower if cell in ground.centrals else tower[:-1]))
    for cell in state.builders:
        assert is_placing(state) or cell != NOWHERE
        assert cell == NOWHERE or state.towers[cell] or cell in ground.centrals
    assert sum(row.scores["gold"] for row in GAME.standing(state).rows) == sum(state.gold)


@settings(max_examples=25)
@given(st.data())
def test_what_is_always_true(data: st.DataObject) -> None:
    options = {
        "plain": data.draw(st.integers(8, 30)),
        "battlements": data.draw(st.integers(0, 8)),
        "battlement_mode": data.draw(st.sampled_from(["cap", "level"])),
        "battlement_income": data.draw(st.booleans()),
    }
    state = on_wall(data.draw(st.sampled_from(PRESETS)), **options)
    supply = supplies(state)
    for _ in range(data.draw(st.integers(20, 150))):
        if GAME.to_move(state) is None:
            return
        move = data.draw(st.sampled_from(GAME.legal(state)))
        before = digest(state)
        after, changes = GAME.apply(state, move)
        assert digest(state) == before
        bank = sum(change.values["gold"] for change in changes if change.code == "earned")  # type: ignore[misc]
        price = 3 * sum(change.code == "bought" for change in changes)
        assert sum(after.gold) == sum(state.gold) + bank - price
        assert supplies(after) == supply
        if GAME.to_move(after) is not None:
            hold(after)
        state = after
