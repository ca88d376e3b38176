"""What this worker wrote last, to go on from without asking. Whether it still stands, the store says."""

from typing import Final

from service.store.record import Loaded

MOST: Final = 2_048
"""Documents kept at most."""


class Recent:
    """The newest documents by match, for as long as one connection lasts.

    The server behind the next connection may have lost what was acknowledged, and may count revisions anew.
    """

    __slots__ = ("_loaded", "_losses", "_most")

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._losses = 0
        self._loaded: dict[str, Loaded] = {}

    def get(self, match_id: str, losses: int) -> Loaded | None:
        """The document written last, None if it is not kept or the connection was lost since."""
        return self._loaded.get(match_id) if losses == self._losses else None

    def put(self, loaded: Loaded, losses: int) -> None:
        """Keep a document, unless it is over, instead of an earlier one of the match; forget the oldest."""
        if losses != self._losses:
            self._losses = losses
            self._loaded.clear()
        kept, match_id = self._loaded, loaded.record.id
        kept.pop(match_id, None)
        if not loaded.record.is_over:
            kept[match_id] = loaded
            if len(kept) > self._most:
                del kept[next(iter(kept))]
