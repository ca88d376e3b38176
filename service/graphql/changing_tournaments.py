"""Changes of tournaments on the GraphQL door: each is the operation of REST that does the same."""

from collections.abc import Mapping
from typing import Final

import msgspec

from schema.graphql.door import Done
from schema.operations_tournaments import CREATE_TOURNAMENT
from schema.wire import Scope
from schema.wire_views import Problem
from service.accounts.caller import Caller
from service.graphql.wanted import Named, Wanted, Way, keyed, problem_in
from service.routes.tournaments import DEEDS, announced
from service.store.record import Answer
from service.tournaments.office import Deed, Office
from service.tournaments.store import checked_id


async def _create(wanted: Wanted) -> Done | Problem:
    caller = await wanted.caller("create")
    return _told(await announced(wanted.desk, keyed(wanted.change), wanted.asked, caller), caller)


def _way(scope: Scope, deed: Deed) -> Way:
    """How something is done to a tournament by who has a token with this scope."""

    async def carry_out(wanted: Wanted) -> Done | Problem:
        caller = await wanted.caller(scope)
        tournament_id = checked_id(wanted.path["tournament_id"])
        office = Office(wanted.desk)
        return _told(await office.carry_out(tournament_id, keyed(wanted.change), caller, deed), caller)

    return Way(carry_out, Named)


def _told(answer: Answer, caller: Caller) -> Done | Problem:
    """What an answer says that was made for the other door, perhaps long ago."""
    if (problem := problem_in(answer)) is not None:
        return problem
    told = msgspec.msgpack.decode(answer.body, type=Named)
    return Done(told, told.id, caller.player.id)


WAYS: Final[Mapping[str, Way]] = {
    CREATE_TOURNAMENT.name: Way(_create, Named),
    **{operation.name: _way(*business) for operation, business in DEEDS.items()},
}
