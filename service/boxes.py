"""Component files: where they are, and what is in them."""

import re
from pathlib import Path
from typing import Final, NamedTuple

from service.settings import BadSettings, variable_of

LARGEST_BOX: Final = 1024 * 1024
"""Bytes of a component file at most; the built-in ones have about 10,000."""
VARIABLE: Final = variable_of("boxes")

_BETWEEN: Final = re.compile(r"[,\s]+(?=[a-z0-9-]+=)")
_NAMED: Final = re.compile(r"(?P<slug>[a-z0-9-]+)=(?P<path>.+)", re.DOTALL)


class BoxFile(NamedTuple):
    """A component file that somebody brings, and the game it is for."""

    slug: str
    path: Path


def box_files(setting: str) -> tuple[BoxFile, ...]:
    """The files that the setting `boxes` names: `<slug>=FILE`, with commas or blanks between them.

    A path may hold commas and blanks itself, unless something like `word=` follows. Raises BadSettings.
    """
    files: list[BoxFile] = []
    for part in filter(None, _BETWEEN.split(setting.strip(", \t\r\n"))):
        named = _NAMED.fullmatch(part)
        if named is None:
            raise BadSettings(f"{VARIABLE} has '{part[:80]}' where <game>=FILE is expected.")
        files.append(BoxFile(named["slug"], Path(named["path"]).expanduser()))
    return tuple(files)


def read_box(path: Path) -> bytes:
    """The component data in a file. Raises OSError."""
    with path.open("rb") as file:
        data = file.read(LARGEST_BOX + 1)
    if len(data) > LARGEST_BOX:
        raise OSError(f"it is larger than {LARGEST_BOX // 1024} KiB, no component file")
    return data
