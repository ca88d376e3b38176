"""A match over GraphQL, against the same match over REST."""

from typing import Any

import pytest

from engine.registry import GAMES
from tests.graphql.asking import Asking, rest_shape
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio
each_game = pytest.mark.parametrize("slug", SLUGS)

SEATS = "seats { seat taken name nonce joinedAt player bot }"
CONTROL = "control { base increment delay perTurn grace onFlag }"
CLOCK = f"clock {{ {CONTROL} left running since deadline flagged }}"
MATCH = f"""
    id game status visibility version given creator join invited rematchOf tournament
    createdAt startedAt updatedAt endedAt ranks
    rules edition {{ name digest }} options commitment seed toMove {SEATS} {CLOCK}
    links {{ self events legalMoves moves standing picture board transcript }}
"""
EVENTS = """events(after: $after, first: $first) {
    version status next
    events {
        version kind seat move text cause at
        changes { code seat values { name value number } text }
        time { offered received applied spent left }
    }
}"""
STANDING = """standing {
    seat name label scores { name value } total ties { name value } rank retired
}"""


async def test_games_are_those_of_the_other_door(asking: Asking) -> None:
    fields = "slug title seats rules edition { name digest } editions { name digest } moveKinds"
    data = await asking.data(f"{{ games {{ {fields} options deal move state labels {{ name value }} }} }}")
    for game in rest_shape(data["games"]):
        assert game == (await asking.api.get(f"/games/{game['slug']}")).json()
    assert [game["slug"] for game in data["games"]] == list(GAMES)


async def test_an_unknown_game_is_null_with_the_code_of_the_other_door(asking: Asking) -> None:
    assert (await asking.ask('{ game(slug: "chess") { slug } }')).data == {"game": None}
    assert await asking.codes('{ game(slug: "chess") { slug } }') == ["unknown_game"]


@each_game
async def test_a_match_is_that_of_the_other_door(asking: Asking, slug: str) -> None:
    clock = {"base": 90 * 86_400_000, "increment": 1_000}
    table = await Table.started(asking.api, slug, 2, clock=clock)
    for moves in (0, 3):
        await table.play_any(moves)
        data = await asking.data(f"query ($id: ID!) {{ match(id: $id) {{ {MATCH} }} }}", id=table.id)
        rest = await table.get()
        del rest["state"]
        assert data["match"] == rest


@each_game
async def test_an_open_match_has_no_position_yet(asking: Asking, slug: str) -> None:
    table = await Table.opened(asking.api, slug, 2)
    position = f"""toMove isChance legalNotations legalMoves {{ notation }} odds {{ numerator }}
        picture board digest outcomes {{ notation }} state {{ __typename }} decision {{ kind }}
        {STANDING} transcript children {{ version }} preview(moves: []) {{ version }}
        whyNot(move: "end") {{ legal }}"""
    data = await asking.data(f"query ($id: ID!) {{ match(id: $id) {{ {position} }} }}", id=table.id)
    found = data["match"]
    assert found.pop("isChance") is False
    for name in ("legalNotations", "legalMoves", "odds", "outcomes", "children"):
        assert found.pop(name) == [], name
    assert set(found.values()) == {None}
    assert await asking.codes(
        "query ($id: ID!) { match(id: $id) { at(version: 0) { version } } }", id=table.id
    ) == ["match_not_started"]


async def test_a_match_that_is_not_there(asking: Asking) -> None:
    for wrong in ("nosuchmatch", "no such id!"):
        assert (await asking.ask("query ($id: ID!) { match(id: $id) { id } }", id=wrong)).data == {
            "match": None
        }
        assert await asking.codes("query ($id: ID!) { match(id: $id) { id } }", id=wrong) == ["no_such_match"]


@each_game
async def test_legal_moves_are_those_of_the_other_door(asking: Asking, slug: str) -> None:
    table = await Table.started(asking.api, slug, 2)
    await table.play_any(4)
    rest = await table.get("/legal-moves")
    data = await asking.data(
        "query ($id: ID!) { match(id: $id) { legalNotations legalMoves { notation text kind } } }",
        id=table.id,
    )
    assert data["match"]["legalNotations"] == [move["notation"] for move in rest["moves"]]
    assert data["match"]["legalMoves"] == [
        {"notation": move["notation"], "text": move["text"], "kind": move["move"]["kind"]}
        for move in rest["moves"]
    ]


@each_game
async def test_legal_moves_by_kind_by_thing_and_by_number(asking: Asking, slug: str) -> None:
    table = await Table.started(asking.api, slug, 2)
    await table.play_any(4)
    game, legal = GAMES[slug], await table.legal()
    state = await asking.state(table.id)
    document = """query ($id: ID!, $kinds: [String!], $touching: String, $first: Int) {
        match(id: $id) { legalMoves(kinds: $kinds, touching: $touching, first: $first) { notation } } }"""

    async def chosen(**how: Any) -> list[str]:
        data = await asking.data(document, id=table.id, **how)
        return [move["notation"] for move in data["match"]["legalMoves"]]

    kinds = {text: type(game.parse(text)).__struct_config__.tag for text in legal}
    for kind in set(kinds.values()):
        assert await chosen(kinds=[kind]) == [text for text in legal if kinds[text] == kind]
    touched = {text: game.touched(state, game.parse(text)) for text in legal}
    for thing in sorted({thing for things in touched.values() for thing in things})[:5]:
        assert await chosen(touching=thing) == [text for text in legal if thing in touched[text]] != []
        rest = (await table.get("/legal-moves", touching=thing))["moves"]
        assert [move["notation"] for move in rest] == await chosen(touching=thing)
    assert await chosen(touching="nothing") == []
    assert await chosen(first=2) == legal[:2]
    assert await chosen(first=0) == await chosen(kinds=[]) == []
    for wrong in ({"kinds": ["checkmate"]}, {"first": -1}):
        assert await asking.codes(document, id=table.id, **wrong) == ["invalid_query"]


@each_game
async def test_things_have_the_names_that_moves_touch(asking: Asking, slug: str) -> None:
    table = await Table.started(asking.api, slug, 2)
    await table.play_any(4)
    document = """query ($id: ID!, $kinds: [String!]) {
        match(id: $id) { things(kinds: $kinds) { __typename name kind } } }"""
    things = (await asking.data(document, id=table.id))["match"]["things"]
    expected = GAMES[slug].things(await asking.state(table.id))
    assert [thing["name"] for thing in things] == [thing.name for thing in expected]
    kind = things[-1]["kind"]
    some = (await asking.data(document, id=table.id, kinds=[kind]))["match"]["things"]
    assert some == [thing for thing in things if thing["kind"] == kind] != []


@each_game
async def test_events_standing_and_texts_are_those_of_the_other_door(asking: Asking, slug: str) -> None:
    table = await Table.started(asking.api, slug, 2)
    await table.play_any(5)
    data = await asking.data(
        f"query ($id: ID!, $after: Int!, $first: Int!) {{ match(id: $id)"
        f" {{ {EVENTS} {STANDING} picture board transcript }} }}",
        id=table.id,
        after=1,
        first=3,
    )
    found = rest_shape(data["match"])
    assert found["events"] == await table.get("/events", after=1, limit=3)
    assert found["standing"] == (await table.get("/standing"))["rows"]
    for name, accept in (("picture", "text/plain"), ("board", "image/svg+xml"), ("transcript", "text/plain")):
        answer = await asking.api.get(f"{table.path}/{name}", headers={"Accept": accept})
        assert found[name].rstrip("\n") == answer.text.rstrip("\n"), name


async def test_events_refuse_what_is_no_page(asking: Asking) -> None:
    table = await Table.started(asking.api, SLUGS[0], 2)
    document = """query ($id: ID!, $after: Int!, $first: Int!) {
        match(id: $id) { events(after: $after, first: $first) { next } } }"""
    for wrong in ({"after": -1, "first": 1}, {"after": 0, "first": 0}, {"after": 0, "first": 201}):
        assert await asking.codes(document, id=table.id, **wrong) == ["invalid_query"]


@each_game
async def test_past_versions_are_positions_too(asking: Asking, slug: str) -> None:
    table = await Table.started(asking.api, slug, 2)
    await table.play_any(5)
    document = """query ($id: ID!, $version: Int!) { match(id: $id) { at(version: $version) {
        version toMove isChance digest legalNotations odds { numerator denominator }
        outcomes { notation text odds { numerator denominator } move { kind } } } } }"""
    for version in range(table.version + 1):
        rest = await table.get("/legal-moves", version=version)
        at = (await asking.data(document, id=table.id, version=version))["match"]["at"]
        notations = [move["notation"] for move in rest["moves"]]
        assert at["version"] == version
        assert at["legalNotations"] == notations
        assert at["isChance"] == (rest["toMove"] == "chance")
        assert at["toMove"] == (None if at["isChance"] else rest["toMove"])
        weights = rest.get("odds", [])
        ratios = [odds["numerator"] / odds["denominator"] for odds in at["odds"]]
        assert ratios == [weight / sum(weights) for weight in weights]
        shown = [outcome["notation"] for outcome in at["outcomes"]]
        assert shown == (notations if at["isChance"] else [])
        assert [outcome["odds"] for outcome in at["outcomes"]] == at["odds"]
    assert (await asking.ask(document, id=table.id, version=table.version + 1)).data == {
        "match": {"at": None}
    }
    assert await asking.codes(document, id=table.id, version=table.version + 1) == ["unknown_version"]


@each_game
async def test_why_not_is_that_of_the_other_door(asking: Asking, slug: str) -> None:
    table = await Table.started(asking.api, slug, 2)
    await table.play_any(2)
    document = """query ($id: ID!, $move: String!) { match(id: $id) { whyNot(move: $move) {
        version move text legal closest reasons { rule code text values { name value number } } } } }"""
    legal = await table.legal()
    walked = [event["move"] for event in (await table.get("/events"))["events"]]
    for move in (legal[0], *walked):
        rest = await table.get("/why-not", move=move)
        del rest["toMove"]
        found = rest_shape((await asking.data(document, id=table.id, move=move))["match"]["whyNot"])
        assert found == rest
    assert (await asking.ask(document, id=table.id, move="nonsense")).data == {"match": {"whyNot": None}}
    assert await asking.codes(document, id=table.id, move="nonsense") == ["unparsable_move"]
