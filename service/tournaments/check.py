"""Whether a tournament can be held as its manifest says, and whether somebody may still come in."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec.structs import fields

from engine.chance import Draw
from engine.errors import BadSetup
from engine.match import AnyGame
from engine.opening import check_seats, read_options
from service.tournaments.designs import sittings
from service.tournaments.faults import CLASSES, rule_of
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import (
    MOST_ENTRANTS,
    MOST_MATCHES,
    Arena,
    Consequence,
    Duplicate,
    Entrant,
    FaultClass,
    FaultPolicy,
    Gauntlet,
    Knockout,
    Manifest,
    Placings,
    RoundRobin,
    Sprt,
    Swiss,
)
from service.tournaments.schedule import is_over
from service.tournaments.seating import MOST_PERMUTED, set_size

MEANT: Final[Mapping[FaultClass, tuple[Consequence, ...]]] = {
    "illegal_move": ("retry", "strike", "retire", "forfeit"),
    "timeout": ("retire", "forfeit", "void"),
    "disconnect": ("retry", "strike", "retire", "forfeit", "void"),
    "resign": ("retire", "forfeit"),
    "no_show": ("retry", "strike", "retire", "forfeit"),
    "server": ("void",),
}
"""What a fault can lead to: nobody whose time is over can be asked again, and nobody pays for the server."""

LEAST_GONE_MS: Final = 30_000
"""Who only listens is noticed every 15 seconds: with less, some who think are taken for gone."""

PAIR: Final = "a likelihood ratio test is for two entrants at tables of two"


def check_plan(manifest: Manifest, game: AnyGame) -> None:
    """Nothing, if a tournament can be held so once there are entrants. Raises BadSetup."""
    check_seats(game, manifest.seats)
    if (manifest.rules, manifest.edition) != (game.rules, game.edition):
        raise BadSetup("rules", f"here is version {game.rules}, {game.edition}")
    game.deal(read_options(game, manifest.options), manifest.seats, Draw(b"any"))
    for where, why in (
        *_format(manifest),
        *_stopping(manifest),
        *_faults(manifest),
        *size_objections(manifest),
    ):
        raise BadSetup(where, why)


def check(manifest: Manifest, game: AnyGame) -> None:
    """Nothing, if the tournament can be held with `game`, bound to its box. Raises BadSetup."""
    check_plan(manifest, game)
    for where, why in (*_entrants(manifest), *_named(manifest)):
        raise BadSetup(where, why)


def check_entry(ledger: Ledger, entrant: Entrant) -> None:
    """Nothing, if somebody may come in now, after the start. Raises BadSetup."""
    if ledger.round_played > ledger.manifest.late or is_over(ledger):
        raise BadSetup("entrant", "it is too late to come in")
    if entrant.id in ledger.entrants:
        raise BadSetup("entrant", "it takes part already, or did")
    if len(ledger.entrants) >= MOST_ENTRANTS:
        raise BadSetup("entrant", f"there are {MOST_ENTRANTS} already")


def most_matches(manifest: Manifest) -> int:
    """How many matches there are at most if nobody comes late; 0 if only time ends it."""
    number, seats = len(manifest.entrants), manifest.seats
    each = set_size(seats, manifest.design)
    match manifest.format:
        case RoundRobin(rounds=rounds) if seats == 2:
            return each * rounds * number * (number - 1) // 2
        case RoundRobin(rounds=rounds):
            return each * sittings(number, seats, rounds) * number // seats
        case Gauntlet(heroes=heroes, rounds=rounds):
            return each * len(heroes) * -(-(number - len(heroes)) * (rounds + seats - 2) // (seats - 1))
        case Swiss(rounds=rounds):
            return each * rounds * (number // seats)
        case Knockout(best_of=best_of):
            return each * best_of * number
        case Arena(sets=sets):
            return each * sets


def luck_objections(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Why the matches of a deal cannot share their luck, if they should and cannot."""
    if manifest.luck == "shared" and (manifest.late or any(one.kind != "local" for one in manifest.entrants)):
        yield "luck", "it can be shared among local entrants only: others may remember what was rolled"


def size_objections(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Why there is more to be played than can be, or be computed."""
    design = manifest.design
    if isinstance(design, Duplicate) and design.seatings == "all" and manifest.seats > MOST_PERMUTED:
        yield "design", f"all seatings are too many at a table of {manifest.seats}; take the cyclic ones"
    elif (most := most_matches(manifest)) > MOST_MATCHES:
        yield "format", f"that is {most} matches; at most {MOST_MATCHES} can be played"


def _entrants(manifest: Manifest) -> Iterator[tuple[str, str]]:
    ids = [entrant.id for entrant in manifest.entrants]
    if len(set(ids)) < len(ids):
        yield "entrants", "two have the same id"
    if len(ids) < manifest.seats:
        yield "entrants", f"{len(ids)} are too few for a table of {manifest.seats}"
    yield from luck_objections(manifest)


def _named(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """What speaks against those whom format and stopping rule name, and how many there are."""
    ids = {entrant.id for entrant in manifest.entrants}
    match manifest.format:
        case Gauntlet(heroes=heroes):
            if len(set(heroes)) < len(heroes) or not ids.issuperset(heroes):
                yield "heroes", "each is one of the entrants, named by its id, and once"
            if len(ids) - len(heroes) < manifest.seats - 1:
                yield "heroes", "too few are left to sit with one of them"
    match manifest.stopping:
        case Sprt() if len(ids) != 2:
            yield "stopping", PAIR
        case Placings(entrant=entrant) if entrant not in ids:
            yield "stopping", "the test is about one of the entrants, named by its id"


def _format(manifest: Manifest) -> Iterator[tuple[str, str]]:
    match manifest.format:
        case Knockout(advance=advance):
            if advance >= manifest.seats:
                yield "advance", "somebody at each table has to be out"
            if manifest.late:
                yield "late", "nobody can come late to a knockout"
        case Arena(sets=0, duration_ms=0):
            yield "format", "say when it ends: after so many sets, or after some time"


def _stopping(manifest: Manifest) -> Iterator[tuple[str, str]]:
    match manifest.stopping:
        case Sprt(elo0=low, elo1=high):
            if manifest.seats != 2 or manifest.late:
                yield "stopping", PAIR
            if not low < high:
                yield "stopping", "elo0 has to be less than elo1"


def _faults(manifest: Manifest) -> Iterator[tuple[str, str]]:
    for fault in CLASSES:
        if rule_of(manifest.faults, fault).then not in MEANT[fault]:
            yield "faults", f"{spelled(fault)} can lead to {', '.join(MEANT[fault])} only"
    if 0 < manifest.faults.gone_after_ms < LEAST_GONE_MS:
        yield "faults", f"goneAfterMs is 0, which is never, or at least {LEAST_GONE_MS}"


def spelled(fault: FaultClass) -> str:
    """A class of faults as bodies name it."""
    (name,) = (field.encode_name for field in fields(FaultPolicy) if field.name == fault)
    return name
