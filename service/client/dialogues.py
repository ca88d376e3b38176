"""What a program says to a server to follow a match and to play in it, whoever sends it and waits.

Each function is a dialogue: conduct it with `run` of a client, blocking or not.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Final, NamedTuple

from msgspec import UNSET

from engine.errors import EngineError
from engine.match import AnyGame, Step
from engine.registry import find_game
from engine.transcript import Transcript
from schema.wire_players import InvitedMessage, MatchOverMessage, Told, YourTurnMessage
from schema.wire_views import MatchView, Problem
from service.client import calls, effects
from service.client.bots import AsyncBot, Bot
from service.client.effects import Dialogue, Think, ask, hear, pause, think
from service.client.errors import BadAnswer, BotFault, Refused
from service.client.mirror import Mirror
from service.client.pace import Pace

FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 2.0
LONG_POLL: Final = 30
MOST_MIRRORS: Final = 100

_CATCH_UP: Final = frozenset(("stale_version", "not_your_turn", "match_over"))
_BOT_FAULTS: Final = frozenset(("illegal_move", "batch_crosses_chance", "unparsable_move"))
_TOO_LATE: Final = frozenset(
    (
        "match_started",
        "match_over",
        "seat_taken",
        "already_seated",
        "not_invited",
        "no_such_match",
        "match_expired",
    )
)
_GONE: Final = frozenset(("no_such_match", "match_expired", "match_over", "not_your_turn", "wrong_token"))

WatchMatch = Callable[[Mirror, tuple[Step, ...]], None]
"""Told of the steps that are new, after they were folded into the mirror."""
WatchAccount = Callable[[Told], None]
"""Told of everything that the player is told, after it was acted upon."""


class Seat(NamedTuple):
    """A seat that is ours: the match's id, the seat's number, and its token."""

    match: str
    seat: int
    token: str


def record_of(match: str) -> Dialogue[tuple[Transcript, AnyGame]]:
    """The match so far, and its game. A box that is not the built-in one is fetched from the server."""
    transcript = yield from ask(calls.transcript(match))
    try:
        game = find_game(transcript.game)
        if transcript.edition != game.edition:
            box = yield from ask(calls.box(transcript.game, transcript.edition.digest))
            game = game.with_box(box)
    except EngineError as error:
        raise BadAnswer(f"the match cannot be followed: {error}") from None
    return transcript, game


def mirrored(match: str) -> Dialogue[Mirror]:
    """The match as it stands."""
    transcript, game = yield from record_of(match)
    return Mirror(match, transcript, game)


def update(mirror: Mirror, wait: int = 0) -> Dialogue[tuple[Step, ...]]:
    """A step for each event that is new to the mirror.

    If there is none, and the status is the same, it is waited for one, up to `wait` seconds.
    """
    steps: list[Step] = []
    after: int | None = mirror.version
    while after is not None:
        page = yield from ask(calls.events(mirror.match, after, wait=wait, status=mirror.status))
        mirror.status = page.status
        steps += mirror.fold_views(page.events)
        after = page.next
    return tuple(steps)


def time_left(mirror: Mirror, seat: int) -> Dialogue[float | None]:
    """How many seconds a seat has now before its time is over, None if it cannot run out."""
    if not mirror.is_timed:
        return None
    now = yield from ask(calls.clock(mirror.match))
    return mirror.left(seat, now)


def started(match: str) -> Dialogue[MatchView]:
    """The match as soon as it is no longer open."""
    view = yield from ask(calls.match(match))
    if view.status == "open":
        while (yield from hear(match, 0)).status == "open":
            pass
        view = yield from ask(calls.match(match))
    return view


def play_match(seat: Seat, bot: Bot | AsyncBot, watch: WatchMatch) -> Dialogue[MatchView]:
    """The match at its end, the seat played by the bot whenever it was its turn. Raises BotFault."""
    match = yield from started(seat.match)
    if match.status == "cancelled":
        return match
    mirror = yield from mirrored(seat.match)
    watch(mirror, mirror.seen)
    pace = Pace(FIRST_PAUSE, LONGEST_PAUSE)
    while mirror.status == "running":
        ours = mirror.game.to_move(mirror.state) == seat.seat
        if ours:
            steps = yield from play_turn(mirror, seat, bot)
        else:
            steps = mirror.take((yield from hear(seat.match, mirror.version)))
        if steps:
            watch(mirror, steps)
            pace.reset()
        elif ours:
            yield from pause(pace.next())
    if missed := (yield from update(mirror)):  # the end may be heard of before what led to it
        watch(mirror, missed)
    return (yield from ask(calls.match(seat.match)))


def play_turn(
    mirror: Mirror, seat: Seat, bot: Bot | AsyncBot, meanwhile: Callable[[], Dialogue[None]] | None = None
) -> Dialogue[tuple[Step, ...]]:
    """The steps that the bot's moves led to, or those that were missed if the match had gone on meanwhile.

    `meanwhile` is conducted now and then while the bot thinks.
    """
    chosen = yield from think(Think(bot, mirror, seat.seat, meanwhile))
    moves = tuple(map(mirror.game.write, chosen))
    if not moves:
        raise BotFault(f"the bot of seat {seat.seat} has no move at version {mirror.version}")
    try:
        played = yield from ask(calls.play(seat.match, mirror.version, moves, seat.token))
    except Refused as refusal:
        if refusal.code in _BOT_FAULTS or refusal.problem.index:  # a batch that goes on behind its turn
            raise BotFault(f"the bot of seat {seat.seat} plays {' '.join(moves)}: {refusal}") from refusal
        if refusal.code not in _CATCH_UP:
            raise
        steps = yield from _caught_up(mirror, refusal.problem)
        if not steps and refusal.code == "not_your_turn":
            raise  # the position is what the bot saw: the token must be that of another seat
        return steps
    mirror.status = played.status
    return mirror.fold_views(played.events)


def _caught_up(mirror: Mirror, problem: Problem) -> Dialogue[tuple[Step, ...]]:
    """The missed steps: those that the refusal tells, and those that it had no room for."""
    if problem.version is not UNSET and problem.version < mirror.version:
        raise BadAnswer(f"match {mirror.match} went back from version {mirror.version} to {problem.version}")
    steps = mirror.fold_views(problem.events) if problem.events is not UNSET else ()
    return steps + (yield from update(mirror)) if not steps or problem.next else steps


def play_account(
    token: str, bot: Bot | AsyncBot, watch: WatchAccount, is_over: Callable[[], bool]
) -> Dialogue[None]:
    """Accept every invitation and play every turn, until `is_over()`, which is asked at least twice a minute.

    Invitations are accepted while the bot thinks, too. Nothing is lost between two runs: each begins with
    what is pending. A match that is over or gone by the time is left alone. Raises BotFault.
    """
    mirrors: OrderedDict[str, Mirror] = OrderedDict()
    after: str | None = None
    while not is_over():
        page = yield from ask(calls.own_events(token, after, wait=LONG_POLL))
        yield from _accept(page.messages, token)
        attention = Attention(token, page.after)
        for message in page.messages:
            match message:
                case YourTurnMessage():
                    yield from _play_on(message, token, bot, mirrors, attention)
                case MatchOverMessage():
                    mirrors.pop(message.match, None)
            watch(message)
        after = page.after


class Attention:
    """Looks at what a player is told after a position while it is busy, and accepts every invitation in it.

    To look also says that the player is there. What was looked at is still to be read for all else.
    """

    def __init__(self, token: str, after: str) -> None:
        self._token = token
        self._after = after
        self._looked_at = monotonic()

    def look(self) -> Dialogue[None]:
        """Look now."""
        self._looked_at = monotonic()
        page = yield from ask(calls.own_events(self._token, self._after))
        yield from _accept(page.messages, self._token)
        self._after = page.after

    def look_if_due(self) -> Dialogue[None]:
        """Look, if that is some time ago."""
        if monotonic() >= self._looked_at + effects.LOOK_EVERY:
            yield from self.look()


def _accept(messages: Iterable[Told], token: str) -> Dialogue[None]:
    for message in messages:
        if isinstance(message, InvitedMessage):
            yield from _join(message.match, token)


def _join(match: str, token: str) -> Dialogue[None]:
    try:
        yield from ask(calls.join(match, token=token))
    except Refused as refusal:
        if refusal.code not in _TOO_LATE:
            raise


def _play_on(
    turn: YourTurnMessage,
    token: str,
    bot: Bot | AsyncBot,
    mirrors: OrderedDict[str, Mirror],
    attention: Attention,
) -> Dialogue[None]:
    """Play on until it is somebody else's turn."""
    try:
        mirror = mirrors.pop(turn.match, None) or (yield from mirrored(turn.match))
        yield from update(mirror)
        while mirror.status == "running" and mirror.game.to_move(mirror.state) == turn.seat:
            yield from attention.look_if_due()
            yield from play_turn(mirror, Seat(turn.match, turn.seat, token), bot, attention.look)
    except Refused as refusal:
        if refusal.code not in _GONE:
            raise
        return
    if mirror.status == "running":
        mirrors[turn.match] = mirror
        while len(mirrors) > MOST_MIRRORS:
            mirrors.popitem(last=False)
