"""How late the event loop is: what keeps it from its work keeps every client waiting."""

import asyncio
from typing import Final, NoReturn

from service.observe.figures import LAG

EVERY: Final = 0.5
"""Seconds between two looks."""


class LagWatch:
    """Looks, as long as it runs, how much later than asked for it is woken."""

    async def run(self) -> NoReturn:
        time = asyncio.get_running_loop().time
        while True:
            due = time() + EVERY
            await asyncio.sleep(EVERY)
            LAG.observe(max(0.0, time() - due))
