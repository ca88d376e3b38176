"""Section 6 of RULES.md: one spelling each, and nothing else."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadNotation
from engine.torri_di_bologna import GAME
from engine.torri_di_bologna.legal import legal
from engine.torri_di_bologna.moves import Build, Cap, Move, Pass, Place, Walk
from tests.engine.torri_di_bologna.positions import position
from tests.engine.torri_di_bologna.randoms import thrown

CELLS = st.from_regex(r"[a-z][1-9][0-9]?", fullmatch=True)
ROUTES = st.lists(CELLS, max_size=5).map(tuple)
MOVES: st.SearchStrategy[Move] = st.one_of(
    st.just(Pass()),
    st.sampled_from([Place("a"), Place("g")]),
    st.builds(Walk, CELLS, ROUTES),
    st.builds(Build, CELLS, ROUTES),
    st.builds(Cap, CELLS, ROUTES),
)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("place:a", Place("a")),
        ("place:g", Place("g")),
        ("walk:b3", Walk("b3")),
        ("build:z26", Build("z26")),
        ("cap:c10", Cap("c10")),
        ("walk:b3:via:a1", Walk("b3", ("a1",))),
        ("build:b3:via:a1,a2,d4", Build("b3", ("a1", "a2", "d4"))),
        ("cap:b3:via:a1,a1", Cap("b3", ("a1", "a1"))),
        ("pass", Pass()),
    ],
)
def test_spellings(text: str, move: Move) -> None:
    assert GAME.parse(text) == move
    assert GAME.write(move) == text


@given(MOVES)
def test_what_is_written_is_read_back(move: Move) -> None:
    assert GAME.parse(GAME.write(move)) == move
    assert msgspec.json.decode(msgspec.json.encode(move), type=GAME.move_type) == move


@given(st.text(alphabet="placewkbuidviag:,0123 \n\u0661B", max_size=24))
def test_any_text_is_a_move_with_this_spelling_or_none(text: str) -> None:
    try:
        move = GAME.parse(text)
    except BadNotation:
        return
    assert GAME.write(move) == text


@pytest.mark.parametrize(
    "text",
    [
        *("place", "place:", "place:b", "place:A", "place:a:", "place:ag", "pass:", "Pass", "pass "),
        *(
            "walk",
            "walk:",
            "walk:b",
            "walk:3b",
            "walk:b0",
            "walk:b03",
            "walk:b123",
            "walk:B3",
            "walk:b3 ",
            "walk:b3\n",
        ),
        *("walk:b3:", "walk:b3:via", "walk:b3:via:", "walk:b3:via:a1,", "walk:b3:via:,a1", "walk:b3:by:a1"),
        *("walk:b3:via:a1:a2", "build:b\u0663", "climb:b3", "walk:b3:via:" + ",".join(["a1"] * 100)),
    ],
)
def test_no_moves(text: str) -> None:
    with pytest.raises(BadNotation):
        GAME.parse(text)


def test_moves_as_data_name_their_kind() -> None:
    assert msgspec.to_builtins(Build("b3")) == {"kind": "build", "to": "b3"}
    assert msgspec.json.encode(Walk("b3", ("a1",))) == b'{"kind":"walk","to":"b3","via":["a1"]}'
    assert msgspec.to_builtins(Place("g")) == {"kind": "place", "base": "g"}


def test_legal_moves_are_at_most_three_a_cell() -> None:
    everywhere = " ".join(f"{column}{row}[0]" for column in "abcde" for row in range(1, 6))
    state = position("2p-quadrato", everywhere, builders="b3 b3", gold=(99, 0), plain={0: 9})
    assert len(legal(state)) == 3 * (25 - 2) + 2
    for number in range(200):
        crowded = thrown(number)
        assert len(legal(crowded)) <= 3 * (len(crowded.towers) - 2) + 2
