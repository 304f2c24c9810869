"""Whose network may be asked: the same answers on every Python, for every form of an address."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.calling.addresses import check_address

PUBLIC, OWN, NEVER = "public", "with --allow-private", "never"

ANSWERS = {
    # Metadata services of six clouds, as IPv4 and IPv6.
    "169.254.169.254": NEVER,  # AWS, Azure, Google Cloud, Oracle, ...
    "169.254.170.2": NEVER,  # AWS, containers
    "fd00:ec2::254": NEVER,
    "fd00:ec2::23": NEVER,  # AWS, pod identity
    "168.63.129.16": NEVER,  # Azure, the machine's host
    "fd20:ce::254": NEVER,  # Google Cloud
    "fd00:c1::a9fe:a9fe": NEVER,  # Oracle
    "192.0.0.192": NEVER,  # Oracle, Classic
    "100.100.100.200": NEVER,  # Alibaba
    "fd00:100::100:200": NEVER,
    "169.254.42.42": NEVER,  # Scaleway
    "fd00:42::42": NEVER,
    # The same in other clothes.
    "::ffff:169.254.169.254": NEVER,
    "::ffff:100.100.100.200": NEVER,
    "::ffff:0:169.254.169.254": NEVER,
    "::168.63.129.16": NEVER,
    "64:ff9b::a9fe:a9fe": NEVER,
    "64:ff9b::a83f:8110": NEVER,
    "64:ff9b:1::a9fe:a9fe": NEVER,  # a local translator with a prefix of 96 bits
    "64:ff9b:1:ffff:a9:fea9:fe00:0": NEVER,  # of 64 bits
    "64:ff9b:1:64a9:fe:a9fe::": NEVER,  # of 56 bits
    "64:ff9b:1:a9fe:a9:fe00::": NEVER,  # of 48 bits
    "2002:a9fe:a9fe::1": NEVER,
    "2001:0:a9fe:a9fe:0:ffff:f5f5:f5f5": NEVER,  # Teredo's server
    "2001:0:808:808:0:ffff:5601:5601": NEVER,  # Teredo's client
    # Link-local, multicast, no address at all.
    "169.254.0.1": NEVER,
    "fe80::1": NEVER,
    "fe80::a9fe:a9fe%eth0": NEVER,
    "224.0.0.1": NEVER,
    "239.255.255.250": NEVER,
    "ff02::1": NEVER,
    "0.0.0.0": NEVER,
    "::": NEVER,
    "::ffff:0.0.0.0": NEVER,
    "255.255.255.255": NEVER,
    # Loopback and private networks.
    "127.0.0.1": OWN,
    "127.255.255.254": OWN,
    "::1": OWN,
    "10.1.2.3": OWN,
    "172.16.0.1": OWN,
    "172.31.255.255": OWN,
    "192.168.1.1": OWN,
    "100.64.0.1": OWN,
    "fc00::1": OWN,
    "fd12:3456::1": OWN,
    "fec0::1": OWN,
    # Other rows of the registries.
    "0.1.2.3": OWN,
    "192.0.0.8": OWN,
    "192.0.2.1": OWN,
    "192.88.99.1": OWN,
    "198.18.0.1": OWN,
    "198.19.255.255": OWN,
    "198.51.100.1": OWN,
    "203.0.113.1": OWN,
    "240.0.0.1": OWN,
    "100::1": OWN,
    "100:0:0:1::1": OWN,
    "2001:2::1": OWN,
    "2001:10::1": OWN,
    "2001:db8::1": OWN,
    "3fff::1": OWN,
    "5f00::1": OWN,
    "4000::1": OWN,
    # Loopback and private networks in other clothes.
    "::127.0.0.1": OWN,
    "::ffff:127.0.0.1": OWN,
    "::ffff:0:127.0.0.1": OWN,
    "::ffff:0:8.8.8.8": OWN,
    "::8.8.8.8": OWN,
    "64:ff9b::7f00:1": OWN,
    "64:ff9b::a01:203": OWN,
    "64:ff9b:1::a00:1": OWN,
    "64:ff9b:1::808:808": OWN,
    "2002:7f00:1::": OWN,
    "2002:c0a8:101::1": OWN,
    "2001:0:808:808:0:ffff:80ff:fffe": OWN,
    # What everybody may ask.
    "8.8.8.8": PUBLIC,
    "1.1.1.1": PUBLIC,
    "172.15.255.255": PUBLIC,
    "172.32.0.1": PUBLIC,
    "100.63.255.255": PUBLIC,
    "100.128.0.1": PUBLIC,
    "168.63.129.17": PUBLIC,
    "192.0.0.9": PUBLIC,
    "192.0.0.10": PUBLIC,
    "192.31.196.1": PUBLIC,
    "192.52.193.1": PUBLIC,
    "192.175.48.1": PUBLIC,
    "223.255.255.255": PUBLIC,
    "2606:4700:4700::1111": PUBLIC,
    "2001:4860:4860::8888": PUBLIC,
    "2001:1::1": PUBLIC,
    "2001:20::1": PUBLIC,
    "2620:4f:8000::1": PUBLIC,
    "::ffff:8.8.8.8": PUBLIC,
    "64:ff9b::808:808": PUBLIC,
    "2002:808:808::1": PUBLIC,
}


@pytest.mark.parametrize("text", ANSWERS)
def test_who_may_ask_an_address(text: str) -> None:
    """Each row of the table, without and with leave to ask one's own network."""
    assert _answer(text) == ANSWERS[text]


@pytest.mark.parametrize(
    "text", ["", "localhost", "1.2.3", "0x7f000001", "2130706433", "127.1", "017700000001"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    """Short, decimal, octal and hexadecimal forms are for resolvers; what they give is checked."""
    with pytest.raises(ValueError, match="does not appear to be"):
        check_address(text, allow_private=True)


WAYS = {
    "mapped": "::ffff:0:0",
    "compatible": "::",
    "translated": "::ffff:0:0:0",
    "NAT64": "64:ff9b::",
    "local NAT64": "64:ff9b:1::",
    "6to4": "2002::",
}
ORDER = [PUBLIC, OWN, NEVER]


@given(
    st.one_of(st.ip_addresses(v=4), st.sampled_from([text for text in ANSWERS if ":" not in text])),
    st.sampled_from(sorted(WAYS)),
)
def test_an_address_within_another_is_never_easier_to_ask(inner: object, way: str) -> None:
    """However an IPv4 address is written as IPv6, what refuses it plain refuses it there."""
    plain = ipaddress.IPv4Address(str(inner))
    shift = 80 if way == "6to4" else 0
    wrapped = str(ipaddress.IPv6Address(int(ipaddress.IPv6Address(WAYS[way])) | int(plain) << shift))

    if wrapped != "::1":  # loopback of IPv6, and not 0.0.0.1 within it
        assert ORDER.index(_answer(wrapped)) >= ORDER.index(_answer(str(plain)))


@given(st.ip_addresses(v=6))
def test_public_addresses_of_ipv6_are_global_unicast_or_carry_a_public_one(
    address: ipaddress.IPv6Address,
) -> None:
    """Nothing outside 2000::/3 is public by itself."""
    if _answer(str(address)) == PUBLIC:
        carries = address in ipaddress.ip_network("64:ff9b::/96") or address.ipv4_mapped is not None
        assert carries or address in ipaddress.ip_network("2000::/3")


def _answer(text: str) -> str:
    for allow_private, answer in ((False, PUBLIC), (True, OWN)):
        try:
            check_address(text, allow_private=allow_private)
        except ValueError:
            continue
        return answer
    return NEVER
