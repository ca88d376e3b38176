"""What a request to the GraphQL door can be refused for before anything is executed."""

from collections.abc import Sequence

from graphql import GraphQLError

from service.errors import Refused


class RequestRefused(Refused):
    """Base of these. `errors` say what is wrong, each at its place in the document."""

    def __init__(self, detail: str, errors: Sequence[GraphQLError] = ()) -> None:
        super().__init__(detail)
        self.errors = tuple(errors) or (GraphQLError(detail),)


class MalformedDocument(RequestRefused):
    """A text that is no GraphQL document."""

    code = "malformed_document"


class InvalidDocument(RequestRefused):
    """A document that does not fit the schema."""

    code = "invalid_document"


class InvalidVariables(RequestRefused):
    """Values that do not fit the variables of the operation."""

    code = "invalid_variables"


class UnknownOperation(RequestRefused):
    """An operation that the document does not have, or that is not named where there are several."""

    code = "unknown_operation"


class TooCostly(RequestRefused):
    """A document that asks for more than is answered at once."""

    code = "too_costly"


class BatchRefused(RequestRefused):
    """Several operations in one request."""

    code = "batch_refused"


class NotRegistered(RequestRefused):
    """A document that is not among those that are answered here."""

    code = "document_not_registered"


class PersistedQueryNotFound(RequestRefused):
    """A hash of no document that is known; send the document along.

    Code and words are those of the protocol of automatic persisted queries (Apollo).
    """

    code = "PERSISTED_QUERY_NOT_FOUND"

    def __init__(self) -> None:
        super().__init__("PersistedQueryNotFound")


class TooSlow(RequestRefused):
    """An answer that took too long."""

    code = "too_slow"
