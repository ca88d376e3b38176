"""Waiting politely: longer each time, until something happens."""

import random
import time

GROWTH = 1.6


class Pace:
    """Pauses that grow from `first` to `longest` seconds, each shortened at random by up to a quarter, so
    that many clients do not come back at once."""

    def __init__(self, first: float, longest: float) -> None:
        self._first = first
        self._longest = longest
        self._next = first

    def wait(self, at_least: float = 0.0) -> None:
        """Sleep for the next pause, or for `at_least` seconds if that is longer."""
        time.sleep(max(self.next(), at_least))

    def next(self) -> float:
        """The seconds of the next pause; the one after it is longer."""
        pause = self._next * random.uniform(0.75, 1.0)  # noqa: S311  # nothing secret depends on it
        self._next = min(self._next * GROWTH, self._longest)
        return pause

    def reset(self) -> None:
        """Begin again with the first pause: something happened."""
        self._next = self._first
