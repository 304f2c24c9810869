"""What a peer is given, and how its names become ids of tools."""

import json
from pathlib import Path

from bench.methods.peers import rank_bm25
from bench.peer.methods import graph_tool_call, peer_names, peer_run, peer_servers
from bench.peer.process import PeerAnswer
from bench.sets.datasets import Dataset, Question, catalogue_of, plain_tool
from tests.unit.bench.samples import PEER_LINES, bakery, interpreter, peer
from tests.unit.catalogues import catalogue, method, tool

TWO = catalogue_of(
    [
        plain_tool(id="a/list", server="a", name="list", description="List a."),
        plain_tool(id="b/list", server="b", name="list", description="List b."),
        plain_tool(id="b/get", server="b", name="get", description="Get b."),
    ]
)


def test_a_name_of_two_servers_is_told_apart() -> None:
    """The peer keeps one tool a name: without the server before it, one of them would be lost."""
    assert peer_names(TWO) == {"a/list": "a.list", "b/get": "get", "b/list": "b.list"}


def test_tools_are_given_by_server() -> None:
    """As each server's answer to tools/list would be; its own sets without names of servers."""
    given = {server["name"]: server["tools"] for server in peer_servers(Dataset("set", TWO, ()))}

    assert {name: [one["name"] for one in tools] for name, tools in given.items()} == {
        "a": ["a.list"],
        "b": ["get", "b.list"],
    }
    assert [server["name"] for server in peer_servers(Dataset("gtc:set", TWO, ()))] == [None, None]


def test_texts_of_methods_are_in_the_description() -> None:
    """The peer knows no taxonomy; what it says of a tool is not kept from it."""
    known = catalogue(
        tools=[tool("pan", "A pan.")], methods=[method("fry", ["pan"], description="Fry an egg.")]
    )

    given = peer_servers(Dataset("set", known, ()))

    assert "A pan." in given[0]["tools"][0]["description"]
    assert "Fry an egg." in given[0]["tools"][0]["description"]


def test_schemas_of_old_drafts_are_given_in_the_new_form() -> None:
    """`required: true` inside a property makes it fail; names of what is required are kept."""
    schema = {
        "type": "object",
        "required": ["egg"],
        "properties": {
            "egg": {"type": "object", "required": True, "properties": {"size": {"required": False}}}
        },
    }
    pan = plain_tool(id="pan", server="", name="pan", description="", input_schema=json.dumps(schema))

    given = peer_servers(Dataset("set", catalogue_of([pan]), ()))[0]["tools"][0]["inputSchema"]

    assert given["required"] == ["egg"]
    assert given["properties"] == {"egg": {"type": "object", "properties": {"size": {}}}}


def test_its_names_are_our_ids() -> None:
    """What it did not answer is an empty ranking; a name that is none of ours stays as it is, and is no hit."""
    questions = tuple(Question(str(place), "list", ("a/list",), {}, "") for place in range(3))
    rows = [
        {"ingest_s": 1.5, "calls": {}},
        {"names": ["b.list", "a.list", "strange"], "ms": 2.0},
        {"names": [], "ms": 3.0},
    ]
    answer = PeerAnswer(rows, finished=False, note="did not finish in 9 s")

    run = peer_run(Dataset("set", TWO, questions), answer, from_document=False)

    assert run.rankings == (("b/list", "a/list", "strange"), (), ())
    assert (run.ms, run.build_s, run.finished) == ((2.0, 3.0), 1.5, False)
    assert run.note == "did not finish in 9 s; 2 of 3 questions answered"


def test_operations_are_told_by_method_and_path() -> None:
    """Of a document, its names are its own; the call says which tool is meant."""
    operation = plain_tool(id="pets", server="", name="pets", description="", method="GET", path="/pets")
    questions = (Question("1", "pets", ("pets",), {}, ""),)
    rows = [{"ingest_s": 0.1, "calls": {"list_pets": "GET /pets"}}, {"names": ["list_pets"], "ms": 1.0}]

    run = peer_run(
        Dataset("set", catalogue_of([operation]), questions), PeerAnswer(rows, True, ""), from_document=True
    )

    assert run.rankings == (("pets",),)


def test_a_peer_that_says_nothing_has_no_figures(tmp_path: Path) -> None:
    """It failed before it had read the tools."""
    run = peer(tmp_path, "sys.exit('no room')").run(bakery())

    assert run.finished is False
    assert run.note == "failed with status 1: no room; 0 of 6 questions answered"
    assert set(run.rankings) == {()}


def test_an_interpreter_without_it_is_left_out(tmp_path: Path) -> None:
    """No version, no peer."""
    assert graph_tool_call(tmp_path, None, seconds=1) == []
    assert graph_tool_call(tmp_path, interpreter(tmp_path, "sys.exit(1)"), seconds=1) == []
    found = graph_tool_call(tmp_path, interpreter(tmp_path, "print('9.9')"), seconds=1)
    assert [(one.name, one.version) for one in found] == [("gtc-default", "9.9"), ("gtc-graphify", "9.9")]


def test_it_is_asked_every_question(tmp_path: Path) -> None:
    """One process for a set."""
    run = peer(tmp_path, *PEER_LINES).run(bakery())

    assert len(run.rankings) == len(run.ms) == 6
    assert run.finished
    assert set(run.rankings[0]) == {tool.id for tool in bakery().catalogue.tools}


def test_the_library_rank_bm25_is_used_as_it_is() -> None:
    """Words are split at blanks: a name with an underscore is one word."""
    run = rank_bm25().run(bakery())

    by_text = dict(zip((one.text for one in bakery().questions), run.rankings, strict=True))
    assert by_text["bake a loaf of bread"][0] == "shop/bake_bread"
