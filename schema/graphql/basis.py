"""Fields that follow from one thing: what was told of them may be told again, to anybody."""

from collections.abc import Hashable, Mapping
from typing import Final, Protocol

OF_BASIS: Final[Mapping[str, bool]] = {"of basis": True}
"""Metadata of a field whose value follows from the `basis` of its object and from its arguments alone.

It must not depend on who asks, nor on when; nor may anything that can be selected below it, unless that is
told of the request (its arguments, `info`), which is seen.
"""


class Based(Protocol):
    """An object with such fields."""

    @property
    def basis(self) -> Hashable | None:
        """What they follow from; None if it is not worth while to keep what they come to."""
        ...
