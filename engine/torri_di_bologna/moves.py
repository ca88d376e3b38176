"""The moves, a tagged union. Cells are named: a column letter and a row number, `b3`.

`via` is an explicit route: the cells before the destination; empty for the canonical one (TB-2.6).
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Base = Literal["a", "g"]


class Place(Struct, frozen=True, gc=False, tag_field="kind", tag="place"):
    """The builder goes on a central tower: `a` Asinelli, `g` Garisenda. Source: TB-1.5."""

    base: Annotated[Base, Meta(description="Which of the two: `a` or `g`.")]


class Walk(Struct, frozen=True, gc=False, tag_field="kind", tag="walk", omit_defaults=True):
    """A walk to a tower or base. Source: TB-2.1."""

    to: Annotated[str, Meta(description="The cell where it ends, as in `b3`.")]
    via: Annotated[
        tuple[str, ...], Meta(description="The cells on the way, if another one than usual is meant.")
    ] = ()


class Build(Struct, frozen=True, gc=False, tag_field="kind", tag="build", omit_defaults=True):
    """A walk, then a plain piece under the builder. Source: TB-2.7."""

    to: Annotated[str, Meta(description="The cell where it ends, as in `b3`.")]
    via: Annotated[
        tuple[str, ...], Meta(description="The cells on the way, if another one than usual is meant.")
    ] = ()


class Cap(Struct, frozen=True, gc=False, tag_field="kind", tag="cap", omit_defaults=True):
    """A walk, then a battlement under the builder. Source: TB-2.10."""

    to: Annotated[str, Meta(description="The cell where it ends, as in `b3`.")]
    via: Annotated[
        tuple[str, ...], Meta(description="The cells on the way, if another one than usual is meant.")
    ] = ()


class Pass(Struct, frozen=True, gc=False, tag_field="kind", tag="pass"):
    """The turn of a player who has no other move. Source: TB-2.12."""


Step = Walk | Build | Cap
Move = Place | Walk | Build | Cap | Pass
