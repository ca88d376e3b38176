"""Every kind of address leads to its server, with the user, the password and the database it names."""

import asyncio
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from service.store.address import address_of
from service.store.errors import StoreGone
from tests.store.muxes import CALLERS, a_server, echoed, mux_to, said

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["asyncio", "uvloop"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    """The event loop of Python and the one the service runs on."""
    return "asyncio", {"use_uvloop": request.param == "uvloop"}


def test_addresses() -> None:
    plain = address_of("redis://store.example")
    assert (plain.path, plain.host, plain.port, plain.tls, plain.greeting) == (
        None,
        "store.example",
        6379,
        None,
        (),
    )
    assert address_of("redis://:p%40ss@h:7/3").greeting == (("AUTH", "p@ss"), ("SELECT", 3))
    assert address_of("unix://ada:secret@/a%20place/s?db=0").greeting == (("AUTH", "ada", "secret"),)
    assert address_of("unix:///a%20place/s").path == "/a place/s"
    assert address_of("rediss://h?max_connections=9").tls is not None
    checked, unchecked = (address_of(f"rediss://h{query}").tls for query in ("", "?ssl_cert_reqs=none"))
    assert checked is not None
    assert checked.verify_mode == ssl.CERT_REQUIRED
    assert unchecked is not None
    assert unchecked.verify_mode == ssl.CERT_NONE


async def test_password_user_and_database(tmp_path: Path) -> None:
    with a_server(tmp_path, "--requirepass", "open sesame", "--user", "ada", "on", "+@all", "~*", ">secret"):
        async with mux_to(f"unix://:open%20sesame@{tmp_path}/s?db=3") as mux:
            await said(mux, "SET", "where", "third")
            assert b"db=3" in await said(mux, "CLIENT", "INFO")
        async with mux_to(f"unix://ada:secret@{tmp_path}/s?db=3") as mux:
            assert await said(mux, "ACL", "WHOAMI") == b"ada"
            assert await said(mux, "GET", "where") == b"third"
        for wrong in ("", ":wrong@", "ada:wrong@"):
            async with mux_to(f"unix://{wrong}{tmp_path}/s") as mux:
                with pytest.raises(StoreGone, match=r"answer: (NOAUTH|WRONGPASS)"):
                    await said(mux, "GET", "where")
        async with mux_to(f"unix://:open%20sesame@{tmp_path}/s?db=99") as mux:
            with pytest.raises(StoreGone, match="DB index is out of range"):
                await said(mux, "PING")


def a_certificate(directory: Path) -> tuple[Path, Path]:
    """A certificate of 127.0.0.1, which vouches for itself, and its key."""
    certificate, key = directory / "cert.pem", directory / "key.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
    ]
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
    subprocess.run(
        [*command, *subject, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True
    )
    return certificate, key


@asynccontextmanager
async def tls_before(directory: Path) -> AsyncIterator[tuple[int, Path]]:
    """A port where TLS is spoken before the server at `directory/s`, and the certificate it shows.

    The server of the wheel is built without TLS.
    """
    certificate, key = a_certificate(directory)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    ends: set[asyncio.StreamWriter] = set()

    async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            writer.write(data)
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_unix_connection(str(directory / "s"))
        ends.update((writer, inner_writer))
        with suppress(ConnectionError):
            await asyncio.gather(pipe(reader, inner_writer), pipe(inner_reader, writer))

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context) as server:
        yield server.sockets[0].getsockname()[1], certificate
        for end in ends:
            end.close()


async def test_tls(tmp_path: Path) -> None:
    with a_server(tmp_path):
        async with tls_before(tmp_path) as (port, certificate):
            url = f"rediss://127.0.0.1:{port}/1"
            async with mux_to(f"{url}?ssl_ca_certs={certificate}") as mux:
                assert b"db=1" in await said(mux, "CLIENT", "INFO")
                await asyncio.gather(*(echoed(mux, number) for number in range(CALLERS)))
            async with mux_to(url) as mux:
                with pytest.raises(StoreGone, match="certificate verify failed"):
                    await said(mux, "PING")


async def test_tcp(tmp_path: Path) -> None:
    port = free_port()
    with a_server(tmp_path, "--port", str(port)) as server:
        async with mux_to(f"redis://127.0.0.1:{port}") as mux:
            await asyncio.gather(*(echoed(mux, number) for number in range(CALLERS)))
            assert mux._channel is not None
            peer = mux._channel._transport.get_extra_info("socket")
            assert peer.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            server.kill()
            server.wait()
            with pytest.raises(StoreGone):
                await echoed(mux, 1)


def free_port() -> int:
    """A port nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
