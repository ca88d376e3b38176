"""The names of the keys of the built-in bots. All share one slot."""

from typing import Final

KNOWN: Final = "{bots}:known"
"""Hash: ids of the matches that are not over and in which bots play -> the revision that is known."""
CHANGED: Final = "{bots}:changed"
"""Sorted set: ids of these matches -> when something happened last, in ms."""
TURNS: Final = "{bots}:turns"
"""Stream of turns that bots have to play: fields `m` match, `v` version. Played ones are taken out."""
GROUP: Final = "bots"
"""The group of consumers of the turns: each turn is given to one of them."""
ALIVE: Final = "{bots}:alive"
"""There as long as somebody plays for the bots."""
