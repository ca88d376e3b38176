"""Parameters that several commands share, and how their texts are read."""

import re
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, Final

import msgspec
import rich_click as click

from engine.errors import BadBox, UnknownGame
from engine.match import AnyGame
from engine.players.roster import PLAYERS
from engine.registry import GAMES, find_game
from schema.wire import LONGEST_TIME, AskedClock
from service.boxes import read_box
from service.cli.exits import Failure

PLAYER_NAMES: Final = ", ".join(PLAYERS)
EXAMPLE: Final = next(iter(GAMES))
"""A game to show in examples."""

_PAIR = re.compile(r"(?P<path>\w+(?:\.\w+)*)=(?P<value>.*)", re.DOTALL)
_LONGEST: Final = LONGEST_TIME // 1_000
_LARGEST_SEED: Final = (1 << 256) - 1


class GameName(click.ParamType[AnyGame]):
    """The slug of a registered game, read as the game."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> AnyGame:
        try:
            return find_game(value)
        except UnknownGame as error:
            raise click.BadParameter(str(error), ctx, param) from None


class Seed(click.ParamType[bytes]):
    """64 hexadecimal digits or a whole number, read as 32 bytes (big-endian)."""

    name = "seed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        if isinstance(value, bytes):
            return value
        if re.fullmatch(r"[0-9a-fA-F]{64}", value):
            return bytes.fromhex(value)
        if re.fullmatch(r"[0-9]{1,78}", value) and int(value) <= _LARGEST_SEED:
            return int(value).to_bytes(32, "big")
        raise click.BadParameter(
            f"'{value[:80]}' is no whole number below 2**256 nor 64 hex digits", ctx, param
        )


class PlayerName(click.ParamType[str]):
    """The name of a player that comes with the engine."""

    name = "player"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name = str(value).strip()
        if name not in PLAYERS:
            raise click.BadParameter(
                f"there is no player '{name[:40]}'; there are: {PLAYER_NAMES}", ctx, param
            )
        return name


class PlayerNames(PlayerName):
    """Names of players, one a seat, with commas between them."""

    name = "player,..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, tuple):
            return value
        return tuple(super(PlayerNames, self).convert(name, param, ctx) for name in value.split(","))


class BoxData(click.ParamType[bytes]):
    """The path of a component file, read as its bytes."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        if isinstance(value, bytes):
            return value
        try:
            return read_box(Path(value))
        except OSError as error:
            raise click.BadParameter(f"{value}: {error.strerror or error}", ctx, param) from None


class JsonObject(click.ParamType[dict[str, Any]]):
    """A JSON object, read as a dict."""

    name = "json"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, Any]:
        if isinstance(value, dict):
            return value
        try:
            return msgspec.json.decode(value, type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError) as error:
            raise click.BadParameter(f"no JSON object: {error}", ctx, param) from None


class Pair(click.ParamType[tuple[str, Any]]):
    """`name=value`, where a dot in the name leads into a group of options."""

    name = "name=value"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Any]:
        if isinstance(value, tuple):
            return value
        match = _PAIR.fullmatch(value)
        if match is None:
            raise click.BadParameter(f"'{value[:80]}' is not name=value", ctx, param)
        return match["path"], _plain(match["value"])


def _plain(text: str) -> Any:
    """The JSON value that `text` spells, or else the text itself: `20`, `true`, `[..]`, but also `basic`."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text


def chosen_options(document: dict[str, Any] | None, pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The options of a match in their published spelling; a pair overrides the document."""
    options: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document or {}))
    for path, value in pairs:
        *groups, name = path.split(".")
        place = options
        for group in groups:
            inner = place.setdefault(group, {})
            if not isinstance(inner, dict):
                raise click.BadParameter(f"{group} is no group of options", param_hint="'-o'")
            place = inner
        place[name] = value
    return options


def option_parameters(command: Callable[..., None]) -> Callable[..., None]:
    """Adds `--options` and `-o`; the command gets the options of the match as `options`, a dict."""

    @wraps(command)
    def merged(
        *args: Any, options: dict[str, Any] | None, pairs: tuple[tuple[str, Any], ...], **others: Any
    ) -> None:
        command(*args, options=chosen_options(options, pairs), **others)

    whole = click.option(
        "--options",
        type=JsonObject(),
        metavar="JSON",
        help="Options of the match as a JSON object; see `cantiere games`.  [default: those of the game]",
    )
    single = click.option(
        "-o",
        "pairs",
        type=Pair(),
        multiple=True,
        metavar="NAME=VALUE",
        help="One option of the match; may be repeated, and overrides --options.",
    )
    return whole(single(merged))


def clock_parameters(otherwise: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Adds `--per-turn`, `--base` and `--increment`; the command gets the time control as `clock`.

    It is None if none of them is given: then turns have the time that `otherwise` says.
    """

    def added(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def merged(*args: Any, per_turn: int | None, base: int | None, increment: int, **others: Any) -> None:
            command(*args, clock=_clock(per_turn, base, increment), **others)

        turn = click.option(
            "--per-turn",
            type=click.IntRange(1, _LONGEST),
            metavar="SECONDS",
            help=f"Time for each turn.  [default: {otherwise}]",
        )
        whole = click.option(
            "--base",
            type=click.IntRange(1, _LONGEST),
            metavar="SECONDS",
            help="Time of each player for a whole match.  [default: no such time]",
        )
        more = click.option(
            "--increment",
            type=click.IntRange(0, _LONGEST),
            default=0,
            show_default=True,
            metavar="SECONDS",
            help="Added to --base at the end of each turn.",
        )
        return turn(whole(more(merged)))

    return added


def _clock(per_turn: int | None, base: int | None, increment: int) -> AskedClock | None:
    """What there is to be said of time; the server knows what goes together."""
    if (per_turn, base, increment) == (None, None, 0):
        return None
    return AskedClock(base=_in_ms(base), increment=increment * 1_000, per_turn=_in_ms(per_turn))


def _in_ms(seconds: int | None) -> int | None:
    return None if seconds is None else seconds * 1_000


def file_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the argument FILE."""
    described = "A transcript, as text or JSON; - is standard input."
    return click.argument("file", type=click.File("rb"), metavar="FILE", help=described)(command)


game_argument = click.argument(
    "game", type=GameName(), metavar="GAME", help=f"What is played: {', '.join(GAMES)}."
)


def _in_a_directory(ctx: click.Context, param: click.Parameter, path: Path | None) -> Path | None:
    if path and not path.parent.is_dir():
        raise click.BadParameter(f"there is no directory {path.parent}", ctx, param)
    return path


def write_file(path: Path, text: str) -> None:
    """Write a file that a user named."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}") from None


def output_option(name: str, described: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option that names a file to be written, which is checked before anything is done for nothing."""
    kind = click.Path(dir_okay=False, writable=True, path_type=Path)
    return click.option(name, type=kind, callback=_in_a_directory, metavar="FILE", help=described)


save_option = output_option(
    "--save", "Write the transcript to this file, as text.  [default: it is not kept]"
)

box_option = click.option(
    "--box",
    type=BoxData(),
    metavar="FILE",
    help="The component file to play with; see `cantiere components`.  [default: the built-in box]",
)


def with_box(game: AnyGame, box: bytes | None) -> AnyGame:
    """The game with the box that was given by `--box`, if one was."""
    try:
        return game if box is None else game.with_box(box)
    except BadBox as error:
        raise click.BadParameter(f"no box of {game.slug}: {error}", param_hint="'--box'") from None


think_option = click.option(
    "--think",
    type=click.FloatRange(0.01, 3600),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="The longest that a player thinks about one turn.",
)
