"""Playing with an account: every turn of every match, from the player's own stream."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from schema.wire_players import InvitedMessage, MatchOverMessage, Told, YourTurnMessage
from service.client.bots import Bot
from service.client.client import Client
from service.client.errors import Refused
from service.client.replica import Replica
from service.client.seat import Seat, play_turn

LONG_POLL: Final = 30
MOST_REPLICAS: Final = 100
_TOO_LATE: Final = frozenset(("match_started", "match_over", "seat_taken", "already_seated", "match_expired"))

Watch = Callable[[Told], None]
"""Told of everything that the player is told, after it was acted upon."""


def play_account(client: Client, token: str, bot: Bot, watch: Watch, is_over: Callable[[], bool]) -> None:
    """Accept every invitation and play every turn, until `is_over()`, which is asked at least twice a minute.

    Nothing is lost between two runs: each begins with what is pending. Raises BotFault, and what the client
    raises.
    """
    replicas: OrderedDict[str, Replica] = OrderedDict()
    after: str | None = None
    while not is_over():
        page = client.own_events(token, after, wait=LONG_POLL)
        for message in page.messages:
            match message:
                case InvitedMessage():
                    _join(client, message.match, token)
                case YourTurnMessage():
                    _play(client, message, token, bot, replicas)
                case MatchOverMessage():
                    replicas.pop(message.match, None)
            watch(message)
        after = page.after


def _join(client: Client, match: str, token: str) -> None:
    try:
        client.join(match, token=token)
    except Refused as refusal:
        if refusal.code not in _TOO_LATE:
            raise


def _play(
    client: Client, turn: YourTurnMessage, token: str, bot: Bot, replicas: OrderedDict[str, Replica]
) -> None:
    """Play on until it is somebody else's turn."""
    replica = replicas.pop(turn.match, None) or Replica(client, turn.match)
    replica.update()
    while replica.status == "running" and replica.game.to_move(replica.state) == turn.seat:
        play_turn(client, replica, Seat(turn.match, turn.seat, token), bot)
    if replica.status == "running":
        replicas[turn.match] = replica
        while len(replicas) > MOST_REPLICAS:
            replicas.popitem(last=False)
