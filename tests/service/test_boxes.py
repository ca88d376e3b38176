"""Boxes of one's own: loaded beside the built-in ones, named when a match is made, kept by the match."""

import hashlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest
from litestar import Litestar

from engine.registry import GAMES
from engine.transcript import Transcript, replay
from service.app import create_app
from service.boxes import box_files
from service.catalogue import Catalogue
from service.settings import BadSettings, Settings
from tests.service.checked import API, BASE, in_process
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio


class Own(NamedTuple):
    """A box that somebody edited: the game it is for, and its file."""

    slug: str
    name: str
    path: Path

    @property
    def data(self) -> bytes:
        return self.path.read_bytes()

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @property
    def setting(self) -> str:
        return f"{self.slug}={self.path}"


def edited(slug: str, name: str, folder: Path) -> Own:
    """The built-in box under another name."""
    game = GAMES[slug]
    path = folder / f"{slug} of {name}, edited.toml"
    path.write_bytes(game.box.replace(game.edition.name.encode(), name.encode(), 1))
    return Own(slug, name, path)


@pytest.fixture(params=SLUGS)
def own(request: pytest.FixtureRequest, tmp_path: Path) -> Own:
    return edited(request.param, "mine", tmp_path)


@asynccontextmanager
async def serving(settings: Settings, boxes: str = "") -> AsyncIterator[tuple[httpx.AsyncClient, Litestar]]:
    """A service with these boxes on the store of the settings, and a client of it."""
    app = create_app(msgspec.structs.replace(settings, boxes=boxes))
    async with (
        app.lifespan(),
        httpx.AsyncClient(transport=in_process(app), base_url=BASE + API) as api,
    ):
        assert (await api.get("/health/ready")).is_success
        yield api, app


def named(answer: dict[str, Any]) -> str:
    return answer["edition"]["name"]


async def transcript_of(table: Table) -> Transcript:
    return msgspec.convert(await table.get("/transcript"), Transcript)


async def test_a_game_lists_its_boxes_that_of_new_matches_first(fresh_settings: Settings, own: Own) -> None:
    built_in = GAMES[own.slug].edition
    async with serving(fresh_settings, own.setting) as (api, _):
        shown = (await api.get(f"/games/{own.slug}")).json()
        assert shown["edition"] == {"name": "mine", "digest": own.digest}
        assert shown["editions"] == [shown["edition"], {"name": built_in.name, "digest": built_in.digest}]
        for other in (await api.get("/games")).json()["games"]:
            assert len(other["editions"]) == 1 + (other["slug"] == own.slug)


@pytest.mark.parametrize("by", ["name", "digest"])
async def test_the_data_of_a_box_is_handed_out(fresh_settings: Settings, own: Own, by: str) -> None:
    async with serving(fresh_settings, own.setting) as (api, _):
        answer = await api.get(f"/games/{own.slug}/editions/{getattr(own, by)}")
        assert answer.content == own.data
        answer = await api.get(f"/games/{own.slug}/editions/yours")
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_edition")


async def test_a_match_has_the_box_it_names_and_keeps_it(fresh_settings: Settings, own: Own) -> None:
    built_in = GAMES[own.slug]
    async with serving(fresh_settings, own.setting) as (api, app):
        plain = await Table.started(api, own.slug, 2)
        chosen = await Table.started(api, own.slug, 2, edition=built_in.edition.name)
        by_digest = await Table.started(api, own.slug, 2, edition=own.digest)
        for table, name in ((plain, "mine"), (chosen, built_in.edition.name), (by_digest, "mine")):
            await table.play_any(3)
            assert named(await table.get()) == name
            transcript = await transcript_of(table)
            assert transcript.edition.name == name
            bound = app.state.desk.catalogue.game(own.slug, name)
            assert len(list(replay(transcript, bound))) == table.version
        _, record, _ = await app.state.desk.store.load(plain.id)
        assert (record.edition_name, record.edition_digest) == ("mine", own.digest)


async def test_nobody_makes_a_match_of_a_box_that_is_not_there(fresh_settings: Settings) -> None:
    async with serving(fresh_settings) as (api, _):
        for edition in ("mine", "0" * 64, ""):
            answer = await api.post("/matches", json={"game": SLUGS[0], "seats": 2, "edition": edition})
            assert (answer.status_code, answer.json()["code"]) == (404, "unknown_edition")


async def test_without_its_box_a_match_is_read_but_not_played(fresh_settings: Settings, own: Own) -> None:
    async with serving(fresh_settings, own.setting) as (api, _):
        table = await Table.started(api, own.slug, 2)
        await table.play_any(4)
        before = [await table.get(part) for part in ("", "/events", "/transcript")]
        waiting = await Table.opened(api, own.slug, 2)
        legal = await table.legal()
    async with serving(fresh_settings) as (api, _):
        table.api = waiting.api = api
        assert [await table.get(part) for part in ("", "/events", "/transcript")] == before
        assert (await waiting.get())["edition"]["name"] == "mine"
        refused = [
            await table.move(legal[0]),
            await table.post("resign", {}, table.tokens[0]),
            await api.post(f"{waiting.path}/join", json={}),
            *[
                await api.get(table.path + part)
                for part in ("/legal-moves", "/standing", "/picture", "/board")
            ],
            await api.get(f"{table.path}/versions/1"),
        ]
        for answer in refused:
            problem = answer.json()
            assert (answer.status_code, problem["code"]) == (409, "edition_missing")
            assert problem["edition"] == {"name": "mine", "digest": own.digest}
        assert (await waiting.post("cancel", {}, waiting.host)).json()["status"] == "cancelled"
    async with serving(fresh_settings, own.setting) as (api, _):
        table.api = api
        assert (await table.get())["version"] == table.version
        await table.play(legal[0])


async def test_a_move_refused_for_want_of_the_box_is_played_when_it_is_there(
    fresh_settings: Settings, own: Own
) -> None:
    """The refusal is not recorded: the same request with the same key is carried out later."""
    async with serving(fresh_settings, own.setting) as (api, _):
        table = await Table.started(api, own.slug, 2)
        body = {"version": table.version, "moves": [(await table.legal())[0]]}
    key = {"Idempotency-Key": "once"}
    seat = table.tokens[table.to_move]
    async with serving(fresh_settings) as (api, _):
        table.api = api
        assert (await table.post("moves", body, seat, **key)).json()["code"] == "edition_missing"
    async with serving(fresh_settings, own.setting) as (api, _):
        table.api = api
        assert (await table.post("moves", body, seat, **key)).status_code == 200


async def test_no_rematch_is_made_for_want_of_the_box(fresh_settings: Settings, own: Own) -> None:
    async with serving(fresh_settings, own.setting) as (api, _):
        table = await Table.started(api, own.slug, 2)
        await table.post("resign", {}, table.tokens[0])
    async with serving(fresh_settings) as (api, _):
        table.api = api
        refused = await table.post("rematch", {}, table.tokens[0])
        assert refused.json()["code"] == "edition_missing"
        assert (await api.get("/matches", params={"status": "open"})).json()["matches"] == []


async def test_matches_without_their_box_are_exported(fresh_settings: Settings, own: Own) -> None:
    async with serving(fresh_settings, own.setting) as (api, _):
        table = await Table.started(api, own.slug, 2)
        for seat in range(2):
            await table.post("resign", {}, table.tokens[seat])
    async with serving(fresh_settings) as (api, _):
        (line,) = (await api.get("/transcripts")).text.splitlines()
        transcript = msgspec.json.decode(line, type=Transcript)
        assert (transcript.match, transcript.edition.digest) == (table.id, own.digest)


# ------------------------------------------------------------------------------------- the setting


@pytest.mark.parametrize("between", [",", " ", ", ", "\n", " ,\n "])
def test_files_stand_behind_their_games(between: str) -> None:
    files = box_files(f"one-game=a b, c.toml{between}two=/x/y=z.toml{between}")
    assert [(file.slug, str(file.path)) for file in files] == [
        ("one-game", "a b, c.toml"),
        ("two", "/x/y=z.toml"),
    ]


def test_no_files() -> None:
    assert box_files("") == box_files(" , ") == ()
    assert [len(Catalogue.of("").editions(slug)) for slug in SLUGS] == [1] * len(SLUGS)


def test_several_boxes_of_a_game(tmp_path: Path) -> None:
    new, old = (edited(SLUGS[0], name, tmp_path) for name in ("new", "old"))
    catalogue = Catalogue.of(f"{new.setting},{old.setting}")
    names = [edition.name for edition in catalogue.editions(SLUGS[0])]
    assert names == ["new", "old", GAMES[SLUGS[0]].edition.name]
    assert catalogue.game(SLUGS[0]).edition.name == "new"


def test_the_built_in_box_may_be_named_to_be_that_of_new_matches(tmp_path: Path) -> None:
    path = tmp_path / "same.toml"
    path.write_bytes(GAMES[SLUGS[0]].box)
    mine = edited(SLUGS[0], "mine", tmp_path)
    catalogue = Catalogue.of(f"{SLUGS[0]}={path},{mine.setting}")
    assert [edition.name for edition in catalogue.editions(SLUGS[0])] == [
        GAMES[SLUGS[0]].edition.name,
        "mine",
    ]


def bad_settings(folder: Path) -> Iterator[tuple[str, str]]:
    (folder / "empty.toml").write_text("")
    (folder / "huge.toml").write_bytes(b"#" * 2_000_000)
    game = GAMES[SLUGS[0]]
    (folder / "unnamed.toml").write_bytes(game.box + b"\n# edited\n")
    yield "a.toml", "<game>=FILE is expected"
    yield f"chess={folder}/empty.toml", "no game 'chess'"
    yield f"{game.slug}={folder}/none.toml", "No such file"
    yield f"{game.slug}={folder}", "cannot be read"
    yield f"{game.slug}={folder}/huge.toml", "larger than"
    yield f"{game.slug}={folder}/empty.toml", "cantiere components check"
    yield f"{game.slug}={folder}/unnamed.toml", "change the entry `edition`"


def test_a_setting_that_cannot_be_used_is_refused_at_the_start(tmp_path: Path) -> None:
    for setting, why in bad_settings(tmp_path):
        with pytest.raises(BadSettings, match=why) as error:
            create_app(Settings(boxes=setting))
        assert "CANTIERE_BOXES" in str(error.value)
