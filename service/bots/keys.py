"""The names of the keys of the built-in bots. All share one slot."""

from typing import Final

KNOWN: Final = "{bots}:known"
"""Hash: ids of the matches that are not over and in which bots play -> the revision that is known."""
COUNTED: Final = "{bots}:counted"
"""There for as long as these matches are not to be counted again."""
TURNS: Final = "{bots}:turns"
"""Stream of turns that bots have to play: fields `m` match, `v` version. Played ones are taken out."""
GROUP: Final = "bots"
"""The group of consumers of the turns: each turn is given to one of them."""
ALIVE: Final = "{bots}:alive"
"""There as long as somebody plays for the bots."""
