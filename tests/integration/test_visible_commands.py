"""Every command prints what is visible, whatever the graph, the files and the words of the command hold."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import typer.main

from app.adapters.engine.embedded import EmbeddedEngine
from app.adapters.graph.store import GraphEngine, GraphStore
from app.commands.main import app, main
from app.domain.findings.patterns import Tier
from app.domain.findings.scan import TextFinding
from app.domain.language.visible_text import HIDDEN, has_hidden
from app.domain.nodes.models import EdgeRow, NodeKind, NodeRow, Provision, Source, SourceId, ToolId
from app.domain.nodes.syncs import Change, Severity, SyncRecord, SyncStatus, ToolChange
from app.domain.review.definitions import DefinedEdge, ToolDefinition
from app.domain.review.records import Review, ReviewState
from app.domain.unmet.entries import UnmetEntry, UnmetKind
from app.domain.workflows.plans import (
    InputBinding,
    KnownBinding,
    Plan,
    PlanInput,
    PlanStep,
    PlanWarning,
    Select,
    Sort,
    StepBinding,
    UnmetTask,
    UnusedValue,
    When,
    Where,
)
from app.domain.workflows.stored import Workflow
from app.usecases.workflow_health import put_workflows
from ingest.enrich.requests.kept import HAS_REQUEST
from tests import lying_server

HOSTILE = "".join(
    chr(code)
    for first, last, _ in HIDDEN
    for code in (first or 1, last)
    if not 0xD800 <= code <= 0xDFFF  # no database keeps halves of pairs
)
BAD = f"[red]\x1b]52;c;eA==\x07{HOSTILE}\x1b[31m"
SOURCE = SourceId(f"manifest:shop{BAD}")
TOOL = ToolId(f"shop/refund{BAD}")
Words: TypeAlias = list[str]
Cases: TypeAlias = Callable[[Path], list[Words]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A graph as one is that was filled from anything: every text that is printed holds the whole set."""
    data = tmp_path_factory.mktemp("data")
    with EmbeddedEngine(data) as engine:
        with GraphStore(engine.open, engine=GraphEngine.EMBEDDED) as graph:
            graph.apply_schema()
            with graph.lease(owner="tests:1:0", wait_s=5) as lease:
                lease.begin()
                _poison(lease)
                lease.finish()
        yield data


def _poison(lease: Any) -> None:
    facts = {
        "kind": "manifest",
        "uri": f"file:///{BAD}",
        "version": BAD,
        "content_hash": "",
        "synced_at": "2026",
    }
    sick = {"healthy": False, "problem": BAD, "problem_said": BAD, "problem_at": "2026"}
    lease.put_sources([Source(id=SOURCE, name="shop", **facts, **sick)])
    schema = {"type": "object", "properties": {f"id{BAD}": {"type": "string", "description": BAD}}}
    properties = {
        **{
            "server": "shop",
            "name": f"refund{BAD}",
            "title": f"Refund {BAD}",
            "description": f"Refund it {BAD}",
        },
        **{"input_schema": json.dumps(schema, ensure_ascii=False), "declared": False, "deprecated": False},
        "content_hash": "x",
    }
    lease.put_nodes(NodeKind.TOOL, [NodeRow(id=TOOL, properties=properties)])
    lease.put_provisions(
        [Provision(kind=NodeKind.TOOL, id=TOOL, source=SOURCE, content_hash="x", declares=False)]
    )
    said = {"text": BAD, "language": BAD, "model": BAD, "at": BAD, "basis": BAD, "evidence": "generated"}
    lease.put_nodes(NodeKind.EXAMPLE, [NodeRow(id="request:x:00", properties=said)])
    lease.put_edges(
        HAS_REQUEST, [EdgeRow(source=TOOL, target="request:x:00", properties={"evidence": "generated"})]
    )
    change = ToolChange(id=TOOL, change=Change.UPDATED, severity=Severity.BREAKING, reasons=(BAD,))
    record = {"source": SOURCE, "at": "2026", "generation": 1, "problem": BAD, "problem_said": BAD}
    lease.put_syncs(
        [
            SyncRecord(**record, number=1, status=SyncStatus.CHANGED, tools=(change,), tools_changed=1),
            SyncRecord(**record, number=2, status=SyncStatus.FAILED),
        ]
    )
    step = PlanStep(
        position=1,
        tool_id=TOOL,
        purpose=f"refund {BAD}",
        bindings={f"id{BAD}": InputBinding(input=f"id{BAD}"), "x": KnownBinding(known=BAD)},
        alternatives=(TOOL,),
    )
    select = Select(
        by="each",
        where=(Where(field=BAD, value=BAD),),
        except_=(BAD,),
        sort=Sort(field=BAD),
    )
    last = step.model_copy(
        update={
            "position": 2,
            "bindings": {"x": StepBinding(step=1, path=f"/*/{BAD}", select=select)},
            "when": (When(step=1, path=f"/{BAD}", value=BAD),),
        }
    )
    plan = Plan(
        goal=f"refund {BAD}",
        steps=(step, last),
        unused=(UnusedValue(value=BAD, reason=BAD),),
        unmet=(UnmetTask(task=BAD, reason=BAD),),
        inputs=(PlanInput(name=f"id{BAD}", description=BAD),),
        warnings=(PlanWarning(code="x", message=BAD),),
    )
    lease.put_unmet(
        [
            UnmetEntry(
                id="a" * 32,
                kind=UnmetKind.REQUEST,
                text=f"zzz {BAD}",
                near=(TOOL,),
                count=1,
                first_at="9026",
                last_at="9026",
            )
        ]
    )
    finding = TextFinding("shell", Tier.HARD, BAD, BAD, BAD)
    defined = ToolDefinition({"name": BAD, "description": BAD}, (DefinedEdge(BAD, BAD, BAD, {}),)).text
    lease.put_reviews(
        [
            Review(
                id=TOOL,
                source=SOURCE,
                state=ReviewState.CHANGED,
                approved_hash="a" * 64,
                approved=ToolDefinition({"name": "x"}).text,
                seen_hash="b" * 64,
                seen=defined,
                by=BAD,
                reason=BAD,
                findings=(finding,),
            )
        ]
    )
    put_workflows(lease, [Workflow(id="kept", name=BAD, plan=plan, broken=True, reason=BAD)])


def _tables(*words: str) -> Cases:
    return lambda _: [list(words), [*words, "--json"]]


def _documents(kind: str, document: dict[str, Any]) -> Cases:
    def words(tmp: Path) -> list[Words]:
        path = tmp / f"{kind}.json"
        path.write_text(json.dumps(document))
        broken = tmp / f"broken{kind}\x9b.json"
        broken.write_text(json.dumps({BAD: BAD}))
        return [
            ["ingest", kind, str(one), "--dry-run", *form]
            for one in (path, broken)
            for form in ((), ("--json",))
        ]

    return words


def _sync(tmp: Path) -> list[Words]:
    file = tmp / "sources\x1b.yaml"
    file.write_text(json.dumps({"sources": [{"id": "x", "kind": "what", BAD: BAD}, {"id": BAD}]}))
    return [["sync", str(file)], ["sync", str(file), "--json"], ["sync", str(tmp / BAD[:9])]]


def _cases_file(tmp: Path) -> list[Words]:
    file = tmp / "cases.jsonl"
    file.write_text(json.dumps({"query": f"zzz{HOSTILE}", "gold": [TOOL], "id": BAD}))
    words = ["bench", "query", "--cases", str(file)]
    return [words, [*words, "--json"]]


def _goals_files(tmp: Path) -> list[Words]:
    """Goals over a document whose texts hold everything; a folder without any."""
    operation = {"operationId": "pay", "summary": BAD, "responses": {}}
    (tmp / "openapi" / "specs").mkdir(parents=True)
    document = {"openapi": "3.1.0", "paths": {"/a": {"post": operation}}}
    (tmp / "openapi" / "specs" / "shop.json").write_text(json.dumps(document))
    goal = {"id": BAD, "server": "shop", "goal": f"pay {BAD}", "steps": [{"op": f"GET /{BAD}"}]}
    question = {"id": BAD, "server": "shop", "query": f"zzz {BAD}", "gold": [BAD], "kind": BAD}
    for name, row in (("goals", goal), ("questions", question)):
        (tmp / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    words = ["bench", "goals", "--data", str(tmp), "--goals", str(tmp / "goals.jsonl")]
    return [
        [*words, "--verbose"],
        [*words, "--json"],
        [*words, "--server", BAD],
        [*words[:3], str(tmp / BAD[:9])],
    ]


def _saved(tmp: Path) -> list[Words]:
    """Plans that are refused: their texts are quoted."""
    plan = tmp / "plan\x1b.json"
    plan.write_text(json.dumps({"goal": BAD, "steps": [{"position": 1, "tool_id": "x", "purpose": BAD}]}))
    wrong = tmp / "wrong.json"
    wrong.write_text(json.dumps({BAD: BAD}))
    return [["workflow", "save", BAD, str(plan)], ["workflow", "save", "new", str(wrong)]]


_OPERATION = {"operationId": "a", "summary": BAD, "description": BAD, "responses": {}}
_HIDDEN_NAME = {"operationId": f"b{BAD}", "responses": {}}
_STEP = {"stepId": f"s{BAD}", "operationId": "pay", "description": BAD}
_TAXONOMY = {"methods": [{"id": "a", "description": BAD}, {"id": f"b{BAD}"}, {"id": "c", "tags": [BAD]}]}
_ARAZZO = {
    "arazzo": "1.0.1",
    "sourceDescriptions": [{"name": "s", "url": f"http://s/{BAD}", "type": "openapi"}],
    "workflows": [{"workflowId": name, "summary": BAD, "steps": [_STEP]} for name in ("good", f"bad{BAD}")],
}


def _lint(tmp: Path) -> list[Words]:
    file = tmp / "taxonomy\x1b.json"
    links = {"id": "d", "category": "none", "examples": ["Do it", "Do it"]}
    file.write_text(json.dumps({**_TAXONOMY, "methods": [*_TAXONOMY["methods"], links]}))
    broken = tmp / "broken\x9b.json"
    broken.write_text(json.dumps({BAD: BAD}))
    words = ["taxonomy", "lint", str(file)]
    return [
        words,
        [*words, "--json"],
        ["taxonomy", "lint", str(broken)],
        ["taxonomy", "lint", str(tmp / BAD[:9])],
    ]


def _callers(tmp: Path) -> list[Words]:
    good, bad = tmp / "callers.yaml", tmp / "callers\x1b.json"
    good.write_text("callers: []")
    bad.write_text(json.dumps({"callers": [{"name": BAD, "sha256": BAD}]}))
    return [
        ["token", "new", BAD, "--file", str(good)],
        ["token", "new", "a", "--group", BAD, "--file", str(good)],
        ["token", "new", "a", "--file", str(bad)],
        ["token", "new", "a", "--print"],
    ]


def _policies(command: str) -> Cases:
    def cases(tmp: Path) -> list[Words]:
        good, bad = tmp / "policies.yaml", tmp / "policies\x1b.json"
        rule = {"id": "a", "to": ["*"], "may": ["find"]}
        grant = {**rule, "may": ["call"], "tools": ["*/none", "*"]}
        good.write_text(json.dumps({"policies": [grant, {**rule, "id": "b", "labels": ["external_sink"]}]}))
        bad.write_text(json.dumps({"policies": [{**rule, "tools": [BAD]}]}))
        return [["policy", command, str(good)], ["policy", command, str(bad)], ["policy", command, BAD]]

    return cases


def _restored(tmp: Path) -> list[Words]:
    file = tmp / "graph\x1b.jsonl"
    head = {"format": 1, "schema_version": 1, "generation": 1, "left_out": [BAD]}
    source = {"from": {"id": BAD, BAD: BAD}}
    file.write_text("".join(json.dumps(line) + "\n" for line in ({"backup": head}, source)))
    return [["restore", str(file)], ["restore", str(file), "--json"], ["restore", str(tmp / BAD[:9])]]


def _audit(tmp: Path) -> list[Words]:
    """A file whose lines hold everything."""
    file = tmp / "calls\x1b.jsonl"
    line = {"event": BAD, "chain": BAD, "before": BAD}
    file.write_text("".join(f"{json.dumps(one)}\n" for one in (line, line)))
    words = ["audit", "verify", str(file)]
    return [
        [*words, "--head", BAD],
        [*words, "--head", BAD, "--json"],
        ["audit", "verify", str(tmp / BAD[:9])],
    ]


def _decisions(verdict: str) -> Cases:
    """None is carried out: the hash is another."""
    words = ["review", verdict, TOOL, "--reason", BAD]
    return lambda _: [
        [*words, "--yes", "--hash", BAD],
        [*words, "--yes", "--hash", "c" * 64],
        ["review", verdict, BAD, "--reason", "x"],
        ["review", verdict, "--source", BAD, "--reason", "x"],
        ["review", verdict, "--reason", " "],
    ]


def _requests(tmp: Path) -> list[Words]:
    """Files that hold everything; a model that nobody answers for."""
    file = tmp / "said\x1b.jsonl"
    lines = [{"tool": TOOL, "requests": {"en": [f"pay it {BAD}"]}}, {"tool": BAD, "requests": {}}, {BAD: BAD}]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    words = ["enrich", "requests"]
    return [
        [*words, "--from", str(file), "--dry-run"],
        [*words, "--from", str(file), "--dry-run", "--json"],
        [*words, "--language", BAD, "--model", BAD],
        [*words, "--from", str(tmp / BAD[:9])],
    ]


CASES: dict[str, Cases] = {
    "query": lambda _: [
        ["query", "refund it", "--explain"],
        ["query", "refund it", "--json", "--schemas"],
        ["query", f"refund {BAD}"],
        ["query", "x", "--server", BAD],
        ["query", "x", "--method", BAD],
    ],
    "why-not": lambda _: [
        ["why-not", TOOL],
        ["why-not", TOOL, "--request", f"zzz {BAD}"],
        ["why-not", TOOL, "--request", f"refund {BAD}", "--json"],
        ["why-not", BAD, "--request", "refund"],
        ["why-not", TOOL, "--server", BAD],
    ],
    "unmet": lambda _: [
        ["unmet"],
        ["unmet", "--json"],
        ["unmet", "--remove", BAD],
        ["unmet", "--remove", BAD, "--clear"],
    ],
    "doctor": lambda _: [["doctor"], ["doctor", "--json"], ["doctor", BAD], ["doctor", "--model", BAD]],
    "plan": lambda tmp: [
        *(
            ["plan", f"refund it {BAD}", "--known", f"id{BAD}={BAD}", "--format", form]
            for form in ("table", "json")
        ),
        *(["plan", f"refund it {BAD}", "--format", form] for form in ("arazzo", "mermaid")),
        ["plan", f"refund {BAD}", "--store", BAD],
        ["plan", "refund", "--known", BAD],
        *(["plan", "refund", option, BAD] for option in ("--secret", "--now", "--timezone", "--tasks")),
        *(["plan", "refund", "--task", text] for text in (BAD, f"{{{BAD}", json.dumps({BAD: BAD}))),
    ],
    "sources": _tables("sources"),
    "show": lambda _: [["show", TOOL], ["show", TOOL, "--json"], ["show", f"refnd{BAD}"]],
    "changes": lambda _: [["changes", SOURCE], ["changes", SOURCE, "--json"], ["changes", BAD]],
    "review list": lambda _: [["review"], *_tables("review", "list")(Path()), ["review", "--state", BAD]],
    "review show": lambda _: [*_tables("review", "show", TOOL)(Path()), ["review", "show", BAD]],
    **{f"review {verdict}": _decisions(verdict) for verdict in ("approve", "block")},
    "confirm": lambda _: [
        ["confirm"],
        ["confirm", "--json"],
        ["confirm", BAD],
        ["confirm", "--source", BAD],
    ],
    "enrich requests": _requests,
    "backup": lambda tmp: [
        ["backup", str(tmp / "graph\x1b.jsonl.gz")],
        ["backup", str(tmp / "graph\x1b.jsonl"), "--json"],
        ["backup", str(tmp / "none" / BAD[:9])],
    ],
    "restore": _restored,
    "remove": lambda _: [
        ["remove", SOURCE, "--dry-run"],
        ["remove", SOURCE, "--dry-run", "--json"],
        ["remove", BAD],
    ],
    "sync": _sync,
    "taxonomy lint": _lint,
    "ingest taxonomy": _documents("taxonomy", _TAXONOMY),
    "ingest manifest": _documents(
        "manifest", {"tools": [{"name": "a", "title": BAD, "description": BAD}, {"name": f"b{BAD}"}, BAD]}
    ),
    "ingest openapi": _documents(
        "openapi",
        {"openapi": "3.1.0", "paths": {"/a": {"get": _OPERATION, "put": _HIDDEN_NAME}, f"/{BAD}": BAD}},
    ),
    "ingest arazzo": _documents("arazzo", _ARAZZO),
    "ingest mcp": lambda _: [
        ["ingest", "mcp", "--dry-run", "--", sys.executable, str(lying_server.__file__), f"hostile {mode}"]
        for mode in ("error",)
    ],
    "workflow list": _tables("workflow", "list"),
    "workflow show": lambda _: (
        [["workflow", "show", "kept", "--format", form] for form in ("table", "json", "arazzo", "mermaid")]
        + [["workflow", "show", BAD]]
    ),
    "workflow save": _saved,
    # Refused, because the workflow holds what may not be kept: the message quotes it.
    "workflow move": lambda _: [["workflow", "move", "kept", "1", "1"]],
    "workflow add": lambda _: [
        ["workflow", "add", "kept", TOOL, "--purpose", BAD],
        ["workflow", "add", "kept", BAD],
    ],
    "workflow remove": lambda _: [["workflow", "remove", BAD, "1"]],
    "workflow bind": lambda _: [
        ["workflow", "bind", "kept", "1", f"y{BAD}", "--known", BAD],
        *(
            ["workflow", "bind", "kept", "2", "x", "--from", "1", "--path", "/*", "--select", text]
            for text in (BAD, f"{BAD}=1", json.dumps({"by": BAD}))
        ),
    ],
    "workflow delete": lambda _: [["workflow", "delete", BAD]],
    "bench query": _cases_file,
    "bench goals": _goals_files,
    # Of a server that runs, the log is all that is printed: tests/unit/commands/test_logs.py. Here what keeps it from running.
    "token new": _callers,
    "token list": lambda tmp: [["token", "list", "--file", str(tmp / BAD[:9])]],
    "token revoke": lambda tmp: [["token", "revoke", BAD, "--file", str(tmp / "none.yaml")]],
    "token local": lambda tmp: [["token", "local", "--data-dir", str(tmp / BAD[:9])]],
    "policy check": _policies("check"),
    "policy diff": _policies("diff"),
    "policy matrix": _policies("matrix"),
    "audit verify": _audit,
    "serve": lambda _: [["serve", "--port", BAD]],
    "mcp": lambda _: [["mcp", BAD]],
    # Prints its own examples, by the console of `query`.
    "demo": lambda _: [["demo", BAD]],
    # These print by the same console and the same two writers as the others, which tests/unit/commands/test_terminal.py
    # holds for every file of bench; what they measure are public sets, so here it is only how they refuse.
    **{
        f"bench {name}": lambda tmp, name=name: [
            ["bench", name, BAD],
            ["bench", name, "--data", str(tmp / BAD[:9])],
        ]  # type: ignore[misc]
        for name in (
            "report",
            "compare",
            "toolbench",
            "scalemcp",
            "hgmf",
            "edges",
            "plans",
            "retrieval",
            "latency",
            "callers",
            "web",
            "flows",
            "findings",
            "poison",
            "leaks",
            "confidence",
        )
    },
    "bench train-encoder": lambda tmp: [
        ["bench", "train-encoder", BAD],
        ["bench", "train-encoder", "--data", str(tmp / BAD[:9]), "--out", str(tmp / f"out{BAD[:9]}")],
    ],
    "bench agent": lambda tmp: [["bench", "agent", "--tasks", str(tmp / BAD[:9])], ["bench", "agent", BAD]],
    "bench leaks-acl": lambda _: [["bench", "leaks-acl", f"--seed={BAD}"], ["bench", "leaks-acl", BAD]],
    **{
        f"bench {name}": lambda _, name=name: [["bench", name, f"--engine={BAD}"]]  # type: ignore[misc]
        for name in ("plan-latency", "load", "soak", "backup")
    },
}
"""What is run of each command."""


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Every command below one."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield " ".join(path)
    else:
        for name, each in inner.items():
            yield from commands(each, (*path, name))


def test_every_command_has_a_case() -> None:
    """A new command is looked at before it is shipped."""
    assert set(CASES) == set(commands(typer.main.get_command(app)))


@pytest.mark.parametrize("command", CASES)
def test_a_command_prints_what_is_visible(
    command: str,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Tables, JSON, Mermaid, Arazzo, reports, refusals and usage errors."""
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.setenv("OUTFITTER_DATA_DIR", str(folder))
    monkeypatch.setenv("COLUMNS", "200")
    cases = [*CASES[command](tmp_path), [*command.split(), f"--no-such-option{BAD}"]]
    printed = ""
    for words in cases:
        monkeypatch.setattr(sys, "argv", ["outfitter", *words])
        with pytest.raises(SystemExit):
            main()
        out, err = capsys.readouterr()

        printed += out + err
        assert "Traceback" not in err, err
        assert [each for each in set(out + err) if not _shows(each)] == [], words
    # Else a case would show nothing of what it is about.
    assert any(mark in printed for mark in ("\\u{1b}", "\\u001b", "\\x1b"))


def _shows(character: str) -> bool:
    return not has_hidden(character) and (
        character.isprintable() or character.isspace() or character in "\u200c\u200d\ufe0f"
    )
