"""The words of a command line that name MCP servers."""

from collections.abc import Iterable, Mapping, Sequence

from app.domain.calling.mcp_endpoints import McpEndpoint, http_endpoint, stdio_endpoint
from app.errors import InvalidInputError

_SCHEMES = ("http://", "https://")


def mcp_endpoints(
    words: Sequence[str],
    *,
    server: str | None,
    headers: Iterable[str],
    variables: Iterable[str],
    environ: Mapping[str, str],
    allow_private: bool,
    plain_http: bool,
) -> list[McpEndpoint]:
    """The servers: one for each address, or one that is a command.

    Args:
        words: addresses, or a program and its arguments.
        server: the name of the one server.
        headers: `HEADER=VARIABLE`, for one address.
        variables: `NAME` or `NAME=VARIABLE`, for a command.
        environ: the environment.
        allow_private: whether hosts of one's own network are asked.
        plain_http: whether headers may be sent unencrypted to a host that is not one's own.

    Raises:
        InvalidInputError: the words do not go together, or a variable is not set.
    """
    given, passed = _pairs(headers, option="--header-env"), _pairs(variables, option="--env")
    if not words[0].startswith(_SCHEMES):
        if given or allow_private or plain_http:
            raise InvalidInputError(
                "--header-env, --allow-private and --plain-http are for addresses; accepted: --env"
            )
        return [stdio_endpoint(words, name=server or "", env=passed, environ=environ)]
    if passed:
        raise InvalidInputError("--env is for a command; accepted with addresses: --header-env")
    if len(words) > 1 and (server is not None or given):
        # What one host receives in confidence is not for another.
        raise InvalidInputError(
            f"--server and --header-env are for one server, not for {len(words)}; accepted: one address"
        )
    return [
        http_endpoint(
            url,
            name=server or "",
            headers=given,
            environ=environ,
            allow_private=allow_private,
            plain_http=plain_http,
        )
        for url in words
    ]


def _pairs(texts: Iterable[str], *, option: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, separator, variable = text.partition("=")
        if option == "--header-env" and not separator:
            raise InvalidInputError(f"{option} {name!r:.100}: accepted: HEADER=VARIABLE")
        if not name or name in found:
            raise InvalidInputError(f"{option} {name!r:.100}: accepted: each name once, and not empty")
        found[name] = variable if separator else name
    return found
