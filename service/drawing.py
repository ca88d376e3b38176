"""Boards for elsewhere: an SVG document in another size or on a dark ground, or as PNG."""

import asyncio
import re
import sys
from asyncio.subprocess import PIPE
from collections import OrderedDict
from typing import Final, Literal

from service.errors import Busy

Theme = Literal["light", "dark"]
SIZE: Final = 800
"""Pixels across of a PNG, if nobody says."""
KEPT: Final = 16
"""PNGs that are kept at most, for who asks next."""
MOST_WAITING: Final = 8
PATIENCE: Final = 30.0
"""Seconds that one may take."""

_ROOT: Final = re.compile(r"<svg\b")
_BOX: Final = re.compile(r'viewBox="[\d.]+ [\d.]+ ([\d.]+) ([\d.]+)"')
_DARK: Final = "filter:invert(1) hue-rotate(180deg)"
"""Light becomes dark and colours keep their hue. Source: Filter Effects 1, 6.1.5 and 6.1.7."""


def drawn(svg: str, size: int | None, theme: Theme) -> str:
    """The same drawing, `size` pixels across if given, in a theme."""
    more = ""
    if size is not None and (box := _BOX.search(svg)) is not None:
        height = size * float(box[2]) / float(box[1])
        more += f' width="{size}" height="{height:.0f}"'
    if theme == "dark":
        more += f' style="{_DARK}"'
    return _ROOT.sub(f"<svg{more}", svg, count=1)


class Press:
    """Has drawings rendered: each once for all who ask, one at a time, in a process of its own."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(1)
        self._made: OrderedDict[tuple[str, int], asyncio.Task[bytes]] = OrderedDict()

    async def png(self, svg: str, size: int) -> bytes:
        """The drawing as PNG, `size` pixels across. Raises Busy if too many wait, or it takes too long."""
        wanted = (svg, size)
        making = self._made.get(wanted)
        if making is None:
            self._make_room()
            making = self._made[wanted] = asyncio.create_task(self._rendered(svg, size), name="png")
        self._made.move_to_end(wanted)
        try:
            return await asyncio.shield(making)  # others may wait for it
        except (Busy, RuntimeError):
            self._made.pop(wanted, None)
            raise

    def _make_room(self) -> None:
        done = [wanted for wanted, making in self._made.items() if making.done()]
        if len(self._made) - len(done) >= MOST_WAITING:
            raise Busy(f"{MOST_WAITING} pictures are being made; come again when some are done.")
        if len(self._made) >= KEPT:
            del self._made[done[0]]

    async def _rendered(self, svg: str, size: int) -> bytes:
        command = (sys.executable, "-m", "service.rendering", str(size))
        async with self._turn:
            process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=PIPE)
            try:
                async with asyncio.timeout(PATIENCE):
                    image, words = await process.communicate(svg.encode())
            except TimeoutError:
                raise Busy("The picture takes too long to be made; ask for a smaller one.") from None
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
        if process.returncode != 0:
            raise RuntimeError(f"The renderer ended with {process.returncode}: {words.decode()[-500:]}")
        return image
