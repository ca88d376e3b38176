"""How commands end: exit codes, and failures that carry one."""

from typing import Final

import rich_click as click

from engine.errors import BadTranscript, EngineError

FAILED: Final = 1
BAD_INPUT: Final = 2
UNREACHABLE: Final = 3
NO_RESULT: Final = 4
INTERRUPTED: Final = 130


class Failure(click.ClickException):
    """The command could not do what it was asked for: a sentence for stderr."""

    exit_code = FAILED


class BadInput(Failure):
    """What the user gave cannot be used."""

    exit_code = BAD_INPUT


class NotReached(Failure):
    """The server gave no answer."""

    exit_code = UNREACHABLE


class NoResult(Failure):
    """A match ended and nobody won."""

    exit_code = NO_RESULT


def exit_code(error: EngineError) -> int:
    """A transcript that breaks the rules is a finding; everything else the engine refuses was bad input."""
    return FAILED if isinstance(error, BadTranscript) else BAD_INPUT
