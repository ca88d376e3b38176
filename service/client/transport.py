"""HTTP with patience: a call is sent until it is answered, and is carried out once at most.

What changes something carries an `Idempotency-Key`, so sending it again is always safe: if only the answer
was lost, the first answer comes again. What is to be done with each attempt is decided in `tries`, for the
blocking way and the other alike.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeVar

import httpx

from service.client.calls import Call
from service.client.tries import Later, Tries, checked_url, is_loopback, read_answer, request_of

T = TypeVar("T")


class Transport:
    """Calls to one server.

    `patience` is for how many seconds a server may give no usable answer before Unreachable is raised;
    `timeout` how long one attempt may take. Errors of this class: Refused, Unreachable, BadAnswer.
    """

    def __init__(self, url: str, patience: float, timeout: float) -> None:
        self.url = checked_url(url)
        self._patience = patience
        self._timeout = timeout
        self._http = httpx.Client(trust_env=not is_loopback(self.url))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def tries(self, held: float = 0.0) -> Tries:
        """Attempts for as long as this client is patient, and for so many seconds more."""
        return Tries(self.url, self._patience + held)

    def perform(self, call: Call[T]) -> T:
        """What the call is answered."""
        tries = self.tries(call.held)
        tries.begin()
        while True:
            try:
                response = self._http.send(request_of(call, self.url, self._timeout))
                return call.read(read_answer(response))
            except (Later, httpx.RequestError) as error:
                time.sleep(tries.pause(error))

    @contextmanager
    def stream(self, call: Call[Any], silence: float) -> Iterator[httpx.Response]:
        """An answer whose body is read as it comes, in one attempt that ends with the block.

        Raises Later, Refused, BadAnswer, and httpx.RequestError, also when nothing comes for so many seconds.
        """
        request = request_of(call, self.url, self._timeout)
        request.extensions["timeout"]["read"] = silence
        response = self._http.send(request, stream=True)
        try:
            if not response.is_success:
                response.read()
            yield read_answer(response)
        finally:
            response.close()


class AsyncTransport:
    """The same, for programs that do not block."""

    def __init__(self, url: str, patience: float, timeout: float) -> None:
        self.url = checked_url(url)
        self._patience = patience
        self._timeout = timeout
        self._http = httpx.AsyncClient(trust_env=not is_loopback(self.url))

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    def tries(self, held: float = 0.0) -> Tries:
        """Attempts for as long as this client is patient, and for so many seconds more."""
        return Tries(self.url, self._patience + held)

    async def perform(self, call: Call[T]) -> T:
        """What the call is answered."""
        tries = self.tries(call.held)
        tries.begin()
        while True:
            try:
                response = await self._http.send(request_of(call, self.url, self._timeout))
                return call.read(read_answer(response))
            except (Later, httpx.RequestError) as error:
                await asyncio.sleep(tries.pause(error))

    @asynccontextmanager
    async def stream(self, call: Call[Any], silence: float) -> AsyncIterator[httpx.Response]:
        """As `Transport.stream`."""
        request = request_of(call, self.url, self._timeout)
        request.extensions["timeout"]["read"] = silence
        response = await self._http.send(request, stream=True)
        try:
            if not response.is_success:
                await response.aread()
            yield read_answer(response)
        finally:
            await response.aclose()
