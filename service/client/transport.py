"""HTTP with patience: a request is repeated until it is answered, and is carried out once at most.

A request that changes something carries an `Idempotency-Key`, so repeating it is always safe: if only the
answer was lost, the first answer comes again.
"""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from ipaddress import ip_address
from typing import Final, TypeVar

import httpx
import msgspec

from schema.wire_views import Problem
from service.client.errors import BadAnswer, Refused, Unreachable
from service.client.pace import Pace

T = TypeVar("T")

BUSY: Final = frozenset((429, 502, 503, 504))
"""Statuses that say: later. 502 and 504 come from proxies while a server is restarted."""
FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 2.0


class Later(Exception):
    """An answer that says: not now, but after `pause` seconds, 0 if it says nothing of it."""

    def __init__(self, response: httpx.Response) -> None:
        super().__init__(f"status {response.status_code}")
        self.pause = retry_after(response.headers.get("retry-after", ""))


class Transport:
    """Requests to one server.

    `patience` is for how many seconds a server may give no usable answer before Unreachable is raised;
    `timeout` how long one attempt may take. Errors of this class: Refused, Unreachable, BadAnswer.
    """

    def __init__(self, url: str, patience: float = 30.0, timeout: float = 10.0) -> None:
        self.url = checked_url(url)
        self.patience = patience
        self._timeout = timeout
        self._http = httpx.Client(
            base_url=self.url,
            timeout=timeout,
            headers={"user-agent": f"cantiere/{version('cantiere')}", "accept": "application/json"},
            trust_env=not _is_loopback(self.url),
        )

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def get(
        self,
        path: str,
        answer: type[T],
        held: float = 0.0,
        token: str | None = None,
        /,
        **query: str | int | None,
    ) -> T:
        """What is at `path`, read as `answer`; the server may hold the answer back for `held` seconds."""
        asked = {name: value for name, value in query.items() if value is not None}
        headers = {"authorization": f"Bearer {token}"} if token else {}
        timeout = self._timeout + held
        request = self._http.build_request("GET", path, params=asked, headers=headers, timeout=timeout)
        return _read(self._answered(request, held), answer)

    def get_text(self, path: str) -> str:
        """What is at `path` as plain text."""
        return self._answered(
            self._http.build_request("GET", path, headers={"accept": "text/plain, */*;q=0.5"})
        ).text

    def post(
        self,
        path: str,
        body: msgspec.Struct,
        answer: type[T],
        token: str | None = None,
        key: str | None = None,
    ) -> T:
        """The answer to a request that changes something, carried out once whatever happens on the way.

        `key` is the idempotency key: give the one of an earlier call to get that call's answer again.
        """
        headers = {"content-type": "application/json", "idempotency-key": key or new_key()}
        if token:
            headers["authorization"] = f"Bearer {token}"
        content = msgspec.json.encode(body)
        request = self._http.build_request("POST", path, content=content, headers=headers)
        return _read(self._answered(request), answer)

    @contextmanager
    def stream(
        self, path: str, media_type: str, silence: float, **query: str | int
    ) -> Iterator[httpx.Response]:
        """An answer whose body is read as it comes, in one attempt that ends with the block.

        Raises Later, Refused, BadAnswer, and httpx.RequestError, also when nothing comes for so many seconds.
        """
        timeout = httpx.Timeout(self._timeout, read=silence)
        headers = {"accept": media_type}
        request = self._http.build_request("GET", path, params=query, headers=headers, timeout=timeout)
        response = self._http.send(request, stream=True)
        try:
            if not response.is_success:
                response.read()
                if _is_later(response):
                    raise Later(response)
                _accepted(response)
            yield response
        finally:
            response.close()

    def _answered(self, request: httpx.Request, held: float = 0.0) -> httpx.Response:
        pace = Pace(FIRST_PAUSE, LONGEST_PAUSE)
        deadline = time.monotonic() + held + self.patience
        while True:
            pause = 0.0
            try:
                response = self._http.send(request)
            except httpx.RequestError as error:
                why = str(error) or type(error).__name__
            else:
                if not _is_later(response):
                    return _accepted(response)
                later = Later(response)
                why, pause = str(later), later.pause
            if time.monotonic() + pause >= deadline:
                raise Unreachable(f"{self.url} gives no answer ({why})")
            pace.wait(at_least=pause)


def new_key() -> str:
    """A fresh idempotency key: 22 characters, 128 random bits."""
    return secrets.token_urlsafe(16)


def retry_after(text: str) -> float:
    """The seconds that a Retry-After header asks for, given as seconds or as a date; 0 if it says nothing.

    Source: RFC 9110, 10.2.3.
    """
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return 0.0


def _is_later(response: httpx.Response) -> bool:
    if response.status_code in BUSY:
        return True
    return response.status_code == 409 and _problem(response).code == "request_in_progress"


def _accepted(response: httpx.Response) -> httpx.Response:
    if response.is_success:
        return response
    raise Refused(_problem(response))


def _problem(response: httpx.Response) -> Problem:
    try:
        return msgspec.json.decode(response.content, type=Problem)
    except msgspec.DecodeError:
        raise BadAnswer(f"{response.url} answers with status {response.status_code} and no reason") from None


def _read(response: httpx.Response, answer: type[T]) -> T:
    try:
        return msgspec.json.decode(response.content, type=answer)
    except msgspec.DecodeError as error:
        raise BadAnswer(f"{response.url} does not answer as expected: {error}") from None


def checked_url(url: str) -> str:
    """The address of a server without a slash at its end. Raises ValueError if it is none."""
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError) as error:
        raise ValueError(f"'{url[:80]}' is no address: {error}") from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise ValueError(f"'{url[:80]}' is no address: it begins with http:// or https:// and names a host")
    return str(parsed).rstrip("/")


def _is_loopback(url: str) -> bool:
    host = httpx.URL(url).host
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
