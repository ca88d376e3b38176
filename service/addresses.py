"""Addresses and networks of clients and proxies. Source: RFC 4632; RFC 6177 on the /64 of a subscriber."""

from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final

Network = IPv4Network | IPv6Network

NONE: Final = "none"
"""Says that there are none, where an empty text would say nothing."""
_SUBSCRIBER: Final = 64
"""Bits of an IPv6 address that one subscriber shares, at least."""


def networks(text: str) -> tuple[Network, ...]:
    """The networks in a text that separates them by commas; an address is a network of its own.

    Raises ValueError, which names the one at fault.
    """
    if text.strip().lower() == NONE:
        return ()
    return tuple(ip_network(entry.strip()) for entry in text.split(",") if entry.strip())


def is_within(address: str, known: tuple[Network, ...]) -> bool:
    """Whether an address lies in one of the networks; what is no address lies in none."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None) or found
    return any(mapped in network for network in known)


def subscriber(address: str) -> str:
    """What stands for whoever has an address: it, or the /64 of IPv6, of which one has all addresses."""
    try:
        found = ip_address(address)
    except ValueError:
        return address[:64]
    mapped = getattr(found, "ipv4_mapped", None) or found
    if mapped.version == 4:
        return str(mapped)
    return str(ip_network((mapped.packed, _SUBSCRIBER), strict=False).network_address)
