"""Readers that keep the answers out, and what the commands print."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.errors import InvalidInputError
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchMethod
from bench.commands.cli import app
from bench.literature import toolbench
from bench.peer.sets import openapi_tools
from bench.sets import retrieval
from bench.sets.datasets import Dataset, Question, bench_set, schema_text, toolbench_questions
from tests.unit.bench.data import write_toolbench
from tests.unit.catalogues import catalogue, method, tool


def write_set(
    data: Path, name: str, tools: list[dict[str, object]], queries: list[dict[str, object]]
) -> None:
    folder = data / "bench" / name
    folder.mkdir(parents=True)
    for file, rows in (("tools", tools), ("queries", queries)):
        (folder / f"{file}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_what_a_set_knows_of_its_answers_is_not_read(tmp_path):
    """Steps and plans name the tools; edges are derived from answers; neither reaches tool or question."""
    write_set(
        tmp_path,
        "leaky",
        [{"id": "s/a", "server": "s", "name": "a", "description": "Does a.", "parameters": {}}],
        [
            {
                "id": "1",
                "query": "do a",
                "gold": ["s/a", "s/a"],
                "meta": {"steps": "SECRET", "plan": "SECRET", "gold_alternatives": {"s/a": ["s/b"]}},
            }
        ],
    )
    (tmp_path / "bench" / "leaky" / "edges.jsonl").write_text(
        json.dumps({"source": "s/a", "target": "SECRET", "type": "precedes"})
    )

    dataset = bench_set(tmp_path, "leaky")

    assert "SECRET" not in repr(dataset)
    assert dataset.questions == (Question("1", "do a", ("s/a",), {"s/a": ["s/b"]}, ""),)


def test_a_missing_set_is_named(tmp_path):
    with pytest.raises(InvalidInputError, match=r"bench/absent/tools.jsonl"):
        bench_set(tmp_path, "absent")
    with pytest.raises(InvalidInputError, match=r"pinepaper/cases.jsonl"):
        toolbench_questions(tmp_path)


def test_toolbench_keeps_repeated_gold_and_leaves_hints_out(tmp_path):
    case = {
        "id": "1",
        "tier": "T1",
        "query": "q",
        "gold": ["a", "a"],
        "acceptable": ["SECRET"],
        "methods": ["SECRET"],
    }
    folder = tmp_path / "pinepaper"
    folder.mkdir()
    (folder / "cases.jsonl").write_text(json.dumps(case) + "\n")

    assert toolbench_questions(tmp_path) == (Question("1", "q", ("a", "a"), {}, "T1"),)


def test_a_bare_map_of_properties_becomes_a_schema():
    assert json.loads(schema_text({"type": {"description": "kind"}})) == {
        "type": "object",
        "properties": {"type": {"description": "kind"}},
    }
    assert schema_text("prose") == schema_text({}) == ""


def test_operations_are_read_with_parameters_body_and_answer():
    document = {
        "paths": {
            "/pets/{id}": {
                "parameters": [{"name": "id", "in": "path", "description": "Which."}],
                "put": {
                    "operationId": "updatePet",
                    "summary": "Update",
                    "description": "Changes a pet.",
                    "tags": ["pets"],
                    "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/defs/Pet"}}}},
                    "responses": {
                        "200": {"content": {"application/json": {"schema": {"$ref": "#/defs/Pet"}}}}
                    },
                },
            }
        },
        "defs": {"Pet": {"properties": {"name": {"description": "Its name."}}}},
    }

    (operation,) = openapi_tools(document)

    assert (operation.id, operation.server, operation.method) == ("updatePet", "pets", "PUT")
    assert operation.description == "Update — Changes a pet."
    assert set(json.loads(operation.input_schema)["properties"]) == {"id", "name"}
    assert set(json.loads(operation.output_schema)["properties"]) == {"name"}


SMALL = catalogue(
    [tool("draw", declared=True), tool("s/send_mail", "Sends mail.")],
    methods=[method("circle", ["draw"], name="Circle", description="A ring")],
)


def test_toolbench_means_per_tier_and_over_all_cases():
    questions = [
        Question("1", "a ring", ("draw",), {}, "T1"),
        Question("2", "send mail", ("draw",), {}, "T1"),
        Question("3", "send mail", ("s/send_mail",), {}, "T2"),
    ]
    index = SearchIndex.build(SMALL)

    (result,) = toolbench.run(questions, [SearchMethod.BM25], index=index, graph=None)

    assert [(tier.tier, tier.cases, tier.values[0]) for tier in result.tiers] == [
        ("T1", 2, 0.5),
        ("T2", 1, 1.0),
        ("all", 3, pytest.approx(2 / 3)),
    ]
    assert 0 < result.p50_ms <= result.p95_ms
    assert result.from_graph == 3


def test_a_development_set_is_scored_with_its_alternatives():
    question = Question("1", "send mail", ("other/send",), {"other/send": ["s/send_mail"]}, "")

    result = retrieval.evaluate_set(Dataset("small", SMALL, (question,)), method=SearchMethod.AUTO)

    assert result.values == (1.0, 1.0, 1.0, 1.0, 1.0)


def test_an_unknown_development_set_is_refused_with_those_there_are(tmp_path):
    with pytest.raises(InvalidInputError, match="no set 'nope'; sets are ultratool, toollens"):
        retrieval.evaluate(tmp_path, ["nope"], method=SearchMethod.AUTO)


def test_means_come_only_with_all_of_their_sets():
    results = [retrieval.SetResult(name, 1, 1, (0.5,) * 5, 0, 0, 0) for name in retrieval.TUNE]

    assert retrieval.means(results) == {"TUNE": (0.5,) * 5}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_toolbench(tmp_path)


def test_the_command_prints_every_method_and_tier_as_json(data):
    result = CliRunner().invoke(app, ["toolbench", "--data", str(data), "--engine", "memory", "--json"])

    assert result.exit_code == 0, result.output
    printed = json.loads(result.stdout)
    assert (printed["engine"], printed["tools"]) == ("memory", 3)
    assert [entry["method"] for entry in printed["methods"]] == ["bm25", "kg_hybrid", "auto"]
    for entry in printed["methods"]:
        first = {tier: row["R@1"] for tier, row in entry["tiers"].items()}
        assert (first["T1"], first["T2"], set(first)) == (1, 1, {"T1", "T2", "T3", "T4", "T5", "T6", "all"})


def test_the_publications_tables_are_printed_with_its_values_beside(data):
    result = CliRunner().invoke(
        app, ["toolbench", "--data", str(data), "--track", "a", "--tokens", "paper", "--json"]
    )

    assert result.exit_code == 0, result.output
    tables = {table["title"].split(":")[0]: table for table in json.loads(result.stdout)}
    rows = tables["Table 2"]["rows"]
    published = rows[[row[0] for row in rows].index("bm25:paper") + 1]
    assert published == ["  published", ".567", ".775", ".854", ".757", ".783", ""]
    assert [row[0] for row in tables["Table 5, variants of KG-Hybrid"]["rows"]][::2][:3] == [
        "full",
        "NoPPR",
        "TextOnly",
    ]


def test_the_command_prints_a_table(data):
    result = CliRunner().invoke(
        app, ["toolbench", "--data", str(data), "--engine", "memory", "--queries-limit", "1"]
    )

    assert result.exit_code == 0, result.output
    assert "kg_hybrid" in result.stdout
    assert "T2" not in result.stdout
