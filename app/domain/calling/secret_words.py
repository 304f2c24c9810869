"""What is secret by its name, or by its place in a command."""

import re
from collections.abc import Sequence
from urllib.parse import parse_qsl, unquote, urlsplit

_SECRET_NAME = re.compile(
    r"passw|passphrase|secret|token|api_?-?key|private_?-?key|access_?-?key|credential|authoriz|authentic|signature"
    r"|cookie|session|cvc|cvv|card_?-?number",
    re.IGNORECASE,
)
# Of a scheme its last 31 characters are enough to find what follows it.
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{0,30}+://\S+", re.IGNORECASE)


def is_secret(name: str) -> bool:
    """Whether the value of an argument of this name is not for messages."""
    return _SECRET_NAME.search(name) is not None


def command_secrets(command: Sequence[str]) -> list[str]:
    """Values that stand in a command although they belong into a variable.

    Those of `--api-key VALUE`, `--api-key=VALUE` and `TOKEN=VALUE`, and the password and the query of an address.
    """
    found: list[str] = []
    option = ""
    for word in command[1:]:
        name, _, value = word.partition("=")
        if is_secret(option) and not word.startswith("-"):
            found.append(word)
        if value and is_secret(name):
            found.append(value)
        if address := _ADDRESS.search(word):
            found += _address_secrets(address[0])
        option = word if word.startswith("-") and not value else ""
    return found


def _address_secrets(address: str) -> list[str]:
    try:
        parts = urlsplit(address)
    except ValueError:
        return []
    password = parts.password or ""
    return [
        one for one in (password, unquote(password), *(value for _, value in parse_qsl(parts.query))) if one
    ]
