"""Processes that work beside the service, started again when they end before it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

from service.settings import Settings
from service.store import launch

STOP_SECONDS: Final = 10.0
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 30.0


@contextmanager
def companions(settings: Settings, url: str) -> Iterator[None]:
    """As many `cantiere bots` and `cantiere tournaments` as the settings say, until the block ends."""
    stop = Event()
    commands = (*(("bots", "--url", url),) * settings.bots, *(("tournaments",),) * settings.tournaments)
    keepers = [
        Thread(target=_keep, args=(settings, command, stop), name=f"companion {number}", daemon=True)
        for number, command in enumerate(commands)
    ]
    for keeper in keepers:
        keeper.start()
    try:
        yield
    finally:
        stop.set()
        for keeper in keepers:
            keeper.join(2 * STOP_SECONDS)


def _keep(settings: Settings, command: tuple[str, ...], stop: Event) -> None:
    """Have a process with this command, and have another one when it ends."""
    pause = FIRST_PAUSE
    while not stop.is_set():
        process = subprocess.Popen(  # noqa: S603 - own program, own arguments
            [
                *(sys.executable, "-I", "-S", launch.__file__, str(os.getpid())),
                *(sys.executable, "-m", "service.cli", *command),
            ],
            stdin=subprocess.DEVNULL,
            env=os.environ | settings.to_env(),
            start_new_session=True,
        )
        while process.poll() is None and not stop.wait(0.2):
            pass
        if process.poll() is None:
            _end(process)
            return
        stop.wait(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
