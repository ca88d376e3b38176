"""Whether a server is fit to keep matches."""

from typing import Final

from service.store.errors import OldServer
from service.store.link import Link

OLDEST_SERVER: Final = 7
"""The major version of Redis whose commands are used; every Valkey has them."""


async def server_faults(link: Link) -> tuple[str, ...]:
    """What is wrong with the settings of the server, in words. Raises OldServer, StoreGone."""
    lines = (await link.call("INFO")).decode().splitlines()
    info = {name: value for name, _, value in (line.partition(":") for line in lines)}
    version = info.get("redis_version", "")
    major = version.partition(".")[0]
    if not major.isdecimal() or int(major) < OLDEST_SERVER:
        raise OldServer(version or "of an unknown version", OLDEST_SERVER)
    faults = []
    if info.get("aof_enabled") == "0":
        faults.append(
            "The store keeps no append-only file: moves that were acknowledged are lost when its server ends."
            " Set `appendonly yes` there."
        )
    policy = info.get("maxmemory_policy", "noeviction")
    if info.get("maxmemory", "0") != "0" and policy != "noeviction":
        faults.append(
            f"The store drops data when its memory is full (maxmemory-policy {policy})."
            " Set `maxmemory-policy noeviction` there."
        )
    return tuple(faults)
