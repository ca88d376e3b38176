"""A server that is not fit to keep matches is told of, or refused."""

from pathlib import Path

import pytest

from service.settings import Settings
from service.store.check import server_faults
from service.store.errors import OldServer
from service.store.link import Link
from service.store.opening import running_store
from tests.store.servers import a_server, until_said

pytestmark = pytest.mark.anyio


async def test_an_embedded_server_is_fit(link: Link) -> None:
    assert await server_faults(link) == ()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--appendonly", "no"), ["keeps no append-only file"]),
        (("--appendonly", "yes", "--maxmemory", "100mb", "--maxmemory-policy", "noeviction"), []),
        (("--appendonly", "yes", "--maxmemory-policy", "allkeys-lru"), []),
        (
            ("--appendonly", "yes", "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"),
            ["allkeys-lru"],
        ),
    ],
)
async def test_faults_are_told(
    tmp_path: Path, arguments: tuple[str, ...], told: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with a_server(tmp_path, *arguments):
        await until_said(tmp_path, b"+PONG")
        settings = Settings(redis_url=f"unix://{tmp_path}/s", secret="of the tests " * 3)
        async with running_store(settings) as (store, _):
            await store.ping()
    warnings = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert len(warnings) == len(told)
    assert all(part in warning for part, warning in zip(told, warnings, strict=True))


@pytest.mark.parametrize("version", ["6.2.14", ""])
async def test_an_old_server_is_refused(link: Link, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    async def old(*_: object) -> bytes:
        return f"# Server\r\nredis_version:{version}\r\nos:Linux\r\n".encode()

    monkeypatch.setattr(link, "call", old)
    with pytest.raises(OldServer, match=f"speaks Redis {version or 'of an'}.*; it must be Redis 7 or Valkey"):
        await server_faults(link)
