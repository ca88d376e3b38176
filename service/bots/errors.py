"""What is refused about bots, and may be possible the next time."""

from service.errors import Refused


class NoBots(Refused):
    """A bot where nobody plays for the bots."""

    code = "no_bots"


class TooManyBots(Refused):
    """A bot when they play in as many matches as they may."""

    code = "too_many_bots"

    def __init__(self, text: str) -> None:
        super().__init__(text, bucket="bots")
