"""Names of environment variables, where a file of the operator's must not hold what is in them."""

from typing import Annotated, TypeAlias

from pydantic import BeforeValidator

from app.domain.calling.wire_names import is_variable_name


def _variable(value: object) -> object:
    # Not shown: it may be the secret itself, written where its name belongs.
    if not isinstance(value, str) or not is_variable_name(value):
        raise ValueError(
            "this is not a name of an environment variable; accepted: the name of the variable that holds the"
            " value (letters, digits, _), never the value itself"
        )
    return value


Variable: TypeAlias = Annotated[str, BeforeValidator(_variable)]
"""The name of an environment variable."""
