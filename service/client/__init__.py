"""What a Python program needs to play on a server.

>>> from service.client import Client, Seat, engine_bot, play_match
>>> with Client("http://127.0.0.1:8000") as client:
...     joined = client.join(match_id, "Ada")
...     seat = Seat(match_id, joined.seat, joined.token)
...     end = play_match(client, seat, lambda position: position.legal[:1])
"""

from service.client.account import play_account
from service.client.bots import Bot, Position, engine_bot
from service.client.client import Client
from service.client.errors import BadAnswer, BotFault, ClientError, Refused, Unreachable
from service.client.replica import Replica
from service.client.seat import Seat, play_match, started

__all__ = [
    "BadAnswer",
    "Bot",
    "BotFault",
    "Client",
    "ClientError",
    "Position",
    "Refused",
    "Replica",
    "Seat",
    "Unreachable",
    "engine_bot",
    "play_account",
    "play_match",
    "started",
]
