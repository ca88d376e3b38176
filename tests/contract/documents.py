"""The documents with which the tests ask over GraphQL, by name: those of mutations have REST's names."""

from typing import Final

CHANGE: Final = "code seat text values { name value number }"
TIME: Final = "time { offered received applied spent left }"
EVENT: Final = f"version kind seat move text cause at changes {{ {CHANGE} }} {TIME}"
REASON: Final = "rule code text values { name value number }"
EDITION: Final = "name digest"
CLOCK: Final = "control { base increment delay perTurn grace onFlag } left running since deadline flagged"
SEATS: Final = "seats { seat taken name nonce joinedAt player bot }"
MATCH: Final = (
    f"id game status visibility {SEATS} version given creator join invited rematchOf tournament"
    f" createdAt startedAt updatedAt endedAt ranks clock {{ {CLOCK} }} rules edition {{ {EDITION} }} options"
    " commitment seed toMove"
)
STANDING: Final = "standing { seat name label total rank retired scores { name value } ties { name value } }"
GRANT: Final = "id label scopes createdAt expiresAt lastUsedAt"
PLAYER: Final = "id name kind createdAt"
POSITION: Final = f"toMove isChance picture board {STANDING}"
LEGAL: Final = (
    "toMove isChance legalMoves(kinds: $kinds, touching: $touching, first: $first) { notation text }"
    " odds { numerator denominator }"
)
CHOSEN: Final = ", $kinds: [String!], $touching: String, $first: Int"
THINGS: Final = "things(kinds: $kinds) { name kind }"
TRIED: Final = (
    f"events {{ version kind seat move text changes {{ {CHANGE} }} }} toMove"
    f" isChance digest {STANDING} legalMoves {{ notation }} odds {{ numerator denominator }}"
    " likelihood { numerator denominator }"
)
PREVIEW: Final = f"preview(moves: $moves) {{ {TRIED} }}"
CHILDREN: Final = (
    f"preview(moves: $moves) {{ children(kinds: $kinds, touching: $touching, first: $first) {{ {TRIED} }} }}"
)
WHY_NOT: Final = f"whyNot(move: $move) {{ version move text legal reasons {{ {REASON} }} closest }}"
PROBLEM: Final = (
    "... on Problem { code title detail httpStatus }"
    " ... on TooManyRequests { bucket limit remaining retryAfter }"
)
PLAYED: Final = (
    f"... on Played {{ version status events {{ {EVENT} }} played toMove stoppedAt reason {{ code detail }}"
    f" clock {{ {CLOCK} }} }}"
)
REFUSED_MOVE: Final = (
    f"... on IllegalMove {{ index move reasons {{ {REASON} }} closest }}"
    f" ... on StaleVersion {{ version events {{ {EVENT} }} next toMove legalMoves }}"
    " ... on NotYourTurn { index toMove } ... on UnparsableMove { index move }"
    " ... on BatchCrossesChance { index }"
)
MEAN: Final = "{ mean error count }"
TOURNAMENT: Final = (
    "id name status game seats organiser entrants { id name left } createdAt startedAt endedAt round ordered"
    " done entries commitment hash seed isEntered"
)
STANDINGS: Final = (
    "standings { status progress { round ordered ended counting voided planned }"
    f" standings {{ place entrant name matches byes points wins share {MEAN} margin {MEAN}"
    " ties { name value } left }"
    " ratings { entrant mu sigma low high matches } elo { entrant elo { elo low high } }"
    f" seats {{ seat share {MEAN} }}"
    " faults { entrant faults { name value } strikes turns p50 p90 p99 }"
    " verdict { accepted value lower upper units last } }"
)
TABLES: Final = f"{STANDINGS} crosstable {{ cells {{ one other matches points margin }} }} manifest record"
TOURNAMENT_MATCHES: Final = (
    "matches(after: $after, first: $first) { matches { number round table deal stage entrants match ranks"
    " scores reasons } next }"
)
ENTRIES: Final = "events(after: $after, first: $first) { status count entries { number entry } }"


def _tournament(field: str, more: str = "") -> str:
    return f"query ($id: ID!{more}) {{ tournament(id: $id) {{ {field} }} }}"


def _query(field: str, more: str = "") -> str:
    return f"query ($id: ID!{more}) {{ match(id: $id) {{ {field} }} }}"


def _at(field: str, more: str = "") -> str:
    return _query(f"at(version: $version) {{ {field} }}", f", $version: Int!{more}")


def _change(field: str, arguments: dict[str, str], selection: str) -> str:
    """A mutation with these arguments and a key, all of them variables."""
    more = f"{selection} ... on InvalidBody {{ where }}"
    return _mutation(field, arguments | {"idempotencyKey": "String"}, more)


def _mutation(field: str, arguments: dict[str, str], selection: str) -> str:
    declared = ", ".join(f"${name}: {kind}" for name, kind in arguments.items())
    given = ", ".join(f"{name}: ${name}" for name in arguments)
    return f"mutation ({declared}) {{ {field}({given}) {{ {selection} {PROBLEM} }} }}"


_OF_MATCH: Final = {"matchId": "ID!"}
_CREATION: Final = {
    "game": "String!",
    "seats": "Int",
    "options": "JSON",
    "visibility": "Visibility! = public",
    "seed": "String",
    "deal": "JSON",
    "clock": "ClockInput",
    "join": "Joining! = open",
    "invited": "[String!]",
}
_LOBBY: Final = {
    "game": "String",
    "status": "MatchStatus",
    "seats": "Int",
    "free": "Int",
    "join": "Joining",
    "clock": "TimeKind",
    "after": "String",
}
_JOINED: Final = "... on Joined { seat token match { id } }"
_TOURNAMENT: Final = {
    "name": "String!",
    "game": "String!",
    "seats": "Int!",
    "format": "FormatInput!",
    "design": "DesignInput",
    "clock": "ClockInput",
    "faults": "FaultPolicyInput",
    "stopping": "StoppingInput",
    "limits": "LimitsInput",
    "ties": "[TieBreak!]",
}
_CHANGED: Final = f"... on TournamentChanged {{ tournament {{ {TOURNAMENT} }} }}"
_ANNOUNCED: Final = f"{_CHANGED} ... on BadSetup {{ where }}"
_PAGE: Final = ", $after: Int!, $first: Int!"
DEEDS: Final = tuple(f"{what}Tournament" for what in ("join", "leave", "start", "pause", "resume", "cancel"))

DOCUMENTS: Final = {
    "games": f"{{ games {{ slug title seats rules edition {{ {EDITION} }} editions {{ {EDITION} }} moveKinds"
    " options deal move state } }",
    "match": _query(MATCH),
    "events": _query(
        f"events(after: $after, first: $first) {{ version status events {{ {EVENT} }} next }}",
        ", $after: Int!, $first: Int!",
    ),
    "transcript": _query("transcript"),
    "legal": _query(LEGAL, CHOSEN),
    "legalAt": _at(LEGAL, CHOSEN),
    "things": _query(THINGS, ", $kinds: [String!]"),
    "thingsAt": _at(THINGS, ", $kinds: [String!]"),
    "position": _query(POSITION),
    "positionAt": _at(POSITION),
    "preview": _query(PREVIEW, ", $moves: [String!]!"),
    "previewAt": _at(PREVIEW, ", $moves: [String!]!"),
    "children": _query(CHILDREN, f", $moves: [String!]!{CHOSEN}"),
    "childrenAt": _at(CHILDREN, f", $moves: [String!]!{CHOSEN}"),
    "whyNot": _query(WHY_NOT, ", $move: String!"),
    "whyNotAt": _at(WHY_NOT, ", $move: String!"),
    "lobby": "query ("
    + ", ".join(f"${name}: {kind}" for name, kind in _LOBBY.items())
    + ") { matches(first: 1, "
    + ", ".join(f"{name}: ${name}" for name in _LOBBY)
    + ") { nodes { id } pageInfo { hasNextPage endCursor } } }",
    "player": f"query ($id: ID!) {{ player(id: $id) {{ {PLAYER} }} }}",
    "me": f"{{ me {{ player {{ {PLAYER} }} token {{ {GRANT} }} tokens {{ {GRANT} }}"
    " matches { nodes { id } } } }",
    "createMatch": _change("createMatch", _CREATION, "... on Created { hostToken match { id status } }"),
    "joinMatch": _change(
        "joinMatch", _OF_MATCH | {"seat": "Int", "name": "String", "nonce": 'String! = ""'}, _JOINED
    ),
    "kickSeat": _change("kick", _OF_MATCH | {"seat": "Int!"}, "... on Managed { match { id } }"),
    "leaveMatch": _change("leave", _OF_MATCH, "... on Managed { match { id } }"),
    "cancelMatch": _change("cancel", _OF_MATCH, "... on Managed { match { id } }"),
    "playMoves": _change(
        "play",
        _OF_MATCH | {"version": "Int!", "moves": "[String!]!", "continueThroughChance": "Boolean! = false"},
        PLAYED + REFUSED_MOVE,
    ),
    "resign": _change("resign", _OF_MATCH, PLAYED),
    "addBot": _change(
        "addBot", _OF_MATCH | {"player": "BotName!", "seat": "Int"}, "... on BotSeated { seat match { id } }"
    ),
    "rematch": _change("rematch", _OF_MATCH | {"nonce": 'String! = ""'}, _JOINED),
    "registerPlayer": _change(
        "registerPlayer",
        {"name": "String!", "kind": "PlayerKind! = person", "invite": "String"},
        f"... on Registered {{ player {{ {PLAYER} }} token }}",
    ),
    "createToken": _change(
        "createToken",
        {"label": "String!", "scopes": "[Scope!]!", "expiresInDays": "Int"},
        f"... on TokenCreated {{ token description {{ {GRANT} }} }}",
    ),
    "revokeToken": _mutation(
        "revokeToken", {"tokenId": "ID!"}, f"... on TokensLeft {{ tokens {{ {GRANT} }} }}"
    ),
    "createTournament": _change("createTournament", _TOURNAMENT, _ANNOUNCED),
    **{deed: _change(deed, {"tournamentId": "ID!"}, _CHANGED) for deed in DEEDS},
    "tournament": _tournament(TOURNAMENT),
    "tournaments": "query ($status: TournamentStatus, $after: String) {"
    " tournaments(status: $status, first: 1, after: $after) {"
    " nodes { id name status game seats organiser entrants createdAt startedAt endedAt }"
    " pageInfo { hasNextPage endCursor } } }",
    "tables": _tournament(TABLES),
    "tournamentMatches": _tournament(TOURNAMENT_MATCHES, _PAGE),
    "entries": _tournament(ENTRIES, _PAGE),
    "followed": "subscription ($id: ID!, $after: Int!) { tournamentEvents(id: $id, after: $after)"
    " { number entry } }",
}
