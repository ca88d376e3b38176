"""What a field of the schema itself refuses. The service has more; all have a code of `schema.problems`."""

from typing import ClassVar


class Refusal(Exception):
    """Base of what is refused here: a stable code, and a sentence for people."""

    code: ClassVar[str]


class BadArgument(Refusal):
    """An argument whose value is not allowed. `where` names it."""

    code = "invalid_query"

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where = where


class TooCostly(Refusal):
    """A field that costs more than what is left for the request."""

    code = "too_costly"
