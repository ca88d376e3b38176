"""`cantiere serve`: the service, with its own store unless another one is named."""

import logging.config
import multiprocessing
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any, Final, NoReturn

import msgspec
import rich_click as click
import uvicorn
from redis.exceptions import RedisError
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from service.accounts.invites import invites
from service.addresses import networks
from service.app import asgi
from service.boxes import box_files
from service.catalogue import Catalogue
from service.cli.command import Command
from service.cli.companions import companions
from service.cli.environment import settings_here
from service.cli.exits import BadInput, Failure
from service.cli.output import out
from service.live.files import raised_file_limit
from service.live.line import HttpLine, SocketLine
from service.observe.exposition import shared_figures
from service.observe.logs import log_config
from service.settings import BadSettings, Settings, variable_of
from service.shell import Shell
from service.store.address import address_of
from service.store.embedded import EmbeddedServer
from service.store.errors import EmbeddedError

BACKLOG: Final = 2_048
SPARE_FILES: Final = 1_000
"""Files that a worker needs beside those of its streams, about."""
GRACE_SECONDS: Final = 10
"""How long a request may go on when the service is asked to stop."""

_FIELDS: Final = msgspec.json.schema(Settings)["$defs"]["Settings"]["properties"]


def setting(name: str, **attributes: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """An option that overrides a setting, explained as the setting is."""
    field = _FIELDS[name]
    default = f"; default: {field['default']}" if field["default"] not in ("", None) else ""
    text = f"{field['description']}  [env: {variable_of(name)}{default}]"
    return click.option(f"--{name.replace('_', '-')}", name, help=text, **attributes)


@click.command(
    "serve",
    cls=Command,
    epilog="Every other setting is a variable of the environment. Stops on Ctrl-C or SIGTERM when requests "
    "under way are answered. Exit codes: 0 stopped; 1 cannot start; 2 bad settings.",
    examples=(
        "cantiere serve",
        "cantiere serve --port 9000 --data-dir ./data --workers 2",
        "CANTIERE_SECRET=$SECRET cantiere serve --redis-url redis://store:6379",
    ),
)
@setting("host", metavar="ADDRESS")
@setting("port", type=click.IntRange(0, 65_535), metavar="PORT")
@setting("workers", type=click.IntRange(1, 64), metavar="N")
@setting("data_dir", type=click.Path(file_okay=False), metavar="DIRECTORY")
@setting("redis_url", metavar="URL")
@setting("log_level", type=click.Choice(("debug", "info", "warning", "error")))
def command(**given: str | int | None) -> None:
    """Serve matches over HTTP, with an own store unless --redis-url names another.

    Settings come from the environment (CANTIERE_...); options override them.
    """
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    settings = _settings({name: value for name, value in given.items() if value is not None})
    logging.config.dictConfig(log_config(settings))
    _raise_file_limit(settings)
    with _listener(settings) as listener, _stored(settings) as stored:
        _print_addresses(settings, listener)
        os.environ.update(stored.to_env())
        with shared_figures(settings.workers), companions(stored, _own_address(listener)):
            _run(stored, listener)


def application() -> Shell:
    """The service as a worker runs it, by the settings in its environment."""
    if supervisor := multiprocessing.parent_process():
        Thread(target=_follow, args=(supervisor,), name="supervisor", daemon=True).start()
    return asgi(Settings.from_env(os.environ))


def _follow(supervisor: BaseProcess) -> None:
    """Stop when the supervisor has ended, however that came: orphans would keep its port."""
    supervisor.join()
    os.kill(os.getpid(), signal.SIGTERM)


def _checked_documents(settings: Settings) -> None:
    """Raises BadSettings if the file of registered documents cannot be used."""
    if settings.graphql_documents:
        from service.graphql.persisted import registered  # noqa: PLC0415 - few have such a file

        registered(settings.graphql_documents)


def _checked_address(settings: Settings) -> None:
    """Raises BadSettings if options in the address of an external store cannot be used."""
    try:
        if not settings.is_embedded:
            address_of(settings.redis_url)
    except (ValueError, TypeError, OSError, RedisError) as error:
        raise BadSettings(f"{variable_of('redis_url')} cannot be used: {error}") from None


def _settings(given: dict[str, str | int]) -> Settings:
    settings = settings_here(given)
    try:
        Catalogue.of(settings.boxes)  # here and not first in a worker, which could only log what is wrong
        _checked_documents(settings)
        _checked_address(settings)
        invites(settings)  # each registration reads them anew
    except BadSettings as error:
        raise BadInput(str(error)) from None
    return settings


def _raise_file_limit(settings: Settings) -> None:
    allowed = raised_file_limit(settings.max_streams + SPARE_FILES)
    if allowed < settings.max_streams + SPARE_FILES:
        logging.getLogger(__name__).warning(
            "A worker may have %d files open, less than %s of %d needs: raise the limit (ulimit -Hn).",
            allowed,
            variable_of("max_streams"),
            settings.max_streams,
        )


@contextmanager
def _listener(settings: Settings) -> Iterator[socket.socket]:
    """A socket that accepts connections from now on, so that nobody finds the door closed."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        listener = socket.create_server((settings.host, settings.port), family=family, backlog=BACKLOG)
    except (OSError, UnicodeError, TypeError) as error:
        # The error's own text repeats the address; an error of name look-up has no number of the system.
        errno = getattr(error, "errno", None)
        why = os.strerror(errno) if errno and errno > 0 else error
        raise Failure(f"cannot listen on {settings.host} port {settings.port}: {why}") from None
    with listener:
        listener.set_inheritable(True)
        yield listener


@contextmanager
def _stored(settings: Settings) -> Iterator[Settings]:
    """The settings with the address of the store that all workers share; an own one ends with the block."""
    if not settings.is_embedded:
        yield settings
        return
    try:
        with EmbeddedServer(settings.directory, settings.fsync) as server:
            yield server.attached(settings)
    except EmbeddedError as error:
        raise Failure(str(error)) from None


def _print_addresses(settings: Settings, listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    store = f"own, in {settings.directory}" if settings.is_embedded else "external"
    out.print(f"Cantiere listens on {url}")
    for what in ("games", "matches", "health/ready"):
        out.print(f"  {what:<12} {url}/api/v1/{what}")
    out.print(f"  {'store':<12} {store}")
    for file in box_files(settings.boxes):
        out.print(f"  {'box':<12} {file.slug}: {file.path}")
    sys.stdout.flush()


def _own_address(listener: socket.socket) -> str:
    """Where a process on this machine reaches the service."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - any address is not one
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _run(settings: Settings, listener: socket.socket) -> None:
    config = uvicorn.Config(
        "service.cli.serve:application",
        factory=True,
        workers=settings.workers,
        log_config=log_config(settings),
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        http=HttpLine,
        ws=SocketLine,
        ws_max_size=settings.max_body,
        ws_per_message_deflate=False,
        backlog=BACKLOG,
        proxy_headers=bool(networks(settings.trusted_proxies)),
        forwarded_allow_ips=settings.trusted_proxies,
    )
    if settings.workers > 1:
        supervisor = Multiprocess(config, [listener])
        supervisor.run()
        failed = any(process.exitcode == STARTUP_FAILURE for process in supervisor.processes)
    else:
        failed = not _ran(uvicorn.Server(config), listener)
    if failed:
        raise Failure("the service did not start; the log says why")


def _ran(server: uvicorn.Server, listener: socket.socket) -> bool:
    """Whether the server started; when it did, it ends by a signal, for which `_stop` is called again."""
    try:
        server.run([listener])
    except SystemExit as end:
        if end.code != STARTUP_FAILURE:
            raise
    return server.started


def _stop(*_: object) -> NoReturn:
    sys.exit(0)
