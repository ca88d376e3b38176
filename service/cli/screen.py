"""A match while it is played: its table in colour on a terminal, lines of text elsewhere."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from rich.console import Group
from rich.live import Live
from rich.text import Text

from engine.match import AnyGame, Step
from service.cli.output import Names, event_text, out

PAST: Final = 4
"""Events shown below the table."""

Show = Callable[[Step], None]
"""What is done with each step of a match."""
Screen = Callable[[AnyGame, Names], AbstractContextManager[Show]]


def table_text(game: AnyGame, state: Any) -> Text:
    """The table as text, in the game's colours."""
    text = Text(game.picture(state).rstrip("\n"))
    for pattern, colour in game.paints:
        text.highlight_regex(pattern, colour)
    return text


def screen() -> Screen:
    """How a match is shown on this output."""
    return _as_table if out.is_terminal else _as_lines


@contextmanager
def unseen(_game: AnyGame, _names: Names) -> Iterator[Show]:
    """Nothing is shown."""
    yield lambda _: None


@contextmanager
def _as_lines(game: AnyGame, names: Names) -> Iterator[Show]:
    yield lambda step: out.print(event_text(game, step, names))


@contextmanager
def _as_table(game: AnyGame, names: Names) -> Iterator[Show]:
    lines: deque[Text] = deque(maxlen=PAST)
    with Live(console=out, refresh_per_second=12, vertical_overflow="crop", transient=True) as live:

        def show(step: Step) -> None:
            lines.append(event_text(game, step, names))
            live.update(Group(table_text(game, step.state), Text(), *lines))

        yield show
