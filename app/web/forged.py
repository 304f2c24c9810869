"""Requests that a page of somebody else sends with the cookie of ours."""

from collections.abc import Mapping
from urllib.parse import urlsplit


def is_forged(headers: Mapping[str, str], *, host: str, origin: str | None) -> bool:
    """Whether a request that changes something was not sent by one of our pages.

    Browsers say so by `Sec-Fetch-Site`, which has to be `same-origin`; over plain http to another host than loopback
    they do not send it, so `Origin` decides. A request with neither is refused, stricter than the rule of Go 1.25's
    `CrossOriginProtection`: nothing but a browser uses these addresses.

    Args:
        headers: Of the request, names in lower case.
        host: Its Host header.
        origin: The public origin, scheme included, where it is known; else the host has to be the request's own.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site != "same-origin"
    given = headers.get("origin", "")
    if not given or given == "null":
        return True
    if origin is not None:
        return given != origin
    return urlsplit(given).netloc.lower() != host.lower()
