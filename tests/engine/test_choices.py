"""What is said of a value that is none of several names those."""

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from engine.choices import MOST, choices, with_choices

Colour = Literal["red", "blue"]
MANY = tuple(f"card-{number}" for number in range(MOST + 1))


class Round(Struct, tag="round"):
    colour: Colour = "red"
    edge: Literal["thin"] = "thin"


class Square(Struct, tag="square"):
    colour: Literal["green"] = "green"


class Box(Struct, rename="camel"):
    main_colour: Annotated[Colour | None, Meta(title="Colour")] = None
    colours: tuple[Colour, ...] = ()
    by_name: dict[str, Colour] = {}
    shape: Round | Square | None = None
    sides: list[Literal[4, 6]] = []
    card: Literal[MANY] = "card-0"  # type: ignore[valid-type]  # as many as there are
    name: str = ""


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"mainColour": "x"}, "Expected `blue` or `red`, got 'x'"),
        ({"colours": ["red", "x"]}, "Expected `blue` or `red`, got 'x'"),
        ({"byName": {"a": "x"}}, "Expected `blue` or `red`, got 'x'"),
        ({"shape": {"type": "x"}}, "Expected `round` or `square`, got 'x'"),
        ({"shape": {"type": "round", "edge": "x"}}, "Expected `thin`, got 'x'"),
        ({"shape": {"type": "round", "colour": "x"}}, "Invalid enum value 'x'"),
        ({"sides": [5]}, "Expected `4` or `6`, got 5"),
        ({"card": "x"}, "Invalid enum value 'x'"),
        ({"name": 1}, "Expected `str`, got `int`"),
    ],
)
def test_a_value_that_does_not_fit(data: Any, told: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(data, Box)
    text, _, path = str(caught.value).partition(" - at `")
    assert with_choices(text, path.removesuffix("`"), Box) == told


def test_a_path_that_leads_nowhere_has_no_choices() -> None:
    for path in ("", "$", "$.x", "$.name.x", "$.mainColour[0]", "$.colours.x", "$.shape.x[...]", "nonsense"):
        assert choices(Box, path) == ()
