"""What can be done to a match: each function decides on a record and returns what is to be written.

Nothing here knows HTTP, reads a clock or talks to the store: times, tokens and seeds are handed in. Source
of the life of a match: open, then running or cancelled; running, then finished or aborted.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from engine.chance import Draw, commitment, match_draw
from engine.errors import BadSetup, MoveRefused
from engine.match import AnyGame, Step, advance, play, play_through_chance, retire
from engine.opening import check_seats, read_deal
from schema.games import default_options, read_options
from schema.wire import CreateMatch, PlayMoves, with_whole_numbers
from service.catalogue import rules_of
from service.clocks.arithmetic import Clock, deadline, fall, spend, wound
from service.clocks.referee import FLAGGED, Moment, control_of, follow
from service.details import detail
from service.errors import (
    AlreadySeated,
    MatchIsOver,
    MatchNotStarted,
    MatchStarted,
    NotInvited,
    SeatFree,
    SeatRetired,
    SeatTaken,
    StaleVersion,
    UnknownSeat,
)
from service.store.record import (
    FORMAT,
    MatchRecord,
    SeatRecord,
    StoredEvent,
    encode,
    ended,
    snapshots,
    stored_events,
)
from service.store.store import Snapshot

SEED_BYTES: Final = 32
RESIGNED: Final = "resigned"
FORFEITED: Final = "forfeited"
MOST_STATES: Final = 2_048
"""Decoded states kept at most."""

_states: Final[dict[tuple[AnyGame, bytes], Any]] = {}


class Decision(NamedTuple):
    """What is to be written: the record, the events that led to it, and the states to be kept.

    `seat` is whom it was about; `played` is how much of a batch was played, `stopped_by` why no more.
    """

    record: MatchRecord
    events: tuple[StoredEvent, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()
    seat: int = 0
    state: Any = None
    played: int = 0
    stopped_by: MoveRefused | None = None


class Born(NamedTuple):
    """What a new match takes from outside: its id, its secret seed, the hash of its host token, the time.

    `creator` is the player who makes it, empty for a guest.
    """

    id: str
    seed: bytes
    host_hash: bytes
    at: int
    creator: str = ""


def state_of(game: AnyGame, data: bytes) -> Any:
    """The state that a record or a snapshot holds."""
    state = _states.get((game, data))
    return _keep(game, data, msgspec.msgpack.decode(data, type=game.state_type)) if state is None else state


def _keep(game: AnyGame, data: bytes, state: Any) -> Any:
    """The state. It follows from its bytes alone, so what is kept is never out of date."""
    _states[game, data] = state
    if len(_states) > MOST_STATES:
        del _states[next(iter(_states))]
    return state


def draw_of(record: MatchRecord) -> Draw:
    """The chance of the match, once every seat is taken."""
    return _draw(record.seed, record.chance or record.id, tuple([seat.nonce for seat in record.seats]))


_draw: Final = lru_cache(maxsize=MOST_STATES)(match_draw)


def create(asked: CreateMatch, game: AnyGame, born: Born) -> Decision:
    """A new open match of `game`, which is bound to the box asked for. Raises BadSetup."""
    seed = bytes.fromhex(asked.seed) if asked.seed is not None else born.seed
    deal = _given_deal(game, asked) or _any_deal(game, asked, seed)
    record = MatchRecord(
        format=FORMAT,
        id=born.id,
        game=game.slug,
        rules=game.rules,
        edition_name=game.edition.name,
        edition_digest=game.edition.digest,
        status="open",
        visibility=asked.visibility,
        seats=(SeatRecord(),) * deal.seats,
        options=msgspec.json.encode(deal.options),
        deal=b"" if asked.deal is None else msgspec.json.encode(deal),
        state=b"",
        version=0,
        seed=seed,
        commitment=commitment(seed),
        given=tuple(name for name in ("seed", "deal") if getattr(asked, name) is not None),
        host_hash=born.host_hash,
        created_at=born.at,
        updated_at=born.at,
        clock=wound(control_of(asked.clock), deal.seats),
        creator=born.creator,
        joining=asked.join,
        invited=tuple(player for player in dict.fromkeys(asked.invited) if player != born.creator),
    )
    if record.joining == "invited" and not record.invited and not record.creator:
        raise BadSetup("join", "nobody is invited, and the creator is a guest: nobody could join")
    return Decision(record)


def check_invited(record: MatchRecord, player: str) -> None:
    """Nothing, if the player, empty for a guest, may take a seat. Raises NotInvited."""
    if record.joining == "invited" and (not player or player not in (record.creator, *record.invited)):
        raise NotInvited(detail("not_invited"))


def free_seat(record: MatchRecord, wanted: int | None, player: str = "") -> int:
    """The seat that a player, or a guest, may take: the one wanted, or one held for it, or the first free.

    Raises UnknownSeat, SeatTaken, AlreadySeated, MatchStarted, MatchIsOver.
    """
    if wanted is not None and wanted >= len(record.seats):
        raise UnknownSeat(detail("seats", last=len(record.seats) - 1))
    check_open(record)
    if player and any(seat.player == player for seat in record.seats):
        raise AlreadySeated(detail("seated"))
    numbers = range(len(record.seats)) if wanted is None else (wanted,)
    free = [number for number in numbers if not record.seats[number].is_taken]
    if not free and wanted is not None:
        raise SeatTaken(detail("seat_taken", seat=wanted))
    held = [number for number in free if player and record.seats[number].held_for == player]
    theirs = held or [number for number in free if not record.seats[number].held_for]
    if not theirs:
        raise SeatTaken(detail("seats_held"))
    return theirs[0]


def join(record: MatchRecord, game: AnyGame, seat: int, taken: SeatRecord) -> Decision:
    """The match with the free seat `seat` taken; started, if it was the last one. Raises BadSetup."""
    joined = replace(_with_seat(record, seat, taken), updated_at=taken.joined_at)
    if all(place.is_taken for place in joined.seats):
        return _start(joined, game, taken.joined_at)._replace(seat=seat)
    return Decision(joined, seat=seat)


def kick(record: MatchRecord, seat: int, at: int) -> Decision:
    """The match with a seat free again. Raises UnknownSeat, SeatFree, MatchStarted, MatchIsOver."""
    if seat >= len(record.seats):
        raise UnknownSeat(detail("seats", last=len(record.seats) - 1))
    check_open(record)
    if not record.seats[seat].is_taken:
        raise SeatFree(detail("seat_free", seat=seat))
    return Decision(replace(_with_seat(record, seat, SeatRecord()), updated_at=at), seat=seat)


def vacate(record: MatchRecord, seat: int | None, player: str, at: int) -> Decision:
    """The match without the seat, and without the invitation, of who leaves before the start.

    A tournament's match keeps both for the player. Raises MatchStarted, MatchIsOver.
    """
    check_open(record)
    is_bound = bool(record.tournament)
    empty = SeatRecord(held_for=player if is_bound else "")
    left = record if seat is None else _with_seat(record, seat, empty)
    invited = record.invited if is_bound else tuple(each for each in record.invited if each != player)
    return Decision(replace(left, invited=invited, updated_at=at))


def cancel(record: MatchRecord, at: int) -> Decision:
    """The open match over without having begun. Raises MatchStarted, MatchIsOver."""
    if record.is_over:
        raise MatchIsOver(detail(f"match_{record.status}"))
    if record.status == "open":
        return Decision(ended(record, "cancelled", at))
    raise MatchStarted(detail("too_late_to_cancel"))


def abort(record: MatchRecord, events: Sequence[StoredEvent], at: int) -> Decision:
    """The running match over without a result, if `events`, all it has, are of its first turn.

    That is: no other seat than the one to move has acted. Raises MatchStarted.
    """
    game = rules_of(record)
    mover = game.to_move(state_of(game, record.state))
    if len(events) < record.version or any(event.seat not in (None, mover) for event in events):
        raise MatchStarted(detail("too_late_to_abort"))
    return Decision(ended(record, "aborted", at))


def resign(record: MatchRecord, game: AnyGame, seat: int, moment: Moment) -> Decision:
    """The match after a seat has left it. Raises MatchNotStarted, MatchIsOver, SeatRetired."""
    return leave(record, game, seat, RESIGNED, moment)


def leave(record: MatchRecord, game: AnyGame, seat: int, cause: str, moment: Moment) -> Decision:
    """The match after a seat has left it, or was made to. Raises as `resign`."""
    _check_running(record)
    state = state_of(game, record.state)
    if seat not in game.active(state):
        raise SeatRetired(detail("seat_retired", seat=seat))
    steps = retire(game, state, record.version, seat, cause, draw_of(record))
    return _after(record, game, state, steps, moment)


def flag(record: MatchRecord, game: AnyGame, moment: Moment) -> Decision:
    """The match after the running seat, whose time is over, has left it."""
    clock, seat, due = _fallen(record, moment)
    state = state_of(game, record.state)
    steps = retire(game, state, record.version, seat, FLAGGED, draw_of(record))
    flagged = replace(record, clock=clock)
    return _after(flagged, game, state, steps, moment._replace(received=due))._replace(seat=seat)


def abort_flagged(record: MatchRecord, moment: Moment) -> Decision:
    """The match over without a result, because the running seat's time is over."""
    clock, seat, due = _fallen(record, moment)
    emptied, _ = spend(clock, due, moment.stalls)
    return Decision(ended(replace(record, clock=emptied), "aborted", moment.applied), seat=seat)


def play_moves(
    record: MatchRecord, game: AnyGame, seat: int, asked: PlayMoves, moves: Sequence[Any], moment: Moment
) -> Decision:
    """The match after a batch, `moves` being what its notations spell, and everything that is due then.

    Raises MatchNotStarted, MatchIsOver, StaleVersion, MoveRefused.
    """
    _check_running(record)
    if asked.version != record.version:
        raise StaleVersion(asked.version, record.version)
    how = play_through_chance if asked.continue_through_chance else play
    state = state_of(game, record.state)
    played = how(game, state, record.version, seat, moves, draw_of(record))
    decision = _after(record, game, state, played.steps, moment)
    return decision._replace(seat=seat, played=played.moves, stopped_by=played.stopped_by)


def _fallen(record: MatchRecord, moment: Moment) -> tuple[Clock, int, int]:
    """The clocks when the flag has fallen, whose it is, and when it fell."""
    clock = record.clock
    assert clock is not None
    assert clock.running is not None
    due = deadline(clock, moment.stalls)
    assert due is not None
    return fall(clock), clock.running, due


def _given_deal(game: AnyGame, asked: CreateMatch) -> Any:
    if asked.deal is None:
        return None
    options = None if asked.options is None else msgspec.to_builtins(read_options(game, asked.options))
    return read_deal(game, with_whole_numbers(asked.deal), asked.seats, options)


def _any_deal(game: AnyGame, asked: CreateMatch, seed: bytes) -> Any:
    """Some deal with the options and seats asked for: if there is one, the match can start."""
    if asked.seats is None:
        raise BadSetup("seats", "say for how many the match is, or give a deal")
    check_seats(game, asked.seats)
    options = default_options(game) if asked.options is None else read_options(game, asked.options)
    return game.deal(options, asked.seats, Draw(seed))


def check_open(record: MatchRecord) -> None:
    """Nothing, if seats may still be taken. Raises MatchIsOver, MatchStarted."""
    if record.is_over:
        raise MatchIsOver(detail(f"match_{record.status}"))
    if record.status != "open":
        raise MatchStarted(detail("match_begun"))


def _check_running(record: MatchRecord) -> None:
    if record.is_over:
        raise MatchIsOver(detail(f"match_{record.status}"))
    if record.status == "open":
        free = sum(not seat.is_taken for seat in record.seats)
        raise MatchNotStarted(detail("match_waits", free=free))


def _with_seat(record: MatchRecord, number: int, seat: SeatRecord) -> MatchRecord:
    return replace(record, seats=(*record.seats[:number], seat, *record.seats[number + 1 :]))


def _start(record: MatchRecord, game: AnyGame, at: int) -> Decision:
    """The match dealt, and everything played that is due before the first choice."""
    draw = draw_of(record)
    if record.deal:
        deal = msgspec.json.decode(record.deal, type=game.deal_type)
    else:
        deal = game.deal(msgspec.json.decode(record.options, type=game.options_type), len(record.seats), draw)
    state = game.setup(deal)
    running = replace(
        record,
        status="running",
        deal=msgspec.json.encode(deal),
        state=encode(state),
        started_at=at,
        updated_at=at,
    )
    decision = _after(running, game, state, advance(game, state, 0, draw), Moment(at, at))
    return decision._replace(snapshots=((0, running.state), *decision.snapshots))


def _after(record: MatchRecord, game: AnyGame, state: Any, steps: Sequence[Step], moment: Moment) -> Decision:
    """The record after the steps from `state`, finished if they end the match."""
    clock, timings = follow(_clock_of(record, game, state), game, state, steps, moment)
    at, data = moment.applied, record.state
    if steps:
        state = steps[-1].state
        data = encode(state)
        _keep(game, data, state)  # the next move begins with it
    version = record.version + len(steps)
    record = replace(record, state=data, version=version, updated_at=at, clock=clock)
    if game.to_move(state) is None:
        ranks = tuple(row.rank for row in game.standing(state).rows)
        record = ended(record, "finished", at, ranks)
    return Decision(record, stored_events(steps, at, timings), snapshots(steps), state=state)


def _clock_of(record: MatchRecord, game: AnyGame, state: Any) -> Clock:
    """The clocks of a match; those that a release without clocks began have taken nothing down yet."""
    return record.clock or Clock(running=game.to_move(state), since=record.updated_at)
