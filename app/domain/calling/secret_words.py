"""What is secret by its name, or by its place in a command; texts and JSON without what is."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

REDACTED = "(secret)"
_SHORTEST_SECRET = 4
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


def secret_forms(values: Iterable[str]) -> tuple[str, ...]:
    """Secrets as they may come back, longest first: whole, without their scheme, encoded for a query or JSON."""
    found: set[str] = set()
    for value in values:
        for part in (value, value.partition(" ")[2]):
            found |= {part, quote(part, safe=""), quote_plus(part), json.dumps(part)[1:-1]}
    return tuple(
        sorted((item for item in found if len(item) >= _SHORTEST_SECRET), key=lambda item: (-len(item), item))
    )


def redacted(text: str, secrets: Sequence[str], *, mark: str = REDACTED) -> str:
    """The text with a mark for each of these."""
    for secret in secrets:
        text = text.replace(secret, mark)
    return text


def cleared(value: Any, secrets: Sequence[str], *, mark: str = REDACTED) -> Any:
    """JSON with a mark for each of these, in keys, texts and numbers.

    Raises:
        RecursionError: it nests too deeply.
    """
    if not secrets:
        return value
    if isinstance(value, str):
        return redacted(value, secrets, mark=mark)
    if isinstance(value, Mapping):
        return {
            redacted(key, secrets, mark=mark): cleared(item, secrets, mark=mark)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [cleared(item, secrets, mark=mark) for item in value]
    if isinstance(value, int | float) and any(secret in json.dumps(value) for secret in secrets):
        return mark
    return value


def _address_secrets(address: str) -> list[str]:
    try:
        parts = urlsplit(address)
    except ValueError:
        return []
    password = parts.password or ""
    return [
        one for one in (password, unquote(password), *(value for _, value in parse_qsl(parts.query))) if one
    ]
