"""What is refused about tournaments."""

from service.errors import Refused


class NoSuchTournament(Refused):
    """An id that is no tournament's."""

    code = "no_such_tournament"


class TournamentStarted(Refused):
    """Something that needs a tournament that has not begun, or that still takes entrants in."""

    code = "tournament_started"


class TournamentNotStarted(Refused):
    """Something that needs a tournament that has begun."""

    code = "tournament_not_started"


class TournamentIsOver(Refused):
    """Something that cannot be done any more."""

    code = "tournament_over"


class AlreadyEntered(Refused):
    """A player who takes part already, or has left."""

    code = "already_entered"


class NotEntered(Refused):
    """A player who does not take part."""

    code = "not_entered"


class TournamentFull(Refused):
    """An entrant more than there may be."""

    code = "tournament_full"
