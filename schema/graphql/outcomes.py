"""What a change comes to if it is not refused.

A repeat under an idempotency key is told what was told the first time; `match` is the match as it stands.
"""

from typing import Any, ClassVar, Final, Self

import strawberry
from msgspec import UNSET

from schema.graphql import types
from schema.graphql.context import Context
from schema.graphql.door import Done
from schema.graphql.match import Match
from schema.graphql.results import Problem, problem_of
from schema.graphql.tournament import Tournament
from schema.wire_players import NewTokenView, RegisteredView, TokenList
from schema.wire_views import ClockView, PlayedView

_NOT_DERIVED: Final = ("to_move", "stopped_at", "reason", "legal_moves", "clock")
"""Of what was played, what may be absent, or is told otherwise on the other door."""


class Outcome:
    """Base of these: what was done, and the context in which more is asked for."""

    done: ClassVar[Done]
    told: ClassVar[Any]
    context: ClassVar[Context]

    @classmethod
    def of(cls, done: Done, context: Context) -> Self:
        """What was done, as the value of a type; Strawberry makes the constructors of its types itself."""
        made = cls.__new__(cls)
        vars(made).update(done=done, told=done.told, context=context)
        return made

    def __getattr__(self, name: str) -> Any:
        """A derived field."""
        return getattr(self.told, name)

    @classmethod
    def is_type_of(cls, value: Any, _info: Any) -> bool:
        return type(value) is cls

    async def _match(self) -> Match:
        return Match(await self.context.door.match(self.done.about), self.context)


@strawberry.type(description="A match was made.")
class Created(Outcome):
    """With the token of its host."""

    @strawberry.field(description="With it its creator may cancel the match, free seats and add bots.")
    def host_token(self) -> str:
        return str(self.told.host_token)

    @strawberry.field(description="The match as it stands.")
    async def match(self) -> Match:
        return await self._match()


@strawberry.type(description="A seat was taken.")
class Joined(Outcome):
    """With the token that plays it."""

    @strawberry.field(description="The seat, counted from 0.")
    def seat(self) -> int:
        return int(self.told.seat)

    @strawberry.field(description="With it the moves of the seat are made.")
    def token(self) -> str:
        return str(self.told.token)

    @strawberry.field(description="The match as it stands.")
    async def match(self) -> Match:
        return await self._match()


@strawberry.type(description="The match is as its host wants it.")
class Managed(Outcome):
    """A seat is free again, or the match is called off."""

    @strawberry.field(description="The match as it stands.")
    async def match(self) -> Match:
        return await self._match()


@strawberry.type(description="A bot has taken a seat.")
class BotSeated(Outcome):
    """Which one."""

    @strawberry.field(description="The seat, counted from 0.")
    def seat(self) -> int:
        return int(self.told.seat)

    @strawberry.field(description="The match as it stands.")
    async def match(self) -> Match:
        return await self._match()


@strawberry.type(
    description="What a batch came to. With `stoppedAt` the moves from that index on were not played, for"
    " `reason`."
)
class Played(Outcome, types.view(PlayedView, *_NOT_DERIVED)):  # type: ignore[misc]  # its fields are derived
    """The events of the batch and what is next."""

    @strawberry.field(description="The place in the batch of the first move that was not played.")
    def stopped_at(self) -> int | None:
        return None if self.told.stopped_at is UNSET else int(self.told.stopped_at)

    @strawberry.field(
        description="Null if nobody can run out of time.", graphql_type=types.view(ClockView) | None
    )
    def clock(self) -> Any:
        return self.told.clock or None

    @strawberry.field(description="The seat that decides next, null when the match is over.")
    def to_move(self) -> int | None:
        holder: int | None = self.told.to_move
        return holder

    @strawberry.field(description="Why no more was played.")
    def reason(self) -> Problem | None:
        return problem_of(self.told.reason) if self.told.reason else None

    @strawberry.field(description="The match as it stands.")
    async def match(self) -> Match:
        return await self._match()


@strawberry.type(description="A player has an account.")
class Registered(Outcome, types.view(RegisteredView)):  # type: ignore[misc]  # its fields are derived
    """The player and its first API token, which is shown this once."""


@strawberry.type(description="A player has a further API token, which is shown this once.")
class TokenCreated(Outcome, types.view(NewTokenView)):  # type: ignore[misc]  # its fields are derived
    """The token and its description."""


@strawberry.type(description="A token was revoked; these are left.")
class TokensLeft(Outcome, types.view(TokenList)):  # type: ignore[misc]  # its fields are derived
    """All tokens that a player has."""


@strawberry.type(description="A tournament is as its organiser, or one of its entrants, wants it.")
class TournamentChanged(Outcome):
    """It was announced, joined, left, started, paused, resumed or cancelled."""

    @strawberry.field(description="The tournament as it stands.")
    async def tournament(self) -> Tournament:
        done = self.done
        return Tournament(await self.context.door.tournament(done.about, done.player), self.context)
