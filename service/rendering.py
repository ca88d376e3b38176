"""An SVG document as PNG, in a process of its own: `python -m service.rendering SIZE`, from stdin to stdout.

The renderer holds the interpreter's lock while it works, for seconds where a drawing is large.
"""

import os
import sys
from importlib.resources import as_file, files
from typing import Final

from resvg_py import svg_to_bytes

_FONT: Final = "DejaVu Sans"
"""Comes along, so a PNG is the same on every machine."""


def rendered(svg: str, size: int) -> bytes:
    """The drawing as PNG, `size` pixels across. Raises ValueError if it is none."""
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


if __name__ == "__main__":
    os.nice(10)
    sys.stdout.buffer.write(rendered(sys.stdin.read(), int(sys.argv[1])))
