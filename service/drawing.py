"""Boards for elsewhere: an SVG document in another size or on a dark ground, or as PNG.

A PNG shows text in the font that comes along, so it is the same on every machine.
"""

import asyncio
import re
from functools import lru_cache, partial
from importlib.resources import as_file, files
from typing import Final, Literal

from resvg_py import svg_to_bytes

Theme = Literal["light", "dark"]
SIZE: Final = 800
"""Pixels across of a PNG, if nobody says."""

_ROOT: Final = re.compile(r"<svg\b")
_BOX: Final = re.compile(r'viewBox="[\d.]+ [\d.]+ ([\d.]+) ([\d.]+)"')
_DARK: Final = "filter:invert(1) hue-rotate(180deg)"
"""Light becomes dark and colours keep their hue. Source: Filter Effects 1, 6.1.5 and 6.1.7."""
_FONT: Final = "DejaVu Sans"
_one_at_a_time: Final = asyncio.Semaphore(1)
"""Rendering takes a core; the other requests of the process need one too."""


def drawn(svg: str, size: int | None, theme: Theme) -> str:
    """The same drawing, `size` pixels across if given, in a theme."""
    more = ""
    if size is not None and (box := _BOX.search(svg)) is not None:
        height = size * float(box[2]) / float(box[1])
        more += f' width="{size}" height="{height:.0f}"'
    if theme == "dark":
        more += f' style="{_DARK}"'
    return _ROOT.sub(f"<svg{more}", svg, count=1)


async def png(svg: str, size: int) -> bytes:
    """The drawing as PNG, `size` pixels across."""
    async with _one_at_a_time:
        return await asyncio.to_thread(partial(_rendered, svg, size))


@lru_cache(maxsize=16)
def _rendered(svg: str, size: int) -> bytes:
    with as_file(files("service").joinpath("fonts", "DejaVuSans.ttf")) as font:
        return bytes(
            svg_to_bytes(
                svg_string=svg,
                width=size,
                skip_system_fonts=True,
                font_files=[str(font)],
                font_family=_FONT,
                sans_serif_family=_FONT,
            )
        )
