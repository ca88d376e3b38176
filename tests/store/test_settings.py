"""Settings come from the environment, and a mistake is told by the variable's name."""

from pathlib import Path

import pytest

from service.settings import BadSettings, Settings

EXTERNAL = {"CANTIERE_REDIS_URL": "redis://user:hush@store:6379/0", "CANTIERE_SECRET": "x" * 32}


def test_everything_has_a_default() -> None:
    settings = Settings.from_env({"PATH": "/bin", "CANTIERE_PORT": " "})
    assert settings == Settings()
    assert (settings.host, settings.port, settings.is_embedded, settings.kept) == (
        "127.0.0.1",
        8_000,
        True,
        None,
    )


@pytest.mark.parametrize(
    ("variable", "text", "field", "value"),
    [
        ("CANTIERE_PORT", "0", "port", 0),
        ("CANTIERE_FSYNC", "everysec", "fsync", "everysec"),
        ("CANTIERE_OPEN_TTL", "90", "open_ttl", 90),
        ("CANTIERE_OPEN_TTL", "90s", "open_ttl", 90),
        ("CANTIERE_OPEN_TTL", "15m", "open_ttl", 900),
        ("CANTIERE_IDLE_TTL", "24h", "idle_ttl", 86_400),
        ("CANTIERE_FINISHED_TTL", "30d", "finished_ttl", 2_592_000),
        ("CANTIERE_SECRET", "1" * 40, "secret", "1" * 40),
    ],
)
def test_a_variable_sets_a_field(variable: str, text: str, field: str, value: object) -> None:
    assert getattr(Settings.from_env({variable: text}), field) == value


@pytest.mark.parametrize(
    ("variable", "text", "message"),
    [
        ("CANTIERE_PORT", "x", r"CANTIERE_PORT is 'x': expected a whole number\."),
        ("CANTIERE_PORT", "65536", r"CANTIERE_PORT is '65536': expected a whole number <= 65535\."),
        ("CANTIERE_OPEN_TTL", "0", r"CANTIERE_OPEN_TTL is '0': expected a whole number >= 1\."),
        ("CANTIERE_OPEN_TTL", "-1h", r"CANTIERE_OPEN_TTL is '-1h': expected a whole number\."),
        ("CANTIERE_FSYNC", "maybe", r"CANTIERE_FSYNC is 'maybe': expected one of always, everysec, no\."),
        ("CANTIERE_PROT", "1", r"CANTIERE_PROT is no setting; did you mean CANTIERE_PORT\?"),
        ("CANTIERE_Port", "1", r"CANTIERE_Port is no setting; did you mean CANTIERE_PORT\?"),
        ("CANTIERE_QQQQQ", "1", r"CANTIERE_QQQQQ is no setting\."),
        ("CANTIERE_PORT", "tcp://10.0.0.1:80", r"enableServiceLinks: false"),
        ("CANTIERE_SERVICE_HOST", "10.0.0.1", r"enableServiceLinks: false"),
        ("CANTIERE_REDIS_URL", "http://store", r"must begin with redis://, rediss:// or unix://, not 'http'"),
        ("CANTIERE_REDIS_URL", "store:6379", r"must begin with redis://, rediss:// or unix://, not 'store'"),
        ("CANTIERE_REDIS_URL", "redis://store:99999", r"CANTIERE_REDIS_URL is no address: port out of range"),
        ("CANTIERE_REDIS_URL", "redis://[store", r"CANTIERE_REDIS_URL is no address: invalid ipv6 url"),
        ("CANTIERE_REDIS_URL", "redis:///0", r"must be like redis://host:6379/0"),
        ("CANTIERE_REDIS_URL", "unix://socket", r"must be like .* unix:///path/of/socket"),
        ("CANTIERE_REDIS_URL", "redis://store", r"CANTIERE_SECRET is needed with CANTIERE_REDIS_URL"),
        ("CANTIERE_SECRET", "short and sweet", r"CANTIERE_SECRET is too short: it needs at least 32 bytes"),
    ],
)
def test_a_mistake_is_told_by_its_name(variable: str, text: str, message: str) -> None:
    with pytest.raises(BadSettings, match=message):
        Settings.from_env({variable: text})


def test_no_secret_in_a_log() -> None:
    settings = Settings.from_env(EXTERNAL)
    for text in (repr(settings), str(settings)):
        assert "redis://***@store:6379/0" in text
        assert "hush" not in text
        assert EXTERNAL["CANTIERE_SECRET"] not in text


def test_no_secret_in_an_error() -> None:
    with pytest.raises(BadSettings) as error:
        Settings.from_env({"CANTIERE_SECRET": "hush"})
    assert "hush" not in str(error.value)


def test_a_worker_reads_what_its_parent_says() -> None:
    settings = Settings.from_env(EXTERNAL | {"CANTIERE_FINISHED_TTL": "0", "CANTIERE_DATA_DIR": "/data"})
    assert Settings.from_env(settings.to_env()) == settings
    assert settings.kept is None


def test_how_long_a_match_is_kept() -> None:
    assert Settings.from_env(EXTERNAL).kept == 30 * 86_400
    assert Settings.from_env(EXTERNAL | {"CANTIERE_FINISHED_TTL": "1h"}).kept == 3_600
    assert Settings.from_env({"CANTIERE_FINISHED_TTL": "1h"}).kept == 3_600
    for said, finished, cancelled in (({}, None, 86_400), ({"CANTIERE_FINISHED_TTL": "1h"}, 3_600, 3_600)):
        settings = Settings.from_env(said)
        assert settings.kept_after("finished") == (None if finished is None else finished * 1_000)
        assert settings.kept_after("cancelled") == cancelled * 1_000


def test_where_data_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert Settings().directory == Path("/somewhere/cantiere")
    monkeypatch.setenv("XDG_DATA_HOME", "not/absolute")
    monkeypatch.setenv("HOME", "/home/ada")
    assert Settings().directory == Path("/home/ada/.local/share/cantiere")
    assert Settings(data_dir="~/here").directory == Path("/home/ada/here")
    assert Settings(data_dir="here").directory == Path.cwd() / "here"
