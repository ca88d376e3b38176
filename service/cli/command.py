"""The classes of every command: their help ends with examples."""

from collections.abc import Sequence
from typing import Any

import rich_click as click
from rich.padding import Padding
from rich.text import Text


class Command(click.RichCommand):
    """A command with `examples`, lines that can be copied from its help."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.examples = examples

    def format_epilog(self, ctx: click.RichContext, formatter: click.RichHelpFormatter) -> None:  # type: ignore[override]  # as rich-click itself
        super().format_epilog(ctx, formatter)
        _write_examples(self.examples, formatter)


class Group(click.RichGroup):
    """A command that has commands of its own, with `examples`."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.examples = examples

    def format_epilog(self, ctx: click.RichContext, formatter: click.RichHelpFormatter) -> None:  # type: ignore[override]  # as rich-click itself
        super().format_epilog(ctx, formatter)
        _write_examples(self.examples, formatter)


def _write_examples(examples: Sequence[str], formatter: click.RichHelpFormatter) -> None:
    lines = Text("Examples:\n", "bold", no_wrap=True, overflow="ignore")
    lines.append("\n".join(f"  {example}" for example in examples), "not bold")
    formatter.write(Padding(lines, (0, 1, 1, 1)))
