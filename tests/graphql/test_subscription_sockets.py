"""Operations and subscriptions on a WebSocket: what is told, how it is resumed, how a connection ends."""

import json
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from service.graphql.messages import End
from service.graphql.sockets import MOST_AT_ONCE
from tests.cli.running import serving
from tests.graphql.sockets import EVENTS, PROTOCOL, socket_to
from tests.service.accounts import registered
from tests.service.following import client_of
from tests.service.table import SLUGS, Table, bearer

pytestmark = pytest.mark.anyio
RECORD = """subscription ($id: ID!, $after: Int!) { tournamentEvents(id: $id, after: $after) {
    number entry } }"""
NEWS = """subscription ($after: String) { myEvents(after: $after) { __typename
    ... on InvitedMessage { id match } ... on YourTurnMessage { id match version legalMoves left }
    ... on MatchStartedMessage { id match seat } ... on MovedMessage { id match seat }
    ... on MatchOverMessage { id match seat status } ... on ReadyMessage { id } } }"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    directory = tmp_path_factory.mktemp("graphql")
    with serving(directory / "out", directory / "data", CANTIERE_GRAPHQL="on") as (running, address):
        yield address
        assert "Traceback" not in running.text(), running.text()


@pytest.fixture
async def api(url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(url) as client:
        yield client


@pytest.fixture
async def table(api: httpx.AsyncClient) -> Table:
    """A match that runs."""
    return await Table.started(api, SLUGS[0], 2)


async def test_every_event_comes_once_and_in_order_until_the_match_is_over(url: str, table: Table) -> None:
    await table.play_any(3)
    async with socket_to(url) as socket:
        await socket.begin()
        await socket.subscribe("all", EVENTS, id=table.id, after=0)
        told = [await socket.event("all") for _ in range(table.version)]
        known = table.version
        await table.play_any(2)
        told += [await socket.event("all") for _ in range(table.version - known)]
        assert (await table.post("resign", {}, table.tokens[0])).is_success
        recorded = (await table.get("/events"))["events"]
        told += [await socket.event("all") for _ in range(len(recorded) - len(told))]
        assert await socket.heard() == {"type": "complete", "id": "all"}
        assert told == [{name: event[name] for name in ("version", "move", "text")} for event in recorded]
        await socket.subscribe("rest", EVENTS, id=table.id, after=2)
        assert [await socket.event("rest") for _ in told[2:]] == told[2:]
        assert await socket.heard() == {"type": "complete", "id": "rest"}


async def test_the_record_of_a_tournament_is_told_by_number(url: str, api: httpx.AsyncClient) -> None:
    olga, ada, bea = [await registered(api, f"{name} of a cup") for name in ("Olga", "Ada", "Bea")]
    asked = {"name": "Cup", "game": SLUGS[0], "seats": 2, "format": {"format": "round_robin"}}
    made = await api.post("/tournaments", json=asked, headers=olga.headers)
    address = f"/tournaments/{made.json()['id']}"
    for player in (ada, bea):
        assert (await api.post(f"{address}/join", json={}, headers=player.headers)).is_success
    async with socket_to(url) as socket:
        await socket.begin()
        await socket.subscribe("all", RECORD, id=made.json()["id"], after=0)
        assert (await api.post(f"{address}/start", json={}, headers=olga.headers)).is_success
        assert (await api.post(f"{address}/leave", json={}, headers=ada.headers)).is_success
        told = [await socket.event("all")]
        assert (await api.post(f"{address}/cancel", json={}, headers=olga.headers)).is_success
        while (message := await socket.heard())["type"] == "next":
            told.append(message["payload"]["data"]["tournamentEvents"])
        assert message == {"type": "complete", "id": "all"}
        assert told == (await api.get(f"{address}/events")).json()["entries"]
        await socket.subscribe("rest", RECORD, id=made.json()["id"], after=1)
        assert [await socket.event("rest") for _ in told[1:]] == told[1:]
        assert await socket.heard() == {"type": "complete", "id": "rest"}
        await socket.subscribe("none", RECORD, id="aaaa", after=0)
        refused = await socket.heard()
        assert refused["payload"][0]["extensions"]["code"] == "no_such_tournament"


async def test_one_subscription_is_given_up_and_the_other_goes_on(url: str, table: Table) -> None:
    async with socket_to(url) as socket:
        await socket.begin()
        for name in ("one", "two"):
            await socket.subscribe(name, EVENTS, id=table.id, after=0)
        await table.play_any(1)
        heard = [await socket.heard() for _ in range(2 * table.version)]
        for name in ("one", "two"):
            told = [message["payload"]["data"]["matchEvents"] for message in heard if message["id"] == name]
            assert [event["version"] for event in told] == list(range(1, table.version + 1))
        await socket.say("complete", id="one")
        await socket.say("ping")
        assert await socket.heard() == {"type": "pong"}
        known = table.version
        await table.play_any(2)
        for version in range(known + 1, table.version + 1):
            assert (await socket.event("two"))["version"] == version
        await socket.subscribe("one", EVENTS, id=table.id, after=table.version - 1)
        assert (await socket.event("one"))["version"] == table.version


async def test_queries_and_changes_are_answered_on_it_too(url: str, table: Table) -> None:
    async with socket_to(url) as socket:
        await socket.begin(token=table.tokens[table.to_move])
        await socket.subscribe("ask", "query ($id: ID!) { match(id: $id) { legalNotations } }", id=table.id)
        legal = (await socket.event("ask"))["legalNotations"]
        assert (await socket.heard())["type"] == "complete"
        play = """mutation ($id: ID!, $moves: [String!]!) { play(matchId: $id, version: 0, moves: $moves) {
            ... on Played { version } ... on Problem { code } } }"""
        await socket.subscribe("play", play, id=table.id, moves=legal[:1])
        assert (await socket.event("play"))["version"] >= 1
        assert (await socket.heard())["type"] == "complete"
    assert (await table.get())["version"] >= 1


async def test_what_is_wrong_with_an_operation_is_told_and_the_connection_stays(
    url: str, table: Table
) -> None:
    async with socket_to(url) as socket:
        await socket.begin()
        for query, variables, code in (
            ("{ nothing }", {}, "invalid_document"),
            ("{", {}, "malformed_document"),
            (EVENTS, {"id": table.id}, "invalid_variables"),
            (EVENTS, {"id": "aaaa", "after": 0}, "no_such_match"),
            (EVENTS, {"id": table.id, "after": 99}, "unknown_version"),
            (EVENTS, {"id": table.id, "after": -1}, "invalid_query"),
            (NEWS, {}, "token_required"),
        ):
            await socket.subscribe("wrong", query, **variables)
            message = await socket.heard()
            assert (message["type"], message["id"]) == ("error", "wrong"), message
            assert message["payload"][0]["extensions"]["code"] == code, message
        await socket.subscribe("right", "{ __typename }")
        assert (await socket.heard())["payload"] == {"data": {"__typename": "Query"}}


@pytest.mark.parametrize(
    ("said", "end"),
    [
        (['{"type": "subscribe", "id": "1", "payload": {"query": "{ __typename }"}}'], End.UNAUTHORIZED),
        (['{"type": "connection_init"}'] * 2, End.INIT_AGAIN),
        (['{"type": "hello"}'], End.MALFORMED),
        (["no JSON"], End.MALFORMED),
        ([b"\x80"], End.MALFORMED),
        (['{"type": "connection_init"}', '{"type": "subscribe", "id": "1"}'], End.MALFORMED),
        (['{"type": "connection_init", "payload": {"token": "pat_nobody"}}'], End.FORBIDDEN),
        (['{"type": "connection_init", "payload": {"authorization": 7}}'], End.FORBIDDEN),
        (['{"type": "ping", "payload": {"x": "' + "y" * 70_000 + '"}}'], End.TOO_BIG),
        ([], End.INIT_TIMEOUT),
    ],
    ids=str,
)
async def test_a_connection_that_breaks_the_protocol_is_ended(
    url: str, said: list[str | bytes], end: End
) -> None:
    async with socket_to(url) as socket:
        for message in said:
            await socket.connection.send(message)
        code, reason = await socket.ended()
        assert (code, bool(reason)) == (end, True)


async def test_a_document_may_be_as_long_as_by_http(url: str) -> None:
    async with socket_to(url) as socket:
        await socket.begin()
        await socket.subscribe("long", "{ __typename }" + "#" * 60_000)
        assert await socket.event("long") == "Query"


async def test_the_first_message_may_say_what_is_spoken(url: str, table: Table) -> None:
    await table.play_any(1)
    texts: list[str] = []
    for said in ({}, {"lang": "es"}, {"lang": "xx, pt;q=0.5"}, {"lang": 5}):
        async with socket_to(url, **{"Accept-Language": "en"}) as socket:
            await socket.begin(**said)
            await socket.subscribe("1", EVENTS, id=table.id, after=0)
            texts.append((await socket.event("1"))["text"])
            await socket.subscribe("2", EVENTS, id="aaaa", after=0)
            while (message := await socket.heard())["type"] != "error":
                pass
            texts.append(message["payload"][0]["message"])
    assert len(set(texts)) == 6
    assert texts[:2] == texts[6:]


async def test_a_subscription_may_say_what_is_spoken(url: str, table: Table) -> None:
    await table.play_any(1)
    query = "subscription ($id: ID!, $lang: String) { matchEvents(id: $id, lang: $lang) { text } }"
    texts: list[str] = []
    async with socket_to(url, **{"Accept-Language": "en"}) as socket:
        await socket.begin()
        for name, said in {"1": {}, "2": {"lang": "pt"}, "3": {"lang": "es"}}.items():
            await socket.subscribe(name, query, id=table.id, **said)
            texts.append((await socket.event(name))["text"])
            await socket.say("complete", id=name)
    assert len(set(texts)) == 3


async def test_two_operations_of_one_name_end_the_connection(url: str, table: Table) -> None:
    async with socket_to(url) as socket:
        await socket.begin()
        for _ in range(2):
            await socket.subscribe("same", EVENTS, id=table.id, after=0)
        assert (await socket.ended())[0] == End.TWICE


async def test_an_end_has_as_many_words_as_there_is_room_for(url: str) -> None:
    async with socket_to(url) as socket:
        await socket.connection.send(json.dumps({"type": "\U0001f3f0" * 90}, ensure_ascii=False))
        code, reason = await socket.ended()
    assert code == End.MALFORMED
    assert reason.startswith("Invalid message: ")
    assert 110 < len(reason.encode()) <= 123


async def test_only_the_protocol_is_spoken(url: str) -> None:
    async with socket_to(url, "graphql-ws") as socket:
        assert (await socket.ended())[0] == End.SUBPROTOCOL


async def test_a_connection_has_so_many_operations_at_once(url: str, table: Table) -> None:
    async with socket_to(url) as socket:
        await socket.begin()
        for number in range(MOST_AT_ONCE + 1):
            await socket.subscribe(f"n{number}", EVENTS, id=table.id, after=0)
        message = await socket.heard()
        assert (message["type"], message["id"]) == ("error", f"n{MOST_AT_ONCE}")
        assert message["payload"][0]["extensions"]["code"] == "too_many_streams"


async def test_a_player_follows_what_concerns_it(url: str, api: httpx.AsyncClient) -> None:
    ada = await registered(api, f"Ada {url[-5:]}")
    table = await Table.opened(api, SLUGS[0], 2)
    async with socket_to(url, PROTOCOL, Authorization=f"Bearer {ada.token}") as socket:
        await socket.begin()
        await socket.subscribe("mine", NEWS)
        ready = await socket.event("mine")
        assert ready["__typename"] == "ReadyMessage"
        joined = await api.post(f"{table.path}/join", json={"seat": 0}, headers=ada.headers)
        assert joined.is_success
        await table.join()
        started = await socket.event("mine")
        assert (started["__typename"], started["match"], started["seat"]) == (
            "MatchStartedMessage",
            table.id,
            0,
        )
        await table.post("resign", {}, table.tokens[1])
        told = [await socket.event("mine")]
        while told[-1]["__typename"] != "MatchOverMessage":
            told.append(await socket.event("mine"))
        assert told[-1]["status"] == "finished"
    async with socket_to(url) as again:
        await again.begin(authorization=f"Bearer {ada.token}")
        await again.subscribe("rest", NEWS, after=started["id"])
        kept = [message for message in told if message["__typename"] != "YourTurnMessage"]
        assert [await again.event("rest") for _ in kept] == kept  # nobody is to move any more
        grant = (await api.get("/me", headers=ada.headers)).json()["token"]["id"]
        assert (await api.delete(f"/me/tokens/{grant}", headers=ada.headers)).is_success
        message = await again.heard()
        assert (message["type"], message["payload"][0]["extensions"]["code"]) == ("error", "unknown_token")


async def test_whoever_is_gone_costs_nothing(url: str, table: Table) -> None:
    async def open_streams() -> float:
        async with httpx.AsyncClient(trust_env=False) as client:
            text = (await client.get(f"{url}/metrics")).text
        (line,) = [line for line in text.splitlines() if line.startswith("cantiere_streams_open")]
        return float(line.rpartition(" ")[2])

    before = await open_streams()
    async with socket_to(url) as socket:
        await socket.begin()
        await socket.subscribe("one", EVENTS, id=table.id, after=0)
        await table.play_any(1)
        await socket.event("one")
        assert await open_streams() == before + 2
        socket.connection.transport.abort()
    while await open_streams() > before:
        await table.get()


async def test_headers_of_the_match_tokens_are_taken_too(url: str, table: Table) -> None:
    async with socket_to(url, PROTOCOL, **bearer(table.tokens[0])) as socket:
        await socket.begin()
        resign = "mutation ($id: ID!) { resign(matchId: $id) { ... on Played { status } } }"
        await socket.subscribe("leave", resign, id=table.id)
        assert await socket.event("leave") == {"status": "finished"}
