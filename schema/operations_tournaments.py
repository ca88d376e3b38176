"""The operations about tournaments."""

from typing import Any, Final

from schema import manifest, tournament_record, wire, wire_tournaments
from schema.operation import BOTH, NDJSON, OF_STORE, SSE, Operation
from schema.wire_tournaments import TournamentView

TOURNAMENT: Final = "/tournaments/{tournament_id:str}"
OF_TOURNAMENT: Final = (*OF_STORE, "no_such_tournament")

CREATE_TOURNAMENT: Final = Operation(
    "createTournament",
    "POST",
    "/tournaments",
    "tournaments",
    "Announce a tournament; players join it, then it is started",
    TournamentView,
    status=201,
    body=wire_tournaments.CreateTournament,
    bearer="player",
    scope="create",
    own_bucket="create",
    own_codes=(*OF_STORE, "unknown_game", "unknown_edition", "bad_setup"),
)
LIST_TOURNAMENTS: Final = Operation(
    "listTournaments",
    "GET",
    "/tournaments",
    "tournaments",
    "Tournaments, newest first",
    wire_tournaments.TournamentPage,
    query=wire_tournaments.TournamentsQuery,
    own_codes=(*OF_STORE, "bad_cursor"),
)


def _deed(name: str, what: str, summary: str, scope: wire.Scope, *codes: str) -> Operation:
    """Something that a player does to a tournament."""
    return Operation(
        name,
        "POST",
        f"{TOURNAMENT}/{what}",
        "tournaments",
        summary,
        TournamentView,
        body=wire.Nothing,
        bearer="player",
        scope=scope,
        own_codes=(*OF_TOURNAMENT, "tournament_over", *codes),
    )


def _view(
    name: str, what: str, summary: str, answer: Any, query: type[wire.Asked] = wire.NoQuery
) -> Operation:
    """Something that is told of a tournament; who asks with an API token is told its own, too."""
    return Operation(
        name,
        "GET",
        f"{TOURNAMENT}{what}",
        "tournaments",
        summary,
        answer,
        query=query,
        scope="read",
        own_codes=OF_TOURNAMENT,
    )


SHOW_TOURNAMENT: Final = _view("showTournament", "", "A tournament as it stands", TournamentView)
JOIN_TOURNAMENT: Final = _deed(
    "joinTournament",
    "join",
    "Take part: its matches come as invitations in your own stream",
    "play",
    "already_entered",
    "tournament_started",
    "tournament_full",
)
LEAVE_TOURNAMENT: Final = _deed(
    "leaveTournament", "leave", "Take part no more; matches under way are forfeited", "play", "not_entered"
)
START_TOURNAMENT: Final = _deed(
    "startTournament",
    "start",
    "Fix the manifest and begin",
    "create",
    "wrong_token",
    "tournament_started",
    "bad_setup",
    "unknown_game",
    "unknown_edition",
)
PAUSE_TOURNAMENT: Final = _deed(
    "pauseTournament",
    "pause",
    "Begin no further matches; those under way are played on",
    "create",
    "wrong_token",
    "tournament_not_started",
)
RESUME_TOURNAMENT: Final = _deed(
    "resumeTournament",
    "resume",
    "Go on after a pause",
    "create",
    "wrong_token",
    "tournament_not_started",
)
CANCEL_TOURNAMENT: Final = _deed(
    "cancelTournament", "cancel", "End it as it stands; open matches do not count", "create", "wrong_token"
)
SHOW_MANIFEST: Final = _view(
    "showManifest", "/manifest", "All that is fixed before the start, of which `hash` is", manifest.Manifest
)
SHOW_STANDINGS: Final = _view(
    "showStandings", "/standings", "Everybody's place so far", wire_tournaments.StandingsView
)
SHOW_CROSSTABLE: Final = _view(
    "showCrosstable", "/crosstable", "Who has made how much against whom", wire_tournaments.CrosstableView
)
LIST_TOURNAMENT_MATCHES: Final = _view(
    "listTournamentMatches",
    "/matches",
    "Its matches, by number",
    wire_tournaments.TournamentMatchPage,
    wire_tournaments.TournamentMatchesQuery,
)
SHOW_RECORD: Final = _view(
    "showRecord",
    "/record",
    "Manifest and entries: all that is needed to compute everything again",
    tournament_record.Record,
)
LIST_ENTRIES: Final = Operation(
    "listEntries",
    "GET",
    f"{TOURNAMENT}/events",
    "tournaments",
    "Entries of the record after a number: those there are, or, as SSE or NDJSON, also those to come",
    wire_tournaments.EntryPage,
    media_types=(*BOTH, SSE, NDJSON),
    query=wire_tournaments.EntriesQuery,
    streams="TournamentMessages",
    own_codes=(*OF_TOURNAMENT, "too_many_streams", "busy", "invalid_header"),
)

OPERATIONS: Final = tuple(value for value in list(globals().values()) if isinstance(value, Operation))
