"""Playing one seat of a match on a server, from the first position to the result."""

from engine.match import Step
from schema.wire_views import MatchView
from service.client import dialogues
from service.client.async_client import AsyncClient
from service.client.bots import AsyncBot, Bot
from service.client.client import Client
from service.client.dialogues import Seat, WatchMatch
from service.client.mirror import Mirror


def unwatched(mirror: Mirror, steps: tuple[Step, ...]) -> None:
    """Nobody looks on."""


def play_match(client: Client, seat: Seat, bot: Bot, watch: WatchMatch = unwatched) -> MatchView:
    """The match at its end, the seat played by the bot whenever it was its turn.

    Waits for the start if the match is open. A server that goes away is waited for as long as the
    client's patience lasts; nothing is played twice. Raises BotFault, and what the client raises.
    """
    return client.run(dialogues.play_match(seat, bot, watch))


async def play_match_async(
    client: AsyncClient, seat: Seat, bot: Bot | AsyncBot, watch: WatchMatch = unwatched
) -> MatchView:
    """As `play_match`."""
    return await client.run(dialogues.play_match(seat, bot, watch))


def started(client: Client, match: str) -> MatchView:
    """The match as soon as it is no longer open."""
    return client.run(dialogues.started(match))


def play_turn(client: Client, mirror: Mirror, seat: Seat, bot: Bot) -> tuple[Step, ...]:
    """The steps that the bot's moves led to, or those that were missed if the match had gone on meanwhile."""
    return client.run(dialogues.play_turn(mirror, seat, bot))
