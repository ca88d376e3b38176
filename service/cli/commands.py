"""The group of commands, and the one way a command ends."""

import io
import os
import sys
from importlib import import_module
from typing import Final, NoReturn

import rich_click as click

from engine.errors import EngineError
from service.cli.exits import BAD_INPUT, FAILED, INTERRUPTED, exit_code

MODULES: Final = {
    "demo": "service.cli.demo",
    "serve": "service.cli.serve",
    "play": "service.cli.play",
    "watch": "service.cli.watch",
    "bot": "service.cli.bot",
    "bots": "service.cli.bots",
    "match": "service.cli.match",
    "account": "service.cli.account",
    "tournament": "service.cli.tournament",
    "tournaments": "service.cli.tournaments",
    "games": "service.cli.games",
    "replay": "service.cli.replay",
    "show": "service.cli.show",
    "perft": "service.cli.perft",
    "components": "service.cli.components",
    "vectors": "service.cli.vectors",
    "openapi": "service.cli.openapi",
    "smoke": "service.cli.smoke",
}
"""Where each command is; its module has it under the name `command`."""


class LazyGroup(click.RichGroup):
    """Commands imported when asked for: `cantiere games` does not wait for a web framework."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in MODULES:
            return None
        command: click.Command = import_module(MODULES[cmd_name]).command
        return command


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done; 1 refused or failed; 2 bad input; 3 the server cannot be reached; "
    "4 the match ended without a result; 130 interrupted.",
)
@click.version_option(package_name="cantiere", prog_name="cantiere", message="%(prog)s %(version)s")
def cantiere() -> None:
    """Play, serve and check building games.

    `cantiere demo` shows everything at once; `cantiere COMMAND --help` explains one command, with examples.
    """


def main() -> None:
    """Run the command line; whatever was wrong is one line on stderr and an exit code, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a name may hold what a terminal cannot show
    try:
        code = cantiere.main(prog_name="cantiere", standalone_mode=False)
    except click.ClickException as error:
        _fail(error.format_message(), error.exit_code, getattr(error, "ctx", None))
    except UnicodeEncodeError as error:
        _fail(f"what was given holds characters that cannot be used: {error.reason}", BAD_INPUT)
    except EngineError as error:
        _fail(str(error), exit_code(error))
    except click.Abort:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has enough, as in `cantiere show ... | head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str, code: int, context: click.Context | None = None) -> NoReturn:
    where = context.command_path if context else "cantiere"
    hint = f" (see {where} --help)" if code == BAD_INPUT and context else ""
    line = " ".join(message.split())
    click.echo(f"{where}: {line}{hint}", err=True)
    sys.exit(code)
