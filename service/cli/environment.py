"""The settings of a service, from the environment that a command was started in."""

import os
from collections.abc import Mapping
from typing import Final

from service.cli.exits import BadInput
from service.settings import BadSettings, Settings, variable_of

OTHERS: Final = ("CANTIERE_DEMO_EXIT", "CANTIERE_SEAT_TOKEN", "CANTIERE_ACCOUNT_TOKEN")
"""Variables of other commands, which are no settings."""


def settings_here(given: Mapping[str, str | int] | None = None) -> Settings:
    """The settings; those given outweigh the environment. Raises BadInput."""
    for name in OTHERS:
        os.environ.pop(name, None)
    chosen = {variable_of(name): str(value) for name, value in (given or {}).items()}
    try:
        return Settings.from_env(os.environ | chosen)
    except BadSettings as error:
        raise BadInput(str(error)) from None
