"""The command line, `cantiere`: a server, matches, bots, a demonstration, tools for transcripts."""

from service.cli.commands import main

__all__ = ["main"]
