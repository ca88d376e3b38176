"""The table as text and as SVG."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, get_args, get_type_hints
from xml.etree import ElementTree as ET

import pytest

from engine.game import CHANCE, Change
from engine.red_cathedral import GAME, RedCathedral
from engine.red_cathedral.components import Box, built_in
from engine.red_cathedral.model import DICE, State
from engine.red_cathedral.options import HouseRules
from tests.conformance.walks import random_match
from tests.engine.red_cathedral.table import dice_at, holding, match, play, with_player

SVG = "{http://www.w3.org/2000/svg}"
TABLES: tuple[tuple[int, dict[str, Any]], ...] = (
    (1, {}),
    (2, {"workshop": "advanced"}),
    (3, {}),
    (4, {"colours": ["red", "green"]}),
)


def positions(seats: int, options: dict[str, Any]) -> Iterator[State]:
    walk = random_match(GAME, seats, 7, **options)
    yield walk.start
    states = [step.state for step in walk.steps]
    yield from islice(states, 0, None, 41)
    yield states[-1]


def drawn(game: RedCathedral, state: State) -> ET.Element:
    """The root of the board."""
    return ET.fromstring(game.board(state))  # noqa: S314 - it is our own document


def marks(state: State) -> dict[str, list[ET.Element]]:
    """The groups of the board that each notation stands in."""
    found: dict[str, list[ET.Element]] = {}
    for group in drawn(GAME, state).iter(f"{SVG}g"):
        for notation in group.get("data-move", "").split():
            found.setdefault(notation, []).append(group)
    return found


def words(group: ET.Element) -> str:
    return " ".join("".join(text.itertext()) for text in group.iter(f"{SVG}text"))


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_pictures_fit_eighty_columns_and_name_every_section(seats: int, options: dict[str, Any]) -> None:
    for state in positions(seats, options):
        lines = GAME.picture(state).splitlines()
        assert max(map(len, lines)) <= 80
        shown = {line.split()[0] for line in lines if line.strip()}
        for tower, cards in zip("abcdef", state.table.cards, strict=False):
            assert {f"{tower}{level}" for level in range(1, len(cards) + 1)} <= shown


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_boards_bear_exactly_the_moves_of_the_seat(seats: int, options: dict[str, Any]) -> None:
    for state in positions(seats, options):
        legal = set() if GAME.to_move(state) == CHANCE else {GAME.write(move) for move in GAME.legal(state)}
        assert set(marks(state)) == legal


def test_a_picture_tells_the_market_and_the_seats() -> None:
    text = GAME.picture(holding(match(), 0, gold=2, rubles=7))
    assert "Round 1, seat 0 (yellow): a basic action" in text
    assert "8  1 recognition  y3" in text
    assert "craftsmen   1  1 brick" in text
    assert "2* pay any 1: 1 ruble" in text
    assert "7 rubles; inventory: 2 gold; 4 places free" in text
    assert "RESERVE  20 lumber, 20 brick, 20 stone, 13 gold" in text


def test_a_picture_tells_what_is_going_on() -> None:
    built = play(match(), "claim:a1:white1:down", "end", "claim:a2:white1:up", "end")
    text = GAME.picture(built)
    assert "a1     llb          2+2   claimed by yellow" in text
    assert "workshop: white1 face down" in text
    on_market = play(match(), "move:yellow", "take:1")
    assert "on the market with the yellow die (taken)" in GAME.picture(on_market)
    assert "to be rolled: yellow, green" in GAME.picture(play(on_market, "end"))


@pytest.mark.parametrize(("banners", "words_for"), [(1, "1 banner,"), (2, "2 banners,")])
def test_what_a_seat_has_is_counted(banners: int, words_for: str) -> None:
    text = GAME.picture(with_player(match(), 0, banners=banners, ornaments=(0, 1, 2)))
    assert f"{words_for} 0 doors, 1 arch, 2 crosses" in text
    assert "1 door, 2 arches, 1 cross" in text


def test_what_a_space_gives_is_counted() -> None:
    start = match()
    for told in (GAME.picture(start), GAME.board(start)):
        assert "1 purple jewel" in told
    for told in (GAME.picture(start, Many()), GAME.board(start, Many())):
        assert {"2 lumber, many", "2 stone, many", "2 brick, many"} <= set(re.findall(r"2 \w+, many", told))


def test_pictures_and_boards_tell_what_is_locked() -> None:
    state = holding(match(options={"workshop": "advanced"}), 0, rubles=9)
    locked = "locked: door on yellow, arch on blue, arch on red, cross on green"
    for tell in (GAME.picture, lambda state: words(drawn(GAME, state))):
        assert " ".join(tell(state).split()).count(locked) == 2
        opened = " ".join(tell(play(state, "claim:a1:red:up", "end", "claim:b1:blue:down")).split())
        assert opened.count(locked) == 1
        assert "locked: door on yellow, arch on blue, cross on green" in opened
        assert "locked" not in tell(match())


def test_a_picture_tells_what_was_agreed() -> None:
    assert "agreed" not in GAME.picture(match())
    assert "agreed: hard Ivan" in GAME.picture(match(1, {"difficulty": "hard"}))
    others = {
        rule: next(value for value in get_args(get_args(hint)[0]) if value != getattr(HouseRules(), rule))
        for rule, hint in get_type_hints(HouseRules, include_extras=True).items()
    }
    text = GAME.picture(match(options={"workshop": "advanced", "house_rules": others}))
    told = " ".join(text.partition("agreed: ")[2].partition("\n\n")[0].split())
    assert told == ", ".join(["advanced workshop", *(f"{rule} {value}" for rule, value in others.items())])
    for rule, value in others.items():
        assert f"agreed: {rule} {value}\n" in GAME.picture(match(options={"house_rules": {rule: value}}))


def test_moves_stand_on_what_they_touch() -> None:
    found = marks(match())
    claim = [words(group) for group in found["claim:a1:yellow:up"]]
    assert any(text.startswith("a1 2+2") for text in claim)
    assert any(text.startswith("yellow price") for text in claim)
    move = [words(group) for group in found["move:yellow"]]
    assert "3 yellow" in move
    assert any(text.startswith("3: 2 stone") for text in move)
    taken = marks(play(match(), "move:yellow"))
    assert [words(group) for group in taken["take:1"]] == ["3: 2 stone"]
    assert all("teamsters1" in words(group) or "1 ruble" in words(group) for group in taken["influence:2"])


def test_a_board_is_readable_without_colour() -> None:
    state = play(match(), "claim:a1:white1:down", "end", "claim:a2:white1:down", "end")
    root = drawn(GAME, state)
    texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert {"yellow", "blue"} <= set(texts)
    patterns = [pattern.get("id") for pattern in root.iter(f"{SVG}pattern")]
    assert len(patterns) == len(set(patterns)) == 5
    assert all(die in texts for die in DICE)


class Hidden:
    """A language without a letter."""

    def say(self, english: str) -> str:
        return re.sub(r"(?<![{\w])[A-Za-z][\w]*(?![\w}])", "_", english)

    def count(self, one: str, many: str, n: int) -> str:
        return self.say(many)


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_pictures_and_boards_say_nothing_but_in_the_language(seats: int, options: dict[str, Any]) -> None:
    for state in positions(seats, options):
        root = ET.fromstring(GAME.board(state, Hidden()))  # noqa: S314 - it is our own document
        said = f"{words(root)} {GAME.picture(state, Hidden())}"
        cards = {*state.table.influence, *state.table.ivan}
        ids = {re.sub(r"\d", "", card) for card in cards}
        rest = re.sub(r"\b[lbsgea]+\b", "", said)  # but for costs
        assert set(re.findall("[A-Za-z]{2,}", rest)) <= ids


def test_four_dice_fit_a_space() -> None:
    state = dice_at(match(), blue=(5, 1), red=(5, 1), green=(5, 1), white=(5, 2))
    root = drawn(GAME, state)
    right = max(
        float(box.get("x", 0)) + float(box.get("width", "0").rstrip("%")) for box in root.iter(f"{SVG}rect")
    )
    assert right <= 400


def test_effects_are_written_as_large_as_they_fit() -> None:
    other = GAME.with_box(built_in().replace(b'one_of = "lbs" }', b'one_of = "lbsgea" }'))
    sizes: dict[str, set[float]] = {"8": set(), "112": set()}
    for seed in range(8):
        for line in drawn(other, random_match(other, 2, seed).start).iter(f"{SVG}text"):
            x, size, said = line.get("x", ""), float(line.get("font-size", 0)), line.text or ""
            if re.match(r"[12]: |\d-\d ", said) and x in sizes:
                sizes[x].add(size)
                assert size * len(said) <= 500
    assert sizes["8"] == {11}
    assert max(sizes["112"]) == 11
    assert 7 < min(sizes["112"]) < 11


def test_what_a_box_says_is_cut_to_the_width() -> None:
    data = built_in().replace(b'one_of = "lbs" }', b'one_of = "lbsgea" }')
    other = GAME.with_box(data)
    walk = random_match(other, 2, 3)
    assert max(map(len, other.picture(walk.start).splitlines())) <= 80
    assert drawn(other, walk.start).tag == f"{SVG}svg"


class Many:
    """A language that says of what counts whether it is one or many."""

    def say(self, english: str) -> str:
        return english

    def count(self, one: str, many: str, n: int) -> str:
        return f"{one}, one" if n == 1 else f"{many}, many"


class Loud:
    """A language in which words without values are in capitals."""

    def say(self, english: str) -> str:
        return english if "{" in english else english.upper()

    def count(self, one: str, many: str, n: int) -> str:
        return one if n == 1 else many


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_nobody_reads_the_ids_of_the_box(seats: int, options: dict[str, Any]) -> None:
    box = Box(built_in())
    for state in positions(seats, options):
        for told in (GAME.picture(state), words(drawn(GAME, state))):
            assert set(re.findall(r"\w+", told)).isdisjoint({*box.cards, *box.influence})


def test_cards_are_called_in_the_language() -> None:
    state = match(1)
    for told in (GAME.picture(state, Loud()), GAME.board(state, Loud())):
        for name in ("CLERGY", "MERCHANTS", "RENOWN", "CONSTRUCTION"):
            assert name in told
    change = Change("ivan_card", 1, {"card": "renown"})
    assert GAME.sentence(change, Loud()) == "Ivan uses his card RENOWN."
