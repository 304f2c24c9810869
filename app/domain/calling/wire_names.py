"""What names of HTTP headers and of environment variables are made of."""

import re

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
LONGEST_ARGUMENT_NAME = 200
"""Characters of a header's or cookie's name that a call sends."""


def is_token(text: str) -> bool:
    """Whether the text is a `token` (RFC 9110, section 5.6.2), as the names of headers and cookies are."""
    return bool(_TOKEN.fullmatch(text))


def is_variable_name(text: str) -> bool:
    """Whether the text is a name that an environment variable can have in every shell."""
    return bool(_VARIABLE.fullmatch(text))
