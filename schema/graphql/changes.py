"""What clients may have changed: for each operation of REST that changes something, a field of `Mutation`."""

import inspect
import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, NamedTuple

import strawberry

from schema import operations, operations_players, operations_tournaments
from schema.graphql.asked import arguments_of, spelled
from schema.graphql.context import Context, Info
from schema.graphql.outcomes import (
    BotSeated,
    Created,
    Joined,
    Managed,
    Outcome,
    Played,
    Registered,
    TokenCreated,
    TokensLeft,
    TournamentChanged,
)
from schema.graphql.results import problem_of, result_of
from schema.operation import Operation
from schema.wire import Nothing
from schema.wire_views import Problem

_IN_PATH: Final = re.compile(r"\{(\w+):\w+\}")
_OF_PATH: Final = {
    "match_id": "The id of a match.",
    "token_id": "The id of an API token.",
    "tournament_id": "The id of a tournament.",
}
_KEY: Final = "Your name for this request: a repeat with the same one is answered as the first time."


class Change(NamedTuple):
    """A field of `Mutation`, the operation of REST that does the same, and what its success is."""

    name: str
    operation: Operation
    success: type[Outcome]


CHANGES: Final = (
    Change("createMatch", operations.CREATE_MATCH, Created),
    Change("joinMatch", operations.JOIN_MATCH, Joined),
    Change("play", operations.PLAY_MOVES, Played),
    Change("resign", operations.RESIGN, Played),
    Change("cancel", operations.CANCEL_MATCH, Managed),
    Change("kick", operations.KICK_SEAT, Managed),
    Change("leave", operations.LEAVE_MATCH, Managed),
    Change("addBot", operations_players.ADD_BOT, BotSeated),
    Change("rematch", operations_players.REMATCH, Joined),
    Change("registerPlayer", operations_players.REGISTER_PLAYER, Registered),
    Change("createToken", operations_players.CREATE_TOKEN, TokenCreated),
    Change("revokeToken", operations_players.REVOKE_TOKEN, TokensLeft),
    *(
        Change(operation.name, operation, TournamentChanged)
        for operation in operations_tournaments.OPERATIONS
        if operation.is_change
    ),
)


def field_of(change: Change) -> Any:
    """The field that has it carried out: its arguments are those of the operation, in path and body."""
    operation, body = change.operation, change.operation.body or Nothing
    in_path = _IN_PATH.findall(operation.path)

    async def carry_out(info: Info, **given: Any) -> Any:
        context: Context = info.context
        key = given.pop("idempotency_key", None)
        path = {name: str(given.pop(name)) for name in in_path}
        done = await context.door.change(operation, path, spelled(body, given), key, context)
        return problem_of(done) if isinstance(done, Problem) else change.success.of(done, context)

    parameters = [inspect.Parameter("info", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Info)]
    parameters += [_argument(name, strawberry.ID, _OF_PATH[name]) for name in in_path]
    parameters += arguments_of(body)
    if operation.is_change:
        parameters.append(_argument("idempotency_key", str | None, _KEY, None))
    signed: Any = carry_out
    signed.__signature__ = inspect.Signature(parameters)
    return strawberry.field(
        carry_out,
        description=f"{operation.summary}.",
        graphql_type=result_of(change.name, operation, change.success),
    )


def _argument(
    name: str, kind: Any, description: str, default: Any = inspect.Parameter.empty
) -> inspect.Parameter:
    annotation = Annotated[kind, strawberry.argument(description=description)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def fields_of(changes: tuple[Change, ...]) -> Mapping[str, Any]:
    """The fields for these changes, by their names in Python."""
    return {re.sub(r"([A-Z])", r"_\1", change.name).lower(): field_of(change) for change in changes}
