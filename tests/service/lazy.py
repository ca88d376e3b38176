"""A client that does not keep up."""

import socket
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

TINY: Final = 2_048
"""Bytes that a client's system takes in for it; the least there is."""


class Lazy:
    """A client that asks and then takes nothing in; its system has so much `room` for what comes."""

    def __init__(self, url: str, request: bytes, room: int = TINY) -> None:
        address = urlsplit(url)
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        self._socket.settimeout(60)
        self._socket.connect((address.hostname, address.port))
        self._socket.sendall(request)
        self.came = self._socket.recv(15)

    def say(self, data: bytes) -> None:
        """Send something more."""
        self._socket.sendall(data)

    def rest(self) -> bytes:
        """What has come before the server gave the client up."""
        with self._socket, suppress(ConnectionResetError):
            while data := self._socket.recv(65_536):
                self.came += data
        return self.came
