"""What the tests of the command line and of the client share."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.cli import main
from service.client import Client
from tests.cli.running import Here, Ran, Service, serving
from tests.cli.scripted import scripted

__all__ = ["here", "scripted", "service"]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """Runs commands in this process."""

    def run(*arguments: str | Path) -> Ran:
        monkeypatch.setattr(sys, "argv", ["cantiere", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        return Ran(end.value.code, *capsys.readouterr())

    return run


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service for the tests of a module."""
    directory = tmp_path_factory.mktemp("service")
    with serving(directory / "out", directory / "data") as (_, url), Client(url) as client:
        yield Service(url, client)
