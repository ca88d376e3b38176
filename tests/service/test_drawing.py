"""Pictures are made aside: other requests go on meanwhile, and those that would pile up are refused."""

import asyncio

import httpx
import pytest

from service.drawing import KEPT, Press
from tests.service.table import SLUGS, Table

pytestmark = pytest.mark.anyio
SLUG = SLUGS[0]
PLAIN = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="{}"/></svg>'


async def test_others_are_answered_while_a_large_picture_is_made(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, SLUG, 2)
    large = asyncio.create_task(
        api.get(f"{table.path}/board.png", params={"size": 2_000, "theme": "dark"}, timeout=60)
    )
    for _ in range(20):
        await table.legal()
    assert not large.done()
    assert (await large).content.startswith(b"\x89PNG")


async def test_pictures_that_would_pile_up_are_refused(api: httpx.AsyncClient) -> None:
    table = await Table.started(api, SLUG, 2)
    path = f"{table.path}/board.png"
    answers = await asyncio.gather(*(api.get(path, params={"size": 64 + more}) for more in range(10)))
    assert sorted(answer.status_code for answer in answers) == [200] * 8 + [503] * 2
    refused = next(answer for answer in answers if answer.is_error)
    assert (refused.json()["code"], "retry-after" in refused.headers) == ("busy", True)
    assert (await api.get(path, params={"size": 99})).status_code == 200


async def test_a_picture_is_made_once_for_all_who_ask_and_kept_for_a_while() -> None:
    press = Press()
    first, again = await asyncio.gather(press.png(PLAIN.format(1), 64), press.png(PLAIN.format(1), 64))
    assert first is again
    for height in range(2, KEPT + 2):
        await press.png(PLAIN.format(height), 64)
    assert len(press._made) == KEPT
    assert await press.png(PLAIN.format(1), 64) is not first


async def test_what_cannot_be_drawn_is_not_kept() -> None:
    press = Press()
    with pytest.raises(RuntimeError, match="The renderer ended with 1"):
        await press.png("no drawing", 64)
    assert not press._made
