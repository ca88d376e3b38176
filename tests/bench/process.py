"""What processes use, from Linux's accounts of them."""

import os
from pathlib import Path

STORE = "valkey"
"""What the names of a store's processes begin with."""


def processor_seconds(pid: int) -> tuple[float, float]:
    """The processor time of a process and of all it has started: without those of a store, and of them."""
    tasks = list(Path(f"/proc/{pid}/task").iterdir())
    own = sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9
    server, store = (0.0, own) if _name(pid).startswith(STORE) else (own, 0.0)
    for task in tasks:
        for child in (task / "children").read_text().split():
            of_server, of_store = processor_seconds(int(child))
            server, store = server + of_server, store + of_store
    return server, store


def resident(pid: int) -> int:
    """Bytes of memory that a process has."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _name(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()
