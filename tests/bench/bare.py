"""The measure of a move: a bare Litestar route that does one compare-and-set in the same kind of store.

`python -m tests.bench.bare <directory> <fsync> <bytes>` serves it with the server and the connection of the
service; the first line it prints is its port.
"""

import socket
import sys
from pathlib import Path

import uvicorn
from litestar import Litestar, post
from litestar.datastructures import State
from msgspec import Struct

from service.app import settle
from service.settings import Settings
from service.store.embedded import EmbeddedServer
from service.store.link import Link

COMPARE_AND_SET = """
local rev = tonumber(redis.call('HGET', KEYS[1], 'rev') or 0)
if rev ~= tonumber(ARGV[1]) then
  return {'stale', rev}
end
redis.call('HSET', KEYS[1], 'rev', rev + 1, 'blob', ARGV[2])
return {'committed', rev + 1}
"""


class Written(Struct):
    """What is asked: a version, as a move names one, and something to read."""

    version: int
    moves: tuple[str, ...]


class Stands(Struct):
    """What is answered."""

    version: int


@post("/{name:str}", status_code=200)
async def write(name: str, data: Written, state: State) -> Stands:
    """The next version, if the one named is the current one."""
    what, version = await state.link.call(
        "EVALSHA", state.script, 1, f"{{bare:{name}}}", data.version, state.blob
    )
    assert what == b"committed"
    return Stands(version)


def main(directory: str, fsync: str, size: int) -> None:
    with EmbeddedServer(Path(directory), fsync) as server, socket.create_server(("127.0.0.1", 0)) as listener:
        settings = server.attached(Settings())

        async def start(app: Litestar) -> None:
            app.state.link = Link(server.url, settings.store_timeout)
            app.state.script = await app.state.link.call("SCRIPT", "LOAD", COMPARE_AND_SET)
            app.state.blob = bytes(size)
            settle()

        app = Litestar([write], on_startup=[start], openapi_config=None, logging_config=None)
        print(listener.getsockname()[1], flush=True)
        uvicorn.Server(uvicorn.Config(app, access_log=False, log_level="warning")).run([listener])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
