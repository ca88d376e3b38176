"""Playing with an account: every turn of every match, from the player's own stream."""

from collections.abc import Callable
from typing import Final

from schema.wire_players import Told
from service.client import dialogues
from service.client.async_client import AsyncClient
from service.client.bots import AsyncBot, Bot
from service.client.client import Client
from service.client.dialogues import WatchAccount

DAY: Final = 86_400.0


def unheard(message: Told) -> None:
    """Nobody listens."""


def never() -> bool:
    """It goes on for ever."""
    return False


def play_account(
    client: Client, token: str, bot: Bot, watch: WatchAccount, is_over: Callable[[], bool]
) -> None:
    """Accept every invitation and play every turn, until `is_over()`, which is asked at least twice a minute.

    Nothing is lost between two runs: each begins with what is pending. Raises BotFault, and what the client
    raises.
    """
    client.run(dialogues.play_account(token, bot, watch, is_over))


def run_bot(
    url: str,
    token: str,
    choose: Bot,
    *,
    watch: WatchAccount = unheard,
    is_over: Callable[[], bool] = never,
    patience: float = DAY,
) -> None:
    """Play, with the player of an API token, everything its stream brings: invitations and tournaments.

    A server that goes away is waited for, for `patience` seconds. Raises BotFault, Refused, Unreachable.
    """
    with Client(url, patience) as client:
        play_account(client, token, choose, watch, is_over)


async def run_bot_async(
    url: str,
    token: str,
    choose: Bot | AsyncBot,
    *,
    watch: WatchAccount = unheard,
    is_over: Callable[[], bool] = never,
    patience: float = DAY,
) -> None:
    """As `run_bot`."""
    async with AsyncClient(url, patience) as client:
        await client.run(dialogues.play_account(token, choose, watch, is_over))
