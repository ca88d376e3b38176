"""The documents, cut into what a reader can do: fenced blocks, and commands in running text."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.project.sources import name_of, tracked_files

DOCUMENTS = tuple(sorted(path for path in tracked_files() if path.suffix == ".md"))


class Block(NamedTuple):
    """A fenced block. `place` is the document, the heading above, and a number from the second block on."""

    place: str
    language: str
    text: str


def blocks_of(document: Path) -> Iterator[Block]:
    """The fenced blocks of a document."""
    heading, seen = "", Counter[str]()
    lines = iter(document.read_text().splitlines())
    for line in lines:
        if title := re.fullmatch(r"#+ (.*)", line):
            heading = title[1]
        elif fence := re.fullmatch(r" *(`{3,}|~{3,})(\S*).*", line):
            place = f"{name_of(document)}: {heading}"
            seen[place] += 1
            number = f" ({seen[place]})" if seen[place] > 1 else ""
            yield Block(place + number, fence[2], "\n".join(_inside(lines, fence[1])))


def _inside(lines: Iterator[str], fence: str) -> Iterator[str]:
    for line in lines:
        if line.strip() == fence:
            return
        yield line
    raise AssertionError("a block has no end")


BLOCKS = tuple(block for document in DOCUMENTS for block in blocks_of(document))


def spans_of(document: Path) -> list[str]:
    """What stands between single backticks in the running text of a document."""
    text = re.sub(r"^ *(`{3,})\S*\n.*?^ *\1$", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", text)]
