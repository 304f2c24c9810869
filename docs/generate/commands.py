"""docs/reference/commands.md from the command tree."""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Any, TypeAlias

import typer.main
from typer.core import TyperArgument, TyperOption

from app.commands.main import app
from docs.generate.tables import NOTE, code, page, prose, table

Command: TypeAlias = Any
"""A command or a group of typer's tree, whose classes typer does not export."""

_HEAD = """
# Commands

Answers and reports go to stdout, progress and logs to stderr. `python -m ingest` is `outfitter ingest`.
An option goes before the [setting](settings.md) of the same meaning.
"""

_EXIT = """
## Exit status

| status | meaning |
|---|---|
| `0` | done |
| `1` | some items were rejected, the report lists them; `bench compare`: the second report is worse |
| `2` | wrong usage |
| `3` | the graph database did not answer, or is busy; run the same command again |
"""


def commands_page() -> str:
    """Every command with its arguments and options, in the order of `--help`."""
    found = list(commands("outfitter", typer.main.get_command(app)))
    rows = [(f"[{code(name)}](#{_anchor(name)})", _first(command)) for name, command in found]
    sections = [_section(name, command) for name, command in found]
    return page(
        NOTE.format(source="the command tree"),
        _HEAD,
        table(["command", "what it does"], rows),
        _EXIT,
        *sections,
    )


def commands(name: str, command: Command) -> Iterator[tuple[str, Command]]:
    """Every command that does something, with its whole name."""
    children = getattr(command, "commands", None)
    if children is None:
        yield name, command
        return
    for child in command.list_commands(None):
        yield from commands(f"{name} {child}", children[child])


def _section(name: str, command: Command) -> str:
    arguments = [one for one in command.params if isinstance(one, TyperArgument)]
    options = [one for one in command.params if isinstance(one, TyperOption)]
    usage = " ".join([name, *(_placeholder(one) for one in arguments)])
    rows = [
        *((code(_placeholder(one)), "", prose(one.help or "")) for one in arguments if one.help),
        *((code(_signature(one)), code(_default(one)), _accepts(one)) for one in options),
    ]
    return page(
        f"## {name}", f"`{usage}`", *_paragraphs(command), table(["option", "default", "what it says"], rows)
    )


def _paragraphs(command: Command) -> list[str]:
    """The help text; its example as code."""
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", (command.help or "").strip())]
    return [re.sub(r"Example: (.+)$", r"Example: `\1`", part) for part in paragraphs]


def _first(command: Command) -> str:
    return _paragraphs(command)[0].removesuffix(".")


def _placeholder(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def _signature(option: Any) -> str:
    """`--name VALUE`; a flag has no value, one that may be given again has dots."""
    names = ", ".join(name for name in (*option.opts, *option.secondary_opts) if name.startswith("--"))
    if option.is_flag:
        return names
    return f"{names} {option.metavar or option.name.upper()}" + (" ..." if option.multiple else "")


def _default(option: Any) -> str:
    if isinstance(option.show_default, str):
        return option.show_default
    value = option.default.value if isinstance(option.default, Enum) else option.default
    return "" if value is None or value is False else str(value)


def _accepts(option: Any) -> str:
    """What the option says, and which values it takes where the help does not say it."""
    said = prose(option.help or "")
    annotation = option.type_descriptor.annotation
    kind = next(iter(getattr(annotation, "__args__", ())), annotation)
    notes = []
    if isinstance(kind, type) and issubclass(kind, Enum):
        values = [str(one.value) for one in kind]
        if not all(value in (option.help or "") for value in values):
            notes.append("One of " + ", ".join(code(value) for value in values) + ".")
    if option.min is not None or option.max is not None:
        notes.append(f"Accepted: {_range(option.min, option.max)}.")
    if option.required:
        notes.append("Required.")
    return " ".join([said, *notes])


def _range(low: float | None, high: float | None) -> str:
    if high is None:
        return f"{low:g} or more"
    return f"at most {high:g}" if low is None else f"{low:g} to {high:g}"


def _anchor(name: str) -> str:
    return name.replace(" ", "-")
