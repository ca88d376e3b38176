"""The page as it is served: its files under a name that changes with them, and what loads them."""

from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

import msgspec

from engine.match import AnyGame
from service.languages import CODES
from service.web.files import MEDIA_TYPES, File, digest_of, read_folder
from service.web.guides import guides_of

ASSETS: Final = "/assets"
EXPLORER: Final = "/api/explorer"
_HERE: Final = Path(__file__).parent
_BASE: Final = "{{base}}"
_MODULES: Final = "{{modules}}"


class Site:
    """A document and its files. `name` is that of the whole set: another one after any change."""

    def __init__(self, place: str, document: str, files: dict[str, File]) -> None:
        self.files: Final = files
        self.name: Final = digest_of(files)
        self.base: Final = f"{place}/{self.name}"
        preloads = (f'<link rel="modulepreload" href="{escape(address)}">' for address in self._modules())
        text = document.replace(_BASE, self.base).replace(_MODULES, "\n".join(preloads))
        self.document: Final = File(MEDIA_TYPES[".html"], text.encode())

    def _modules(self) -> Iterable[str]:
        """The addresses of all modules: the browser asks for them at once and not one after the other."""
        return (f"{self.base}/{name}" for name in self.files if name.startswith(("js/", "vendor/")))


@cache
def read_site(games: tuple[AnyGame, ...]) -> Site:
    """The page for people, with the guides to the rules of the games in every language. Raises BadGuide."""
    files = read_folder(_HERE / "static")
    for code in CODES:
        for guide in guides_of(games, code):
            body = msgspec.json.encode(guide)
            files[f"rules/{code}/{guide.slug}.json"] = File(MEDIA_TYPES[".json"], body, guide.language)
    return Site(ASSETS, (_HERE / "page.html").read_text(), files)


@cache
def read_explorer() -> Site:
    """The page on which the contract is read and tried out."""
    return Site(EXPLORER, (_HERE / "explorer.html").read_text(), read_folder(_HERE / "explorer"))
