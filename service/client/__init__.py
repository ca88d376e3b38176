"""What a Python program needs to play on a server: the whole of a bot is a function from a position to moves.

>>> from service.client import run_bot
>>> run_bot("http://127.0.0.1:8000", token, lambda position: position.legal[:1])

That plays everything the account behind the token is invited to, tournaments included. To do more, there are
clients that block and clients that do not; both ask what `calls` describes and conduct what `dialogues` has:

>>> from service.client import Client, Seat, engine_bot, play_match
>>> with Client("http://127.0.0.1:8000") as client:
...     joined = client.join(match_id, "Ada")
...     seat = Seat(match_id, joined.seat, joined.token)
...     end = play_match(client, seat, engine_bot("greedy", seed))
"""

from service.client.account import play_account, run_bot, run_bot_async
from service.client.async_client import AsyncClient
from service.client.bots import AsyncBot, Bot, Position, engine_bot
from service.client.client import Client
from service.client.dialogues import Seat
from service.client.errors import BadAnswer, BotFault, ClientError, Refused, Unreachable
from service.client.mirror import Mirror
from service.client.replica import Replica
from service.client.seat import play_match, play_match_async, started

__all__ = [
    "AsyncBot",
    "AsyncClient",
    "BadAnswer",
    "Bot",
    "BotFault",
    "Client",
    "ClientError",
    "Mirror",
    "Position",
    "Refused",
    "Replica",
    "Seat",
    "Unreachable",
    "engine_bot",
    "play_account",
    "play_match",
    "play_match_async",
    "run_bot",
    "run_bot_async",
    "started",
]
