"""Patience: what is to be done with what an attempt came to. Nothing is sent here, and nobody sleeps."""

import time
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from ipaddress import ip_address
from typing import Any, Final

import httpx
import msgspec

from schema.wire_views import Problem
from service.client.calls import Call
from service.client.errors import BadAnswer, Refused, Unreachable
from service.client.pace import Pace

BUSY: Final = frozenset((429, 502, 503, 504))
"""Statuses that say: later. 502 and 504 come from proxies while a server is restarted."""
FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 2.0


class Later(Exception):
    """An answer that says: not now, but after `pause` seconds, 0 if it says nothing of it."""

    def __init__(self, response: httpx.Response) -> None:
        super().__init__(f"status {response.status_code}{_told(response)}")
        self.pause = retry_after(response.headers.get("retry-after", ""))


class Tries:
    """The attempts at one thing, for `patience` seconds."""

    def __init__(self, url: str, patience: float) -> None:
        self._url = url
        self._patience = patience
        self._pace = Pace(FIRST_PAUSE, LONGEST_PAUSE)
        self._lost_at: float | None = None

    def begin(self) -> None:
        """Time runs from now on, if it did not before."""
        self._lost_at = time.monotonic() if self._lost_at is None else self._lost_at

    def worked(self) -> None:
        """What went wrong before counts no more."""
        self._lost_at = None
        self._pace.reset()

    def answered(self) -> None:
        """The server is there, whatever it says: time begins anew with the next failure."""
        self._lost_at = None

    def pause(self, why: Exception) -> float:
        """How many seconds to wait before the next attempt, this one having failed. Raises Unreachable."""
        self.begin()
        assert self._lost_at is not None
        asked = why.pause if isinstance(why, Later) else 0.0
        if time.monotonic() + asked >= self._lost_at + self._patience:
            said = str(why) or type(why).__name__
            raise Unreachable(f"{self._url} gives no answer ({said})") from None
        return max(self._pace.next(), asked)


def read_answer(response: httpx.Response) -> httpx.Response:
    """The answer, if it is one of success. Raises Later, Refused, BadAnswer."""
    if response.status_code in BUSY:
        raise Later(response)
    if response.is_success:
        return response
    problem = _problem(response)
    if problem.code == "request_in_progress":
        raise Later(response)
    raise Refused(problem)


def request_of(call: Call[Any], url: str, timeout: float) -> httpx.Request:
    """The request that a call describes."""
    headers = {"accept": call.accept, "user-agent": f"cantiere/{version('cantiere')}"}
    if call.token:
        headers["authorization"] = f"Bearer {call.token}"
    if call.key:
        headers["idempotency-key"] = call.key
    if call.body is not None:
        headers["content-type"] = "application/json"
    extensions = {"timeout": httpx.Timeout(timeout + call.held).as_dict()}
    return httpx.Request(
        call.method,
        url + call.path,
        params=call.query or None,
        headers=headers,
        content=call.body,
        extensions=extensions,
    )


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


def _told(response: httpx.Response) -> str:
    """What an answer says of itself, after a colon, if it says anything."""
    try:
        return f": {_problem(response).detail}"
    except BadAnswer:
        return ""


def _problem(response: httpx.Response) -> Problem:
    try:
        return msgspec.json.decode(response.content, type=Problem)
    except msgspec.DecodeError:
        raise BadAnswer(f"{response.url} answers with status {response.status_code} and no reason") from None


def checked_url(url: str) -> str:
    """The address of a server without a slash at its end. Raises ValueError if it is none."""
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError) as error:
        raise ValueError(f"'{url[:80]}' is no address: {error}") from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise ValueError(f"'{url[:80]}' is no address: it begins with http:// or https:// and names a host")
    return str(parsed).rstrip("/")


def is_loopback(url: str) -> bool:
    """Whether the address is of this machine: no proxy of the environment is to be asked."""
    host = httpx.URL(url).host
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
