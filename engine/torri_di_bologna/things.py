"""The cells by name, with what stands on them."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine.speech import ENGLISH, Speech
from engine.torri_di_bologna.lattice import lattice
from engine.torri_di_bologna.model import BATTLEMENT, State, Tower, is_finished, owner

Central = Literal["asinelli", "garisenda"]
CENTRALS: tuple[Central, Central] = ("asinelli", "garisenda")


class Piece(Struct, frozen=True):
    """A piece of a tower."""

    seat: Annotated[int, Meta(description="Whose it is.")]
    battlement: Annotated[bool, Meta(description="Whether it is a battlement, not a plain piece.")]


class Cell(Struct, frozen=True, tag_field="kind", tag="cell"):
    """A cell inside the wall, with its tower."""

    name: Annotated[str, Meta(description="Column letter and row number, as in `b3`.")]
    row: Annotated[int, Meta(description="The row, from 1 at the top.")]
    column: Annotated[int, Meta(description="The column, from 1 at the left.")]
    central: Annotated[Central | None, Meta(description="Which central tower stands here, null for none.")]
    pieces: Annotated[tuple[Piece, ...], Meta(description="The stack from the bottom.")]
    owner: Annotated[int | None, Meta(description="The seat of the top piece.")]
    finished: Annotated[bool, Meta(description="Whether nothing more can be built here.")]
    builders: Annotated[tuple[int, ...], Meta(description="The seats whose builders stand here.")]


def things(state: State, speech: Speech = ENGLISH) -> tuple[Cell, ...]:
    """Every cell, in lattice order; nothing of them is told in words."""
    ground = lattice(state.wall)
    centrals = dict(zip(ground.centrals, CENTRALS, strict=True))
    return tuple(
        Cell(
            name=ground.names[cell],
            row=row + 1,
            column=column + 1,
            central=centrals.get(cell),
            pieces=_pieces(state.towers[cell]),
            owner=owner(state.towers[cell]),
            finished=is_finished(state.towers[cell]) or (cell in centrals and state.is_closed),
            builders=tuple(seat for seat, place in enumerate(state.builders) if place == cell),
        )
        for cell, (row, column) in enumerate(ground.spots)
    )


def _pieces(tower: Tower) -> tuple[Piece, ...]:
    return tuple(Piece(piece % BATTLEMENT, piece >= BATTLEMENT) for piece in tower)
