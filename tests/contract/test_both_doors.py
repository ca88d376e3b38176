"""Every operation and every field of one door is on the other, or there is a reason why not."""

from typing import Any

import msgspec

from schema.graphql.build import make_schema, printed
from schema.graphql.changes import CHANGES
from schema.operations import OPERATIONS
from schema.wire_players import MeView
from schema.wire_previews import PreviewView
from schema.wire_tournaments import TournamentView
from schema.wire_views import MatchView, StateAt
from tests.contract.rest import PATHS

COUNTERPARTS = {
    "listGames": "games",
    "showGame": "game",
    "listMatches": "matches",
    "showMatch": "match",
    "listLegalMoves": "match.legalMoves",
    "listEvents": "match.events, matchEvents",
    "openSocket": "matchEvents",
    "showClock": "match.clock",
    "showVersion": "match.at",
    "showStanding": "match.standing",
    "showPicture": "match.picture",
    "showBoard": "match.board",
    "showTranscript": "match.transcript",
    "listThings": "match.things",
    "previewMoves": "match.preview",
    "previewChildren": "match.children",
    "explainMove": "match.whyNot",
    "showPlayer": "player",
    "showMe": "me",
    "listTokens": "me.tokens",
    "listOwnMatches": "me.matches",
    "listOwnEvents": "myEvents",
    "listTournaments": "tournaments",
    "showTournament": "tournament",
    "showManifest": "tournament.manifest",
    "showStandings": "tournament.standings",
    "showCrosstable": "tournament.crosstable",
    "listTournamentMatches": "tournament.matches",
    "showRecord": "tournament.record",
    "listEntries": "tournament.events, tournamentEvents",
} | {change.operation.name: change.name for change in CHANGES}
"""Where GraphQL has what an operation of REST has."""
ON_ONE_DOOR_ONLY = {
    "showBox": "a file, with its digest as its name",
    "exportTranscripts": "many files in one stream",
    "listProblems": "the schema has a type for each problem",
    "showProblem": "what the `type` of a problem leads to",
    "showOpenApi": "the contract of REST",
    "showLive": "for those who operate the service",
    "showReady": "for those who operate the service",
    "showBoardSvg": "a file for browsers and chats; `match.board` is the same in characters",
    "showBoardPng": "a file for browsers and chats; `match.board` is the same in characters",
}
"""Operations of REST without a counterpart, and why."""


VIEWS = {
    "Query": (),
    "Match": (MatchView, PreviewView, StateAt),
    "Preview": (PreviewView, StateAt),
    "Me": (MeView,),
    "Tournament": (TournamentView,),
}
"""The answers of REST that tell what types of the schema tell, beside what is an operation of its own."""
PLACES = {
    "isChance": "`toMove` is `chance`",
    "decision": "`state.decision`",
    "legalNotations": "`notation` in a list of legal moves",
    "odds": "`odds` in a list of legal moves and in a preview",
    "outcomes": "a list of legal moves, with `odds`",
    "outcome": "a preview with the outcome as its next move",
    "digest": "`digest` of a preview, also of one without moves",
    "likelihood": "the product of the `odds` of the events of a preview",
}
"""Where REST has what GraphQL tells under a name of its own."""


def test_every_field_is_on_both_doors() -> None:
    known = {field.rpartition(".")[2] for fields in COUNTERPARTS.values() for field in fields.split(", ")}
    for name, views in VIEWS.items():
        told = {field.encode_name for view in views for field in msgspec.structs.fields(view)}
        kind: Any = make_schema()._schema.type_map[name]
        assert set(kind.fields) - known - told <= set(PLACES), name


def test_every_operation_is_on_both_doors_or_has_a_reason() -> None:
    names = {operation.name for operation in OPERATIONS}
    assert set(COUNTERPARTS) | set(ON_ONE_DOOR_ONLY) == names
    assert not set(COUNTERPARTS) & set(ON_ONE_DOOR_ONLY)
    assert set(PATHS) == {change.operation.name for change in CHANGES}


def test_every_counterpart_is_there() -> None:
    for fields in COUNTERPARTS.values():
        for field in fields.split(", "):
            assert f"\n  {field.rpartition('.')[2]}" in printed(), field
