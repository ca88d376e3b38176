"""`cantiere bots`: plays for the built-in bots of a service."""

import logging.config
import os
import secrets
import signal
from threading import Event

import rich_click as click
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.bots.queue import Queue
from service.bots.worker import Worker
from service.cli.command import Command
from service.cli.environment import settings_here
from service.cli.exits import BadInput
from service.cli.parameters import think_option
from service.cli.remote import url_option
from service.client import Client
from service.observe.logs import log_config
from service.settings import Settings, variable_of
from service.store.address import counting
from service.tokens import Tokens

PATIENCE = 5.0
"""Seconds for which a server may give no answer before a turn is left for later."""


@click.command(
    "bots",
    cls=Command,
    epilog="The store and the secret are those of the service: CANTIERE_REDIS_URL and CANTIERE_SECRET. "
    "Exit codes: 0 stopped; 2 bad settings.",
    examples=(
        "CANTIERE_REDIS_URL=redis://store CANTIERE_SECRET=$SECRET cantiere bots",
        "cantiere bots --url http://worker:8000 --think 0.3",
    ),
)
@url_option
@think_option
def command(url: str, think: float) -> None:
    """Play the seats that built-in bots were asked to take.

    `cantiere serve` runs this by itself, unless CANTIERE_BOTS is 0. More of them share the work, on any
    machine that reaches the store and the server; one that is killed leaves its turns to the others.
    """
    settings = _settings()
    stop = Event()
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda *_: stop.set())
    redis = Redis.from_url(
        counting(settings.redis_url), socket_timeout=settings.store_timeout + 1, retry=Retry(NoBackoff(), 0)
    )
    with redis, Client(url, PATIENCE) as client:
        queue = Queue(redis, f"{os.uname().nodename}-{os.getpid()}-{secrets.token_hex(4)}")
        Worker(queue, client, Tokens(settings.secret.encode()), think).run(stop)


def _settings() -> Settings:
    settings = settings_here()
    if settings.is_embedded:
        raise BadInput(f"{variable_of('redis_url')} is needed: the own store of a service plays by itself")
    logging.config.dictConfig(log_config(settings))
    logging.getLogger("httpx").setLevel(logging.WARNING)  # a line for each request is too much
    return settings
