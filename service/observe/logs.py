"""The log: a line an event on stderr, as text for people or as JSON for machines.

What clients send in confidence is never logged: bodies, tokens, headers, idempotency keys, seeds. Libraries
tell such things at the level debug, so theirs begins at info whatever is asked for.
"""

import json
import logging
from datetime import UTC, datetime
from typing import Any, Final

from service.settings import Settings

REQUESTS: Final = "service.observe.requests"
"""The logger of requests: a line each, at the level info."""
_GIVEN: Final = ("request", "operation", "status", "ms")
"""What messages may come with, in `extra`: the id of the request, its operation, its status, its time."""


class JsonLines(logging.Formatter):
    """One JSON object a message, on one line.

    `time` is in UTC with milliseconds (RFC 3339); `process` tells workers apart; `error` is a traceback.
    """

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        told |= {name: getattr(record, name) for name in _GIVEN if hasattr(record, name)}
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told)


class TextLines(logging.Formatter):
    """One line a message for people, and a traceback below it. What clients chose cannot begin a line."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name of the library
        return "".join([_shown(letter) for letter in super().formatMessage(record)])


def _shown(letter: str) -> str:
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode()


def _without_query(said: object) -> object:
    return said.partition("?")[0] if isinstance(said, str) else said


class WithoutQueries(logging.Filter):
    """Leaves out the query of the addresses of WebSockets, which the server logs: it may hold a token."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple) and "WebSocket" in str(record.msg):
            record.args = tuple(map(_without_query, record.args))
        return True


class WithoutHandshakes(logging.Filter):
    """Leaves out the WebSockets that the server opens or refuses: these are requests."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno > logging.INFO or "WebSocket" not in str(record.msg)


def log_config(settings: Settings) -> dict[str, Any]:
    """How `logging` is set up, for the command and for its workers alike."""
    level = settings.log_level.upper()
    libraries = "INFO" if level == "DEBUG" else level
    requests = "INFO" if settings.log_requests == "on" or level == "DEBUG" else "WARNING"
    formatter = JsonLines if settings.log_format == "json" else TextLines
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": formatter}},
        "filters": {"addresses": {"()": WithoutQueries}, "handshakes": {"()": WithoutHandshakes}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"level": libraries, "handlers": ["stderr"]},
        "loggers": {
            "service": {"level": level},
            REQUESTS: {"level": requests},
            "websockets": {"level": "WARNING"},
            "uvicorn.error": {"filters": ["addresses" if requests == "INFO" else "handshakes"]},
        },
    }
