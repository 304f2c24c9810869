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


_SCHEME = re.compile(r"\b(?:bearer|basic)\s{1,3}([\w.~+/=-]{6,})", re.IGNORECASE)
_OPAQUE = re.compile(r"[\w.~+/=-]{20,}")
_JOINING = frozenset((":", "=", "is", "as", "to", "of"))
_CARD = re.compile(r"\b\d(?:[ -]?\d){12,18}\b")


def text_secrets(text: str) -> list[str]:
    """What looks secret in what somebody wrote, the longest first.

    What `command_secrets` finds; what follows the name of a secret after `:`, `=`, `is`, `as`, `to` or `of`, or behind it
    when it has a digit; what follows `Bearer`; letters and digits of 20 characters or more without a space; the 13 to
    19 digits of a card. Some of it is not secret: a text that is kept is better off with a word too few.
    """
    found = command_secrets(["", *text.split()])
    found += [one.strip(".,;\"'") for one in _SCHEME.findall(text)]
    found += _CARD.findall(text)
    found += [one for one in _OPAQUE.findall(text) if re.search(r"\d", one) and re.search(r"[A-Za-z]", one)]
    found += _named(text)
    return sorted({one for one in found if len(one) >= _SHORTEST_SECRET}, key=lambda one: (-len(one), one))


def _named(text: str) -> list[str]:
    """Values that stand behind the name of a secret."""
    words = re.findall(r"[^\s\"',;]+", text)
    found = []
    for at, word in enumerate(words):
        name, sign, value = word.replace("=", ":").partition(":")
        if not is_secret(name):
            continue
        if sign and value:
            found.append(value)
            continue
        rest = words[at + 1 : at + 3]
        if rest and (sign or rest[0].lower() in _JOINING):
            # `password: x` has its value next, `password is x` behind the next; `token = x` too.
            found += rest[:1] if sign else rest[1:2]
        elif rest and re.search(r"\d", rest[0]):
            found.append(rest[0])
    return found
