"""What can go wrong between a client and a server."""

from schema.wire_views import Problem


class ClientError(Exception):
    """Base of everything below."""


class Unreachable(ClientError):
    """The server gave no usable answer for as long as the client was willing to wait."""


class BadAnswer(ClientError):
    """An answer that this client does not understand: perhaps the server is another one."""


class Refused(ClientError):
    """The server understood the request and refused it; `problem` says why (RFC 9457)."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail or problem.title)
        self.problem = problem

    @property
    def code(self) -> str:
        """The stable code of the problem."""
        return self.problem.code


class BotFault(ClientError):
    """A bot answered with a move that the game does not allow, or with none."""
