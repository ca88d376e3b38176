"""Tables of tournaments may be longer than their price has foreseen; that is paid for when it is known."""

from typing import Any, cast

import pytest

from schema.graphql.context import Budget, Context
from schema.graphql.door_tournaments import StoredTournament
from schema.graphql.errors import TooCostly
from schema.graphql.prices import ENTRY_BEYOND, PRICES
from schema.graphql.tournament import Tournament
from schema.wire_tournaments import CellView, CrosstableView

pytestmark = pytest.mark.anyio
CELL = CellView("one", "other", 1, 1.0, None)
FORESEEN = PRICES["Crosstable.cells"].entries


class Stored:
    """A tournament of which only the crosstable matters."""

    def __init__(self, cells: int) -> None:
        self._cells = cells

    async def crosstable(self) -> CrosstableView:
        return CrosstableView((CELL,) * self._cells)


@pytest.mark.parametrize(("cells", "price"), [(FORESEEN, 0), (FORESEEN + 3, 3 * ENTRY_BEYOND)])
async def test_entries_beyond_are_paid_for(cells: int, price: int) -> None:
    async def asked(left: int) -> Any:
        context = Context(cast("Any", None), None, Budget(left))
        return await Tournament(cast("StoredTournament", Stored(cells)), context).crosstable()

    assert len((await asked(price)).cells) == cells
    if price:
        with pytest.raises(TooCostly):
            await asked(price - 1)
