"""`cantiere perft` counts as the engine does."""

import re

import pytest

from engine.chance import Draw
from engine.opening import read_options
from engine.perft import divide, perft
from engine.registry import GAMES
from tests.cli.running import cantiere


def opening_of(slug: str, seed: int) -> object:
    game = GAMES[slug]
    return game.setup(game.deal(read_options(game, {}), 2, Draw(seed.to_bytes(32, "big"))))


@pytest.mark.parametrize("slug", GAMES)
def test_counts_are_the_engines(slug: str) -> None:
    ran = cantiere("perft", slug, "--depth", "3", "--seed", "5")
    rows = [line.split() for line in ran.stdout.splitlines()[1:]]
    state = opening_of(slug, 5)
    assert [(int(row[0]), int(row[1].replace(",", ""))) for row in rows] == [
        (depth, perft(GAMES[slug], state, depth)) for depth in (1, 2, 3)
    ]


@pytest.mark.parametrize("slug", GAMES)
def test_division_is_the_engines(slug: str) -> None:
    ran = cantiere("perft", slug, "--depth", "2", "--divide")
    expected = divide(GAMES[slug], opening_of(slug, 0), 2)
    for move, count in expected.items():
        assert re.search(rf"^ ?{re.escape(move)} +{count} *$", ran.stdout, re.MULTILINE)
    assert f"{len(expected)} moves, {sum(expected.values())} sequences" in ran.stdout


@pytest.mark.parametrize("slug", GAMES)
def test_moves_are_played_before_counting(slug: str) -> None:
    game = GAMES[slug]
    state = opening_of(slug, 0)
    texts = []
    for _ in range(2):
        move = game.legal(state)[0]
        texts.append(game.write(move))
        state = game.apply(state, move)[0]
    ran = cantiere("perft", slug, "--depth", "1", "--moves", " ".join(texts))
    assert ran.stdout.splitlines()[1].split()[:2] == ["1", str(len(game.legal(state)))]
