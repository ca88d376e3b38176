"""What is refused about players."""

from service.errors import Refused


class TokenExpired(Refused):
    """An API token whose time is over."""

    code = "token_expired"


class MissingScope(Refused):
    """An API token that may do other things, but not this."""

    code = "missing_scope"


class RegistrationClosed(Refused):
    """A registration where there is none."""

    code = "registration_closed"


class InviteRefused(Refused):
    """A registration without an invite that is good."""

    code = "invite_refused"


class NameTaken(Refused):
    """A name that another player has, perhaps in another case."""

    code = "name_taken"


class NoSuchPlayer(Refused):
    """An id that is no player's."""

    code = "no_such_player"


class NoSuchToken(Refused):
    """An id that is none of the player's tokens."""

    code = "no_such_token"


class TooManyTokens(Refused):
    """A further token of a player who has as many as one may have."""

    code = "too_many_tokens"
