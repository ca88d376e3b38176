"""A schema with all that the compiled executor has to cope with, and values that may be wrong."""

import enum
from collections.abc import AsyncGenerator
from datetime import date
from typing import Annotated, Any, Literal, NewType, Union

import msgspec
import strawberry
from msgspec import Struct
from strawberry.schema.config import StrawberryConfig

from schema.graphql.context import Budget, Context
from service.graphql.execution import Asked, Executor
from service.settings import Settings

Wrong = Literal["text", "null", "float", "class", "raise", "list", "large"]
WRONG: dict[str, Any] = {
    "text": "seven",
    "null": None,
    "float": 7.5,
    "class": object(),
    "list": [7],
    "large": 2**40,
}


class Colour(Struct, frozen=True):
    """A value that is no class of Strawberry's, with a mirror that is."""

    name: str
    rgb: tuple[int, int, int]


def _is_colour(value: Any, _info: Any) -> bool:
    return type(value) is Colour


@strawberry.interface
class Named:
    """What the type of a value is found for by asking each type that it may be of."""

    name: str


Tint = strawberry.type(
    type(
        "Tint",
        (Named,),
        {
            "__module__": __name__,
            "__annotations__": {"name": "str", "rgb": "list[int]"},
            "is_type_of": staticmethod(_is_colour),
        },
    ),
    name="Colour",
)


@strawberry.enum
class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


Day = NewType("Day", date)


@strawberry.input
class Span:
    start: int = 0
    length: int | None = None


@strawberry.interface
class Piece:
    name: str
    size: Size

    @strawberry.field
    def title(self, loud: bool = False) -> str:
        return self.name.upper() if loud else self.name


@strawberry.type
class Tower(Piece):
    floors: list[int]
    grid: list[list[int | None]]
    colour: Any = strawberry.field(graphql_type=Tint | None)

    @strawberry.field
    def between(self, spans: list[Span]) -> list[int]:
        return [floor for span in spans for floor in self.floors[span.start :][: span.length]]

    @strawberry.field
    async def neighbours(self, first: int = 2) -> list[Piece]:
        return PIECES[:first]


@strawberry.type
class Wall(Piece):
    length: float
    day: Day
    note: str | None = None

    @strawberry.field
    def under(self, info: strawberry.Info) -> str:
        return f"{info.field_name} of {self.name} in {info.return_type}"

    @strawberry.field
    def place(self, info: strawberry.Info) -> str:
        return ".".join(map(str, info.path.as_list()))


Any_piece = Annotated[Union[Tower, Wall], strawberry.union("AnyPiece")]  # noqa: UP007
PIECES: list[Any] = [
    Tower(name="a", size=Size.SMALL, floors=[1, 2], grid=[[1, None], []], colour=Colour("red", (255, 0, 0))),
    Wall(name="b", size="small", length=2, day=Day(date(2026, 1, 2))),  # type: ignore[arg-type]  # its value
    Tower(name="c", size=Size.LARGE, floors=[], grid=[], colour=None),
    Wall(name="d", size=Size.LARGE, length=0.5, day=Day(date(2026, 1, 3)), note="x"),
]


@strawberry.type
class Count:
    value: int


@strawberry.type
class Query:
    @strawberry.field
    def plain(self, name: str = "nobody", loud: bool | None = None) -> str:
        return name.upper() if loud else name

    @strawberry.field(graphql_type=list[Piece])
    def pieces(self, first: int | None = None) -> Any:
        return PIECES[:first]

    @strawberry.field(graphql_type=list[Any_piece | None])
    async def union(self) -> Any:
        return (*PIECES, None)

    @strawberry.field(graphql_type=list[Named])
    def named(self) -> Any:
        return [Colour("blue", (0, 0, 255))] * 2

    @strawberry.field
    async def count(self, info: strawberry.Info) -> Count:
        return Count(value=info.context.budget.left)

    @strawberry.field(graphql_type=Count | None)
    async def wrong(self, how: str = "text") -> Any:
        return _wrong(how)

    @strawberry.field(graphql_type=list[Count])
    def wrongs(self, hows: list[str]) -> Any:
        return tuple(map(_wrong, hows))

    @strawberry.field(graphql_type=int)
    def strict(self, how: str) -> Any:
        return _wrong(how).value

    @strawberry.field(graphql_type=Piece | None)
    def no_piece(self) -> Any:
        return Count(value=1)

    @strawberry.field(graphql_type=list[int] | None)
    def no_list(self) -> Any:
        return 7

    @strawberry.field(graphql_type=Size | None)
    def no_size(self) -> Any:
        return "huge"


def _wrong(how: str) -> Any:
    if how == "raise":
        raise LookupError(how)
    return Count(value=WRONG.get(how, 7))


SCALARS: dict[object, Any] = {
    Day: strawberry.scalar(name="Day", serialize=date.isoformat, parse_value=date.fromisoformat)
}
DONE: list[int] = []
"""What mutations have done."""


@strawberry.type
class Mutation:
    @strawberry.mutation(graphql_type=Count | None)
    async def add(self, value: int, how: str = "") -> Any:
        DONE.append(value)
        return _wrong(how) if how else Count(value=value)

    @strawberry.mutation(graphql_type=Count)
    def must(self, value: int, how: str = "") -> Any:
        DONE.append(value)
        return _wrong(how) if how else Count(value=value)


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def counts(self, hows: list[str]) -> AsyncGenerator[Count, None]:
        for how in hows:
            if how == "raise":
                raise LookupError(how)
            yield _wrong(how)


SCHEMA = strawberry.Schema(
    Query, Mutation, Subscription, types=[Tower, Wall], config=StrawberryConfig(scalar_map=SCALARS)
)


class Both:
    """The same operations by both executors."""

    def __init__(self, schema: strawberry.Schema = SCHEMA) -> None:
        self.compiled = Executor(schema, Settings())
        self.ordinary = Executor(schema, Settings(graphql_executor="ordinary"))

    async def same(self, text: str, variables: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """What both answer, which has to be the same, byte for byte."""
        told = await answered(self.compiled, text, variables, **more)
        done, DONE[:] = list(DONE), []
        expected = await answered(self.ordinary, text, variables, **more)
        assert told == expected
        assert done == DONE
        DONE.clear()
        body: dict[str, Any] = msgspec.json.decode(told)
        return body


def asked_of(executor: Executor, text: str, variables: dict[str, Any] | None, name: str | None) -> Asked:
    return executor.asked(executor.documents.operation(text, name), variables)


def nobody() -> Context:
    """What goes with a request that nobody in particular has made."""
    door: Any = None
    return Context(door, None, Budget(1_000))


async def answered(
    executor: Executor,
    text: str,
    variables: dict[str, Any] | None = None,
    *,
    name: str | None = None,
    context: Context | None = None,
) -> bytes:
    asked = asked_of(executor, text, variables, name)
    result = await executor.answer(asked, context or nobody(), "request")
    return msgspec.json.encode({"data": result.data, "errors": result.errors})
