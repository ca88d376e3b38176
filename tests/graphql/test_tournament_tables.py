"""Tables of tournaments may be longer than their price has foreseen; that is paid for when it is known."""

from types import SimpleNamespace
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
    """A tournament of which only the crosstable matters, or the length of the record."""

    record = "the record"

    def __init__(self, cells: int = 0, entries: int = 0) -> None:
        self._cells = cells
        self.view = SimpleNamespace(entries=entries)

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


def test_each_entry_of_a_record_is_paid_for() -> None:
    context = Context(cast("Any", None), None, Budget(25))
    tournament: Any = Tournament(cast("StoredTournament", Stored(entries=10)), context)
    assert [tournament.record() for _ in range(2)] == ["the record"] * 2
    with pytest.raises(TooCostly, match="`record` with 10 entries costs 10; 5 are left"):
        tournament.record()
