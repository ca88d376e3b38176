"""A match is opened, joined, started, cancelled, aborted, resigned, finished."""

import asyncio
from typing import Any

import httpx
import msgspec
import pytest

from engine.chance import commitment
from engine.registry import GAMES
from service.matches import free_seat, vacate
from service.store.record import SeatRecord
from tests.service.checked import to_camel
from tests.service.table import SLUGS, Table, bearer
from tests.store.records import a_record

pytestmark = pytest.mark.anyio

GAME = SLUGS[0]
TABLES = [
    pytest.param(slug, seats, id=f"{slug}-{seats}") for slug, game in GAMES.items() for seats in game.seats
]


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize(("slug", "seats"), TABLES)
async def test_the_last_join_deals_and_starts(api: httpx.AsyncClient, slug: str, seats: int) -> None:
    table = await Table.opened(api, slug, seats)
    assert await table.get() | {"status": "open", "state": None, "toMove": None, "startedAt": None} == (
        await table.get()
    )
    for seat in range(seats):
        assert table.status == "open"
        joined = await table.join(name=f"Player {seat}", nonce=f"nonce{seat}")
        assert joined["seat"] == seat
    match = await table.get()
    assert (match["status"], match["version"]) == ("running", 0)
    assert match["toMove"] in range(seats)
    assert match["state"]
    assert match["startedAt"]
    assert [(seat["name"], seat["nonce"], seat["taken"]) for seat in match["seats"]] == [
        (f"Player {seat}", f"nonce{seat}", True) for seat in range(seats)
    ]
    answer = await api.post(f"{table.path}/join", json={})
    assert code(answer) == (409, "match_started")


async def test_a_seat_may_be_chosen_once(api: httpx.AsyncClient) -> None:
    table = await Table.opened(api, GAME, 3)
    assert (await table.join(seat=2))["seat"] == 2
    assert code(await api.post(f"{table.path}/join", json={"seat": 2})) == (409, "seat_taken")
    assert (await table.join())["seat"] == 0
    assert (await table.join())["seat"] == 1


async def test_all_who_join_at_once_get_a_seat_of_their_own(api: httpx.AsyncClient) -> None:
    seats = max(GAMES[GAME].seats)
    table = await Table.opened(api, GAME, seats)
    answers = await asyncio.gather(*(api.post(f"{table.path}/join", json={}) for _ in range(seats + 3)))
    joined = [answer.json() for answer in answers if answer.is_success]
    assert sorted(answer["seat"] for answer in joined) == list(range(seats))
    assert len({answer["token"] for answer in joined}) == seats
    assert [code(answer) for answer in answers if answer.is_error] == [(409, "match_started")] * 3
    assert (await table.get())["status"] == "running"


async def test_a_kicked_seat_is_free_and_its_token_dead(api: httpx.AsyncClient) -> None:
    table = await Table.opened(api, GAME, 2)
    await table.join(name="Ada")
    old = table.tokens[0]
    kicked = await table.post("kick", {"seat": 0}, table.host)
    assert kicked.json()["seats"][0] == {
        "seat": 0,
        "taken": False,
        "name": None,
        "nonce": "",
        "joinedAt": None,
        "player": None,
        "bot": None,
    }
    assert code(await table.post("kick", {"seat": 0}, table.host)) == (409, "seat_free")
    assert code(await table.post("kick", {"seat": 7}, table.host)) == (404, "unknown_seat")
    await table.join()
    assert table.tokens[0] != old
    await table.join()
    assert code(await table.post("resign", {}, old)) == (401, "unknown_token")
    assert code(await table.post("kick", {"seat": 0}, table.host)) == (409, "match_started")


async def test_who_has_a_seat_gives_it_back_before_the_start(api: httpx.AsyncClient) -> None:
    table = await Table.opened(api, GAME, 2)
    await table.join(name="Ada")
    old = table.tokens[0]
    assert code(await table.post("leave", {}, table.host)) == (403, "wrong_token")
    assert code(await table.post("leave", {}, "nobody")) == (401, "unknown_token")
    key = {"Idempotency-Key": "once"}
    assert code(await table.post("leave", {}, "nobody", **key)) == (401, "unknown_token")
    left = [await table.post("leave", {}, old, **key) for _ in range(2)]
    assert (left[0].json()["status"], left[0].json()["seats"][0]["taken"]) == ("open", False)
    assert left[0].content == left[1].content
    assert code(await table.post("leave", {}, old)) == (401, "unknown_token")
    for _ in range(2):
        await table.join()
    assert table.status == "running"
    assert code(await table.post("leave", {}, table.tokens[0])) == (409, "match_started")
    await table.post("resign", {}, table.tokens[0])
    assert code(await table.post("leave", {}, table.tokens[0])) == (409, "match_over")


async def test_an_open_match_can_be_cancelled(api: httpx.AsyncClient) -> None:
    table = await Table.opened(api, GAME, 2)
    await table.join()
    cancelled = (await table.post("cancel", {}, table.host)).json()
    assert cancelled["status"] == "cancelled"
    assert cancelled["endedAt"]
    assert commitment(bytes.fromhex(cancelled["seed"])) == cancelled["commitment"]
    for part, body, token in (
        ("join", {}, None),
        ("cancel", {}, table.host),
        ("kick", {"seat": 0}, table.host),
        ("resign", {}, table.tokens[0]),
        ("moves", {"version": 0, "moves": ["end"]}, table.tokens[0]),
    ):
        headers = bearer(token) if token else {}
        assert code(await api.post(f"{table.path}/{part}", json=body, headers=headers)) in (
            (409, "match_over"),
            (400, "unparsable_move"),
        )
    assert await table.get() == cancelled


async def test_a_running_match_can_be_aborted_in_its_first_turn_only(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, GAME, 2)
    first = table.to_move
    await table.play_any()
    aborted = (await table.post("cancel", {}, table.host)).json()
    assert (aborted["status"], aborted["ranks"], aborted["toMove"]) == ("aborted", None, None)
    table = await Table.started(api, GAME, 2)
    while table.to_move == first:
        await table.play_any()
    assert code(await table.post("cancel", {}, table.host)) == (409, "match_started")


async def test_nothing_is_played_before_the_start(api: httpx.AsyncClient) -> None:
    table = await Table.opened(api, GAME, 2)
    await table.join()
    started = await Table.started(api, GAME, 2)
    body = {"version": 0, "moves": (await started.legal())[:1]}
    assert code(await table.post("moves", body, table.tokens[0])) == (409, "match_not_started")
    assert code(await table.post("resign", {}, table.tokens[0])) == (409, "match_not_started")
    for part in ("legal-moves", "versions/0", "standing", "picture", "board", "transcript"):
        assert code(await api.get(f"{table.path}/{part}")) == (409, "match_not_started")
    assert await table.get("/events") == {"version": 0, "status": "open", "events": [], "next": None}


@pytest.mark.parametrize(("slug", "seats"), TABLES)
async def test_who_resigns_ranks_last(api: httpx.AsyncClient, slug: str, seats: int) -> None:
    table = await Table.started(api, slug, seats)
    await table.play_any(3)
    for number in range(max(1, seats - 1)):
        answer = await table.post("resign", {}, table.tokens[number])
        played = answer.json()
        event = played["events"][0]
        assert (event["kind"], event["move"], event["cause"]) == ("retire", f"retire:{number}", "resigned")
        assert event["text"] == f"Seat {number} resigned."
        again = await table.post("resign", {}, table.tokens[number])
        assert code(again) in ((409, "seat_retired"), (409, "match_over"))
    match = await table.get()
    assert match["status"] == "finished"
    rows = (await table.get("/standing"))["rows"]
    assert match["ranks"] == [row["rank"] for row in rows]
    if seats > 1:
        assert rows[seats - 1]["rank"] == 1
        assert not rows[seats - 1]["retired"]
    assert all(row["rank"] > 1 for row in rows if row["retired"])


async def test_options_are_camel_case_and_their_values_are_the_game_s(api: httpx.AsyncClient) -> None:
    for slug, game in GAMES.items():
        schema = (await api.get(f"/games/{slug}")).json()["options"]
        properties = schema["$defs"][schema["$ref"].rpartition("/")[2]]["properties"]
        defaults = {name: field["default"] for name, field in properties.items()}
        table = await Table.opened(api, slug, 2)
        assert (await table.get())["options"] == defaults
        table = await Table.opened(api, slug, 2, options=defaults)
        assert (await table.get())["options"] == defaults
        for name in properties:
            assert "_" not in name
        for name in game.options_type.__struct_fields__:
            if "_" in name:
                answer = await api.post("/matches", json={"game": slug, "seats": 2, "options": {name: None}})
                assert code(answer) == (422, "bad_setup")
                assert answer.json()["where"] == "options"


@pytest.mark.parametrize("slug", SLUGS)
async def test_an_option_that_does_not_fit_is_named(api: httpx.AsyncClient, slug: str) -> None:
    names = GAMES[slug].options_type.__struct_fields__
    for name in names:
        spelled = to_camel(name)
        answer = await api.post("/matches", json={"game": slug, "seats": 2, "options": {spelled: {"x": 1}}})
        assert code(answer) == (422, "bad_setup")
        assert answer.json()["where"] == f"options.{spelled}"
        assert "`$" not in answer.json()["detail"]
    table = await Table.started(api, slug, 2)
    deal = (await table.get("/transcript"))["deal"]
    answer = await api.post("/matches", json={"game": slug, "deal": deal | {"seats": "two"}})
    assert answer.json()["where"] == "deal.seats"


async def test_a_given_seed_or_deal_is_told_to_everybody(api: httpx.AsyncClient) -> None:
    seed = "ab" * 32
    table = await Table.started(api, GAME, 2, seed=seed)
    match = await table.get()
    assert (match["given"], match["seed"]) == (["seed"], None)
    assert match["commitment"] == commitment(bytes.fromhex(seed))
    deal = (await table.get("/transcript"))["deal"]
    again = await Table.started(api, GAME, 2, deal=deal)
    assert (await again.get())["given"] == ["deal"]
    assert (await again.get())["state"] == match["state"]
    assert (await again.get("/transcript"))["deal"] == deal
    body: dict[str, Any] = {"game": GAME, "deal": deal}
    assert len((await api.post("/matches", json=body)).json()["match"]["seats"]) == 2
    assert code(await api.post("/matches", json=body | {"seats": 3})) == (422, "bad_setup")
    other = next(iter((await table.get())["options"]))
    assert code(await api.post("/matches", json=body | {"options": {other: None}})) == (422, "bad_setup")
    broken = {name: value for name, value in deal.items() if name != "seats"}
    assert code(await api.post("/matches", json={"game": GAME, "deal": broken})) == (422, "bad_setup")


async def test_the_same_seed_gives_another_match_other_luck(api: httpx.AsyncClient) -> None:
    deals = []
    for _ in range(3):
        table = await Table.started(api, GAME, 2, seed="cd" * 32)
        deals.append(msgspec.json.encode((await table.get("/transcript"))["deal"]))
    assert len(set(deals)) == 3


async def test_visibility(api: httpx.AsyncClient) -> None:
    shown = await Table.opened(api, GAME, 2)
    hidden = await Table.opened(api, GAME, 2, visibility="unlisted")
    assert [match["id"] for match in (await api.get("/matches")).json()["matches"]] == [shown.id]
    assert (await hidden.get())["visibility"] == "unlisted"
    assert len({shown.id, hidden.id}) == 2
    assert all(len(table.id) == 24 and table.id.isalnum() for table in (shown, hidden))


def test_the_seat_that_is_given_back_in_a_tournament_is_kept_for_its_player() -> None:
    seat = SeatRecord("Ada", b"h" * 32, "", 1, player="ada")
    record = a_record(seats=(seat, SeatRecord(held_for="bea")), invited=("ada", "bea"), tournament="cup")
    left = vacate(record, 0, "ada", 2).record
    assert (left.seats, left.invited) == ((SeatRecord(held_for="ada"), record.seats[1]), record.invited)
    assert free_seat(left, None, "ada") == 0
    assert free_seat(left, None, "bea") == 1
