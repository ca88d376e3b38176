"""Questions that are asked again and again in the same bytes: read once, and not for each request.

Whoever watches a match asks the same after every move. What is kept says nothing of who asked.
"""

from collections import OrderedDict
from typing import Final

from service.graphql.asking import Request
from service.graphql.compiled.values import is_immutable
from service.graphql.execution import Asked

LONGEST: Final = 4_096
"""Bytes of a question that is kept."""


class Repeated:
    """So many questions, those that were asked last."""

    def __init__(self, most: int) -> None:
        self._most: Final = most
        self._asked: OrderedDict[bytes, Asked] = OrderedDict()

    def get(self, body: bytes) -> Asked | None:
        """What these bytes ask for, if it is known."""
        found = self._asked.get(body)
        if found is not None:
            self._asked.move_to_end(body)
        return found

    def put(self, body: bytes, wanted: Request, asked: Asked) -> None:
        """Keep a question; but no change, which nobody repeats, and nothing that a run could alter.

        Nor what names documents by their hash: to send one along makes it known.
        """
        is_plain = wanted.extensions is None and is_immutable(asked.sent.values())
        if is_plain and asked.operation.is_query and len(body) <= LONGEST:
            self._asked[body] = asked
            if len(self._asked) > self._most:
                self._asked.popitem(last=False)
