"""How a compiled operation may end other than with its answer."""

from collections.abc import Mapping
from typing import Any, Final


class Unsupported(Exception):
    """An operation that no code is made of. The message says why, in a few words that are a label too."""


class Bail(Exception):
    """Something that the ordinary execution has to look at. `why` is a word."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why: Final = why


class Raised:
    """What a resolver at the root has raised."""

    __slots__ = ("error",)

    def __init__(self, error: Exception) -> None:
        self.error: Final = error


Roots = Mapping[str, Any]
"""What the resolvers at the root came to, values or `Raised`, by the name in the answer."""


class Unfinished(Exception):
    """An operation that the ordinary execution has to finish. `roots` must not be asked again."""

    def __init__(self, why: str, roots: Roots) -> None:
        super().__init__(why)
        self.why: Final = why
        self.roots: Final = roots


def bail(_: Any = None) -> Any:
    """Never anything. Raises Bail."""
    raise Bail("data")
