"""Options of a tournament are asked for as those of a match are, and its matches have them."""

import msgspec
import pytest

from engine.match import AnyGame
from engine.registry import GAMES
from schema.games import default_options, read_options, schemas
from schema.manifest import RoundRobin
from schema.wire_tournaments import CreateTournament
from service.tournaments import deeds
from service.tournaments.matchmaking import match_record
from service.tournaments.record import MatchOrder
from tests.service.test_options import as_floats, others
from tests.tournaments.halls import ID, SEED, TOKENS


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_options_are_asked_for_as_for_a_match_and_each_match_has_them(game: AnyGame) -> None:
    chosen = others(schemas(game.slug)["options"])
    assert any(not name.islower() for name in chosen), "none has a name of several words"
    wanted = read_options(game, chosen)
    assert wanted != default_options(game)
    for options in (chosen, as_floats(chosen)):
        asked = CreateTournament("Cup", game.slug, 2, RoundRobin(), options=options)
        document = deeds.announce(asked, game, ID, SEED, "organiser", 1)
        order = MatchOrder(number=1, round=1, table=1, deal=1, entrants=("ada", "bea"))
        record = match_record(document, order, 0, game, TOKENS, 1)
        assert msgspec.json.decode(record.options, type=game.options_type) == wanted
        assert msgspec.json.decode(record.deal, type=game.deal_type).options == wanted
        assert document.manifest.options == msgspec.to_builtins(wanted)
