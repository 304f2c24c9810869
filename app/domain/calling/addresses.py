"""Addresses of documents and servers: which form is accepted, whose network may be asked, what may be shown."""

import ipaddress
import re
from collections.abc import Iterator, Sequence
from urllib.parse import SplitResult, urlsplit

from app.domain.calling import address_tables as tables
from app.domain.calling.address_tables import Address, Networks
from app.errors import InvalidInputError


def check_url(url: str) -> SplitResult:
    """The parts of an http or https address without user name and password.

    Raises:
        InvalidInputError: it is not one.
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

    Link-local, multicast and unspecified addresses and those of the clouds' metadata services never may. An
    IPv6 address that carries an IPv4 address is held to what that one may, too.

    Args:
        text: an IPv4 or IPv6 address; a zone (`%eth0`) is left out.
        allow_private: also one's own networks and everything else that is not public.

    Raises:
        ValueError: it may not, or the text is no address.
    """
    address = ipaddress.ip_address(text.partition("%")[0])
    carried = list(_carried(address))
    if any(_within(one, tables.NEVER) for one in (address, *carried)) or _names_metadata(address):
        raise ValueError(
            f"{address} is link-local, multicast or a cloud's metadata service, which are never asked"
        )
    if not allow_private and not _is_public(address, carried):
        raise ValueError(f"{address} is a private address; allow it with --allow-private")
    return address


def check_clear(url: str, *, what: str, plain_http: bool) -> None:
    """Refuse an address to which a secret would travel readable through the networks of others.

    Args:
        url: an http or https address.
        what: the secret's field or header, for the message.
        plain_http: the operator asked for it.

    Raises:
        InvalidInputError: it is plain http, to a host that is neither loopback nor private by its address. A name
            says nothing about its network, `localhost` apart.
    """
    parts = urlsplit(url)
    if parts.scheme == "http" and not plain_http and not _is_own(parts.hostname or ""):
        raise InvalidInputError(
            f"{what} would be sent to {shown_url(parts)} unencrypted; accepted: https, a loopback or private"
            " address, or plain_http: true (--plain-http) to send it all the same"
        )


def is_loopback_name(host: str) -> bool:
    """Whether a host names this very machine, by itself and not by what a name server says."""
    if host.rstrip(".").lower() == "localhost":
        return True
    try:
        return _within(ipaddress.ip_address(host), tables.LOOPBACK)
    except ValueError:
        return False


def _is_own(host: str) -> bool:
    if is_loopback_name(host):
        return True
    try:
        address = check_address(host, allow_private=True)
    except ValueError:
        return False
    return not _is_public(address, list(_carried(address)))


def _harmless(url: str) -> str:
    """What is no address, without what may be secret in it."""
    scheme, separator, rest = url.partition("://")
    place = re.split(r"[?#]", rest if separator else scheme)[0].rpartition("@")[2]
    return repr(f"{scheme}{separator}{place}" if separator else place)[:200]


def _is_public(address: Address, carried: Sequence[Address]) -> bool:
    if carried and any(address in network for network in tables.STANDS_FOR_IPV4):
        return all(_is_public(one, []) for one in carried)
    if isinstance(address, ipaddress.IPv6Address) and address not in tables.GLOBAL_UNICAST:
        return False
    return not _within(address, tables.PRIVATE) or _within(address, tables.PUBLIC_WITHIN_PRIVATE)


def _within(address: Address, networks: Networks) -> bool:
    return any(address in network for network in networks)


def _carried(address: Address) -> Iterator[ipaddress.IPv4Address]:
    """The IPv4 addresses that traffic to an IPv6 address goes to."""
    if isinstance(address, ipaddress.IPv4Address):
        return
    octets = address.packed
    if any(
        address in network for network in (tables.MAPPED, tables.TRANSLATED, tables.NAT64, tables.LOCAL_NAT64)
    ) or (address in tables.COMPATIBLE and int(address) > 1):
        yield ipaddress.IPv4Address(octets[12:])
    if address in tables.SIX_TO_FOUR:
        yield ipaddress.IPv4Address(octets[2:6])
    if address in tables.TEREDO:
        # RFC 4380: the server, then the client with all its bits inverted.
        yield ipaddress.IPv4Address(octets[4:8])
        yield ipaddress.IPv4Address(bytes(octet ^ 0xFF for octet in octets[12:]))


def _names_metadata(address: Address) -> bool:
    """Whether a translator of one's own may read a metadata address in it.

    Nobody but its operator knows how long its prefix is: RFC 6052, section 2.2, has 48, 56 and 64 bits beside
    the 96 of `_carried`, and leaves octet 8 out.
    """
    if address not in tables.LOCAL_NAT64:
        return False
    octets = address.packed
    readings = (octets[6:8] + octets[9:11], octets[7:8] + octets[9:12], octets[9:13])
    return any(_within(ipaddress.IPv4Address(one), (*tables.METADATA, tables.LINK_LOCAL)) for one in readings)
