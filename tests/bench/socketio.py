"""The protocol of Socket.IO, as far as it takes to play on a boardgame.io server.

Source: RFC 6455, 5.2 (frames); the Engine.IO protocol, version 4; the Socket.IO protocol, version 5.
"""

import base64
from collections.abc import Iterator

import msgspec

from tests.bench.connection import Connection

NAMESPACE = "/tally"
_EVENT = f"42{NAMESPACE},".encode()
_JOINED = f"40{NAMESPACE},".encode()
_HEAD_END = b"\r\n\r\n"


class SocketIo(Connection):
    """The first request joins a match; each other one is a move, to be answered with a new state."""

    def __init__(self, requests: tuple[bytes, ...]) -> None:
        super().__init__(requests[1:])
        self._join = requests[0]
        self._received = b""
        self._state = 0

    def open(self) -> None:
        self.transport.write(upgrade("/socket.io/?EIO=4&transport=websocket"))

    def data_received(self, data: bytes) -> None:
        self._received += data
        if self._received.startswith(b"HTTP/1.1"):
            if _HEAD_END not in self._received:
                return
            self._received = self._received.partition(_HEAD_END)[2]
        for message in self._messages():
            self._hear(message)

    def _hear(self, message: bytes) -> None:
        if message.startswith(_EVENT + b'["update"'):
            self._state += 1
            if b'"_stateID":%d' % self._state in message:
                self.answered()
            else:
                self.fail(AssertionError(message.decode()))
        elif message.startswith(_EVENT + b'["sync"'):
            self.ready.set_result(None)
        elif message.startswith(b"0"):
            self.transport.write(frame(_JOINED))
        elif message.startswith(_JOINED):
            self.transport.write(self._join)
        elif message == b"2":
            self.transport.write(frame(b"3"))

    def _messages(self) -> Iterator[bytes]:
        """The messages that have come whole; the server sends each in one frame."""
        while len(self._received) >= 2:
            length, start = self._received[1], 2
            if size := {126: 2, 127: 8}.get(length):
                start += size
                length = int.from_bytes(self._received[2:start], "big")
            if len(self._received) < start + length:
                return
            message, self._received = self._received[start : start + length], self._received[start + length :]
            yield message


def emitted(name: str, *arguments: object) -> bytes:
    """What a client sends to call something by its name."""
    return frame(_EVENT + msgspec.json.encode((name, *arguments)))


def frame(message: bytes) -> bytes:
    """A text of less than 64 KB in a WebSocket's frame, whose mask is zero."""
    if len(message) < 126:
        return bytes((0x81, 0x80 | len(message))) + bytes(4) + message
    return bytes((0x81, 0x80 | 126)) + len(message).to_bytes(2, "big") + bytes(4) + message


def upgrade(path: str, host: str = "127.0.0.1") -> bytes:
    """The request that changes a connection to a WebSocket."""
    key = base64.b64encode(bytes(16)).decode()
    return (
        f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
    ).encode()
