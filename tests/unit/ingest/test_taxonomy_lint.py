"""What is wrong with taxonomies is said before they are ingested, each thing with its file and item."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.commands.main import app
from app.domain.linking.recipe import LINKING
from app.domain.ranking.recipe import RECIPE
from app.errors import InvalidInputError, SourceRefusedError
from ingest.sources.taxonomy.common import common_items
from ingest.sources.taxonomy.lint import lint, read_taxonomy, shipped_files

ROOT = Path(__file__).resolve().parents[3]
COMMON_ID = "payments.refund_payment"


def method(node_id: str, *requests: str, **fields: Any) -> dict[str, Any]:
    """A method that nothing is wrong with."""
    return {"id": node_id, "examples": requests or [f"Do what {node_id} does"], **fields}


def problems(*files: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(file, item, problem); the files are called a, b, c."""
    read = [
        read_taxonomy(json.dumps(one).encode(), name, text_bytes=10_000)
        for name, one in zip("abc", files, strict=False)
    ]
    return [(one.file, one.item, one.problem) for one in lint(read)]


def test_what_ships_and_what_the_examples_hold_is_clean() -> None:
    example = ROOT / "examples" / "taxonomy.yaml"

    assert lint([*shipped_files(), read_taxonomy(example.read_bytes(), "example", text_bytes=10_000)]) == []


def test_a_clean_taxonomy_has_no_findings() -> None:
    """Links within it and to another file, words about the common taxonomy."""
    one = {
        "categories": [{"id": "k"}],
        "methods": [method("m", category="k", apart_from={"n": "other", COMMON_ID: "other"})],
        "templates": [{"id": "t", "methods": ["m", "n"]}],
        "concepts": [{"id": "o", "related_to": ["n"]}],
        "tools": [{"id": "x", "part_of": ["t"], "categories": ["k"], "not_implements": [COMMON_ID]}],
    }

    assert problems(one, {"methods": [method("n")], "tools": [{"id": "x", "requires": ["y"]}]}) == []


def test_a_request_is_of_one_method_over_all_files() -> None:
    """However it is written; in other languages, too."""
    one = {"methods": [method("m", "Pay it back"), method("n", "other", requests={"de": "Zahl es zurück"})]}
    other = {"methods": [method("o", " pay  IT back. "), method("p", "Zahl es zurück")]}

    assert problems(one, other) == [
        ("b", "method 'o'", "request ' pay  IT back. ' is one of method 'm' already"),
        ("b", "method 'p'", "request 'Zahl es zurück' is one of method 'n' already"),
    ]


def test_a_name_may_stand_in_one_request_and_not_in_two() -> None:
    named = {"name": "List pods"}

    assert problems({"methods": [method("m", "list pods please", "what runs here", **named)]}) == []
    assert problems({"methods": [method("m", "list pods please", "LIST  PODS now", **named)]}) == [
        ("a", "method 'm'", "2 requests say its name, 'List pods'; accepted: other words in all but one")
    ]


def test_a_method_without_requests_is_found_unless_it_confirms_a_common_one() -> None:
    found = problems({"methods": [{"id": "m", "name": "M"}, {"id": COMMON_ID, "implements": ["x"]}]})

    assert found == [("a", "method 'm'", "no requests; accepted: what people say who want it done")]


@pytest.mark.parametrize(
    ("section", "item", "problem"),
    [
        ("methods", method("m", category="k"), "category names 'k', and there is no such category"),
        ("methods", method("m", apart_from={"n": "x"}), "apart_from names 'n', and there is no such method"),
        ("methods", method("m", relations={"similar": ["n"]}), "relations.similar names 'n'"),
        ("methods", method("m", relations={"enhances": [{"id": "n"}]}), "relations.enhances names 'n'"),
        ("methods", method("m", relations={"alternative": ["n"]}), "relations.alternative names 'n'"),
        ("methods", method("m", relations={"requires": ["n"]}), "relations.requires names 'n'"),
        ("methods", method("m", relations={"precedes": ["n"]}), "relations.precedes names 'n'"),
        ("templates", {"id": "t", "methods": ["n"]}, "methods names 'n'"),
        ("concepts", {"id": "c", "related_to": ["n"]}, "related_to names 'n'"),
        ("tools", {"id": "x", "not_implements": ["n"]}, "not_implements names 'n'"),
        (
            "concepts",
            {"id": "c", "related_to": [COMMON_ID]},
            f"related_to names {COMMON_ID!r}, and only the common taxonomy has it; accepted: a method of yours",
        ),
        ("tools", {"id": "x", "part_of": ["n"]}, "part_of names 'n', and there is no such template"),
        ("tools", {"id": "x", "categories": ["n"]}, "categories names 'n', and there is no such category"),
    ],
)
def test_a_link_to_nothing_is_found(section: str, item: dict[str, Any], problem: str) -> None:
    ((file, label, said),) = problems({section: [item]})

    assert (file, label) == ("a", f"{section.removesuffix('s')} {item['id']!r}")
    assert said.startswith(problem)


def test_hidden_characters_broken_items_and_ids_that_come_twice_are_found() -> None:
    found = problems(
        {"methods": [method("m", description="Draws\u200b it"), method("n\u200b"), {"what": 1}]},
        {"methods": [method("m", "again")]},
    )

    assert [(file, item) for file, item, _ in found] == [
        ("a", "method 'm'"),
        ("a", "method 'n\\u200b'"),
        ("a", "methods[2]"),
        ("b", "method 'm'"),
    ]
    assert "description holds hidden characters" in found[0][2]
    assert found[3][2] == "the id comes twice; a has it first"


@pytest.mark.parametrize(
    ("data", "error"),
    [(b"[]", InvalidInputError), (b"a: [", SourceRefusedError), (b"{x: 1}", InvalidInputError)],
)
def test_what_is_no_taxonomy_is_refused(data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"mine\.yaml"):
        read_taxonomy(data, "mine.yaml", text_bytes=1_000)


def test_the_methods_that_the_docs_write_are_clean() -> None:
    """As YAML, with requests by language."""
    (block,) = re.findall(
        r"```yaml\n(methods:\n  - id: lab.*?)```", (ROOT / "docs" / "meaning.md").read_text(), re.DOTALL
    )

    read = read_taxonomy(block.encode(), "docs", text_bytes=1_000)

    assert lint([read]) == []
    assert read.methods[0].said == (
        "Can the samples from this morning go in now?",
        "begin seq 14 on hplc-2",
        "Können die Proben von heute früh jetzt rein?",
    )


def test_the_docs_have_the_weights_that_count() -> None:
    text = (ROOT / "docs" / "meaning.md").read_text()
    weights = (LINKING.word_weight, LINKING.action_weight, LINKING.object_weight, LINKING.domain_weight)

    assert re.findall(r"^\| \w+ \| ([\d.]+) \|", text, re.MULTILINE) == [str(one) for one in weights]
    for said in (
        f"A link needs a score of {LINKING.least}",
        f"at most {LINKING.tool_margin} behind the best of its tool and {LINKING.method_margin} behind",
        f"divided by {LINKING.full}, at most 1",
        f"auto + {RECIPE.suggestion_weight:.0f} ·",
    ):
        assert said in text


@pytest.fixture
def run() -> Callable[..., Any]:
    return lambda *words: CliRunner().invoke(app, ["taxonomy", "lint", *map(str, words)])


def test_the_command_says_so_and_ends_with_one(run: Callable[..., Any], tmp_path: Path) -> None:
    """And with nothing found with zero."""
    wrong, right = tmp_path / "wrong.json", tmp_path / "right.yaml"
    wrong.write_text(json.dumps({"methods": [{"id": "m"}]}))
    right.write_text(json.dumps({"methods": [method("n")]}))

    assert (run("--common").exit_code, run(right).exit_code, run(right, "--common").exit_code) == (0, 0, 0)
    found = run(wrong, right)
    assert found.exit_code == 1
    assert "1 found in 2 methods in 2 files." in found.stdout
    assert json.loads(run(wrong, "--json").stdout) == [
        {
            "file": str(wrong),
            "item": "method 'm'",
            "problem": "no requests; accepted: what people say who want it done",
        }
    ]
    assert json.loads(run(right, "--json").stdout) == []


def test_a_copy_of_a_common_method_is_found_beside_it(run: Callable[..., Any], tmp_path: Path) -> None:
    """The operator's wins at ingest; that two have one id is worth knowing."""
    copy = tmp_path / "copy.json"
    copy.write_text(json.dumps({"methods": [method(COMMON_ID, *common_items()[COMMON_ID].said)]}))

    assert run(copy).exit_code == 0
    assert "the id comes twice" in " ".join(run(copy, "--common").stdout.split())
