"""Networks by what may be asked of them, kept here so that every Python gives the same answers.

The sources of the ranges are IANA's registries of special-purpose addresses:
https://www.iana.org/assignments/iana-ipv4-special-registry and
https://www.iana.org/assignments/iana-ipv6-special-registry. Names of metadata services, such as
`metadata.google.internal`, are covered by the addresses that they resolve to.
"""

import ipaddress
from typing import TypeAlias

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Networks: TypeAlias = tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]


def _networks(text: str) -> Networks:
    return tuple(ipaddress.ip_network(word) for word in text.split())


METADATA: Networks = (
    # AWS, link-local 169.254.169.254 and its IPv6 services (metadata ::254, pod identity ::23, DNS, time):
    # https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
    # https://docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html
    *_networks("169.254.169.254/32 169.254.170.2/32 169.254.170.23/32 fd00:ec2::/32"),
    # Azure, the host of a virtual machine: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
    *_networks("168.63.129.16/32"),
    # Google Cloud: https://cloud.google.com/compute/docs/metadata/querying-metadata
    *_networks("fd20:ce::254/128"),
    # Oracle Cloud, and its Classic one: https://docs.oracle.com/iaas/Content/Compute/Tasks/gettingmetadata.htm
    # https://docs.oracle.com/en/cloud/iaas/compute-iaas-cloud/stcsg/retrieving-instance-metadata.html
    *_networks("fd00:c1::a9fe:a9fe/128 192.0.0.192/32"),
    # Alibaba Cloud: https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata
    *_networks("100.100.100.200/32 fd00:100::100:200/128"),
    # Scaleway: https://cloudinit.readthedocs.io/en/latest/reference/datasources/scaleway.html
    *_networks("169.254.42.42/32 fd00:42::42/128"),
)
"""Where a cloud hands out credentials and settings to whoever asks from inside it."""

LOOPBACK: Networks = _networks("127.0.0.0/8 ::1/128")
LINK_LOCAL = ipaddress.IPv4Network("169.254.0.0/16")

NEVER: Networks = (
    *METADATA,
    # Link-local, multicast, unspecified and broadcast: no server that people use has such an address.
    *(LINK_LOCAL, *_networks("224.0.0.0/4 0.0.0.0/32 255.255.255.255/32")),
    *_networks("fe80::/10 ff00::/8 ::/128"),
)
"""Asked by nobody, whatever is allowed."""

PRIVATE: Networks = (
    *_networks("0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24"),
    # 192.88.99.0/24 led to relays of 6to4 until RFC 7526.
    *_networks("192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4"),
    # Within 2000::/3; what lies outside is no public address at all.
    *_networks("2001::/23 2001:db8::/32 3fff::/20"),
)
"""Own networks, and ranges set aside: documentation, tests, protocols."""

PUBLIC_WITHIN_PRIVATE: Networks = _networks(
    "192.0.0.9/32 192.0.0.10/32 2001:1::1/128 2001:1::2/128 2001:1::3/128 2001:3::/32 2001:4:112::/48 2001:20::/28"
    " 2001:30::/28"
)
"""Globally reachable by the registry, although the range around them is not."""

GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
"""All public IPv6 addresses: https://www.iana.org/assignments/ipv6-address-space."""

MAPPED = ipaddress.IPv6Network("::ffff:0:0/96")
COMPATIBLE = ipaddress.IPv6Network("::/96")
"""RFC 4291, section 2.5.5.1; deprecated, and still routed by some systems."""
TRANSLATED = ipaddress.IPv6Network("::ffff:0:0:0/96")
"""RFC 2765, SIIT."""
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""RFC 6052: how a public IPv4 server is reached from a network that has IPv6 alone."""
LOCAL_NAT64 = ipaddress.IPv6Network("64:ff9b:1::/48")
"""RFC 8215: translators of one's own, with any prefix length of RFC 6052."""
SIX_TO_FOUR = ipaddress.IPv6Network("2002::/16")
TEREDO = ipaddress.IPv6Network("2001::/32")
STANDS_FOR_IPV4 = (MAPPED, NAT64, SIX_TO_FOUR, TEREDO)
"""What is sent to these goes to the IPv4 address within, which alone decides."""
