"""Word lists as data, and a user's file over them."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from app.errors import InvalidInputError
from app.lexicon.changes import ENTRIES, changed, read_changes
from app.lexicon.lists import is_added, lay_over, names, table, words

ROOT = Path(__file__).resolve().parents[3]
LISTS: Mapping[str, Any] = {
    "en": {
        "stop_words": {"both": "a the"},
        "aliases": {"repo": "repository"},
        "verbs": {"add": {"class": "create", "kind": "create"}, "stop": {"class": "stop"}},
    },
    "reading": {"asking": ["ask", "find out"], "opposites": [["on", "off"]]},
    "countries": {"names": ["Chad"]},
}


def _with(text: str) -> dict[str, Any]:
    changes = read_changes(tomllib.loads(text), LISTS, origin="mine.toml")
    return {name: changed(lists, changes.get(name, ())) for name, lists in LISTS.items()}


def test_words_are_added_and_taken_away() -> None:
    """In a list that is one text, in one of texts, and in a table; what is given stays as it is."""
    found = _with("""
        [en.stop_words.both]
        add = ["kindly", "a"]
        remove = ["the"]
        [en.aliases]
        add = { po = "purchase order" }
        remove = ["repo"]
        [en.verbs]
        add = { mint = { class = "create stop" } }
        [reading.asking]
        add = ["beg of"]
        [countries.names]
        add = ["Wales"]
    """)

    assert found["en"]["stop_words"]["both"] == "a kindly"
    assert found["en"]["aliases"] == {"po": "purchase order"}
    assert found["en"]["verbs"] == LISTS["en"]["verbs"] | {"mint": {"class": "create stop"}}
    assert found["reading"]["asking"] == ["ask", "find out", "beg of"]
    assert found["countries"]["names"] == ["Chad", "Wales"]
    assert LISTS["en"]["stop_words"]["both"] == "a the"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[xx]", "xx is not in the lexicon; accepted: countries, en, reading"),
        ("[en.nouns]", "en.nouns is not in the lexicon; accepted: aliases, stop_words, verbs"),
        ("en = 3", "en = 3; accepted: a table"),
        ("[en.aliases]\nwith = 1", "en.aliases.with is not known; accepted: add, remove"),
        (
            "[en.stop_words.both]\nadd = 'x'",
            "en.stop_words.both.add = 'x'; accepted: a list of words in quotes",
        ),
        (
            "[en.stop_words.both]\nadd = ['X']",
            "en.stop_words.both.add has 'X'; accepted: words in lower case",
        ),
        ("[en.stop_words.both]\nadd = ['x y']", "en.stop_words.both.add has 'x y'; accepted: single words"),
        ("[reading.asking]\nadd = ['x  y']", "has 'x  y'; accepted: words with one space between them"),
        ("[en.stop_words.both]\nremove = ['x']", "remove has 'x', which the list has not; accepted: a, the"),
        (
            "[en.aliases]\nadd = ['x']",
            "en.aliases.add = ['x']; accepted: a table such as { repo = \"repository\" }",
        ),
        ("[en.aliases]\nadd = { x = 1 }", 'en.aliases.add.x = 1; accepted: such as "repository"'),
        (
            "[en.verbs]\nadd = { x = { sort = 'a' } }",
            "en.verbs.add.x.sort is not known; accepted: class, kind",
        ),
        ("[en.verbs]\nadd = { x = { class = 'a' } }", "x.class = 'a'; accepted: create, stop"),
        ("[reading.opposites]\nadd = ['x']", "reading.opposites is not a list of words"),
    ],
)
def test_what_is_not_accepted_is_named_with_what_is(text: str, message: str) -> None:
    """File, key, value, and what would do."""
    with pytest.raises(InvalidInputError) as refused:
        _with(text)

    assert str(refused.value).startswith("lexicon mine.toml: ")
    assert message in str(refused.value)


def test_a_process_that_has_read_with_other_words_refuses() -> None:
    """Half of it would have read with the others; the same file again changes nothing."""
    assert words("en", "stop_words", "both")

    with pytest.raises(InvalidInputError, match="reads with other words already"):
        lay_over({"en": {"stop_words": {"both": {"add": ["kindly"]}}}}, origin="mine.toml")
    assert not is_added("en", ("stop_words", "both"), "kindly")


def test_tables_of_entries_are_there() -> None:
    """A name that outlives its table would protect nothing."""
    for path in ENTRIES:
        name, *keys = path.split(".")
        found: Any = table(name)
        for key in keys:
            found = found[key]
        assert isinstance(found, dict)


def test_each_word_stands_once_in_its_list() -> None:
    """Whoever takes a word away takes it away whole; stop words are in one list of the three.

    What a word of a glossary is in English may say a word twice: `error message; error`.
    """

    def lists(value: Any, path: str) -> list[tuple[str, list[str]]]:
        if isinstance(value, dict):
            return [found for key, inner in value.items() for found in lists(inner, f"{path}.{key}")]
        if isinstance(value, str) and path.split(".")[1] != "words":
            return [(path, value.split())]
        return (
            [(path, value)] if isinstance(value, list) and all(isinstance(one, str) for one in value) else []
        )

    found = [found for name in names() for found in lists(table(name), name)]
    twice = {path: sorted({one for one in members if members.count(one) > 1}) for path, members in found}

    assert {path: members for path, members in twice.items() if members} == {}
    stop_words = [word for use in table("en")["stop_words"].values() for word in use.split()]
    assert len(stop_words) == len(set(stop_words))


def _run(program: str, lexicon: Path) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "OUTFITTER_LEXICON": str(lexicon)}
    return subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environ, capture_output=True, text=True, check=False
    )


def test_a_process_reads_with_the_users_words_and_says_which(tmp_path: Path) -> None:
    """In requests and in goals; what took part is marked as the user's."""
    lexicon = tmp_path / "mine.toml"
    lexicon.write_text(
        '[en.aliases]\nadd = { po = "purchase order" }\n[en.stop_words.requests]\nadd = ["kindly"]\n'
    )

    done = _run(
        "from app.roots.lexicon import use_lexicon\n"
        "use_lexicon()\n"
        "use_lexicon()\n"
        "from app.domain.language.identifiers import pieces\n"
        "from app.domain.language.text import auto_terms\n"
        "from app.usecases.rankings.words_read import words_read\n"
        "print(auto_terms('kindly sign po'), pieces('po'))\n"
        "print([word.word for word in words_read('kindly sign po 7') if word.yours])\n",
        lexicon,
    )

    assert done.stdout.splitlines() == [
        "['sign', 'purchas', 'order'] ('purchase', 'order')",
        "['kindly', 'po']",
    ], done.stderr


@pytest.mark.parametrize(("text", "said"), [("[en", "TOML 1.0"), ("[xx]", "xx is not in the lexicon")])
def test_a_command_ends_with_what_is_wrong_in_the_file(tmp_path: Path, text: str, said: str) -> None:
    """Before it does anything; the exit status is that of wrong usage."""
    lexicon = tmp_path / "mine.toml"
    lexicon.write_text(text)

    done = _run("from app.commands.main import main; main()", lexicon)
    asked = _run(
        "import sys; sys.argv[1:] = ['query', 'x']; from app.commands.main import main; main()", lexicon
    )

    assert done.returncode == 2
    assert asked.returncode != 0
    assert said in asked.stderr.replace("\n", " ")
    assert "Traceback" not in asked.stderr
