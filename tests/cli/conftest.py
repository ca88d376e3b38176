"""What the tests of the command line and of the client share."""

from collections.abc import Iterator

import pytest

from service.client import Client
from tests.cli.running import Service, serving
from tests.cli.scripted import scripted

__all__ = ["scripted", "service"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service for the tests of a module."""
    directory = tmp_path_factory.mktemp("service")
    with serving(directory / "out", directory / "data") as (_, url), Client(url) as client:
        yield Service(url, client)
