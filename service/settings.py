"""What can be set, by variables of the environment whose names begin with `CANTIERE_`."""

import difflib
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from service.addresses import networks
from service.limits.policy import rate
from service.settings_graphql import GraphqlSettings

PREFIX: Final = "CANTIERE_"
SECRET_BYTES: Final = 32
DAY: Final = 86_400

_LONGEST: Final = 100 * 365 * DAY
Seconds = Annotated[int, Meta(ge=1, le=_LONGEST)]
_UNITS: Final = {"s": 1, "m": 60, "h": 3_600, "d": DAY}
_DURATION: Final = re.compile(r"(\d+)([smhd])")
_ORIGIN: Final = re.compile(r"\*|[a-z][a-z0-9+.-]*://[a-z0-9.\[\]:-]+(:\d+)?")
_SCHEMES: Final = ("redis", "rediss", "unix")
_SECRET: Final = frozenset(("secret", "invites"))
"""What must not stand in a log."""


class BadSettings(Exception):
    """A variable that cannot be used. The message names it."""

    code = "bad_settings"


class Settings(GraphqlSettings, frozen=True, kw_only=True):
    """The settings of a service. Times are in seconds; variables may also say `90s`, `15m`, `24h`, `30d`."""

    host: Annotated[str, Meta(min_length=1, description="Address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535, description="Port to listen on; 0 takes a free one.")] = 8_000
    workers: Annotated[int, Meta(ge=1, le=64, description="Processes that answer requests.")] = 1
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Meta(description="The least grave messages to log.")
    ] = "info"
    log_format: Annotated[
        Literal["text", "json"],
        Meta(description="Lines of text, or one JSON object a line, for machines."),
    ] = "text"
    log_requests: Annotated[
        Literal["on", "off"],
        Meta(description="Whether requests are logged, each at the level info; with debug they always are."),
    ] = "off"
    metrics: Annotated[
        Literal["on", "off"], Meta(description="Whether figures for Prometheus are served at /metrics.")
    ] = "on"
    web: Annotated[Literal["on", "off"], Meta(description="Whether the page for people is served at /.")] = (
        "on"
    )
    explorer: Annotated[
        Literal["on", "off"], Meta(description="Whether the contract can be tried out at /api/explorer.")
    ] = "on"
    redis_url: Annotated[
        str,
        Meta(
            description="redis://, rediss:// or unix:// address of a store; without it an own one is started."
        ),
    ] = ""
    data_dir: Annotated[
        str,
        Meta(description="Directory of the own store; default: cantiere in the user's directory for data."),
    ] = ""
    secret: Annotated[
        str,
        Meta(
            description="What tokens are derived from, at least 32 bytes of text; needed with an external"
            " store, else made once and kept in the data directory."
        ),
    ] = ""
    fsync: Annotated[
        Literal["always", "everysec", "no"],
        Meta(
            description="When the own store writes to disk: before each answer, every second, when it likes."
        ),
    ] = "always"
    store_timeout: Annotated[int, Meta(ge=1, le=300, description="Seconds the store has for an answer.")] = 5
    idempotency_ttl: Annotated[
        Seconds, Meta(description="How long the answer to an Idempotency-Key is kept.")
    ] = DAY
    open_ttl: Annotated[Seconds, Meta(description="How long a match waits for players.")] = DAY
    idle_ttl: Annotated[
        Seconds, Meta(description="How long a running match without a clock waits for a move.")
    ] = 30 * DAY
    finished_ttl: Annotated[
        Annotated[int, Meta(ge=0, le=_LONGEST)] | None,
        Meta(
            description="How long a match is kept after its end, 0 for ever, but a day at most if it never"
            " began; default: for ever in the own store, 30 days in an external one.",
        ),
    ] = None
    sweep_interval: Annotated[
        Seconds, Meta(description="Time between two looks for matches to index, cancel or abort.")
    ] = 60
    heartbeat_interval: Annotated[
        Seconds, Meta(description="Time after which a stream on which nothing happens gives a sign of life.")
    ] = 15
    stream_timeout: Annotated[
        Seconds, Meta(description="How long a client may take in nothing before its stream is cut.")
    ] = 20
    max_streams: Annotated[
        int, Meta(ge=1, le=1_000_000, description="Streams and long polls at once at most, per worker.")
    ] = 10_000
    max_streams_per_address: Annotated[
        int, Meta(ge=1, le=1_000_000, description="Of these, from one address at most.")
    ] = 1_000
    bots: Annotated[
        int, Meta(ge=0, le=64, description="Processes that play for the built-in bots, 0 for none.")
    ] = 1
    max_bot_matches: Annotated[
        int,
        Meta(
            ge=1,
            le=100_000,
            description="Matches in which built-in bots play at most, of those in which something happened"
            " in the last ten minutes.",
        ),
    ] = 200
    tournaments: Annotated[
        int, Meta(ge=0, le=64, description="Processes that drive tournaments, 0 for none.")
    ] = 1
    registration: Annotated[
        Literal["open", "invite", "off"],
        Meta(description="Who may open an account for a player: anybody, who has an invite, nobody."),
    ] = "open"
    invites: Annotated[
        str, Meta(description="Invites with commas or blanks between, each good for one player.")
    ] = ""
    invites_file: Annotated[
        str, Meta(description="File with more invites, which is read anew at each registration.")
    ] = ""
    boxes: Annotated[
        str,
        Meta(
            description="Component files of your own: <game>=FILE, several with commas or blanks between."
            " The first one of a game is what new matches are played with."
        ),
    ] = ""
    cors_origins: Annotated[
        str,
        Meta(
            description="Origins whose pages may use the API in a browser, separated by commas, * for any;"
            " default: none but its own."
        ),
    ] = ""
    trusted_proxies: Annotated[
        str,
        Meta(
            description="Addresses and networks of proxies whose X-Forwarded-For is believed, separated by"
            " commas, or none."
        ),
    ] = "127.0.0.1,::1"
    limits: Annotated[
        Literal["on", "off"], Meta(description="Whether requests are limited by token and by address.")
    ] = "on"
    limits_exempt: Annotated[
        str,
        Meta(
            description="Addresses and networks of clients that are not limited, separated by commas, or"
            " none."
        ),
    ] = "127.0.0.0/8,::1"
    limit_create: Annotated[
        str,
        Meta(description="Matches and players made with one token: so many at once, and again in the time."),
    ] = "60/m"
    limit_move: Annotated[str, Meta(description="All else that is changed with one token.")] = "6000/m"
    limit_read: Annotated[str, Meta(description="What is read with one token.")] = "6000/m"
    limit_stream: Annotated[str, Meta(description="Streams opened with one token.")] = "120/m"
    limit_address: Annotated[
        int, Meta(ge=1, le=1_000, description="How many times as much all clients of one address may do.")
    ] = 10
    max_body: Annotated[
        int, Meta(ge=1_024, description="Bytes of a request's body, or of a message on a WebSocket, at most.")
    ] = 65_536
    body_timeout: Annotated[Seconds, Meta(description="How long a request's body may take to come.")] = 15
    max_batch: Annotated[int, Meta(ge=1, le=1_000, description="Moves in one request at most.")] = 100

    def __repr__(self) -> str:
        """The settings without what must not stand in a log."""
        shown = {name: value for name, value in msgspec.structs.asdict(self).items() if name not in _SECRET}
        if "@" in self.redis_url:
            shown["redis_url"] = (
                f"{urlsplit(self.redis_url).scheme}://***@{self.redis_url.rpartition('@')[2]}"
            )
        return f"Settings({', '.join(f'{name}={value!r}' for name, value in shown.items())})"

    @property
    def is_embedded(self) -> bool:
        """Whether the service starts a store of its own."""
        return not self.redis_url

    @property
    def directory(self) -> Path:
        """Where the own store lives, absolute."""
        if self.data_dir:
            return Path(self.data_dir).expanduser().absolute()
        home = os.environ.get("XDG_DATA_HOME", "")
        return (Path(home) if home.startswith("/") else Path.home() / ".local/share") / "cantiere"

    @property
    def kept(self) -> int | None:
        """Seconds for which a match is kept after its end, None for ever."""
        if self.finished_ttl is None:
            return None if self.is_embedded else 30 * DAY
        return self.finished_ttl or None

    def kept_after(self, status: str) -> int | None:
        """For how many ms a match is kept that ended so, None for ever; a day at most if it never began."""
        if status == "cancelled":
            return min(self.kept or DAY, DAY) * 1_000
        return None if self.kept is None else self.kept * 1_000

    @classmethod
    def from_env(cls, environment: Mapping[str, str]) -> "Settings":
        """The settings that the variables say; a variable with an empty value counts as absent.

        Raises BadSettings.
        """
        values: dict[str, Any] = {}
        for variable, text in environment.items():
            if not variable.startswith(PREFIX) or not text.strip():
                continue
            name = variable.removeprefix(PREFIX).lower()
            if name.startswith(("service_", "port_")) or text.startswith("tcp://"):
                raise BadSettings(
                    f"{variable} was made by Kubernetes for a service of this name."
                    " Set `enableServiceLinks: false` in the pod."
                )
            if name not in cls.__struct_fields__ or variable != variable.upper():
                raise BadSettings(f"{variable} is no setting{_guess(name)}.")
            values[name] = _seconds(name, text.strip())
        return _check(_convert(values))

    def to_env(self) -> dict[str, str]:
        """The variables that say these settings: `from_env` reads them back to an equal value."""
        return {
            variable_of(name): str(value)
            for name, value in msgspec.structs.asdict(self).items()
            if value is not None and value != ""
        }


def variable_of(name: str) -> str:
    """The variable that sets a field."""
    return PREFIX + name.upper()


def _seconds(name: str, text: str) -> str:
    """A duration such as `24h` in plain seconds; any other text as it is."""
    match = _DURATION.fullmatch(text) if name.endswith(("_ttl", "_interval", "_timeout")) else None
    return str(int(match[1]) * _UNITS[match[2]]) if match else text


def _convert(values: dict[str, Any]) -> Settings:
    for name, value in values.items():
        try:
            msgspec.convert({name: value}, Settings, strict=False)
        except msgspec.ValidationError as error:
            raise BadSettings(f"{variable_of(name)} is {value!r}: {_expected(name, str(error))}.") from None
    return msgspec.convert(values, Settings, strict=False)


def _expected(name: str, message: str) -> str:
    """What a setting may be, in words of ours instead of the decoder's."""
    hints = get_type_hints(Settings)
    if get_origin(hints[name]) is Literal:
        return f"expected one of {', '.join(get_args(hints[name]))}"
    limit = re.search(r"[<>]= -?\d+", message)
    return f"expected a whole number {limit[0]}" if limit else "expected a whole number"


def _check(settings: Settings) -> Settings:
    if not settings.is_embedded:
        _check_address(settings.redis_url)
        if not settings.secret:
            raise BadSettings(
                f"{variable_of('secret')} is needed with {variable_of('redis_url')}: every worker has to"
                " derive the same tokens. Make one with: openssl rand -hex 32"
            )
    if settings.secret and len(settings.secret.encode()) < SECRET_BYTES:
        raise BadSettings(
            f"{variable_of('secret')} is too short: it needs at least {SECRET_BYTES} bytes."
            " Make one with: openssl rand -hex 32"
        )
    _check_texts(settings)
    return settings


def _check_texts(settings: Settings) -> None:
    """Nothing, if the settings can be read that are texts with a form. Raises BadSettings."""
    readers: dict[str, Callable[[str], object]] = {
        "trusted_proxies": networks,
        "limits_exempt": networks,
        **{name: rate for name in settings.__struct_fields__ if name.startswith("limit_")},
    }
    del readers["limit_address"]
    for name, read in readers.items():
        try:
            read(getattr(settings, name))
        except ValueError as error:
            raise BadSettings(f"{variable_of(name)}: {error}.") from None
    for origin in settings.cors_origins.split(","):
        if origin.strip() and not _ORIGIN.fullmatch(origin.strip()):
            raise BadSettings(
                f"{variable_of('cors_origins')}: '{origin.strip()}' is no origin such as https://example.org"
            )


def _check_address(text: str) -> None:
    variable = variable_of("redis_url")
    try:
        address = urlsplit(text)
        place = address.path if address.scheme == "unix" else address.hostname
        _ = address.port
    except ValueError as error:
        raise BadSettings(f"{variable} is no address: {str(error).lower()}.") from None
    if address.scheme not in _SCHEMES:
        raise BadSettings(
            f"{variable} must begin with redis://, rediss:// or unix://, not '{address.scheme}'."
        )
    if not place or (address.scheme == "unix" and address.netloc):
        raise BadSettings(f"{variable} must be like redis://host:6379/0 or unix:///path/of/socket.")


def _guess(name: str) -> str:
    near = difflib.get_close_matches(name.lower(), Settings.__struct_fields__, n=1)
    return f"; did you mean {variable_of(near[0])}?" if near else ""
