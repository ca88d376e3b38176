"""Players play by the rules, repeat themselves under the same chance, and are as strong as they claim."""

import pytest

from engine.chance import Draw
from engine.match import AnyGame, parse_batch
from engine.opening import read_options
from engine.players import greedy
from engine.players.roster import PLAYERS, GoOn, iterations
from engine.registry import GAMES
from tests.players.arena import long_score, play_match, score

TABLES = [
    pytest.param(game, seats, id=f"{slug}-{seats}") for slug, game in GAMES.items() for seats in game.seats
]
DUELS = [pytest.param(game, id=slug) for slug, game in GAMES.items()]
WELL_UNDER_A_SECOND = 60
"""Iterations a turn: about a tenth of a second where nothing else runs."""


def few() -> GoOn:
    return iterations(24)


def hardly_any() -> GoOn:
    return iterations(6)


def in_few_turns(game: AnyGame) -> dict[str, int]:
    """The option of a short match, where a game has it: a search looks at every turn of it."""
    return {"turn_limit": 8} if "turn_limit" in game.options_type.__struct_fields__ else {}


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_player_plays_whole_matches_at_every_table(game: AnyGame, seats: int, name: str) -> None:
    names = [name, *["random"] * (seats - 1)]
    result = play_match(game, names, 3, hardly_any, **in_few_turns(game))
    assert min(row.rank for row in result.standing.rows) == 1


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("game", DUELS)
def test_the_same_chance_and_budget_give_the_same_turn(game: AnyGame, name: str) -> None:
    draw = Draw(b"twice")
    state = game.setup(game.deal(read_options(game, {}), 2, draw))
    first, second = (PLAYERS[name](game, state, draw, few()) for _ in range(2))
    assert first == second
    assert first == parse_batch(game, [game.write(move) for move in first])


def test_a_budget_counts_down() -> None:
    go_on = iterations(2)
    assert [go_on() for _ in range(4)] == [True, True, False, False]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_search_without_budget_still_knows_a_turn(game: AnyGame, seats: int) -> None:
    draw = Draw(b"no time")
    state = game.setup(game.deal(read_options(game, {}), seats, draw))
    moves = PLAYERS["mcts"](game, state, draw, lambda: False)
    assert game.normal(state, moves[0]) == moves[0]


@pytest.mark.parametrize("game", DUELS)
def test_turns_lead_to_different_states_and_the_best_comes_first(game: AnyGame) -> None:
    draw = Draw(b"turns")
    state = game.setup(game.deal(read_options(game, {}), 2, draw))
    lines = greedy.turns(game, state, greedy.USUAL, few())
    values = [line.value for line in lines]
    assert values == sorted(values, reverse=True)
    assert len({line.state for line in lines}) == len(lines)
    for line in lines:
        after = state
        for move in line.moves:
            assert move in game.legal(after)
            after = game.apply(after, move)[0]
        assert after == line.state


@pytest.mark.parametrize("game", DUELS)
def test_greedy_beats_random(game: AnyGame) -> None:
    assert score(game, "greedy", "random", range(20), few) >= 18


@pytest.mark.soak
@pytest.mark.parametrize("game", DUELS)
def test_greedy_beats_random_nearly_always(game: AnyGame) -> None:
    assert long_score(game.slug, "greedy", "random", 100, 24) >= 95


@pytest.mark.soak
@pytest.mark.parametrize("game", DUELS)
def test_search_beats_greedy(game: AnyGame) -> None:
    assert long_score(game.slug, "mcts", "greedy", 100, WELL_UNDER_A_SECOND) >= 65
