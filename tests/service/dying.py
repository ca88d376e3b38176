"""A worker that is killed in the moment between the write of a match and the news for its players.

`python -m tests.service.dying PATH TOKEN BODY`, with the store in the environment: one POST, and the end.
"""

import asyncio
import os
import signal
import sys
from typing import NoReturn

import httpx

from service.accounts.notices import Notices
from service.app import create_app
from service.settings import Settings
from tests.service.checked import API, BASE, in_process
from tests.service.table import bearer


async def die(*_: object) -> NoReturn:
    """End as a machine does whose power fails."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


async def main(path: str, token: str, body: str) -> None:
    """Ask for one thing, and do not survive it."""
    app = create_app(Settings.from_env(os.environ))
    async with app.lifespan(), httpx.AsyncClient(transport=in_process(app), base_url=BASE + API) as api:
        Notices.tell = die  # type: ignore[method-assign,assignment]  # it never returns
        headers = bearer(token) | {"content-type": "application/json"}
        answer = await api.post(path, content=body, headers=headers)
        await app.state.desk.store.settle()
    raise AssertionError(answer.text)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
