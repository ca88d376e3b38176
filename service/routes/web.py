"""The page for people: the document at every address it has, and its files, which never change."""

from collections.abc import Mapping
from typing import Final

from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler

from engine.registry import GAMES
from service.http import Headers, Incoming, Reply, unchanged
from service.negotiation import coding
from service.web.files import File
from service.web.site import ASSETS, Site, read_site

PAGES: Final = (
    "/",
    "/new",
    "/match/{match_id:str}",
    "/match/{match_id:str}/{version:int}",
    "/rules/{slug:str}",
    "/tournaments",
    "/tournament/{tournament_id:str}",
)
"""The addresses that people see; the page itself knows what to show at each."""
POLICY: Final[Mapping[str, str]] = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "lit-html board",
}
"""What the page may load and do. Source: Content Security Policy Level 3, Trusted Types."""
GUARDED: Final[Headers] = (
    ("content-security-policy", "; ".join(f"{name} {value}" for name, value in POLICY.items())),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
)
_CHANGING: Final[Headers] = (("cache-control", "no-cache"),)
_LASTING: Final[Headers] = (("cache-control", "public, max-age=31536000, immutable"),)


def site() -> Site:
    """The page with the guides of all games."""
    return read_site(tuple(GAMES.values()))


@HTTPRouteHandler(list(PAGES), http_method="GET", name="page")
async def show_page(request: Incoming) -> Reply:
    """The document."""
    return await served(request, site().document, (*_CHANGING, *GUARDED))


@HTTPRouteHandler(f"{ASSETS}/{{name:str}}/{{path:path}}", http_method="GET", name="asset")
async def show_asset(request: Incoming) -> Reply:
    """A file, by the name of the set it belongs to: that of another release is not found."""
    found = site().files.get(request.path_params["path"].removeprefix("/"))
    if found is None or request.path_params["name"] != site().name:
        raise NotFoundException
    return await served(request, found, (*_LASTING, ("x-content-type-options", "nosniff")))


async def served(request: Incoming, file: File, headers: Headers) -> Reply:
    """A file in the coding that the client likes, or 304 if it has it."""
    if (known := unchanged(request, file.tag)) is not None:
        return known
    named = ("content-type", f"{file.media_type}; charset=utf-8")
    if not file.is_compressible:
        return Reply(200, (named, ("etag", file.tag), *headers), file.body)
    varied: Headers = (named, *headers, ("vary", "accept-encoding"))
    chosen = coding(request.header(b"accept-encoding") or "")
    if chosen is None:
        return Reply(200, (*varied, ("etag", file.tag)), file.body)
    tag = ("etag", f'"{file.digest}-{chosen}"')
    return Reply(200, (*varied, tag, ("content-encoding", chosen)), await file.coded(chosen))


ROUTES: Final = (show_page, show_asset)
