"""What players do to tournaments: each function decides on one as it stands and returns what is written.

Nothing here talks to the store; ids, seeds and times are handed in.
"""

from msgspec.structs import replace

from engine.chance import commitment
from engine.errors import BadSetup
from engine.match import AnyGame
from schema.games import own_options
from schema.wire_tournaments import CreateTournament
from service.accounts.caller import Caller
from service.clocks.referee import control_of
from service.errors import WrongToken
from service.tournaments.check import check, check_entry, check_plan
from service.tournaments.document import FORMAT, Document
from service.tournaments.errors import (
    AlreadyEntered,
    NotEntered,
    TournamentFull,
    TournamentIsOver,
    TournamentNotStarted,
    TournamentStarted,
)
from service.tournaments.ledger import Ledger
from service.tournaments.manifest import (
    MOST_ENTRANTS,
    Entrant,
    Manifest,
)
from service.tournaments.office import Occasion, Written
from service.tournaments.record import Entered, Left, Stopped


def announce(
    asked: CreateTournament, game: AnyGame, tournament_id: str, seed: bytes, organiser: str, at: int
) -> Document:
    """A new tournament without entrants. Raises BadSetup."""
    control_of(asked.clock)
    manifest = Manifest(
        name=asked.name,
        game=game.slug,
        rules=game.rules,
        edition=game.edition,
        options=own_options(game, asked.options) if asked.options else {},
        seats=asked.seats,
        entrants=(),
        format=asked.format,
        design=asked.design,
        luck="own",
        clock=asked.clock,
        faults=asked.faults,
        stopping=asked.stopping,
        limits=asked.limits,
        late=asked.late,
        ties=asked.ties,
        commitment=commitment(seed),
    )
    check_plan(manifest, game)
    return Document(FORMAT, tournament_id, "open", organiser, manifest, seed, at)


def join(asked: Occasion) -> Written:
    """The player takes part. Raises what the operation says."""
    document, player = asked.standing.document, asked.caller.player
    _check_alive(document)
    entrant = Entrant(id=player.id, name=player.name)
    if not document.has_begun:
        if any(known.id == player.id for known in document.entrants):
            raise AlreadyEntered("The player takes part already.")
        if len(document.entrants) >= MOST_ENTRANTS:
            raise TournamentFull(f"A tournament has at most {MOST_ENTRANTS} entrants.")
        return Written(replace(document, entrants=(*document.entrants, entrant)))
    ledger = Ledger(asked.standing.record)
    if player.id in ledger.entrants:
        raise AlreadyEntered("The player takes part already, or has left.")
    try:
        check_entry(ledger, entrant)
    except BadSetup as error:
        raise TournamentStarted(f"The tournament has begun: {error}.") from None
    return Written(document, (Entered(entrant=entrant, at=asked.at),))


def leave(asked: Occasion) -> Written:
    """The player takes part no more."""
    document, player = asked.standing.document, asked.caller.player
    _check_alive(document)
    if not document.has_begun:
        rest = tuple(entrant for entrant in document.entrants if entrant.id != player.id)
        if rest == document.entrants:
            raise NotEntered("The player does not take part.")
        return Written(replace(document, entrants=rest))
    if player.id not in Ledger(asked.standing.record).active:
        raise NotEntered("The player does not take part, or has left.")
    return Written(document, (Left(entrant=player.id, cause="withdrawn", at=asked.at),))


def start(asked: Occasion) -> Written:
    """The manifest is fixed, and matches are ordered from now on."""
    document = asked.standing.document
    _check_organiser(document, asked.caller)
    _check_alive(document)
    if document.has_begun:
        raise TournamentStarted("The tournament has begun already.")
    manifest = replace(document.manifest, entrants=document.entrants)
    check(manifest, asked.catalogue.game(manifest.game, manifest.edition.digest))
    return Written(replace(document, status="running", manifest=manifest, started_at=asked.at))


def pause(asked: Occasion) -> Written:
    """No further match begins."""
    return Written(replace(_begun(asked), status="paused"))


def resume(asked: Occasion) -> Written:
    """Matches begin again."""
    return Written(replace(_begun(asked), status="running"))


def cancel(asked: Occasion) -> Written:
    """It is over as it stands."""
    document = asked.standing.document
    _check_organiser(document, asked.caller)
    _check_alive(document)
    over = replace(document, status="cancelled", ended_at=asked.at)
    return Written(over, (Stopped(cause="cancelled", at=asked.at),) if document.has_begun else ())


def _begun(asked: Occasion) -> Document:
    document = asked.standing.document
    _check_organiser(document, asked.caller)
    _check_alive(document)
    if not document.has_begun:
        raise TournamentNotStarted("The tournament has not begun.")
    return document


def _check_organiser(document: Document, caller: Caller) -> None:
    if caller.player.id != document.organiser:
        raise WrongToken("This is for the organiser of the tournament.")


def _check_alive(document: Document) -> None:
    if document.is_over:
        raise TournamentIsOver(f"The tournament is {document.status}.")
