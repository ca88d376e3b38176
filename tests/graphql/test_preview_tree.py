"""Move trees over GraphQL: what moves would come to, at any version, through chance, without the seed."""

from fractions import Fraction
from typing import Any

import pytest

from engine.game import CHANCE
from engine.match import AnyGame
from engine.perft import perft
from engine.registry import GAMES
from tests.graphql.asking import PLENTY, Asking, rest_shape
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio
each_game = pytest.mark.parametrize("slug", SLUGS)

MOST_NODES = 1_500
"""Leaves of a tree that is counted in a test at most."""
PREVIEW = """version toMove isChance digest legalNotations
    legalMoves { notation text kind }
    events { version kind seat move text changes { code seat values { name value number } text } }
    standing { seat name label scores { name value } total ties { name value } rank retired }"""
TRY = (
    f"query ($id: ID!, $moves: [String!]!) {{ match(id: $id) {{ preview(moves: $moves) {{ {PREVIEW} }} }} }}"
)


async def chance_version(table: Table) -> int | None:
    """A version of the match at which an outcome was due, None if the game has no chance."""
    for version in range(table.version + 1):
        if (await table.get("/legal-moves", version=version))["toMove"] == "chance":
            return version
    return None


async def played(asking: Asking, slug: str, moves: int = 6) -> Table:
    """A match of two in which the last legal moves were made."""
    table = await Table.started(asking.api, slug, 2)
    for _ in range(moves):
        await table.play((await table.legal())[-1])
    return table


@each_game
async def test_a_preview_is_that_of_the_other_door(asking: Asking, slug: str) -> None:
    table = await played(asking, slug)
    for move in (await table.legal())[:3]:
        rest = (await asking.api.post(f"{table.path}/preview", json={"moves": [move]})).json()
        found = rest_shape((await asking.data(TRY, id=table.id, moves=[move]))["match"]["preview"])
        assert found["version"] == rest["version"] + len(rest["events"])
        assert found["isChance"] == (rest["toMove"] == "chance")
        assert found["legalNotations"] == [move["notation"] for move in rest["legalMoves"]]
        assert found["digest"] == rest["digest"]
        assert found["standing"] == rest["standing"]
        assert found["events"] == [
            {name: value for name, value in event.items() if name != "odds"} for event in rest["events"]
        ]
    assert (await table.get())["version"] == table.version


@each_game
async def test_a_refused_preview_is_null_with_the_reasons(asking: Asking, slug: str) -> None:
    table = await played(asking, slug)
    walked = [event["move"] for event in (await table.get("/events"))["events"]]
    legal = await table.legal()
    illegal = next(move for move in walked if move not in legal)
    for moves, index in ([illegal], 0), ([legal[0], illegal, "nonsense"], 2):
        answer = await asking.api.post(f"{table.path}/preview", json={"moves": moves})
        rest = answer.json()
        told = await asking.refused(TRY, id=table.id, moves=moves)
        assert told["message"] == rest["detail"]
        assert told["path"] == ["match", "preview"]
        assert told["extensions"]["index"] == rest["index"] == index
        for name in ("code", "reasons", "closest", "move"):
            assert told["extensions"].get(name) == rest.get(name), name


@each_game
async def test_previews_below_previews_are_the_same_as_in_one_go(asking: Asking, slug: str) -> None:
    table = await played(asking, slug)
    document = """query ($id: ID!, $one: [String!]!, $two: [String!]!, $both: [String!]!) { match(id: $id) {
        preview(moves: $one) { preview(moves: $two) { digest version } }
        both: preview(moves: $both) { digest version } none: preview(moves: []) { version digest }
        digest version
    } }"""
    one = (await table.legal())[0]
    after = (await asking.data(TRY, id=table.id, moves=[one]))["match"]["preview"]
    two = after["legalNotations"][0]
    found = (await asking.data(document, id=table.id, one=[one], two=[two], both=[one, two]))["match"]
    assert found["preview"]["preview"] == found["both"]
    assert found["none"] == {"version": found["version"], "digest": found["digest"]}


async def test_at_chance_every_outcome_can_be_followed(asking: Asking) -> None:
    games_with_chance = 0
    for slug in SLUGS:
        table = await played(asking, slug, 8)
        version = await chance_version(table)
        if version is None:
            continue
        games_with_chance += 1
        document = """query ($id: ID!, $version: Int!, $first: Int!) {
            match(id: $id) { at(version: $version) {
                toMove isChance outcomes { notation odds { numerator denominator } }
                children(first: $first) { likelihood { numerator denominator } version isChance
                events { kind seat move } } } } }"""
        at = (await asking.data(document, id=table.id, version=version, first=PLENTY))["match"]["at"]
        assert at["isChance"]
        assert at["toMove"] is None
        assert sum(Fraction(**outcome["odds"]) for outcome in at["outcomes"]) == 1
        assert [child["likelihood"] for child in at["children"]] == [o["odds"] for o in at["outcomes"]]
        happened = (await table.get("/events", after=version, limit=1))["events"][0]["move"]
        one = f"""query ($id: ID!, $version: Int!, $move: String!) {{ match(id: $id) {{
            next: at(version: {version + 1}) {{ digest }}
            at(version: $version) {{ outcome(notation: $move) {{ digest }} }} }} }}"""
        found = (await asking.data(one, id=table.id, version=version, move=happened))["match"]
        assert found["at"]["outcome"]["digest"] == found["next"]["digest"]
    assert games_with_chance


@each_game
async def test_an_outcome_is_refused_where_none_is_due(asking: Asking, slug: str) -> None:
    table = await played(asking, slug)
    document = "query ($id: ID!, $move: String!) { match(id: $id) { outcome(notation: $move) { version } } }"
    move = (await table.legal())[0]
    assert await asking.codes(document, id=table.id, move=move) == ["invalid_query"]


async def test_a_preview_never_rolls(asking: Asking) -> None:
    """It stops at chance: what comes next is up to the client."""
    for slug in SLUGS:
        table = await played(asking, slug, 8)
        version = await chance_version(table)
        if version is None:
            continue
        before = (await table.get("/events", after=version - 1, limit=1))["events"][0]["move"]
        document = """query ($id: ID!, $version: Int!, $moves: [String!]!) { match(id: $id) {
            at(version: $version) { preview(moves: $moves) { isChance version toMove } } } }"""
        values = {"id": table.id, "version": version - 1}
        found = (await asking.data(document, moves=[before], **values))["match"]["at"]["preview"]
        assert found == {"isChance": True, "version": version, "toMove": None}
        legal = (await table.legal())[0]
        assert await asking.codes(document, moves=[before, legal], **values) == ["illegal_move"]


def leaves(told: dict[str, Any], version: int, depth: int) -> int:
    """The sequences of exactly `depth` events below a node, which was told to that depth.

    A forced move, which nobody chooses, is an event of its own.
    """
    found = 0
    for child in told["children"]:
        left = depth - (child["version"] - version)
        found += 1 if left <= 0 else leaves(child, child["version"], left)
    return found


def affordable(game: AnyGame, states: list[Any], depth: int) -> int:
    """The last version at which the tree has some depth, and not too many leaves."""
    for version in range(len(states) - 1, -1, -1):
        legal = len(game.legal(states[version]))
        if 1 < legal <= 12 and 1 < perft(game, states[version], depth) <= MOST_NODES:
            return version
    raise AssertionError("every tree is too large")


@each_game
async def test_counts_of_the_move_tree_are_those_of_the_engine(asking: Asking, slug: str) -> None:
    table = await played(asking, slug, 14)
    game, depth = GAMES[slug], 3
    states = [await asking.state(table.id, version) for version in range(table.version + 1)]
    version = affordable(game, states, depth)
    tree = "version"
    for _ in range(depth):
        tree = f"version children {{ {tree} }}"
    document = f"query ($id: ID!, $v: Int!) {{ match(id: $id) {{ at(version: $v) {{ {tree} }} }} }}"
    told = (await asking.data(document, id=table.id, v=version))["match"]["at"]
    assert leaves(told, version, depth) == perft(game, states[version], depth)


@each_game
async def test_children_beyond_what_was_foreseen_are_paid_for(asking: Asking, slug: str) -> None:
    table = await played(asking, slug, 14)
    game = GAMES[slug]
    counts = {
        version: len(game.legal(await asking.state(table.id, version)))
        for version in range(table.version + 1)
    }
    version = max(counts, key=lambda number: counts[number])
    document = """query ($id: ID!, $version: Int!) {
        match(id: $id) { at(version: $version) { children { version } } } }"""
    codes = await asking.codes(document, budget=0, id=table.id, version=version)
    assert codes == (["too_costly"] if counts[version] > 60 else [])


@each_game
async def test_a_position_at_chance_belongs_to_nobody(asking: Asking, slug: str) -> None:
    table = await played(asking, slug)
    game = GAMES[slug]
    document = """query ($id: ID!, $v: Int!) { match(id: $id) { at(version: $v) {
        toMove isChance state { __typename } decision { kind } } } }"""
    for version in range(table.version + 1):
        state = await asking.state(table.id, version)
        at = (await asking.data(document, id=table.id, v=version))["match"]["at"]
        assert at["isChance"] == (game.to_move(state) == CHANCE)
        assert at["decision"]["kind"] == state.decision.__struct_config__.tag
        assert at["state"]["__typename"].endswith("State")
