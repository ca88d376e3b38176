"""A bot in a process of its own that does not play long: `python -m tests.tournaments.brief_bot VERSION URL`.

What it does follows from the position alone: it plays the first legal move, and resigns from VERSION on.
"""

import os
import sys

from schema.wire_players import InvitedMessage, YourTurnMessage
from service.client import Client, Refused


def brief(*versions: int) -> list[tuple[str, ...]]:
    """The commands of bots that resign from these versions on; each lacks the URL."""
    return [(sys.executable, "-m", "tests.tournaments.brief_bot", str(version)) for version in versions]


def main(enough: int, url: str, token: str) -> None:
    after = None
    with Client(url, patience=120) as client:
        while True:
            page = client.own_events(token, after, wait=20)
            for message in page.messages:
                try:
                    if isinstance(message, InvitedMessage):
                        client.join(message.match, token=token)
                    elif isinstance(message, YourTurnMessage) and message.version >= enough:
                        client.resign(message.match, token)
                    elif isinstance(message, YourTurnMessage):
                        client.play(message.match, message.version, message.legal_moves[:1], token)
                except Refused as refusal:
                    if refusal.problem.status != 409:  # told late
                        raise
            after = page.after


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], os.environ["CANTIERE_ACCOUNT_TOKEN"])
