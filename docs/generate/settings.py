"""docs/reference/settings.md from the fields of `Settings`."""

from pathlib import Path
from typing import Any

from pydantic import AliasChoices, SecretStr
from pydantic.fields import FieldInfo

from app.settings import Settings
from docs.generate.tables import NOTE, code, page, prose, table

_HEAD = """
# Settings

Environment variables of every command and of the service; an option of a command goes before its variable. A value that
is not accepted ends the command with status 2 and names the variable.
"""


def settings_page() -> str:
    """Every variable with its default, what it accepts and what it says."""
    rows = [
        (code(variable(name, field)), code(default(field)), _accepted(field), prose(field.description or ""))
        for name, field in Settings.model_fields.items()
    ]
    columns = ["variable", "default", "accepted", "what it says"]
    return page(NOTE.format(source="app/settings.py"), _HEAD, table(columns, rows))


def variable(name: str, field: FieldInfo) -> str:
    """The environment variable of a field."""
    alias = field.validation_alias
    if isinstance(alias, AliasChoices):
        return str(alias.choices[-1])
    return f"OUTFITTER_{name.upper()}"


def default(field: FieldInfo) -> str:
    """What a variable is when it is not set; the data folder as on Linux."""
    value: Any = field.default
    if value is None or (isinstance(value, SecretStr) and not value.get_secret_value()):
        return ""
    if isinstance(value, Path):
        return "~/.local/share/outfitter"
    if isinstance(value, bool):
        return str(value).lower()
    return "[]" if value == () else str(value)


def _accepted(field: FieldInfo) -> str:
    if field.annotation is bool:
        return "`true` or `false`"
    bound = {
        name: getattr(part, name)
        for part in field.metadata
        for name in ("ge", "gt", "le")
        if hasattr(part, name)
    }
    if "ge" in bound and "le" in bound:
        return f"{bound['ge']} to {bound['le']}"
    if "gt" in bound and "le" in bound:
        return f"more than {bound['gt']}, at most {bound['le']}"
    if "gt" in bound:
        return f"more than {bound['gt']}"
    return f"{bound['ge']} or more" if "ge" in bound else ""
