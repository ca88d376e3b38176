"""The page for people: the document at every address it has, and its files, which never change."""

from collections.abc import Mapping
from typing import Final

from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler

from engine.registry import GAMES
from schema.operation import API
from schema.operations import JSON
from service.http import PROBLEM, Headers, Incoming, Reply, unchanged
from service.negotiation import coding, preferred
from service.settings import Settings
from service.web.files import MEDIA_TYPES, File
from service.web.site import ASSETS, EXPLORER, Site, read_explorer, read_site

PAGES: Final = (
    "/",
    "/new",
    "/match/{match_id:str}",
    "/match/{match_id:str}/{version:int}",
    "/rules",
    "/rules/{slug:str}",
    "/tournaments",
    "/tournament/{tournament_id:str}",
)
"""The addresses that people see; the page itself knows what to show at each."""
HTML: Final = MEDIA_TYPES[".html"]
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
EXPLORING: Final[Mapping[str, str]] = {
    **{name: value for name, value in POLICY.items() if not name.endswith(("types", "types-for"))},
    "style-src": "'self' 'unsafe-inline'",
}
"""What the explorer may: it sets styles of its own, and knows nothing of trusted types."""


def _guarded(policy: Mapping[str, str]) -> Headers:
    """The headers of a document that may do no more than a policy says."""
    return (
        ("content-security-policy", "; ".join(f"{name} {value}".rstrip() for name, value in policy.items())),
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
    return await served(request, site().document, (*_CHANGING, *_guarded(POLICY)))


def nothing_here(request: Incoming) -> Reply | None:
    """The document, which says that there is nothing at an address, for who prefers a page to JSON; None for
    all others, and at addresses of the API."""
    accepted = request.header(b"accept") or ""
    if request.scope["path"].startswith(API) or preferred(accepted, (JSON, PROBLEM, HTML)) != HTML:
        return None
    document = site().document
    named: Headers = (("content-type", f"{HTML}; charset=utf-8"), ("vary", "accept"))
    return Reply(404, (*named, *_CHANGING, *_guarded(POLICY)), document.body)


@HTTPRouteHandler(f"{ASSETS}/{{name:str}}/{{path:path}}", http_method="GET", name="asset")
async def show_asset(request: Incoming) -> Reply:
    """A file of the page."""
    return await _found(request, site())


@HTTPRouteHandler(EXPLORER, http_method="GET", name="explorer")
async def show_explorer(request: Incoming) -> Reply:
    """The contract, to be read and tried out."""
    return await served(request, read_explorer().document, (*_CHANGING, *_guarded(EXPLORING)))


@HTTPRouteHandler(f"{EXPLORER}/{{name:str}}/{{path:path}}", http_method="GET", name="explorer file")
async def show_explorer_file(request: Incoming) -> Reply:
    """A file of the explorer."""
    return await _found(request, read_explorer())


async def _found(request: Incoming, of: Site) -> Reply:
    """A file, by the name of the set it belongs to: that of another release is not found."""
    found = of.files.get(request.path_params["path"].removeprefix("/"))
    if found is None or request.path_params["name"] != of.name:
        raise NotFoundException
    return await served(request, found, (*_LASTING, ("x-content-type-options", "nosniff")))


async def served(request: Incoming, file: File, headers: Headers) -> Reply:
    """A file in the coding that the client likes, or 304 if it has it."""
    if (known := unchanged(request, file.tag)) is not None:
        return known
    spoken: Headers = (("content-language", file.language),) if file.language else ()
    named: Headers = (("content-type", f"{file.media_type}; charset=utf-8"), *spoken)
    if not file.is_compressible:
        return Reply(200, (*named, ("etag", file.tag), *headers), file.body)
    varied: Headers = (*named, *headers, ("vary", "accept-encoding"))
    chosen = coding(request.header(b"accept-encoding") or "")
    if chosen is None:
        return Reply(200, (*varied, ("etag", file.tag)), file.body)
    tag = ("etag", f'"{file.digest}-{chosen}"')
    return Reply(200, (*varied, tag, ("content-encoding", chosen)), await file.coded(chosen))


def routes(settings: Settings) -> tuple[HTTPRouteHandler, ...]:
    """The handlers of what the settings switch on."""
    page = (show_page, show_asset) if settings.web == "on" else ()
    explorer = (show_explorer, show_explorer_file) if settings.explorer == "on" else ()
    return (*page, *explorer)
