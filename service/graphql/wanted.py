"""A change that somebody wants on the GraphQL door, and what all ways to carry it out have in common."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from schema.graphql.door import Done
from schema.wire import Scope
from schema.wire_views import Problem
from service.accounts.caller import Caller, caller_of, player_or_guest
from service.accounts.credential import Credential, credential_of
from service.desk import Desk
from service.details import detail
from service.errors import InvalidBody, TokenRequired
from service.http import PROBLEM, Change, key_fault
from service.routes.common import checked_id
from service.store.record import Answer

_problem: Final = msgspec.json.Decoder(Problem).decode


class Named(Struct):
    """Of a match or a tournament in an answer, what is looked at here."""

    id: str


class Wanted(NamedTuple):
    """A change that somebody wants, as it reaches the desk. `token` is None if none is presented."""

    desk: Desk
    asked: Any
    token: str | None
    change: Change
    path: Mapping[str, str]
    language: Any

    @property
    def match_id(self) -> str:
        """The id of the match. Raises NoMatch."""
        return checked_id(self.path["match_id"])

    async def credential(self, scope: Scope) -> Credential:
        """What the token is worth. Raises TokenRequired and what `credential_of` raises."""
        if self.token is None:
            raise TokenRequired(detail("token_needed"))
        return await credential_of(self.desk.store, self.token, scope)

    async def caller(self, scope: Scope) -> Caller:
        """The player who asks. Raises what `caller_of` raises."""
        return await caller_of(self.desk.store, self.token, scope)

    async def guest_or_player(self, scope: Scope) -> Caller | None:
        """The player who asks, None for a guest. Raises what `player_or_guest` raises."""
        return await player_or_guest(self.desk.store, self.token, scope)

    def by(self, caller: Caller | None) -> "Change":
        """The change as one of a player, or of a guest, whatever token a guest presents."""
        return self.change._replace(token=None if caller is None else caller.token)


class Way(NamedTuple):
    """How an operation is carried out, and what of its answer is looked at, if it is an answer."""

    carry_out: Callable[[Wanted], Awaitable[Answer | Done | Problem]]
    told: Any


def problem_in(answer: Answer) -> Problem | None:
    """The problem that an answer tells, None if it tells none."""
    return _problem(answer.body) if ("content-type", PROBLEM) in answer.headers else None


def keyed(change: Change) -> Change:
    """The change, if its key may be used with its credential. Raises InvalidBody."""
    fault = None if change.key is None else key_fault(change.key, is_anonymous=change.token is None)
    if fault is not None:
        raise InvalidBody(f"$.idempotencyKey: {fault}", where="$.idempotencyKey")
    return change
