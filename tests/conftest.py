"""What all tests share."""

import pytest
from hypothesis import settings

pytest_plugins = ("tests.store_fixtures", "tests.app_fixtures")

# A run of `make test` is repeatable and no test is timed; a soak run looks for what it has not seen yet.
settings.register_profile("test", derandomize=True, deadline=None)
settings.register_profile("soak", deadline=None, max_examples=2_000)
settings.load_profile("test")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Tests marked `anyio` run on the event loop the service runs on."""
    return "asyncio"
