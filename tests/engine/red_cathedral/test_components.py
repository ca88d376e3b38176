"""The box: another file is played with under its own name, an inconsistent one is refused with its entry."""

import hashlib
import re
from importlib import resources

import msgspec
import pytest

from engine.chance import Draw
from engine.errors import BadBox, BadSetup, BadTranscript
from engine.match import digest
from engine.opening import read_deal, read_options
from engine.red_cathedral import GAME
from engine.transcript import Transcript, replay
from tests.conformance.walks import random_match
from tests.engine.red_cathedral.table import (
    claimed,
    deal_document,
    dice_at,
    holding,
    inventory,
    legal,
    match,
    reserve,
    reserve_with,
)

BUILT_IN = resources.files("engine.red_cathedral").joinpath("components.toml").read_text()


def edited(old: str, new: str) -> bytes:
    """The built-in file with the first occurrence of a text replaced."""
    assert old in BUILT_IN
    return BUILT_IN.replace(old, new, 1).encode()


def without(pattern: str) -> bytes:
    """The built-in file without the first match of a pattern."""
    text, found = re.subn(pattern, "", BUILT_IN, count=1, flags=re.MULTILINE | re.DOTALL)
    assert found
    return text.encode()


EDITS = [
    # the entry that must be named, what is replaced, by what
    ("edition", 'edition = "reconstruction-2"', ""),
    ("edition", 'edition = "reconstruction-2"', 'edition = ""'),
    ("edition", 'edition = "reconstruction-2"', "edition = 2"),
    ("publisher", 'edition = "reconstruction-2"', 'edition = "mine"\npublisher = "me"'),
    ("reserve", "gold = 15\n", ""),
    ("reserve.gold", "gold = 15\n", "gold = 0\n"),
    ("reserve.gold", "gold = 15\n", "gold = -15\n"),
    ("reserve.gold", "gold = 15\n", 'gold = "many"\n'),
    ("reserve", "gold = 15\n", "gold = 15\nsilver = 15\n"),
    ("track.length", "length = 80 ", "length = 79 "),
    ("track.prestige", "[5, 9, 13,", "[9, 5, 13,"),
    ("track.prestige", "[5, 9, 13,", "[5, 9, 9, 13,"),
    ("track.prestige", "[5, 9, 13,", "[0, 5, 9, 13,"),
    ("track.prestige", "[5, 9, 13,", "[5, 13,"),
    ("track.prestige", "78, 79]", "78, 80]"),
    ("track.start", "start = 2", "start = 80"),
    ("players.start_rubles", "start_rubles = [3, 4, 4, 5]", "start_rubles = [3, 4, 4]"),
    ("players.start_rubles", "start_rubles = [3, 4, 4, 5]", "start_rubles = [30, 40, 4, 5]"),
    ("players.banners_in_inventory", "banners_in_inventory = 4", "banners_in_inventory = 7"),
    (
        "players.ornaments",
        "ornaments = { door = 1, arch = 2, cross = 1 }",
        "ornaments = { door = 1, arch = 2 }",
    ),
    ("resource_tiles", "recognition = 1\nlumber = 2\n", "lumber = 2\n"),
    ("resource_tiles.recognition", "recognition = 1\nlumber = 2\n", "recognition = 0\nlumber = 2\n"),
    ("ornaments.door", 'door = { section = "base", cost = "l" }', 'door = { section = "dome", cost = "l" }'),
    ("ornaments.door", 'door = { section = "base", cost = "l" }', 'door = { section = "base", cost = "ll" }'),
    ("ornaments.arch", 'cost = "s" }', 'cost = "x" }'),
    ("workshop.basic", "white1 = 2\n", ""),
    ("workshop.advanced", 'yellow = "door", blue', "blue"),
    ("workshop.advanced", 'yellow = "door", blue', 'yellow = "arch", blue'),
    ("workshop.advanced", 'yellow = "door", blue', 'black = "door", blue'),
    ("plans", "4 = [[3, 4, 5, 5, 4, 3]", "5 = [[3, 4, 5, 5, 4, 3]"),
    ("plans.2", "2 = [[3, 4, 3, 2]", "2 = [[3, 4, 3, 3]"),
    ("plans.2", "2 = [[3, 4, 3, 2]", "2 = [[3, 4, 4, 1]"),
    ("plans.2", "2 = [[3, 4, 3, 2], ", "2 = ["),
    ("plans.2", "2 = [[3, 4, 3, 2], ", "2 = [[4, 2, 4, 2], "),
    ("plans.4", "[4, 5, 6, 5, 4]]", "[10, 4, 4, 3, 3]]"),
    ("cards.base", 'f01 = { cost = "llb", recognition = 2, rubles = 2 }\n', ""),
    (
        "cards.middle",
        "[cards.middle]\n",
        '[cards.middle]\nm21 = { cost = "lbg", recognition = 4, rubles = 1 }\n',
    ),
    ("cards.dome", "d01 = {", "f01 = {"),
    ("cards.base", 'f01 = { cost = "llb"', 'f01 = { cost = "llx"'),
    ("cards.base", 'f01 = { cost = "llb"', 'f01 = { cost = ""'),
    (
        "cards.base.f01",
        'f01 = { cost = "llb", recognition = 2, rubles = 2 }',
        'f01 = { cost = "llb", rubles = 2 }',
    ),
    ("cards.base.f01", "recognition = 2, rubles = 2 }", "recognition = 2, rubles = 2, prestige = 1 }"),
    (
        "workshop_tiles",
        '{ gain = "lumber", amount = 1, copies = 2',
        '{ gain = "lumber", amount = 1, copies = 3',
    ),
    (
        "workshop_tiles",
        '{ gain = "lumber", amount = 1, copies = 2, plus = 1 }',
        '{ gain = "lumber", amount = 1, copies = 2, plus = 3 }',
    ),
    ("workshop_tiles", '{ gain = "lumber", amount = 1, copies', '{ gain = "lumber", copies'),
    ("workshop_tiles", '{ gain = "lumber", amount = 1, copies', '{ gain = "eagle", amount = 1, copies'),
    ("workshop_tiles", '{ gain = "lumber", amount = 1, copies', '{ die = "lumber", amount = 1, copies'),
    (
        "workshop_tiles",
        '{ gain = "lumber", amount = 1, copies',
        '{ die = "red", gain = "lumber", amount = 1, copies',
    ),
    ("workshop_tiles", '{ gain = "lumber", amount = 1, copies', '{ gain = "brick", amount = 1, copies'),
    ("influence", 'id = "craftsmen1"', 'id = "craftsmen2"'),
    ("influence", 'group = "craftsmen"', 'group = "clergy"'),
    ("influence", 'group = "craftsmen"', 'group = "bakers"'),
    ("influence", "beginner = true\n", ""),
    ("influence", '    { use = "once", gain = { one_of = "b" } },\n', ""),
    ("influence", '{ use = "once", gain = { one_of = "b" } }', '{ use = "often", gain = { one_of = "b" } }'),
    ("influence", '{ use = "once", gain = { one_of = "b" } }', '{ use = "once", gain = { one_of = "x" } }'),
    ("influence", '{ use = "once", gain = { one_of = "b" } }', '{ use = "once", gain = { } }'),
    (
        "influence",
        '{ use = "once", gain = { one_of = "b" } }',
        '{ use = "once", gain = { one_of = "b", rubles = 1 } }',
    ),
    ("influence", '{ use = "once", gain = { one_of = "b" } }', '{ use = "once", gain = { other = 1 } }'),
    ("influence", '{ use = "once", gain = { one_of = "b" } }', '{ use = "repeat", gain = { one_of = "b" } }'),
    ("influence", '{ use = "once", pay = { rubles = 1 }, gain', '{ use = "once", pay = { wool = 1 }, gain'),
    ("ivan", 'id = "renown"\n', 'id = "siesta"\n'),
    ("ivan", 'id = "renown"\n', 'id = "claim"\n'),
    ("ivan", 'die = "white"\n', 'die = "black"\n'),
    ("ivan_difficulty", "hard = { recognition = 5, materials = 5 }", ""),
    ("ivan_difficulty.hard", "hard = { recognition = 5, materials = 5 }", "hard = { recognition = 5 }"),
]


@pytest.mark.parametrize(
    ("entry", "old", "new"), EDITS, ids=[f"{number}-{edit[0]}" for number, edit in enumerate(EDITS)]
)
def test_an_inconsistent_file_is_refused_with_the_entry_at_fault(entry: str, old: str, new: str) -> None:
    with pytest.raises(BadBox) as refusal:
        GAME.with_box(edited(old, new))
    assert refusal.value.where.startswith(entry) or entry in str(refusal.value)
    assert refusal.value.code == "bad_box"


@pytest.mark.parametrize("table", re.findall(r"^\[([a-z_.]+)\]", BUILT_IN, re.MULTILINE))
def test_a_file_without_one_of_its_tables_is_refused(table: str) -> None:
    with pytest.raises(BadBox) as refusal:
        GAME.with_box(without(rf"^\[{table}\].*?(?=^\[|\Z)"))
    assert table.rsplit(".", maxsplit=1)[-1] in str(refusal.value)


def test_a_file_without_one_card_of_ivan_or_of_a_group_is_refused() -> None:
    for pattern in (
        r'^\[\[ivan\]\]\nid = "renown"\n.*?\n',
        r'^\[\[influence\]\]\nid = "clergy2"\n.*?(?=^\[)',
    ):
        with pytest.raises(BadBox):
            GAME.with_box(without(pattern))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"edition",
        b"\xff\xfe\x00",
        b"[reserve\n",
        b"edition = 'a'\nedition = 'b'\n",
        BUILT_IN.encode()[:3000],
    ],
)
def test_what_is_no_toml_or_no_whole_file_is_refused(data: bytes) -> None:
    with pytest.raises(BadBox):
        GAME.with_box(data)


def test_the_built_in_box_is_named_and_digested() -> None:
    assert GAME.edition.name == "reconstruction-2"
    assert GAME.edition.digest == hashlib.sha256(BUILT_IN.encode()).hexdigest()
    assert GAME.with_box(BUILT_IN.encode()).edition == GAME.edition


MINE = edited('edition = "reconstruction-2"', 'edition = "mine"').replace(
    b"lumber = 2\nbrick = 2", b"lumber = 3\nbrick = 2"
)


def test_another_box_is_played_with_under_its_own_name() -> None:
    game = GAME.with_box(MINE)
    assert game.edition.name == "mine"
    assert game.edition.digest == hashlib.sha256(MINE).hexdigest()
    assert game.slug == GAME.slug
    assert GAME.edition.name == "reconstruction-2"
    state = match(
        game=game, dice={"yellow": (8, 1), "blue": (2, 1), "red": (3, 1), "green": (4, 1), "white": (5, 1)}
    )
    moved, _ = game.apply(state, game.parse("move:yellow"))
    assert {game.write(move) for move in game.legal(moved) if game.write(move).startswith("take")} == {
        "take:1",
        "take:2",
        "take:3",
    }
    assert legal(moved, "take") == {"take:1", "take:2"}  # the same state with the built-in box


def test_states_hold_ids_and_no_figures_of_the_box() -> None:
    rich = GAME.with_box(
        edited('f01 = { cost = "llb", recognition = 2', 'f01 = { cost = "llb", recognition = 9')
    )
    assert rich.setup(read_deal(rich, deal_document())) == GAME.setup(read_deal(GAME, deal_document()))


def test_a_replaced_card_is_dealt_and_built() -> None:
    game = GAME.with_box(
        edited(
            'f01 = { cost = "llb", recognition = 2, rubles = 2 }',
            'g01 = { cost = "e", recognition = 7, rubles = 0 }',
        )
    )
    with pytest.raises(BadSetup):
        read_deal(game, deal_document())
    cards = [["g01", *deal_document()["cards"][0][1:]], *deal_document()["cards"][1:]]
    state = holding(match(game=game, cards=cards), 0, green=1)
    for text in ("claim:a1:blue:down", "end", "claim:b1:blue:down", "end", "deliver:a1:green"):
        state, _ = game.apply(state, game.parse(text))
    assert state.players[0].position == 9
    deals = [game.deal(read_options(game, {}), 4, Draw(str(number).encode())) for number in range(30)]
    dealt = {card for deal in deals for tower in deal.cards for card in tower}
    assert "g01" in dealt
    assert "f01" not in dealt


def test_an_effect_of_another_box_may_ask_for_two_choices_of_which_one_is_a_delivery() -> None:
    old = '{ use = "repeat", pay = { rubles = 1 }, gain = { deliver = 1 } }'
    game = GAME.with_box(edited(old, '{ use = "repeat", pay = { one_of = "gs" }, gain = { deliver = 1 } }'))
    state = holding(claimed(match(game=game), 0, "a1"), 0, stone=1, gold=1, lumber=2)
    state, _ = game.apply(state, game.parse("move:yellow"))
    found = {game.write(move) for move in game.legal(state) if game.write(move).startswith("influence:1")}
    assert found == {"influence:1:stone:lumber>a1", "influence:1:gold:lumber>a1"}
    state, _ = game.apply(state, game.parse("influence:1:gold:lumber>a1"))
    assert inventory(state, 0) == {"stone": 1, "lumber": 1}
    assert reserve(state, "gold") == 15
    found = {game.write(move) for move in game.legal(state) if game.write(move).startswith("influence:1")}
    assert found == {"influence:1:stone:lumber>a1"}


def test_what_an_effect_pays_is_in_the_reserve_when_the_same_kind_is_gained() -> None:
    old = '{ use = "once", pay = { any = 1 }, gain = { rubles = 2 } }'
    game = GAME.with_box(edited(old, '{ use = "once", pay = { identical = 2 }, gain = { one_of = "lg" } }'))
    cards = ["craftsmen1", "teamsters1", "merchants2", "clergy1"]
    state = reserve_with(holding(match(game=game, influence=cards), 0, lumber=2, brick=2), lumber=0, gold=0)
    state = dice_at(state, yellow=(4, 1))
    state, _ = game.apply(state, game.parse("move:yellow"))
    found = {game.write(move) for move in game.legal(state) if game.write(move).startswith("influence:2")}
    assert found == {"influence:2:lumber:lumber"}


def test_a_transcript_of_another_box_is_refused_and_replayed_with_its_own() -> None:
    game = GAME.with_box(MINE)
    walk = random_match(game, 2, 1, turn_limit=10)
    steps = list(walk.steps)
    transcript = Transcript(
        game=game.slug,
        rules=game.rules,
        edition=game.edition,
        deal=msgspec.to_builtins(walk.deal),
        events=tuple(step.event for step in steps),
        digest=digest(steps[-1].state),
    )
    with pytest.raises(BadTranscript):
        list(replay(transcript))
    assert list(replay(transcript, game))[-1].state == steps[-1].state


def test_a_match_with_another_box_keeps_its_own_rules_beside_one_with_the_built_in() -> None:
    dear = GAME.with_box(edited("other_colour = 1 ", "other_colour = 4 "))
    state = match(game=dear)
    assert not [move for move in dear.legal(state) if dear.write(move) == "claim:a1:blue:up"]
    assert "claim:a1:blue:up" in legal(match())
