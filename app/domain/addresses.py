"""Addresses of documents and servers: which form is accepted, whose network may be asked, what may be shown."""

import ipaddress
import re
from typing import TypeAlias
from urllib.parse import SplitResult, urlsplit

from app.errors import InvalidInputError

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def check_url(url: str) -> SplitResult:
    """The parts of an http or https address without user name and password.

    Raises:
        InvalidInputError: it is none.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise InvalidInputError(f"{_harmless(url)}: no address: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise InvalidInputError(f"{_harmless(url)}: accepted: http://HOST/... and https://HOST/...")
    if parts.username is not None or parts.password is not None:
        raise InvalidInputError(f"{shown_url(parts)}: holds a user name; accepted: an address without")
    if any(ord(character) <= 32 for character in url):
        raise InvalidInputError(f"{_harmless(url)}: holds a space or a control character")
    return parts


def shown_url(parts: SplitResult) -> str:
    """The address without what may be secret in it: user name, password, query."""
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"[:300]


def check_address(text: str, *, allow_private: bool) -> Address:
    """The address, if it may be asked.

    Raises:
        ValueError: it may not, or the text is no address.
    """
    address = ipaddress.ip_address(text.partition("%")[0])
    for meant in _embedded(address) or [address]:
        if meant.is_link_local or meant.is_multicast or meant.is_unspecified:
            raise ValueError(f"{address} is an address that documents are never read from")
        if not allow_private and not meant.is_global:
            raise ValueError(f"{address} is a private address; allow it with --allow-private")
    return address


def is_loopback_name(host: str) -> bool:
    """Whether a host names this very machine, by itself and not by what a name server says."""
    if host.rstrip(".").lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _harmless(url: str) -> str:
    """What is no address, without what may be secret in it."""
    scheme, separator, rest = url.partition("://")
    place = re.split(r"[?#]", rest if separator else scheme)[0].rpartition("@")[2]
    return repr(f"{scheme}{separator}{place}" if separator else place)[:200]


def _embedded(address: Address) -> list[Address]:
    """IPv4 addresses that an IPv6 address stands for."""
    if isinstance(address, ipaddress.IPv4Address):
        return []
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64:
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return [item for item in found if item is not None]
