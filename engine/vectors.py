"""Conformance vectors: positions of a game with everything another implementation should find in them.

What the lines hold is written down in VECTORS.md. Nothing in them is our own encoding of a state: a position
is a deal and the moves that lead there, and what is compared is notation, score sheets and hashes of text.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, inspect

from engine.chance import Draw
from engine.errors import BadSetup
from engine.game import CHANCE, Edition, Row
from engine.match import RETIRE, AnyGame
from engine.opening import check_seats
from engine.perft import perft

FORMAT: Final = 1
PER_MATCH: Final = 40
"""Positions taken from one match."""
RESULTS: Final = 4
"""Sequences of moves from a position whose results are told, at most; the n-th has up to n moves."""
MOST_COUNTED: Final = 300
"""Sequences of moves, at most, that are counted one move further."""
DEEPEST: Final = 4
LONGEST: Final = 3_000
"""Events of a match after which it is left as it is."""

ToMove = int | Literal["chance", "over"]


class _Line(Struct, frozen=True, tag_field="kind"):
    """A line of vectors; `kind` tells which."""


class Header(_Line, frozen=True, kw_only=True, tag="header"):
    """The first line: what the vectors are of, and from which seed they were made."""

    format: int
    game: str
    rules: int
    edition: Edition
    seed: int
    positions: int


class MatchLine(_Line, frozen=True, kw_only=True, tag="match"):
    """A deal and everything that was played from it. Positions below are of this match."""

    match: int
    deal: Any
    moves: tuple[str, ...]


class Result(Struct, frozen=True):
    """Where moves lead, one after the other, by the digest of the position."""

    moves: tuple[str, ...]
    digest: str


class PositionLine(_Line, frozen=True, kw_only=True, tag="position", omit_defaults=True):
    """The match after its first `at` moves. `legal` is absent at chance, `odds` elsewhere."""

    match: int
    at: int
    to_move: ToMove
    moves: int
    legal: tuple[str, ...] | UnsetType = UNSET
    odds: int | UnsetType = UNSET
    standing: tuple[Row, ...]
    digest: str
    results: tuple[Result, ...]
    perft: tuple[int, ...]


Line = Header | MatchLine | PositionLine


def vectors(game: AnyGame, seed: int, count: int) -> Iterator[Line]:
    """`count` positions of matches played at random at every number of seats, with all options.

    The same game, box, seed and count give the same lines.
    """
    yield Header(
        format=FORMAT, game=game.slug, rules=game.rules, edition=game.edition, seed=seed, positions=count
    )
    whole = Draw(f"vectors {seed}".encode())
    number = 0
    while count > 0:
        draw = whole.branch("match", number)
        deal = _deal(game, game.seats[number % len(game.seats)], draw, with_options=number % 2 == 1)
        states, moves = _played(game, game.setup(deal), draw)
        yield MatchLine(match=number, deal=msgspec.to_builtins(deal), moves=tuple(moves))
        chosen = draw.shuffled(range(len(states)), "positions")[: min(PER_MATCH, count)]
        for at in sorted(chosen):
            yield _position(game, states[at], number, at, draw)
        count -= len(chosen)
        number += 1


def portable(game: AnyGame, state: Any) -> str:
    """What there is to see in a position, as text: who is to move, the moves by name, the score sheets."""
    moves = [game.write(move) for move in game.legal(state)]
    if game.to_move(state) == CHANCE:
        moves = [f"{text} {weight}" for text, weight in zip(moves, game.odds(state), strict=True)]
    rows = (_row(row) for row in game.standing(state).rows)
    return "\n".join((str(to_move(game, state)), *sorted(moves), *rows))


def digest(game: AnyGame, state: Any) -> str:
    """SHA-256 (hex) of the text that `portable` gives, in UTF-8."""
    return hashlib.sha256(portable(game, state).encode()).hexdigest()


def to_move(game: AnyGame, state: Any) -> ToMove:
    """The seat that decides, or `chance`, or `over`."""
    holder = game.to_move(state)
    return "over" if holder is None else "chance" if holder == CHANCE else holder


def _row(row: Row) -> str:
    figures = ({"rank": row.rank, "total": row.total}, row.scores, row.ties)
    words = [f"{name}={value}" for part in figures for name, value in part.items()]
    return " ".join((f"row {row.seat}", *words, *(("retired",) if row.retired else ())))


def _position(game: AnyGame, state: Any, match: int, at: int, draw: Draw) -> PositionLine:
    legal = game.legal(state)
    is_chance = game.to_move(state) == CHANCE
    first = draw.shuffled(legal, "results", at)[:RESULTS]
    return PositionLine(
        match=match,
        at=at,
        to_move=to_move(game, state),
        moves=len(legal),
        legal=UNSET if is_chance else tuple(map(game.write, legal)),
        odds=sum(game.odds(state)) if is_chance else UNSET,
        standing=game.standing(state).rows,
        digest=digest(game, state),
        results=tuple(
            _result(game, state, move, more, draw.branch("result", at)) for more, move in enumerate(first)
        ),
        perft=_counts(game, state),
    )


def _result(game: AnyGame, state: Any, move: Any, more: int, draw: Draw) -> Result:
    """Where a move leads with `more` moves after it, as far as the match goes."""
    texts: list[str] = []
    for step in range(more + 1):
        texts.append(game.write(move))
        state, _ = game.apply(state, move)
        legal = game.legal(state)
        if not legal:
            break
        move = legal[draw.below(len(legal), "move", more, step)]
    return Result(tuple(texts), digest(game, state))


def _counts(game: AnyGame, state: Any) -> tuple[int, ...]:
    counts = [perft(game, state, 1)]
    while 0 < counts[-1] <= MOST_COUNTED and len(counts) < DEEPEST:
        counts.append(perft(game, state, len(counts) + 1))
    return tuple(counts)


def _played(game: AnyGame, state: Any, draw: Draw) -> tuple[list[Any], list[str]]:
    """The states of a match from its start and the moves between them; in one of four somebody leaves."""
    leaves = draw.below(4, "leaves") == 0
    states, moves = [state], list[str]()
    while game.to_move(state) is not None and len(moves) < LONGEST:
        at = len(moves)
        if leaves and game.to_move(state) != CHANCE and draw.below(150, "leaves now", at) == 0:
            seat = game.active(state)[draw.below(len(game.active(state)), "leaver", at)]
            state, _ = game.retire(state, seat)
            moves.append(f"{RETIRE}{seat}")
        else:
            move = _choice(game.legal(state), draw, at)
            state, _ = game.apply(state, move)
            moves.append(game.write(move))
        states.append(state)
    return states, moves


def _choice(legal: Sequence[Any], draw: Draw, at: int) -> Any:
    """Any of the moves; every other time any of a kind, so that rare kinds are not drowned by common ones."""
    if draw.below(2, "by kind", at):
        kinds: list[type[Any]] = list(dict.fromkeys(map(type, legal)))
        kind = kinds[draw.below(len(kinds), "kind", at)]
        legal = [move for move in legal if type(move) is kind]
    return legal[draw.below(len(legal), "move", at)]


def _deal(game: AnyGame, seats: int, draw: Draw, with_options: bool) -> Any:
    """A deal with the default options or any others that the box allows."""
    check_seats(game, seats)
    default = msgspec.convert({}, game.options_type)
    for attempt in range(100 if with_options else 0):
        try:
            options = _options(game.options_type, draw.branch("options", attempt))
            return game.deal(msgspec.convert(options, game.options_type), seats, draw)
        except BadSetup:
            continue
    return game.deal(default, seats, draw)


def _options(kind: type[Struct], draw: Draw) -> Mapping[str, Any]:
    """Values for options whose types list them; the others are left out."""
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    chosen: dict[str, Any] = {}
    for field in described.fields:
        match _plain(field.type):
            case inspect.LiteralType(values=values):
                chosen[field.name] = values[draw.below(len(values), field.name)]
            case inspect.BoolType():
                chosen[field.name] = bool(draw.below(2, field.name))
            case inspect.StructType(cls=inner):
                chosen[field.name] = _options(inner, draw.branch(field.name))
            case _:
                pass
    return chosen


def _plain(kind: inspect.Type) -> inspect.Type:
    return _plain(kind.type) if isinstance(kind, inspect.Metadata) else kind
