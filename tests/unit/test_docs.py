"""README and docs/ against the code: what they name exists, and what exists is named."""

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
from docs.generate.pages import pages
from docs.generate.rest import openapi
from tests.documents import (
    DOCS,
    DOCUMENTS,
    NOT_RUN,
    README,
    ROOT,
    WRITTEN,
    code,
    commands,
    inline_commands,
    section,
    table,
)

COMMANDS, SETTINGS, REST = (
    (DOCS / "reference" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("commands", "settings", "rest")
)


PAGES = pages()


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_a_generated_page_is_what_make_docs_would_write(page: Path) -> None:
    """The reference cannot go stale."""
    assert page.read_text(encoding="utf-8") == PAGES[page], "run `make docs`"


def test_the_readme_is_one_that_people_read_to_its_end() -> None:
    """At most 300 lines of at most 120 characters, and 3,000 words."""
    text = README.read_text(encoding="utf-8")

    assert len(text.splitlines()) <= 300
    assert [line for line in text.splitlines() if len(line) > 120] == []
    assert len(text.split()) <= 3_000


def test_every_command_has_a_row_and_every_row_a_command() -> None:
    """The table of commands is the command tree."""
    said = {code(row[0])[0] for row in table(COMMANDS)}

    assert said == {name for name, _ in _commands()}


def test_the_table_of_commands_has_the_order_of_help() -> None:
    """Fill the graph, ask it, serve it."""
    said = [code(row[0])[0].split()[1] for row in table(COMMANDS)]

    assert list(dict.fromkeys(said)) == _root().list_commands(None)


def test_every_option_is_in_the_section_of_its_command_and_says_something() -> None:
    """Each option of each command is in the table of the command, with a sentence, and no other is."""
    for name, command in _commands():
        found = section(COMMANDS, name)
        rows = table(found) if "\n|" in found else []
        said = {
            option: row[2]
            for row in rows
            for option in re.findall(r"--[a-z-]+", code(row[0])[0])
            if row[0].startswith("`--")
        }

        there = {
            option
            for parameter in command.params
            if isinstance(parameter, TyperOption)
            for option in (*parameter.opts, *parameter.secondary_opts)
            if option.startswith("--")
        }

        assert set(said) == there, name
        assert [option for option, text in said.items() if len(text) < 5] == [], name


def test_every_setting_has_a_row_with_its_default_and_what_it_says() -> None:
    """The table of settings is `Settings`: each variable once, with what it is when it is not set."""
    rows = table(SETTINGS)
    said = {code(row[0])[0]: (code(row[1]) or [""])[0] for row in rows}

    there = {_variable(name, field): _default(field) for name, field in Settings.model_fields.items()}

    assert said == there
    assert [row[0] for row in rows if len(row[3]) < 5] == []


def test_every_route_has_a_row_and_a_section() -> None:
    """The table of calls is the application's own list of routes."""
    routes = _routes()

    assert [call for row in table(REST) for call in code(row[0])] == routes
    assert [section(REST, route) for route in routes]


def test_every_field_of_a_body_is_in_the_section_of_its_route() -> None:
    """What can be sent can be looked up."""
    models = openapi()["components"]["schemas"]
    bodies = {
        "POST /v1/query": "SearchRequest",
        "POST /v1/explain": "ExplainRequest",
        "POST /v1/plan": "PlanRequest",
        "POST /v1/workflows": "NewWorkflow",
    }

    for route, model in bodies.items():
        said = {code(row[0])[0] for row in table(section(REST, route))}
        assert set(models[model]["properties"]) <= said, route
    assert {"filters.servers", "filters.categories", "filters.read_only"} <= {
        code(row[0])[0] for row in table(section(REST, "POST /v1/query"))
    }


@pytest.mark.parametrize("document", WRITTEN, ids=lambda path: path.name)
def test_every_command_in_a_code_block_exists(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands are taken by the command line as they stand; targets of make and files are there."""
    monkeypatch.chdir(ROOT)

    for line in commands(document.read_text(encoding="utf-8")):
        words = shlex.split(line.split(" | ")[0])
        while words and re.fullmatch(r"\w+=.*", words[0]):
            words.pop(0)
        if words[0] == "outfitter":
            _accepts(words[1:], line)
        elif words[0] == "make":
            assert set(words[1:]) <= _targets(), line
        elif words[0] == "curl":
            assert any(_serves(word) for word in words if "127.0.0.1" in word), line


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_command_in_a_sentence_exists(document: Path) -> None:
    """Command and options are there; a sentence may leave out what a command needs besides."""
    for line in inline_commands(document.read_text(encoding="utf-8")):
        words = line.split()
        if words[0] == "make":
            assert {word for word in words[1:] if "=" not in word} <= _targets(), line
        else:
            _exists(words[1:], line)


def test_what_no_test_runs_has_a_reason_and_is_still_shown() -> None:
    """The list of lines that are not run holds nothing that is gone; README and docs/ show many that are run."""
    shown = {line for path in WRITTEN for line in commands(path.read_text(encoding="utf-8"))}

    assert set(NOT_RUN) - shown == set()
    assert all(len(reason) > 20 for reason in NOT_RUN.values())
    assert len([line for line in shown - set(NOT_RUN) if "outfitter " in line]) >= 20


def test_no_document_or_help_names_a_folder_that_only_its_authors_have() -> None:
    """Data comes from where the documents say."""
    texts = [path.read_text(encoding="utf-8") for path in DOCUMENTS]
    texts += [
        (ROOT / name).read_text(encoding="utf-8") for name in ("Makefile", "CHANGELOG.md", ".env.example")
    ]

    assert [text[:60] for text in texts if re.search(r"shared/|/work/|/home/|/root/", text)] == []


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


def test_contributing_names_files_and_names_that_are_there() -> None:
    """Ten kinds of changes; each file of a row exists, and each name in brackets stands in the file before it."""
    rows = table((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))

    for change, files in rows:
        path = ROOT
        for word in code(files):
            if "/" in word:
                path = ROOT / word
                assert path.exists(), f"{change}: {word}"
            elif path.is_file() and re.fullmatch(r"_?[A-Za-z]\w*[a-z]\w*|_[A-Z_]+|[A-Z]+_[A-Z]+", word):
                assert word in path.read_text(encoding="utf-8"), f"{change}: {word} in {path.name}"
    assert len(rows) == 10


def test_every_decision_is_listed_by_subject_and_every_listed_one_is_there() -> None:
    """The list at the top leads to each paragraph once."""
    text = (DOCS / "decisions.md").read_text(encoding="utf-8")
    listed = re.findall(r"(?m)^  - \[.+\]\(#(.+)\)$", text)

    headings = re.findall(r"(?m)^## (.+)$", text)

    assert sorted(listed) == sorted(next(iter(_anchors(f"# {heading}"))) for heading in headings)


def test_limits_and_exit_status_are_those_of_the_code() -> None:
    """Numbers in the text are the defaults of the settings."""
    sources = (DOCS / "sources.md").read_text(encoding="utf-8")
    fields = Settings.model_fields
    limits = (
        f"{fields['mcp_connect_s'].default:g} seconds to connect and {fields['mcp_server_s'].default:g} for everything, "
        f"{fields['mcp_max_pages'].default} pages, {fields['mcp_max_tools'].default:,} tools and "
        f"{_mega(fields['max_file_bytes'].default)}"
    )

    assert limits in " ".join(sources.split())
    assert _mega(fields["max_file_bytes"].default) in SETTINGS
    assert {code(row[0])[0] for row in table(section(COMMANDS, "Exit status"))} == {"0", "1", "2", "3"}


def _root() -> Any:
    from app.commands.main import app

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
    return "[]" if value == () else str(value).lower() if isinstance(value, bool) else str(value)


def _routes() -> list[str]:
    return [f"{method.upper()} {path}" for path, methods in openapi()["paths"].items() for method in methods]


def _accepts(words: list[str], line: str) -> None:
    if words == ["--version"]:
        return
    command, rest = _command(words, line)
    command.make_context("outfitter", rest)


def _exists(words: list[str], line: str) -> None:
    """The command is there, and so are the options that follow it."""
    command, rest = _command(words, line)
    known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)} | {"--help"}
    for word in rest[: rest.index("--")] if "--" in rest else rest:
        assert not word.startswith("--") or word.partition("=")[0] in known, f"{line}: no option {word}"


def _command(words: list[str], line: str) -> tuple[Any, list[str]]:
    """The command that words name, or the group where they name no more; and the words after it."""
    command = _root()
    while words and (children := getattr(command, "commands", None)):
        if words[0].startswith("-"):
            break
        assert words[0] in children, f"{line}: no command {words[0]!r}"
        command, words = children[words[0]], list(words[1:])
    return command, words


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
