"""What can be asked about tournaments: see `calls`."""

from schema.tournament_record import Record
from schema.wire import Nothing
from schema.wire_tournaments import (
    CreateTournament,
    CrosstableView,
    EntryPage,
    StandingsView,
    TournamentMatchPage,
    TournamentPage,
    TournamentStatus,
    TournamentView,
)
from service.client.calls import Call, get, post, quoted, read


def create_tournament(asked: CreateTournament, token: str, *, key: str | None = None) -> Call[TournamentView]:
    """A new tournament, organised by the player with this API token."""
    return post("/tournaments", asked, read(TournamentView), token, key)


def tournaments(status: TournamentStatus | None = None, cursor: str | None = None) -> Call[TournamentPage]:
    """Tournaments, newest first."""
    return get("/tournaments", read(TournamentPage), status=status, cursor=cursor)


def tournament(tournament: str, token: str | None = None) -> Call[TournamentView]:
    """The tournament as it is now; with an API token, whether its player takes part."""
    return get(at(tournament), read(TournamentView), token)


def join_tournament(tournament: str, token: str, *, key: str | None = None) -> Call[TournamentView]:
    """The player takes part."""
    return _deed(tournament, "join", token, key)


def leave_tournament(tournament: str, token: str, *, key: str | None = None) -> Call[TournamentView]:
    """The player takes part no more."""
    return _deed(tournament, "leave", token, key)


def start_tournament(tournament: str, token: str, *, key: str | None = None) -> Call[TournamentView]:
    """It begins. The token is its organiser's."""
    return _deed(tournament, "start", token, key)


def pause_tournament(tournament: str, token: str, *, key: str | None = None) -> Call[TournamentView]:
    """No further match begins."""
    return _deed(tournament, "pause", token, key)


def resume_tournament(tournament: str, token: str, *, key: str | None = None) -> Call[TournamentView]:
    """It goes on after a pause."""
    return _deed(tournament, "resume", token, key)


def cancel_tournament(tournament: str, token: str, *, key: str | None = None) -> Call[TournamentView]:
    """It ends as it stands."""
    return _deed(tournament, "cancel", token, key)


def tournament_standings(tournament: str) -> Call[StandingsView]:
    """Everybody's place so far."""
    return get(at(tournament, "/standings"), read(StandingsView))


def tournament_crosstable(tournament: str) -> Call[CrosstableView]:
    """Who has made how much against whom."""
    return get(at(tournament, "/crosstable"), read(CrosstableView))


def tournament_matches(
    tournament: str, after: int = 0, token: str | None = None
) -> Call[TournamentMatchPage]:
    """Its matches after a number; with an API token, the ids of the player's own ones are told, too."""
    return get(at(tournament, "/matches"), read(TournamentMatchPage), token, after=after or None)


def tournament_record(tournament: str) -> Call[Record]:
    """Manifest and entries: all that is needed to compute everything again."""
    return get(at(tournament, "/record"), read(Record))


def tournament_entries(tournament: str, after: int = 0, *, wait: int = 0) -> Call[EntryPage]:
    """The entries of the record after a number.

    With `wait` the answer comes when there is one, or after so many seconds (60 at most).
    """
    path = at(tournament, "/events")
    return get(path, read(EntryPage), None, wait, after=after or None, wait=wait or None)


def at(tournament: str, what: str = "") -> str:
    """The path of something about a tournament."""
    return f"/tournaments/{quoted(tournament)}{what}"


def _deed(tournament: str, what: str, token: str, key: str | None) -> Call[TournamentView]:
    return post(at(tournament, f"/{what}"), Nothing(), read(TournamentView), token, key)
