"""The operations about moves that nobody has made."""

from typing import Final

from schema import wire_previews
from schema.operation import MATCH, OF_STORE, OF_VERSION, Operation

PREVIEW_MOVES: Final = Operation(
    "previewMoves",
    "POST",
    f"{MATCH}/preview",
    "play",
    "What moves would come to, at any version and for whoever is to move; nothing is stored or rolled",
    wire_previews.PreviewView,
    query=wire_previews.PreviewQuery,
    body=wire_previews.PreviewMoves,
    own_bucket="read",
    is_question=True,
    own_codes=(*OF_STORE, *OF_VERSION, "unparsable_move", "match_over", "illegal_move"),
)
PREVIEW_CHILDREN: Final = Operation(
    "previewChildren",
    "POST",
    f"{MATCH}/preview/children",
    "play",
    "What each legal move, at chance each outcome, would come to: one level of a tree",
    wire_previews.ChildrenView,
    body=wire_previews.PreviewChildren,
    own_bucket="read",
    is_question=True,
    own_codes=(*OF_STORE, *OF_VERSION, "unparsable_move", "match_over", "illegal_move"),
)
EXPLAIN_MOVE: Final = Operation(
    "explainMove",
    "GET",
    f"{MATCH}/why-not",
    "play",
    "Why a move is not legal, at any version: rules, figures, sentences, and the nearest legal moves",
    wire_previews.WhyNotView,
    query=wire_previews.WhyNotQuery,
    own_codes=(*OF_STORE, *OF_VERSION, "unparsable_move"),
)

OPERATIONS: Final = (PREVIEW_MOVES, PREVIEW_CHILDREN, EXPLAIN_MOVE)
