"""Component data of any game: what it is called, and reading it.

Component data is TOML in UTF-8; what it must hold, each game says in its `components.py`.
"""

import tomllib
from typing import Annotated, Any

from msgspec import Meta

from engine.errors import BadBox, Fault

EditionName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]*\Z", max_length=60)]
"""How an edition may be called: it stands in transcripts and on terminals."""


def read_toml(data: bytes) -> dict[str, Any]:
    """What the data says. Raises BadBox if it is no TOML."""
    try:
        return tomllib.loads(data.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadBox(Fault("file", f"it is no TOML: {error}")) from None
