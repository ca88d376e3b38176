"""GraphiQL, from files of ours: a page for people who try the schema out, where that is switched on."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler

from service.http import Headers, Incoming, Reply
from service.negotiation import preferred
from service.routes.web import served
from service.web.files import MEDIA_TYPES, File, digest_of, read_folder

HTML: Final = "text/html"
ASSETS: Final = "/graphql/assets"
_HERE: Final = Path(__file__).parent
POLICY: Final[Mapping[str, str]] = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",  # the editor sets styles by script
    "font-src": "data:",  # they are in the style sheet
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
"""What the page may load and do. Source: Content Security Policy Level 3."""
_GUARDED: Final[Headers] = (
    ("content-security-policy", "; ".join(f"{name} {value}" for name, value in POLICY.items())),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-cache"),
)
_LASTING: Final[Headers] = (
    ("cache-control", "public, max-age=31536000, immutable"),
    ("x-content-type-options", "nosniff"),
)


@cache
def files() -> dict[str, File]:
    """The files of the page."""
    return read_folder(_HERE / "static")


@cache
def page() -> File:
    """The page."""
    text = (_HERE / "explorer.html").read_text().replace("{{base}}", f"{ASSETS}/{digest_of(files())}")
    return File(MEDIA_TYPES[".html"], text.encode())


def is_wanted(request: Incoming, *others: str) -> bool:
    """Whether it is switched on, and the client is a browser that was pointed here."""
    if request.app.state.desk.settings.graphql_explorer == "off" or request.scope["query_string"]:
        return False
    return preferred(request.header(b"accept") or "", (*others, HTML)) == HTML


async def show_explorer(request: Incoming) -> Reply:
    """The page."""
    return await served(request, page(), _GUARDED)


@HTTPRouteHandler(f"{ASSETS}/{{name:str}}/{{path:path}}", http_method="GET", name="graphql asset")
async def show_file(request: Incoming) -> Reply:
    """A file of the page, by the name of the set it belongs to."""
    is_off = request.app.state.desk.settings.graphql_explorer == "off"
    found = files().get(request.path_params["path"].removeprefix("/"))
    if is_off or found is None or request.path_params["name"] != digest_of(files()):
        raise NotFoundException
    return await served(request, found, _LASTING)
