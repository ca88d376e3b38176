"""The types derived from the engine's Structs and from those of the contract."""

from typing import Any, Final, get_args, get_type_hints

import strawberry
from msgspec import Struct

from engine.match import AnyGame
from engine.registry import GAMES
from schema import wire_players, wire_previews, wire_tournaments, wire_views
from schema.graphql.derive import DeriveError, Deriver, Place, union_of
from schema.graphql.moves import Move, kinds_of, shown_type

MODULE: Final = "schema.graphql.derived"
RENAMED: Final = {
    "CellView": "CrosstableCell",
    "ChangeView": "Change",
    "ClockView": "Clock",
    "CrosstableView": "Crosstable",
    "EditionView": "Edition",
    "EloView": "EloRow",
    "EntrantView": "Entrant",
    "EntryView": "Entry",
    "EstimateView": "EloEstimate",
    "EventView": "Event",
    "FaultsView": "Faults",
    "GameView": "Game",
    "Kind": "EventKind",
    "MeView": "Me",
    "MeanView": "Mean",
    "PlaceView": "Place",
    "PlayerView": "Player",
    "ProgressView": "Progress",
    "RatingView": "Rating",
    "Reason": "SeatEnding",
    "ReasonView": "Reason",
    "SeatView": "Seat",
    "StandingsView": "Standings",
    "Status": "MatchStatus",
    "TokenView": "ApiToken",
    "TournamentMatchView": "TournamentMatch",
    "TournamentView": "Tournament",
    "VerdictView": "Verdict",
    "WhyNotView": "WhyNot",
}
"""Names in the contract that are others in the schema."""

DERIVER: Final = Deriver(MODULE, RENAMED)


@strawberry.interface(description="What is asked now. Its type has the particulars.")
class Decision:
    """What all decisions have."""

    kind: str = strawberry.field(description="The kind of decision: the same for all of a type.")


@strawberry.interface(
    description="Something on the table that has a name. Its type has the particulars; its name can be"
    " asked for in `legalMoves(touching:)`."
)
class Thing:
    """What all things have."""

    name: str = strawberry.field(description="Its name, as in notation or by kind: `b3`, `die:blue`.")
    kind: str = strawberry.field(description="The kind of thing: the same for all of a type.")


def prefix_of(game: AnyGame) -> str:
    """What the names of a game's types begin with."""
    return "".join(word.capitalize() for word in game.slug.split("-"))


def _derive_game(game: AnyGame) -> None:
    """The types of a game's state and moves. Raises DeriveError."""
    prefix = prefix_of(game)
    decisions = _decisions(game)
    DERIVER.implement(Decision, decisions)
    names = [DERIVER.struct(kind, prefix) for kind in decisions]
    DERIVER.check_together(f"the decisions of {game.slug}", names)
    DERIVER.struct(game.state_type, prefix)
    things = get_args(game.thing_type) or (game.thing_type,)
    DERIVER.implement(Thing, things)
    names = [DERIVER.struct(kind, prefix) for kind in things]
    DERIVER.check_together(f"the things of {game.slug}", names)
    DERIVER.implement(Move, kinds_of(game))
    names = [DERIVER.struct(kind, prefix, values=shown_type(kind)) for kind in kinds_of(game)]
    DERIVER.check_together(f"the moves of {game.slug}", names)


def _decisions(game: AnyGame) -> tuple[type[Struct], ...]:
    """The members of `decision` in a game's state. Raises DeriveError."""
    hint = get_type_hints(game.state_type).get("decision")
    if hint is None:
        raise DeriveError(f"the state of {game.slug} has no field `decision`")
    return get_args(hint) or (hint,)


def view(kind: type[Struct], *skipped: str) -> Any:
    """The type for a Struct of the contract, without the fields skipped, under the contract's name."""
    return DERIVER.mirror(DERIVER.struct(kind, skipped=frozenset(skipped)))


def word(alias: str, kind: type[Struct], field: str) -> Any:
    """The enum for a Literal with this alias, which a field has or may have."""
    (literal,) = (part for part in get_args(get_type_hints(kind)[field]) if part is not type(None))
    return DERIVER.mirror(DERIVER.enum(alias, get_args(literal), Place(kind, field, "")))


for _game in GAMES.values():
    _derive_game(_game)

GAME_TYPES: Final = tuple(DERIVER.mirror(name) for name in DERIVER.objects)
"""All types of all games: those that only an interface leads to must be named to Strawberry."""

STATE: Final = union_of(
    "State",
    tuple(DERIVER.mirror(prefix_of(game) + game.state_type.__name__) for game in GAMES.values()),
    "Everything on the table, by game.",
)

GAME: Final = view(wire_views.GameView)
EVENT_PAGE: Final = view(wire_views.EventPage)
STANDING_ROW: Final = view(wire_views.StandingRow)
MATCH: Final = view(wire_views.MatchView, "to_move", "state", "options")
PREVIEWED_EVENT: Final = view(wire_previews.PreviewedEvent, "odds")
WHY_NOT: Final = view(wire_previews.WhyNotView, "to_move")
PLAYER: Final = view(wire_players.PlayerView)
TOKEN: Final = view(wire_players.TokenView)
ME: Final = view(wire_players.MeView)
TOURNAMENT: Final = view(wire_tournaments.TournamentView)
TOURNAMENT_SUMMARY: Final = view(wire_tournaments.TournamentSummary)
TOURNAMENT_MATCH_PAGE: Final = view(wire_tournaments.TournamentMatchPage)
STANDINGS: Final = view(wire_tournaments.StandingsView)
CROSSTABLE: Final = view(wire_tournaments.CrosstableView)
ENTRY_PAGE: Final = view(wire_tournaments.EntryPage)
ENTRY: Final = view(wire_tournaments.EntryView)
