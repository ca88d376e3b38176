"""What a committed transcript is made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Recipe:
    """A match to be made: the name of its file, and who leaves after how many events."""

    name: str
    seats: int
    options: Mapping[str, Any]
    leaves: Mapping[int, int] = field(default_factory=dict)
