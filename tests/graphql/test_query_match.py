"""A match over GraphQL, against the same match over REST."""

import pytest

from engine.registry import GAMES
from tests.graphql.asking import Asking
from tests.service.table import Table

SLUGS = tuple(GAMES)
pytestmark = pytest.mark.anyio
each_game = pytest.mark.parametrize("slug", SLUGS)


async def test_games_are_those_of_the_other_door(asking: Asking) -> None:
    data = await asking.data("{ games { slug title seats rules edition { name digest } } }")
    rest = (await asking.api.get("/games")).json()
    assert data["games"] == [
        {name: game[name] for name in ("slug", "title", "seats", "rules", "edition")}
        for game in rest["games"]
    ]


@each_game
async def test_a_match_is_that_of_the_other_door(asking: Asking, slug: str) -> None:
    table = await Table.started(asking.api, slug, 2)
    await table.play_any(3)
    data = await asking.data(
        """query ($id: ID!) { match(id: $id) {
            id game status version toMove isChance createdAt
            seats { seat taken name joinedAt } legalNotations legalMoves { notation text kind }
        } }""",
        id=table.id,
    )
    rest = await table.get()
    found = data["match"]
    assert found["id"] == table.id
    for name in ("game", "status", "version", "toMove", "createdAt"):
        assert found[name] == rest[name], name
