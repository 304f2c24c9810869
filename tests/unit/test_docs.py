"""README.md against the code: what it names exists, and what exists is named."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from pydantic import AliasChoices, SecretStr
from pydantic.fields import FieldInfo
from typer.core import TyperOption

from app.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "cypher" / "README.md"]


def test_every_command_has_a_row_and_every_row_a_command() -> None:
    """The table of commands is the command tree."""
    said = {re.split(r" (?=[A-Z])", _code(row[0])[0])[0] for row in _table("Commands")}

    assert said == {name for name, _ in _commands()}


def test_the_table_of_commands_has_the_order_of_help() -> None:
    """Fill the graph, ask it, serve it."""
    said = [_code(row[0])[0].split()[1] for row in _table("Commands")]

    assert list(dict.fromkeys(said)) == _root().list_commands(None)


def test_the_table_of_options_is_that_of_the_commands() -> None:
    """Each option of each command is in the table, with the commands that take it, and no other."""
    said = {
        (option, command)
        for row in _table("Options")
        for option in _code(row[0])
        for command in _code(row[1])
    }

    there = {
        (option, command.removeprefix("outfitter "))
        for command, found in _commands()
        for parameter in found.params
        if isinstance(parameter, TyperOption)
        for option in (*parameter.opts, *parameter.secondary_opts)
        if option.startswith("--")
    }

    assert said == there


def test_every_setting_has_a_row_with_its_default() -> None:
    """The table of settings is `Settings`: each variable once, with what it is when it is not set."""
    said = {_code(row[0])[0]: (_code(row[1]) or [""])[0] for row in _table("Settings")}

    there = {_variable(name, field): _default(field) for name, field in Settings.model_fields.items()}

    assert said == there


def test_every_route_has_a_row() -> None:
    """The table of calls is the application's own list of routes."""
    said = {call for row in _table("REST") for call in _code(row[0])}

    assert said == set(_routes())


def test_every_command_in_a_code_block_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands are taken by the command line as they stand; targets of make and files are there."""
    monkeypatch.chdir(ROOT)
    lines = list(_shell_lines())

    for line in lines:
        words = shlex.split(line.split(" | ")[0])
        while words and re.fullmatch(r"\w+=.*", words[0]):
            words.pop(0)
        if words[0] == "outfitter":
            _accepts(words[1:], line)
        elif words[0] == "make":
            assert set(words[1:]) <= _targets(), line
        elif words[0] == "curl":
            assert any(_serves(word) for word in words if "127.0.0.1" in word), line

    assert sum(line.startswith("outfitter ") for line in lines) >= 10


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_resolve(document: Path) -> None:
    """A link to a file or a heading of this repository leads somewhere."""
    text = document.read_text(encoding="utf-8")

    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("https://", "http://")):
            continue
        path, _, heading = target.partition("#")
        found = (document.parent / path) if path else document
        assert found.exists(), f"{document.name}: {target}"
        if heading:
            assert heading in _anchors(found.read_text(encoding="utf-8")), f"{document.name}: {target}"


def test_limits_and_exit_status_are_those_of_the_code() -> None:
    """Numbers in the text are the defaults of the settings."""
    assert _mega(Settings.model_fields["max_file_bytes"].default) in README
    assert {_code(row[0])[0] for row in _table("Exit status")} == {"0", "1", "2", "3"}


def _table(heading: str) -> list[list[str]]:
    """The rows of the first table below a heading."""
    section = re.search(rf"(?ms)^#+ {re.escape(heading)}$(.*?)(?=^#+ |\Z)", README)
    assert section, f"README.md has no heading {heading!r}"
    rows = [line for line in section[1].splitlines() if line.startswith("|")]
    assert len(rows) > 2, f"no table below {heading!r}"
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows[2:]]


def _code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def _root() -> Any:
    from app.cli import app

    return typer.main.get_command(app)


def _commands() -> Iterator[tuple[str, Any]]:
    """Every command that does something, with its full name."""

    def walk(name: str, command: Any) -> Iterator[tuple[str, Any]]:
        children = getattr(command, "commands", None)
        if children is None:
            yield name, command
        for child, sub in sorted((children or {}).items()):
            yield from walk(f"{name} {child}", sub)

    return walk("outfitter", _root())


def _variable(name: str, field: FieldInfo) -> str:
    alias = field.validation_alias
    if isinstance(alias, AliasChoices):
        return str(alias.choices[-1])
    return f"OUTFITTER_{name.upper()}"


def _default(field: FieldInfo) -> str:
    value: Any = field.default
    if value is None or (isinstance(value, SecretStr) and not value.get_secret_value()):
        return ""
    if isinstance(value, Path):
        return "~/.local/share/outfitter"
    return "[]" if value == () else str(value)


def _routes() -> list[str]:
    from app.api.metrics import Metrics
    from app.components import service_components
    from app.main import create_app, policy_of

    settings, metrics = Settings(), Metrics()
    app = create_app(
        lambda _: service_components(settings, metrics), policy=policy_of(settings), max_body_bytes=1024
    )
    return [
        f"{method.upper()} {path}" for path, methods in app.openapi()["paths"].items() for method in methods
    ]


def _shell_lines() -> Iterator[str]:
    """Lines of the `sh` blocks, continued lines joined, without comments."""
    for block in re.findall(r"(?ms)^```sh\n(.*?)^```", README):
        for line in re.sub(r"\\\n\s*", "", block).splitlines():
            if line.strip() and not line.startswith("#"):
                yield line.strip()


def _accepts(words: list[str], line: str) -> None:
    if words == ["--version"]:
        return
    command = _root()
    while children := getattr(command, "commands", None):
        assert words, line
        assert words[0] in children, f"{line}: no command {words[0]!r}"
        command, words = children[words[0]], words[1:]
    command.make_context("outfitter", list(words))


def _targets() -> set[str]:
    return set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8")))


def _serves(url: str) -> bool:
    path = re.sub(r"^.*127\.0\.0\.1:\d+", "", url).partition("?")[0]
    patterns = [re.sub(r"\{[^}]+\}", ".+", route.partition(" ")[2]) for route in _routes()]
    return any(re.fullmatch(pattern, path) for pattern in patterns)


def _anchors(text: str) -> set[str]:
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        for heading in re.findall(r"(?m)^#+ (.+)$", text)
    }


def _mega(size: int) -> str:
    return f"{size // 1_000_000} MB"
