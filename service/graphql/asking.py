"""What a request over HTTP asks for, in whatever form. Source: GraphQL over HTTP, 5 (Request)."""

from typing import Any, Final

import msgspec
from litestar.exceptions import InternalServerException
from msgspec import Struct

from schema.operation import JSON
from service.errors import BodyTimeout, InvalidQuery, Refused, UnsupportedMediaType
from service.graphql.refusals import BatchRefused
from service.http import Incoming, decoded
from service.settings import Settings
from service.waiting import within

RESPONSE: Final = "application/graphql-response+json"
"""The media type of answers whose status says whether the operation was carried out."""


class Request(Struct, rename={"operation_name": "operationName"}, gc=False):
    """An operation that is asked for. What else a client sends is not looked at."""

    query: str | None = None
    operation_name: str | None = None
    variables: dict[str, Any] | None = None
    extensions: dict[str, Any] | None = None


_request: Final = msgspec.json.Decoder(Request).decode
_map: Final = msgspec.json.Decoder(dict[str, Any] | None).decode


async def body_of(request: Incoming, settings: Settings) -> bytes:
    """The body of a POST. Raises UnsupportedMediaType, BodyTimeout."""
    sent_as = request.header(b"content-type") or ""
    if sent_as != JSON and sent_as.partition(";")[0].strip().lower() != JSON:
        # Pages of other origins may send forms and plain text without asking beforehand, but not this.
        raise UnsupportedMediaType(f"Send {JSON}, not '{sent_as[:60]}'.")
    try:
        return await within(settings.body_timeout, request.whole_body(settings.max_body))
    except TimeoutError:
        raise BodyTimeout("The body did not come in time.") from None
    except InternalServerException as error:
        raise Refused("The body broke off.") from error


def of_body(body: bytes) -> Request:
    """What the body of a POST asks for. Raises BatchRefused, MalformedBody, InvalidBody."""
    if body.lstrip()[:1] == b"[":
        raise BatchRefused("Send one operation a request; it may have several fields at its root.")
    return decoded(_request, body, Request)


def of_query(request: Incoming) -> Request:
    """What the parameters of a GET ask for. Raises InvalidQuery."""
    given: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name in given:
            raise InvalidQuery(f"$.{name[:60]}: It stands twice.", where=f"$.{name[:60]}")
        given[name] = value
    return Request(
        given.get("query"),
        given.get("operationName") or None,
        _mapped(given, "variables"),
        _mapped(given, "extensions"),
    )


def _mapped(given: dict[str, str], name: str) -> dict[str, Any] | None:
    text = given.get(name)
    if not text:
        return None
    try:
        return _map(text.encode())
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        raise InvalidQuery(f"$.{name}: It is no JSON object.", where=f"$.{name}") from None
