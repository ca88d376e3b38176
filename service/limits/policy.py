"""What is limited: so many requests at once, and as many again in a span of time."""

import re
from typing import Final, NamedTuple

_UNITS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_RATE: Final = re.compile(r"([1-9]\d{0,8})/(\d{0,4})([smhd])")


class Rate(NamedTuple):
    """A bucket that holds `quota` requests and is filled evenly, from empty in `window` seconds."""

    quota: int
    window: int

    def times(self, factor: int) -> "Rate":
        """The same for so many clients."""
        return Rate(self.quota * factor, self.window)


def rate(text: str) -> Rate:
    """What a text such as `60/m` or `100/10s` says. Raises ValueError."""
    found = _RATE.fullmatch(text.strip())
    window = int(found[2] or 1) * _UNITS[found[3]] if found else 0
    if found is None or not window:
        raise ValueError(f"'{text}' is no rate such as 60/m or 100/10s")
    return Rate(int(found[1]), window)
