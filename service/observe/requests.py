"""Every request: timed, counted and, where that is asked for, logged."""

import logging
import re
import time
from functools import cache
from typing import Any, Final

from prometheus_client import Histogram

from schema.operations import OPERATIONS
from service.observe.figures import REFUSALS, REQUESTS

_COUNTED_AS: Final = "cantiere.counted_as"
WAITING: Final = "waitForEvents"
"""What long polls are counted as: most of their time is that of the match."""
OTHER: Final = "other"
"""What is no operation: preflights, addresses where there is nothing."""
GRAPHQL: Final = "graphql"
"""What requests for GraphQL are counted as, whatever they ask for."""
_NAMES: Final = frozenset((*(operation.name for operation in OPERATIONS), WAITING, GRAPHQL))
_PROBLEM: Final = re.compile(rb'\{"type":"[^"]*/([a-z_]+)"')
"""The start of problem details: their type ends with the code."""
_log: Final = logging.getLogger(__name__)


class Watch:
    """A request, from its arrival to the start of its answer."""

    __slots__ = ("_began", "_request_id", "_scope")

    def __init__(self, scope: Any, request_id: bytes) -> None:
        self._began = time.perf_counter()
        self._scope = scope
        self._request_id = request_id

    def note(self, status: int, body: bytes = b"") -> None:
        """Count the request, answered with this status and body."""
        seconds = time.perf_counter() - self._began
        operation = _operation(self._scope)
        _requests_of(operation, status // 100).observe(seconds)
        if status >= 400 and (found := _PROBLEM.match(body)):
            REFUSALS.labels(found[1].decode()).inc()
        if _log.isEnabledFor(logging.INFO):
            self._tell(operation, status, round(1_000 * seconds, 1))

    def _tell(self, operation: str, status: int, ms: float) -> None:
        told = {"request": self._request_id.decode(), "operation": operation, "status": status, "ms": ms}
        _log.info("%s %d in %.1f ms", operation, status, ms, extra=told)


def count_as(scope: Any, name: str) -> None:
    """Have a request counted under another name than that of its operation."""
    scope[_COUNTED_AS] = name


def _operation(scope: Any) -> str:
    name: str | None = scope.get(_COUNTED_AS) or getattr(scope.get("route_handler"), "name", None)
    return name if name in _NAMES else OTHER


@cache
def _requests_of(operation: str, status: int) -> Histogram:
    """The histogram of these, found again faster than the library finds it."""
    return REQUESTS.labels(operation, f"{status}xx")
