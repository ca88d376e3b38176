"""`cantiere tournaments`: drives the tournaments of a service."""

import asyncio
import contextlib
import logging.config
import os
import secrets
import signal

import rich_click as click

from service.catalogue import Catalogue
from service.cli.command import Command
from service.cli.environment import settings_here
from service.cli.exits import BadInput
from service.observe.logs import log_config
from service.settings import BadSettings, Settings, variable_of
from service.store.link import Link
from service.store.opening import in_background
from service.store.store import Store
from service.tokens import Tokens
from service.tournaments.runner import Hall
from service.tournaments.store import Tournaments
from service.tournaments.worker import Worker


@click.command(
    "tournaments",
    cls=Command,
    epilog="Store, secret and boxes are those of the service: CANTIERE_REDIS_URL, CANTIERE_SECRET "
    "and CANTIERE_BOXES. Exit codes: 0 stopped; 2 bad settings.",
    examples=("CANTIERE_REDIS_URL=redis://store cantiere tournaments",),
)
def command() -> None:
    """Drive tournaments: order their matches, wait for results, write them down.

    `cantiere serve` runs this by itself, unless CANTIERE_TOURNAMENTS is 0. More of them share the work, on
    any machine that reaches the store; one that is killed leaves its tournaments to the others.
    """
    settings = settings_here()
    if settings.is_embedded:
        raise BadInput(f"{variable_of('redis_url')} is needed: the own store of a service is driven by it")
    try:
        catalogue = Catalogue.of(settings.boxes)
    except BadSettings as error:
        raise BadInput(str(error)) from None
    logging.config.dictConfig(log_config(settings))
    asyncio.run(_drive(settings, catalogue))


async def _drive(settings: Settings, catalogue: Catalogue) -> None:
    """Drive until a signal comes."""
    stop = asyncio.Event()
    for ending in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(ending, stop.set)
    link = Link(settings.redis_url, settings.store_timeout)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(link.close)
        store = Store(link, settings)
        tournaments = Tournaments(link, settings.idempotency_ttl * 1_000)
        name = f"{os.uname().nodename}-{os.getpid()}-{secrets.token_hex(4)}"
        hall = Hall(store, tournaments, Tokens(settings.secret.encode()), catalogue, name)
        async with in_background(Worker(hall)):
            await stop.wait()
        await store.settle()
