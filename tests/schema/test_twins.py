"""Twins have the fields of the games' Structs, as maps with camelCase names."""

from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from schema.twins import asked_twin, projection, twin


class Left(Struct, frozen=True, array_like=True, tag="left"):
    so_far: int


class Right(Struct, frozen=True, array_like=True, tag="right"):
    """Right."""


class Inner(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    big_name: Annotated[str, Meta(max_length=3, title="Name")] = "abc"


class Outer(Struct, frozen=True, array_like=True):
    decision_now: Left | Right
    row: tuple[Inner, ...]
    pair: tuple[Inner, int]
    nested: tuple[tuple[Inner | None, ...], ...]
    maybe: Annotated[Inner | None, Meta(description="perhaps")]
    plain: tuple[int, ...]
    word: Literal["a", "b"]
    table: dict[str, int]


class Choices(Struct, frozen=True, kw_only=True):
    first_choice: int = 3
    inner_choice: Inner = Inner()
    several: tuple[str, ...] = ()


VALUE = Outer(Left(2), (Inner("x"),), (Inner("y"), 7), ((None, Inner()),), None, (1, 2), "a", {"k_k": 1})


def test_a_twin_is_a_map_in_camel_case_at_any_depth() -> None:
    assert msgspec.to_builtins(projection(Outer, "")(VALUE)) == {
        "decisionNow": {"kind": "left", "soFar": 2},
        "row": ({"bigName": "x"},),
        "pair": ({"bigName": "y"}, 7),
        "nested": ((None, {"bigName": "abc"}),),
        "maybe": None,
        "plain": (1, 2),
        "word": "a",
        "table": {"k_k": 1},
    }
    right = msgspec.structs.replace(VALUE, decision_now=Right(), maybe=Inner("z"))
    sent = msgspec.json.decode(msgspec.json.encode(projection(Outer, "")(right)))
    assert (sent["decisionNow"], sent["maybe"]) == ({"kind": "right"}, {"bigName": "z"})


def test_what_is_sent_fits_the_twin_s_own_type() -> None:
    made = projection(Outer, "")(VALUE)
    assert msgspec.json.decode(msgspec.json.encode(made), type=twin(Outer, "")) == made


def test_twins_are_named_with_the_prefix_and_described() -> None:
    schema = msgspec.json.schema(twin(Outer, "My"))
    assert {"MyOuter", "MyInner", "MyLeft", "MyRight"} == set(schema["$defs"])
    assert schema["$defs"]["MyRight"]["description"] == "Right."
    assert schema["$defs"]["MyInner"]["properties"]["bigName"] == {
        "title": "Name",
        "type": "string",
        "maxLength": 3,
    }
    assert len(schema["$defs"]["MyOuter"]["required"]) == 8


def test_what_is_asked_has_the_defaults_and_no_unknown_fields() -> None:
    asked = asked_twin(Choices, "")
    for sent, meant in (
        ({}, Choices()),
        (
            {"firstChoice": 4, "innerChoice": {"bigName": "q"}},
            Choices(first_choice=4, inner_choice=Inner("q")),
        ),
    ):
        assert msgspec.convert(msgspec.convert(sent, asked), Choices, from_attributes=True) == meant
    for bad in ({"first_choice": 4}, {"firstChoice": "4"}, {"innerChoice": {"bigName": "long"}}, {"x": 1}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(bad, asked)


def test_a_struct_in_a_dictionary_is_refused() -> None:
    class Odd(Struct):
        table: dict[str, Inner]

    with pytest.raises(TypeError, match="no twin"):
        projection(Odd, "")
