"""Habits that make text read as translated: none in documents, help, messages, docstrings and comments."""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tests.documents import DOCUMENTS, ROOT

HABITS: Mapping[str, str] = {
    r"\b(is|are|was|were) none\b": "say what it is not: is not valid, is not a number, there is no tool",
    r"\b[Tt]old\b": "reported, known, recognised, notified",
    r"\b[Aa]new\b": "again",
    r"\b[Ss]hall\b": "must, should, is to",
    r"\b[Ss]o many\b": "how many, at most, that number of",
    r"\b[Nn]o chance\b": "statistically significant",
    r"\bbe it\b": "even if, whether",
}
"""A habit -> what to write instead."""

DATA: Mapping[str, str] = {
    "bench/generated/design_words.py": "texts of generated tools; another word would be another set",
    "bench/generated/finance_words.py": "texts of generated tools; another word would be another set",
}
"""Files whose strings, but not docstrings and comments, are words to look for -> why."""

CODE = [
    path for folder in ("app", "ingest", "bench", "docs") for path in sorted((ROOT / folder).rglob("*.py"))
]
TEXTS = [
    *DOCUMENTS,
    *(
        ROOT / name
        for name in (
            "CHANGELOG.md",
            "Makefile",
            "Dockerfile",
            "docker-compose.yml",
            ".env.example",
            "pyproject.toml",
        )
    ),
    *sorted((ROOT / "cypher").rglob("*.cypher")),
    *sorted((ROOT / "examples").glob("*.yaml")),
]


def test_no_document_has_a_habit() -> None:
    """README, docs/, CHANGELOG, the headers of Cypher files, what examples explain."""
    texts = ((path, number, line) for path in TEXTS for number, line in enumerate(_explained(path), 1))

    assert _habits(texts) == []


def test_no_help_message_docstring_or_comment_has_a_habit() -> None:
    """Nor any other text in the code, but for lists of words."""
    texts = ((path, line, text) for path in CODE for line, text in _texts(path))

    assert _habits(texts) == []


def test_files_of_words_are_there() -> None:
    """An exception that outlives its file would hide the next one."""
    assert [name for name in DATA if not (ROOT / name).is_file()] == []


def _habits(texts: Iterable[tuple[Path, int, str]]) -> list[str]:
    """Where a habit is, and what to write instead."""
    habits = [(re.compile(habit), instead) for habit, instead in HABITS.items()]
    return [
        f"{path.relative_to(ROOT)}:{line}: {found[0]!r}; rather: {instead}"
        for path, line, text in texts
        for habit, instead in habits
        if (found := habit.search(text))
    ]


def _explained(path: Path) -> list[str]:
    """The lines of a document; of an example only its comments, since the rest are requests of customers."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.partition("#")[2] for line in lines] if path.parent.name == "examples" else lines


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    """Comments and strings of a module, with their lines."""
    source = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    is_data = path.relative_to(ROOT).as_posix() in DATA
    tree = ast.parse(source)
    prose = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and (not is_data or id(node) in prose)
        ):
            yield node.lineno, node.value
