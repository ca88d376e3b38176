"""What the protocol promises, held by every registered game at every number of seats."""

import re
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.chance import Draw
from engine.errors import BadNotation, BadSetup, MatchOver
from engine.game import CHANCE
from engine.match import AnyGame, check, digest, retire
from engine.opening import read_deal, read_options
from engine.registry import GAMES
from engine.speech import NAMES
from engine.transcript import Transcript, opening, parse_json, parse_text, replay, write_json, write_text
from tests.conformance.walks import random_match

TABLES = [
    pytest.param(game, seats, id=f"{slug}-{seats}") for slug, game in GAMES.items() for seats in game.seats
]
WRITTEN = sorted(Path(__file__).parents[1].glob("golden/*/*.txt"))
each_table = pytest.mark.parametrize(("game", "seats"), TABLES)
each_game = pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))


@each_table
def test_legal_is_empty_iff_over_and_every_spelling_is_distinct(game: AnyGame, seats: int) -> None:
    walk = random_match(game, seats, 1)
    for state in (walk.start, *(step.state for step in walk.steps)):
        moves = game.legal(state)
        assert bool(moves) == (game.to_move(state) is not None)
        texts = [game.write(move) for move in moves]
        assert len(set(texts)) == len(texts)
        assert [game.parse(text) for text in texts] == list(moves)
        assert all(game.normal(state, move) == move for move in moves)


@each_table
def test_apply_never_mutates_and_never_raises_for_a_legal_move(game: AnyGame, seats: int) -> None:
    walk = random_match(game, seats, 2)
    state = walk.start
    for step in walk.steps:
        before = digest(state)
        for move in game.legal(state)[:12]:
            game.apply(state, move)
        assert digest(state) == before
        state = step.state


@each_table
def test_chance_gives_positive_odds_and_one_of_its_outcomes(game: AnyGame, seats: int) -> None:
    walk = random_match(game, seats, 3)
    for number, step in enumerate(walk.steps):
        if game.to_move(step.state) == CHANCE:
            outcomes, odds = game.legal(step.state), game.odds(step.state)
            assert len(odds) == len(outcomes)
            assert all(weight > 0 for weight in odds)
            draw = Draw(str(number).encode())
            assert game.outcome(step.state, draw) == game.outcome(step.state, draw)
            assert game.outcome(step.state, draw) in outcomes


@each_table
def test_a_forced_move_is_the_only_legal_one(game: AnyGame, seats: int) -> None:
    walk = random_match(game, seats, 4)
    check_forced(game, (walk.start, *(step.state for step in walk.steps)))


def test_a_forced_move_is_the_only_legal_one_in_matches_that_are_written_down() -> None:
    """Where moves are random a game may never come to one."""
    met = 0
    for path in WRITTEN:
        transcript = parse_text(path.read_text())
        game, start = opening(transcript)
        met += check_forced(game, (start, *(step.state for step in replay(transcript))))
    assert met


def check_forced(game: AnyGame, states: Iterable[Any]) -> int:
    """Check every state with a forced move; how many there were."""
    met = [(state, forced) for state in states if (forced := game.forced(state)) is not None]
    assert all(list(game.legal(state)) == [forced] for state, forced in met)
    return len(met)


@each_table
def test_a_turn_is_of_one_seat_and_another_one_follows_it(game: AnyGame, seats: int) -> None:
    walk = random_match(game, seats, 11)
    holders: dict[int, set[int]] = {}
    turns = [game.turn(walk.start)]
    for state in (walk.start, *(step.state for step in walk.steps)):
        holder = game.to_move(state)
        if holder is None:
            break
        if game.turn(state) != turns[-1]:
            turns.append(game.turn(state))
            holders[turns[-1]] = set()
        if holder != CHANCE:
            holders.setdefault(turns[-1], set()).add(holder)
    assert len(turns) > 2 * seats
    assert all(len(seen) <= 1 for seen in holders.values())


@each_table
def test_states_and_moves_survive_encoding(game: AnyGame, seats: int) -> None:
    walk = random_match(game, seats, 5)
    for step in walk.steps:
        for codec in (msgspec.msgpack, msgspec.json):
            assert codec.decode(codec.encode(step.state), type=game.state_type) == step.state
        for move in game.legal(step.state)[:10]:
            assert msgspec.json.decode(msgspec.json.encode(move), type=game.move_type) == move


@each_table
def test_standing_adds_up_and_ranks_agree_with_totals(game: AnyGame, seats: int) -> None:
    walk = random_match(game, seats, 6)
    states = [walk.start, *(step.state for step in walk.steps)]
    for state in states[:: max(1, len(states) // 40)] + states[-1:]:
        rows = game.standing(state).rows
        assert [row.seat for row in rows] == list(range(len(rows)))
        assert all(row.total == sum(row.scores.values()) for row in rows)
        keys = {row.seat: (-row.total, *(-tie for tie in row.ties.values())) for row in rows}
        for row in rows:
            assert row.rank == 1 + sum(keys[other.seat] < keys[row.seat] for other in rows)
        assert len(game.outlook(state)) == len(rows)


@each_table
def test_why_not_is_empty_for_every_legal_move_and_tells_when_over(game: AnyGame, seats: int) -> None:
    walk = random_match(game, seats, 7)
    seen: list[Any] = []
    state = walk.start
    for number, step in enumerate(walk.steps):
        if number % 5 == 0:
            assert all(game.why_not(state, move) == () for move in game.legal(state))
            for move in seen[-200::7]:
                reasons = game.why_not(state, move)
                assert (game.normal(state, move) is None) == bool(reasons)
                assert all(game.sentence(reason) for reason in reasons)
        seen.append(game.parse(step.event.move))
        state = step.state
    assert all(game.why_not(state, move) for move in seen[::10])


@each_table
def test_everything_has_a_sentence_and_the_picture_fits(game: AnyGame, seats: int) -> None:
    walk = random_match(game, seats, 8)
    for number, step in enumerate(walk.steps):
        assert game.sentence(game.parse(step.event.move)).endswith(".")
        assert all(game.sentence(change).endswith(".") for change in step.changes)
        if number % 20 == 0:
            lines = game.picture(step.state).splitlines()
            assert lines
            assert max(map(len, lines)) <= 80


@each_table
def test_the_board_groups_moves_by_what_they_touch(game: AnyGame, seats: int) -> None:
    walk = random_match(game, seats, 12)
    names: set[str] = set()
    for number, state in enumerate([walk.start, *(step.state for step in walk.steps)]):
        if number % 20 or game.to_move(state) in (CHANCE, None):
            continue
        touched = {game.write(move): game.touched(state, move) for move in game.legal(state)}
        drawn = re.findall(r'data-move="([^"]*)"', game.board(state))
        groups = [unescape(group).split() for group in drawn]
        for notation, things in touched.items():
            assert len(set(things)) == len(things)
            assert sum(notation in group for group in groups) == len(things) or not things
            names |= set(things)
        assert names <= {thing.name for thing in game.things(state)}
    assert names


@each_table
def test_a_transcript_replays_to_the_same_digest_as_text_and_as_json(game: AnyGame, seats: int) -> None:
    walk = random_match(game, seats, 9)
    steps = list(walk.steps)
    transcript = Transcript(
        game=game.slug,
        rules=game.rules,
        edition=game.edition,
        deal=msgspec.json.decode(msgspec.json.encode(walk.deal)),
        events=tuple(step.event for step in steps),
        digest=digest(steps[-1].state),
        ranks=tuple(row.rank for row in game.standing(steps[-1].state).rows),
    )
    assert parse_text(write_text(transcript)) == transcript
    assert parse_json(write_json(transcript)) == transcript
    assert [step.event for step in replay(transcript)] == [step.event for step in steps]


@each_table
def test_retiring_one_by_one_ends_the_match_with_the_leavers_last(game: AnyGame, seats: int) -> None:
    draw = Draw(b"leaving")
    walk = random_match(game, seats, 10)
    states = [walk.start, *(step.state for step in walk.steps)][:-1]
    for state in states[:: max(1, len(states) // 12)]:
        if game.to_move(state) != CHANCE:
            _retire_all(game, state, seats, draw)


def _retire_all(game: AnyGame, state: Any, seats: int, draw: Draw) -> None:
    version = 0
    for left, seat in enumerate(range(seats), 1):
        if game.to_move(state) is None:
            break
        steps = retire(game, state, version, seat, "resigned", draw)
        check(game, state, steps[0].event)
        state = steps[-1].state
        version = steps[-1].event.version
        assert seat not in game.active(state)
        assert len(game.active(state)) == seats - left
        assert game.to_move(state) not in (seat, CHANCE)
    assert game.to_move(state) is None
    with pytest.raises(MatchOver):
        retire(game, state, version, seats - 1, "resigned", draw)
    rows = game.standing(state).rows
    stayed = [row.rank for row in rows if not row.retired]
    assert max(stayed) < min(row.rank for row in rows if row.retired)


@each_table
def test_a_deal_can_be_given_again(game: AnyGame, seats: int) -> None:
    deal = game.deal(read_options(game, {}), seats, Draw(b"again"))
    document = msgspec.json.decode(msgspec.json.encode(deal))
    assert read_deal(game, document) == deal
    assert read_deal(game, document, seats=seats) == deal
    with pytest.raises(BadSetup):
        read_deal(game, document, seats=seats + 1)
    with pytest.raises(BadSetup):
        read_deal(game, document | {"surplus": 1})
    for name in document:
        with pytest.raises(BadSetup):
            read_deal(game, document | {name: "nonsense"})


@each_game
def test_options_are_described_and_have_defaults(game: AnyGame) -> None:
    schema = msgspec.json.schema(game.options_type)
    (top,) = (part for name, part in schema["$defs"].items() if name == game.options_type.__name__)
    assert set(top["properties"]) == set(game.options_type.__struct_fields__)
    for part in schema["$defs"].values():
        assert not part.get("required")
        assert part["additionalProperties"] is False
        for name, field in part["properties"].items():
            assert field.get("title"), name
            assert field.get("description"), name
            assert "default" in field, name
            assert sorted(field.get(NAMES, ())) == sorted(field.get("enum", ())), name
    with pytest.raises(BadSetup):
        read_options(game, {"nonsense": 1})


@each_game
@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "nonsense",
        "claim:",
        ":",
        "walk",
        "end ",
        "END",
        "*",
        "build:zz99",
        "move:yellow+0",
        "é",
        "a" * 999,
    ],
)
def test_nonsense_is_bad_notation(game: AnyGame, text: str) -> None:
    with pytest.raises(BadNotation):
        game.parse(text)


@each_game
def test_identity(game: AnyGame) -> None:
    assert GAMES[game.slug] is game
    assert game.title
    assert game.rules >= 1
    assert len(game.edition.digest) == 64
