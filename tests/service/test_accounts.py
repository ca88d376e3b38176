"""Players register, and hold API tokens with scopes and an expiry."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from litestar import Litestar
from redis import Redis

from service.app import create_app
from service.settings import Settings
from tests.service.accounts import Account, registered, token_with
from tests.service.checked import API, BASE, in_process
from tests.service.table import SLUGS, Table, bearer, fresh_key

pytestmark = pytest.mark.anyio
DAY = 86_400_000


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@asynccontextmanager
async def another(settings: Settings, **changed: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A client of another worker on the same store, with other settings."""
    app = create_app(msgspec.structs.replace(settings, **changed))
    async with (
        app.lifespan(),
        httpx.AsyncClient(transport=in_process(app), base_url=BASE + API) as client,
    ):
        yield client


async def test_a_player_registers_and_is_known_by_the_token(api: httpx.AsyncClient) -> None:
    answer = await api.post("/players", json={"name": "Ada", "kind": "bot"})
    assert answer.status_code == 201
    player, token = answer.json()["player"], answer.json()["token"]
    assert token.startswith(f"pat_{player['id']}_")
    assert (player["name"], player["kind"]) == ("Ada", "bot")
    assert (await api.get(f"/players/{player['id']}")).json() == player
    me = (await api.get("/me", headers=bearer(token))).json()
    assert me["player"] == player
    assert me["token"]["scopes"] == ["read", "play", "create", "account"]
    assert me["token"]["expiresAt"] is None
    assert me["token"]["lastUsedAt"] is not None


@pytest.mark.parametrize("name", ["Ada", "ADA", "aDa", "Ａｄａ"])
async def test_a_name_is_of_one_player(api: httpx.AsyncClient, name: str) -> None:
    await registered(api, "Ada")
    assert code(await api.post("/players", json={"name": name})) == (409, "name_taken")
    await registered(api, "Ada L.")


async def test_of_all_who_want_a_name_at_once_one_gets_it(api: httpx.AsyncClient) -> None:
    answers = await asyncio.gather(*(api.post("/players", json={"name": "Ada"}) for _ in range(12)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 11


async def test_a_name_whose_registration_broke_off_is_free_after_a_minute(
    api: httpx.AsyncClient, app: Litestar
) -> None:
    store = app.state.desk.store
    from service.accounts import keys  # noqa: PLC0415 - one test looks inside

    now = store.clock()
    await store.link.call("SET", keys.name("Ada"), f"{'a' * 16} {now - 30_000}")
    assert code(await api.post("/players", json={"name": "Ada"})) == (409, "name_taken")
    await store.link.call("SET", keys.name("Ada"), f"{'a' * 16} {now - 61_000}")
    await registered(api, "Ada")
    assert code(await api.post("/players", json={"name": "Ada"})) == (409, "name_taken")


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"name": ""},
        {"name": " Ada"},
        {"name": "a" * 41},
        {"name": "A", "kind": "cat"},
        {"name": "A", "x": 1},
    ],
)
async def test_what_is_no_player_is_refused(api: httpx.AsyncClient, asked: dict[str, Any]) -> None:
    assert code(await api.post("/players", json=asked)) == (400, "invalid_body")


@pytest.mark.parametrize("player_id", ["a" * 16, "x", "..", "a" * 65, "%00"])
async def test_there_is_no_other_player(api: httpx.AsyncClient, player_id: str) -> None:
    answer = await api.get(f"/players/{player_id}")
    assert answer.status_code == 404


async def test_registration_may_be_off(fresh_settings: Settings) -> None:
    async with another(fresh_settings, registration="off") as api:
        assert code(await api.post("/players", json={"name": "Ada"})) == (403, "registration_closed")


async def test_an_invite_is_good_for_one_player(fresh_settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "invites"
    file.write_text("from-the-file\n")
    changed = {"registration": "invite", "invites": "one, two", "invites_file": str(file)}
    async with another(fresh_settings, **changed) as api:
        assert code(await api.post("/players", json={"name": "Ada"})) == (403, "invite_refused")
        for invite in ("", "three", "one,", "one, two"):
            asked = {"name": "Ada", "invite": invite}
            assert code(await api.post("/players", json=asked)) == (403, "invite_refused")
        ada = await registered(api, "Ada", invite="one")
        assert code(await api.post("/players", json={"name": "Bea", "invite": "one"})) == (
            403,
            "invite_refused",
        )
        await registered(api, "Bea", invite="two")
        await registered(api, "Cid", invite="from-the-file")
        assert code(await api.post("/players", json={"name": "Dan", "invite": "later"})) == (
            403,
            "invite_refused",
        )
        file.write_text("later\n")
        await registered(api, "Dan", invite="later")
        assert (await api.get("/me", headers=ada.headers)).status_code == 200


async def test_a_repeated_registration_is_the_same(api: httpx.AsyncClient) -> None:
    key = {"Idempotency-Key": fresh_key()}
    answers = await asyncio.gather(
        *(api.post("/players", json={"name": "Ada"}, headers=key) for _ in range(6))
    )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    packed = {**key, "Accept": "application/vnd.msgpack"}
    assert (await api.post("/players", json={"name": "Ada"}, headers=packed)).content == answers[0].content
    assert code(await api.post("/players", json={"name": "Bea"}, headers=key)) == (422, "key_reused")
    assert code(await api.post("/players", json={"name": "Cid"}, headers={"Idempotency-Key": "1"})) == (
        400,
        "invalid_header",
    )


async def test_a_key_takes_one_name(api: httpx.AsyncClient, fresh_settings: Settings) -> None:
    key, names = {"Idempotency-Key": fresh_key()}, ("Ada", "Bea", "Cid", "Dan")
    async with another(fresh_settings, idempotency_ttl=1) as other:
        answers = await asyncio.gather(
            *(other.post("/players", json={"name": name}, headers=key) for name in names)
        )
        (taken,) = [name for name, answer in zip(names, answers, strict=True) if answer.status_code == 201]
        await asyncio.sleep(1.1)
        late = await other.post("/players", json={"name": "Eve"}, headers=key)
    assert code(late) == (422, "key_reused")
    for name in {*names, "Eve"}.difference((taken,)):
        await registered(api, name)
    assert code(await api.post("/players", json={"name": taken})) == (409, "name_taken")


async def test_a_final_refusal_is_repeated(api: httpx.AsyncClient) -> None:
    await registered(api, "Ada")
    key = {"Idempotency-Key": fresh_key()}
    first, second = [await api.post("/players", json={"name": "ada"}, headers=key) for _ in range(2)]
    assert code(first) == (409, "name_taken")
    assert first.content == second.content


async def test_tokens_are_made_listed_and_revoked(api: httpx.AsyncClient, app: Litestar) -> None:
    ada = await registered(api, "Ada")
    asked = {"label": "laptop", "scopes": ["play", "read"], "expiresInDays": 7}
    key = {"Idempotency-Key": "1"}
    answers = [await api.post("/me/tokens", json=asked, headers=ada.headers | key) for _ in range(2)]
    assert answers[0].content == answers[1].content
    made = answers[0].json()
    assert made["description"]["scopes"] == ["read", "play"]
    laptop = Account(ada.id, "Ada", made["token"])
    assert (await api.get("/me", headers=laptop.headers)).json()["token"]["label"] == "laptop"
    tokens = (await api.get("/me/tokens", headers=ada.headers)).json()["tokens"]
    assert [token["label"] for token in tokens] == ["first", "laptop"]
    assert all(token["lastUsedAt"] for token in tokens)
    path = f"/me/tokens/{made['description']['id']}"
    left = await api.delete(path, headers=ada.headers)
    assert [token["label"] for token in left.json()["tokens"]] == ["first"]
    assert len((await app.state.desk.store.players.load(ada.id)).used) == 1
    assert code(await api.get("/me", headers=laptop.headers)) == (401, "unknown_token")
    assert code(await api.delete(path, headers=ada.headers)) == (404, "no_such_token")


async def test_a_token_does_what_its_scopes_say(api: httpx.AsyncClient) -> None:
    ada = await registered(api, "Ada")
    reader = await token_with(api, ada, "read")
    assert (await api.get("/me", headers=reader.headers)).status_code == 200
    for answer in (
        await api.get("/me/tokens", headers=reader.headers),
        await api.post("/me/tokens", json={"label": "x", "scopes": ["read"]}, headers=reader.headers),
        await api.delete("/me/tokens/x", headers=reader.headers),
    ):
        assert code(answer) == (403, "missing_scope")
    keeper = await token_with(api, ada, "account")
    assert code(await api.get("/me", headers=keeper.headers)) == (403, "missing_scope")
    more = await api.post("/me/tokens", json={"label": "x", "scopes": ["play"]}, headers=keeper.headers)
    assert code(more) == (403, "missing_scope")


async def test_a_token_expires(api: httpx.AsyncClient, app: Litestar) -> None:
    ada = await token_with(api, await registered(api, "Ada"), "read", expiresInDays=2)
    assert (await api.get("/me", headers=ada.headers)).status_code == 200
    store = app.state.desk.store
    now = store.clock()
    store.clock = lambda: now + DAY
    assert (await api.get("/me", headers=ada.headers)).status_code == 200
    store.clock = lambda: now + 2 * DAY + 10_000
    assert code(await api.get("/me", headers=ada.headers)) == (401, "token_expired")


async def test_a_player_has_so_many_tokens(api: httpx.AsyncClient) -> None:
    ada = await registered(api, "Ada")
    for _ in range(49):
        await token_with(api, ada, "read")
    answer = await api.post("/me/tokens", json={"label": "x", "scopes": ["read"]}, headers=ada.headers)
    assert code(answer) == (409, "too_many_tokens")


async def test_what_is_no_api_token_is_refused(api: httpx.AsyncClient) -> None:
    ada = await registered(api, "Ada")
    table = await Table.opened(api, SLUGS[0], 2)
    assert code(await api.get("/me")) == (401, "token_required")
    assert code(await api.get("/me", headers=bearer(table.host))) == (403, "wrong_token")
    changed = ada.token[:-1] + ("A" if ada.token[-1] != "A" else "B")
    other = await registered(api, "Bea")
    for token in ("pat_", "pat_x_y", changed, ada.token.replace(ada.id, other.id), ada.token.upper()):
        answer = await api.get("/me", headers=bearer(token))
        assert answer.status_code in (401, 403), token


async def test_no_api_token_is_stored(api: httpx.AsyncClient, fresh_settings: Settings) -> None:
    key = {"Idempotency-Key": fresh_key()}
    answer = await api.post("/players", json={"name": "Ada"}, headers=key)
    token = answer.json()["token"]
    more = await api.post("/me/tokens", json={"label": "x", "scopes": ["read"]}, headers=bearer(token) | key)
    secrets = [text.rpartition("_")[2].encode()[-20:] for text in (token, more.json()["token"])]
    with Redis.from_url(fresh_settings.redis_url) as redis:
        dumped = b"".join(redis.dump(name) or b"" for name in redis.scan_iter())
    assert b"Ada" in dumped
    assert not any(secret in dumped for secret in secrets)


async def test_all_who_change_a_player_at_once_are_heard(api: httpx.AsyncClient) -> None:
    ada = await registered(api, "Ada")
    await asyncio.gather(*(token_with(api, ada, "read") for _ in range(10)))
    tokens = (await api.get("/me/tokens", headers=ada.headers)).json()["tokens"]
    assert len({token["id"] for token in tokens}) == 11
