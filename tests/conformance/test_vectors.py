"""Vectors for other implementations: true, complete, as documented, and the same every time."""

import hashlib
import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

import engine
from engine.chance import Draw
from engine.game import CHANCE
from engine.match import AnyGame
from engine.opening import read_deal
from engine.perft import perft
from engine.registry import GAMES
from engine.vectors import PER_MATCH, Header, Line, MatchLine, PositionLine, digest, portable, vectors

DOCUMENT = Path(str(engine.__file__)).with_name("VECTORS.md").read_text()
SAMPLES = Path(__file__).parents[1] / "golden" / "vectors"
COUNT = 160
each_game = pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))


def lines_of(game: AnyGame, seed: int, count: int) -> list[dict[str, Any]]:
    """The lines as a reader gets them."""
    return [msgspec.json.decode(msgspec.json.encode(line)) for line in vectors(game, seed, count)]


def after(game: AnyGame, state: Any, texts: list[str]) -> Any:
    """The state after moves, each of which must be legal."""
    for text in texts:
        if text.startswith("retire:"):
            state, _ = game.retire(state, int(text.removeprefix("retire:")))
            continue
        move = game.parse(text)
        assert game.normal(state, move) == move
        state, _ = game.apply(state, move)
    return state


def described(text: str, position: dict[str, Any], weights: list[str]) -> str:
    """The digest of a position by the words of the document, from the fields of its line alone."""
    lines = [str(position["to_move"]), *sorted(weights or position.get("legal", []), key=str.encode)]
    for row in position["standing"]:
        figures = [f"rank={row['rank']}", f"total={row['total']}"]
        figures += [f"{name}={value}" for part in ("scores", "ties") for name, value in row[part].items()]
        lines.append(" ".join([f"row {row['seat']}", *figures, *(["retired"] if row["retired"] else [])]))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@each_game
def test_every_line_is_true(game: AnyGame) -> None:
    """Played again from the deal by its notation, every position holds what its line says."""
    head, *rest = lines_of(game, 5, COUNT)
    assert head == {
        "kind": "header",
        "format": 1,
        "game": game.slug,
        "rules": game.rules,
        "edition": {"name": game.edition.name, "digest": game.edition.digest},
        "seed": 5,
        "positions": COUNT,
    }
    start: Any = None
    match: dict[str, Any] = {}
    for line in rest:
        if line["kind"] == "match":
            match, start = line, game.setup(read_deal(game, line["deal"]))
            continue
        state = after(game, start, match["moves"][: line["at"]])
        legal = [game.write(move) for move in game.legal(state)]
        weights: list[str] = []
        if game.to_move(state) == CHANCE:
            odds = game.odds(state)
            weights = [f"{text} {weight}" for text, weight in zip(legal, odds, strict=True)]
            assert (line["to_move"], line["odds"], "legal" in line) == ("chance", sum(odds), False)
        else:
            holder = game.to_move(state)
            assert (line["to_move"], line["legal"]) == ("over" if holder is None else holder, legal)
        assert line["moves"] == len(legal)
        assert line["digest"] == described(game.slug, line, weights) == digest(game, state)
        assert line["perft"][:2] == [perft(game, state, depth) for depth in (1, 2)][: len(line["perft"])]
        assert len(line["results"]) == min(4, len(legal))
        for result in line["results"]:
            assert result["digest"] == digest(game, after(game, state, result["moves"]))


@each_game
def test_the_same_seed_gives_the_same_lines_and_another_others(game: AnyGame) -> None:
    first, again, other = (lines_of(game, seed, 60) for seed in (1, 1, 2))
    assert first == again
    assert [line for line in first if line in other] == []
    longer = lines_of(game, 1, PER_MATCH * 2)
    assert longer[1 : PER_MATCH + 2] == first[1 : PER_MATCH + 2]


@each_game
def test_positions_are_of_every_table_and_with_every_option(game: AnyGame) -> None:
    lines: list[Line] = list(vectors(game, 0, 24 * PER_MATCH))
    matches = [line for line in lines if isinstance(line, MatchLine)]
    positions = [line for line in lines if isinstance(line, PositionLine)]
    assert isinstance(lines[0], Header)
    assert len(positions) == 24 * PER_MATCH
    assert {line.deal["seats"] for line in matches} == set(game.seats)
    defaults = msgspec.to_builtins(msgspec.convert({}, game.options_type))
    for name, default in defaults.items():
        if isinstance(default, str | bool):
            assert len({str(line.deal["options"][name]) for line in matches}) > 1, name
        if isinstance(default, dict):
            for inner in default:
                assert len({line.deal["options"][name][inner] for line in matches}) > 1, inner
    holders = Counter(line.to_move for line in positions)
    assert set(range(max(game.seats))) | {"over"} <= set(holders)
    assert any(text.startswith("retire:") for line in matches for text in line.moves)
    assert {len(line.perft) for line in positions} >= {2, 3, 4}


@each_game
def test_positions_of_a_match_are_distinct_and_in_order(game: AnyGame) -> None:
    places = [(line.match, line.at) for line in vectors(game, 4, 200) if isinstance(line, PositionLine)]
    assert places == sorted(set(places))


@each_game
def test_the_committed_sample_is_what_is_written_today(game: AnyGame) -> None:
    """It changes when the rules or the format do, on purpose: `cantiere vectors` makes it anew."""
    written = b"".join(msgspec.json.encode(line) + b"\n" for line in vectors(game, 0, 40))
    assert (SAMPLES / f"{game.slug}.jsonl").read_bytes() == written


def test_the_document_names_every_field() -> None:
    for kind in (Header, MatchLine, PositionLine):
        part = DOCUMENT.partition(f"**`{kind.__struct_config__.tag}`**")[2].partition("**`")[0]
        assert part
        for name in kind.__struct_fields__:
            assert f"`{name}`" in part, f"{kind.__name__}.{name}"


def test_the_example_of_the_document_is_true() -> None:
    example = re.search(r"<!-- example -->\n```\n(.+?)\n```\n.*?`([0-9a-f]{64})`", DOCUMENT, re.DOTALL)
    assert example is not None
    game = GAMES["torri-di-bologna"]
    state = game.setup(game.deal(msgspec.convert({}, game.options_type), 2, Draw(b"")))
    assert portable(game, state) == example[1]
    assert digest(game, state) == example[2] == hashlib.sha256(example[1].encode()).hexdigest()
