"""Become a program that ends when its parent does. Run as a script, in an interpreter of its own.

`python launch.py <pid of the parent> <program> <arguments...>`. On Linux the kernel sends SIGTERM to the
program when the thread that started it has ended, however that came (prctl(2), PR_SET_PDEATHSIG). A script
instead of a function between fork and exec: the parent has threads, and such a function might never return.
"""

import ctypes
import os
import signal
import sys
from typing import Final

PR_SET_PDEATHSIG: Final = 1


def main(parent: str, program: str, *arguments: str) -> None:
    """Replace this process by the program. Returns only if the parent has ended already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM))
    if os.getppid() == int(parent):
        os.execv(program, (program, *arguments))  # noqa: S606 - the program is found by the parent


if __name__ == "__main__":
    main(*sys.argv[1:])
