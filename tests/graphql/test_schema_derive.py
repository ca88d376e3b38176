"""What Structs become, and what is refused for having no sound GraphQL form."""

import itertools
from datetime import datetime
from typing import Annotated, Any, Literal

import pytest
import strawberry
from msgspec import UNSET, Meta, Struct, UnsetType
from strawberry.schema.config import StrawberryConfig

from schema.graphql.derive import DeriveError, Deriver
from schema.graphql.scalars import SCALARS

_modules = itertools.count()
Good = Literal["brick", "stone"]


class Inner(Struct, frozen=True):
    """Something inside."""

    count: int


class Left(Struct, frozen=True, tag="left"):
    """One way."""

    steps: int


class Right(Struct, frozen=True, tag="right"):
    """The other way."""


Way = Left | Right


class Whole(Struct, frozen=True):
    """Everything that can be derived."""

    number: Annotated[int, Meta(description="How many.", ge=0, le=9)]
    word: str
    yes: bool
    share: float
    when: datetime
    wide: Annotated[int, Meta(extra={"scalar": "Milliseconds"})]
    never: Annotated[int | None, Meta(extra={"scalar": "Milliseconds"})]
    good: Good
    own: Literal["up", "down"]
    maybe: Inner | None
    grid: tuple[tuple[int, ...], ...]
    pair: tuple[int, int]
    way: Way
    again: "Whole | None"
    document: Any
    points: dict[str, int]
    figures: dict[str, int | str]
    labels: dict[str, str]
    absent: Annotated[Inner | UnsetType, Meta(description="Not always there.")] = UNSET


SDL = '''"""Everything that can be derived."""
type GameWhole {
  """How many."""
  number: Int!
  word: String!
  yes: Boolean!
  share: Float!
  when: DateTime!
  wide: Milliseconds!
  never: Milliseconds
  good: GameGood!
  own: GameWholeOwn!
  maybe: GameInner
  grid: [[Int!]!]!
  pair: [Int!]!
  way: GameWay!
  again: GameWhole
  document: JSON!
  points: [Score!]!
  figures: [Figure!]!
  labels: [NamedText!]!

  """Not always there."""
  absent: GameInner
}'''
WHOLE = Whole(
    number=3,
    word="a",
    yes=True,
    share=0.5,
    when=datetime.fromisoformat("2026-01-31T12:00:00+00:00"),
    wide=2**40,
    never=None,
    good="stone",
    own="down",
    maybe=Inner(1),
    grid=((1, 2), ()),
    pair=(3, 4),
    way=Right(),
    again=None,
    document={"any": ["thing"]},
    points={"towers": 5},
    figures={"seat": 2, "colour": "red"},
    labels={"towers": "Towers"},
)


def deriver(**renamed: str) -> Deriver:
    return Deriver(f"tests.graphql.derived{next(_modules)}", renamed)


def schema_with(derived: Deriver, name: str, value: Any = None) -> strawberry.Schema:
    """A schema whose root has one field of a derived type."""

    @strawberry.type
    class Query:
        @strawberry.field(graphql_type=derived.mirror(name))
        def it(self) -> Any:
            return value

    return strawberry.Schema(Query, config=StrawberryConfig(scalar_map=SCALARS))


def test_a_struct_becomes_a_type_with_what_it_says_of_itself() -> None:
    derived = deriver()
    assert derived.struct(Whole, "Game") == "GameWhole"
    sdl = schema_with(derived, "GameWhole").as_str()
    assert SDL in sdl
    assert "enum GameGood {\n  brick\n  stone\n}" in sdl
    assert "union GameWay = GameLeft | GameRight" in sdl
    assert '"""The other way."""\ntype GameRight {\n  """`right`."""\n  kind: String!\n}' in sdl


@pytest.mark.anyio
async def test_values_are_the_structs_themselves() -> None:
    derived = deriver()
    schema = schema_with(derived, derived.struct(Whole), WHOLE)
    found = await schema.execute(
        """{ it { number share when wide never good own maybe { count } grid pair way { __typename
            ... on Right { kind } } again { word } document points { name value } labels { name value }
            figures { name value number } absent { count } } }"""
    )
    assert found.errors is None
    assert found.data == {
        "it": {
            "number": 3,
            "share": 0.5,
            "when": "2026-01-31T12:00:00Z",
            "wide": 2**40,
            "never": None,
            "good": "stone",
            "own": "down",
            "maybe": {"count": 1},
            "grid": [[1, 2], []],
            "pair": [3, 4],
            "way": {"__typename": "Right", "kind": "right"},
            "again": None,
            "document": {"any": ["thing"]},
            "points": [{"name": "towers", "value": 5}],
            "labels": [{"name": "towers", "value": "Towers"}],
            "figures": [
                {"name": "seat", "value": "2", "number": 2},
                {"name": "colour", "value": "red", "number": None},
            ],
            "absent": None,
        }
    }


def test_a_struct_is_derived_once_for_each_prefix() -> None:
    derived = deriver(Inner="Within")
    assert derived.struct(Inner) == derived.struct(Inner) == "Within"
    assert derived.struct(Inner, "Game") == "GameWithin"


class Mixed(Struct, frozen=True):
    """A map of neither numbers nor words."""

    field: dict[str, bytes]


class Choice(Struct, frozen=True):
    """A choice between a number and a text."""

    field: int | str


class Pair(Struct, frozen=True):
    """Two things of different kinds."""

    field: tuple[int, str]


class Empty(Struct, frozen=True):
    """Nothing."""


class Large(Struct, frozen=True):
    """A number that an Int cannot be."""

    field: Annotated[int, Meta(ge=0, le=2**40)]


class Hyphened(Struct, frozen=True):
    """A word that an enum cannot have."""

    field: Literal["red-cathedral", "other"]


class Truth(Struct, frozen=True):
    """A word that GraphQL keeps for itself."""

    field: Literal["true", "maybe"]


class Nameless(Struct, frozen=True):
    """A union that has no name."""

    field: Left | Inner


class One(Struct, frozen=True, tag="one"):
    """A member with a number."""

    value: int


class Two(Struct, frozen=True, tag="two"):
    """A member with a text under the same name."""

    value: str


class Three(Struct, frozen=True, tag="three"):
    """A member with a number that may be absent."""

    value: int | None


Unlike = One | Two
Loose = One | Three


class Conflicting(Struct, frozen=True):
    """A union of which no client could select `value`."""

    field: Unlike


class NullableOrNot(Struct, frozen=True):
    """The same, for null."""

    field: Loose


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (Mixed, r"Mixed\.field: no GraphQL type for a map"),
        (Choice, r"Choice\.field: .* unions of object types only"),
        (Pair, r"Pair\.field: no GraphQL type"),
        (Empty, r"Empty: it has no field"),
        (Large, r"Large\.field: Int has 32 bits"),
        (Hyphened, r"Hyphened\.field: 'red-cathedral' is no name"),
        (Truth, r"Truth\.field: 'true' is no name"),
        (Nameless, r"Nameless\.field: the union has no name"),
        (Conflicting, r"Unlike: One\.value is int, Two\.value is str"),
        (NullableOrNot, r"Loose: One\.value is int, Three\.value is int \| None"),
    ],
)
def test_what_has_no_sound_form_is_refused_with_its_place(kind: type[Struct], why: str) -> None:
    with pytest.raises(DeriveError, match=why):
        deriver().struct(kind)


def test_a_name_is_claimed_once() -> None:
    derived = deriver(Left="Inner")
    derived.struct(Inner)
    with pytest.raises(DeriveError, match="two things are called Inner"):
        derived.struct(Left)
