"""A mirror that fetches what is new itself."""

from engine.match import Step
from service.client import dialogues
from service.client.client import Client
from service.client.mirror import Mirror


class Replica(Mirror):
    """A mirror of a match, with a client that blocks. Raises what the client raises."""

    def __init__(self, client: Client, match: str) -> None:
        self._client = client
        super().__init__(match, *client.run(dialogues.record_of(match)))

    def update(self, wait: int = 0) -> tuple[Step, ...]:
        """A step for each event that is new.

        If there is none, and the status is the same, it is waited for one, up to `wait` seconds.
        """
        return self._client.run(dialogues.update(self, wait))
