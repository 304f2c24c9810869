"""Random catalogues and policies, the same catalogue with the hidden nodes taken out, and what is asked of both."""

import copy
import json
import random
import re
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from starlette.testclient import TestClient

from app.domain.access.callers import CallerEntry, CallerList, CallerScope, digest_of
from app.domain.access.rules import Act, Rule, RuleBook, matcher
from app.domain.flows.labels import counting, labels_of
from app.domain.nodes.models import EdgeKind, Label, NodeKind, ToolId
from app.domain.workflows.plans import Plan, PlanStep
from app.domain.workflows.stored import Workflow
from app.usecases.index.encoding import ToolEncoder
from app.usecases.workflow_health import put_workflows
from tests.fakes import InMemoryGraph
from tests.ingest_cases import Graph, ingest, manifest, taxonomy
from tests.service import client, wait_until

TOKEN = "oft_" + "a" * 43
ADMIN_TOKEN = "oft_" + "b" * 43
_VERBS = ("get", "list", "create", "cancel", "refund", "export", "send", "update")
_NOUNS = ("order", "payment", "customer", "parcel", "invoice", "ticket", "message", "report")


def caller_list(scopes: Sequence[CallerScope] = (*(set(CallerScope) - {CallerScope.ADMIN}),)) -> CallerList:
    """One caller in the group `staff`, and one who administers."""
    return CallerList.of(
        [
            CallerEntry("bot", digest_of(TOKEN), frozenset({"staff"}), frozenset(scopes)),
            CallerEntry("admin", digest_of(ADMIN_TOKEN), frozenset({"staff"}), frozenset(CallerScope)),
        ]
    )


@dataclass
class Book:
    """Rules that a test changes while the service runs."""

    rules: RuleBook = field(default_factory=RuleBook)

    def now(self) -> RuleBook:
        """The rules of now."""
        return self.rules


def random_graph(seed: int) -> InMemoryGraph:
    """Up to 8 servers and 60 tools, two taxonomies, workflows; some of it changed since the first ingest."""
    graph = InMemoryGraph()
    fill(graph, seed)
    return graph


def fill(graph: Graph, seed: int) -> None:
    """Put a random catalogue into an empty graph."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        servers = [f"s{at}" for at in range(chance.randint(3, 8))]
        tools: list[str] = []
        inputs = []
        for server in servers:
            names = sorted(
                {f"{chance.choice(_VERBS)}_{chance.choice(_NOUNS)}" for _ in range(chance.randint(1, 8))}
            )
            tools += [f"{server}/{name}" for name in names]
            inputs.append(manifest(place, server, *(_tool(name, chance) for name in names)))
        for at in range(2):
            inputs.append(taxonomy(place, f"tax{at}", **_taxonomy(at, tools, chance)))
        ingest(graph, *inputs)
        changed = chance.choice(servers)
        names = [one.partition("/")[2] for one in tools if one.startswith(f"{changed}/")]
        _store_workflows(graph, tools, chance)
        ingest(graph, manifest(place, changed, *(_tool(name, chance) for name in names)))


def _store_workflows(graph: Graph, tools: Sequence[str], chance: random.Random) -> None:
    stored = []
    for at in range(3):
        called = chance.sample(list(tools), min(len(tools), 2))
        steps = [PlanStep(position=place, tool_id=ToolId(one)) for place, one in enumerate(called, start=1)]
        if at == 2:
            steps.append(PlanStep(position=len(steps) + 1, workflow_id="w0"))
        goal = f"{chance.choice(_VERBS)} the {chance.choice(_NOUNS)}"
        stored.append(Workflow(id=f"w{at}", name=f"flow {at}", plan=Plan(goal=goal, steps=tuple(steps))))
    with graph.lease(owner="tests:1:0", wait_s=1.0) as lease:
        lease.begin()
        put_workflows(lease, stored)
        lease.finish()


def _tool(name: str, chance: random.Random) -> dict[str, object]:
    verb, noun = name.split("_")
    other = chance.choice(_NOUNS)
    properties = {f"{noun}_id": {"type": "string"}} if verb not in {"list", "create"} else {}
    properties[chance.choice(["limit", "note", f"{other}_id"])] = {
        "type": "string",
        "description": f"Of the {other}",
    }
    output = {
        "type": "object",
        "properties": {f"{noun}_id": {"type": "string"}, f"{other}_id": {"type": "string"}},
    }
    return {
        "name": name,
        "description": f"{verb.title()}s the {noun} of a {other} {chance.choice(['now', 'later', 'by mail', ''])}",
        "inputSchema": {
            "type": "object",
            "properties": properties,
            "required": [one for one in properties if one.endswith("_id")][:1],
        },
        "outputSchema": output,
        "annotations": {"readOnlyHint": verb in {"get", "list"}},
    }


def _taxonomy(at: int, tools: Sequence[str], chance: random.Random) -> dict[str, object]:
    def some(most: int) -> list[str]:
        return chance.sample(list(tools), min(len(tools), chance.randint(1, most)))

    methods = [
        {
            "id": f"m{at}_{number}",
            "name": f"{chance.choice(_VERBS)} a {chance.choice(_NOUNS)}",
            "description": f"The {chance.choice(_NOUNS)} is to be {chance.choice(_VERBS)}ed",
            "category": f"c{at}",
            "examples": [f"please {chance.choice(_VERBS)} my {chance.choice(_NOUNS)}"],
            "implements": some(3),
            "relations": {"similar": [f"m{chance.randint(0, at)}_{chance.randint(0, 3)}"]} if number else {},
        }
        for number in range(4)
    ]
    return {
        "categories": [{"id": f"c{at}", "name": f"Category {at}"}],
        "methods": methods,
        "generators": [{"id": f"g{at}", "tool": tools[at], "description": f"{chance.choice(_NOUNS)} preset"}],
        "tools": [
            {"id": one, "categories": [f"c{at}"], "labels": {chance.choice([*Label]): chance.random() < 0.7}}
            for one in some(2)
        ],
        "templates": [{"id": f"t{at}", "surface": f"my {chance.choice(_NOUNS)} never came", "uses": some(4)}],
        "concepts": [
            {
                "id": f"k{at}",
                "description": f"{chance.choice(_NOUNS)} trouble",
                "related_to": [f"m{at}_0", f"m{at}_1"],
            }
        ],
    }


def random_rules(seed: int, graph: InMemoryGraph) -> RuleBook:
    """Grants by source, pattern, category and mark, and sometimes a denial."""
    chance = random.Random(seed)
    sources = sorted(one for one in graph.known_sources if not one.startswith("common:"))
    manifests = [one for one in sources if one.startswith("manifest:")]
    taxonomies = [one for one in sources if one.startswith("taxonomy:")]
    staff = frozenset({"staff"})
    chosen = chance.sample(manifests, chance.randint(1, len(manifests)))
    chosen += chance.sample(taxonomies, chance.randint(0, len(taxonomies)))
    acts = chance.choice([{Act.FIND}, {Act.PLAN}, {Act.CALL}, {Act.PLAN}])
    rules = [Rule("one", staff, may=frozenset(acts), sources=tuple(chosen))]
    if chance.random() < 0.5:
        pattern = chance.choice(
            [f"*/{chance.choice(_VERBS)}_*", f"s{chance.randint(0, 4)}/*", f"*_{chance.choice(_NOUNS)}"]
        )
        rules.append(Rule("two", staff, may=frozenset({Act.PLAN}), tools=(pattern,)))
    if chance.random() < 0.3:
        rules.append(Rule("three", staff, may=frozenset({Act.PLAN}), categories=("c0",), read_only=True))
    if chance.random() < 0.5:
        pattern = f"*/{chance.choice(_VERBS)}_*"
        act = chance.choice([Act.FIND, Act.PLAN])
        rules.append(Rule("four", frozenset({"*"}), deny=frozenset({act}), tools=(pattern,)))
    if chance.random() < 0.4:
        labels = tuple(chance.sample([*Label], 2))
        act = chance.choice([Act.FIND, Act.PLAN, Act.CALL])
        denies = chance.random() < 0.7
        rules.append(
            Rule("five", staff, deny=frozenset({act}), labels=labels)
            if denies
            else Rule("five", staff, may=frozenset({act}), labels=labels)
        )
    return RuleBook(tuple(rules))


EVERYTHING = RuleBook((Rule("all", frozenset({"staff"}), may=frozenset({Act.CALL}), tools=("*",)),))


def visible_tools(graph: InMemoryGraph, book: RuleBook, act: Act) -> set[str]:
    """What rules leave, tool by tool: written without any of the product's masks."""
    categories = _categories(graph)
    labels = {str(one.id): counting(labels_of(one)) for one in graph.catalogue().tools}
    granted, denied = set(), set()
    for tool_id, node in graph.nodes[NodeKind.TOOL].items():
        provided = [one for key, one in graph.provided.items() if key[:2] == (NodeKind.TOOL, tool_id)]
        owners = {one.source for one in provided if not one.declares} or {one.source for one in provided}
        for rule in book.rules:
            fits = (
                (not rule.tools or any(matcher(one)(tool_id) for one in rule.tools))
                and (
                    not rule.sources or any(matcher(one)(source) for one in rule.sources for source in owners)
                )
                and (not rule.categories or bool(categories[tool_id] & set(rule.categories)))
                and (not rule.labels or bool(labels[tool_id] & set(rule.labels)))
                and (rule.read_only is None or (node.get("read_only") is True) == rule.read_only)
            )
            if fits and act in rule.granted:
                granted.add(tool_id)
            if fits and act in rule.denied:
                denied.add(tool_id)
    return granted - denied


def _categories(graph: InMemoryGraph) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {one: set() for one in graph.nodes[NodeKind.TOOL]}
    of_method = {
        edge.source: edge.target
        for edge in graph.edges
        if edge.form.kind is EdgeKind.BELONGS_TO and edge.form.source is NodeKind.METHOD
    }
    for edge in graph.edges:
        if edge.form.kind is EdgeKind.BELONGS_TO and edge.form.source is NodeKind.TOOL:
            found[edge.source].add(edge.target)
        if edge.form.kind is EdgeKind.IMPLEMENTS and edge.source in of_method:
            found[edge.target].add(of_method[edge.source])
        if edge.form.kind is EdgeKind.IMPLEMENTS and edge.target in of_method:
            found[edge.source].add(of_method[edge.target])
    return found


def taken_out(graph: InMemoryGraph, book: RuleBook, act: Act = Act.FIND) -> InMemoryGraph:
    """A copy without what the rules keep from being found, or planned with."""
    lock, graph.lock = graph.lock, None  # type: ignore[assignment]
    try:
        left = copy.deepcopy(graph)
    finally:
        graph.lock = lock
    left.lock = type(lock)()  # type: ignore[assignment]
    tools = visible_tools(graph, book, Act.FIND) & visible_tools(graph, book, act)
    sources = {
        source
        for source in graph.known_sources
        for rule in book.rules
        if rule.granted and any(matcher(one)(source) for one in rule.sources)
    }
    # Which labels are theirs is not kept: of a tool that a hidden taxonomy names none is told.
    untold = {
        key[1]
        for key, one in graph.provided.items()
        if key[0] is NodeKind.TOOL and one.source.startswith("taxonomy:") and one.source not in sources
    }
    for key, one in left.provided.items():
        if key[0] is NodeKind.TOOL and key[1] in untold:
            left.provided[key] = one.model_copy(update={"labels": ()})
    gone: dict[NodeKind, set[str]] = {NodeKind.TOOL: set(graph.nodes[NodeKind.TOOL]) - tools}
    seen: dict[NodeKind, set[str]] = {NodeKind.TOOL: tools}
    for kind, leads_by in (
        (NodeKind.METHOD, EdgeKind.IMPLEMENTS),
        (NodeKind.TEMPLATE, EdgeKind.USES),
        (NodeKind.CONCEPT, EdgeKind.RELATED_TO),
        (NodeKind.CATEGORY, EdgeKind.BELONGS_TO),
        (NodeKind.EXAMPLE, EdgeKind.HAS_EXAMPLE),
        (NodeKind.GENERATOR, EdgeKind.USES),
    ):
        seen[kind] = {
            one
            for one in graph.nodes[kind]
            if _is_provided(graph, kind, one, sources) and _leads_to(graph, kind, one, leads_by, seen)
        }
        gone[kind] = set(graph.nodes[kind]) - seen[kind]
    workflows = {one.id: one for one in graph.workflows()}

    def is_whole(one: Workflow) -> bool:
        return all(
            is_whole(workflows[step.workflow_id]) if step.workflow_id else step.tool_id in tools
            for step in one.steps
        )

    gone[NodeKind.WORKFLOW] = {name for name, one in workflows.items() if not is_whole(one)}
    if any(gone.values()):
        with left.lease(owner="tests:1:0", wait_s=1.0) as lease:
            lease.begin()
            for kind, ids in gone.items():
                lease.remove_nodes(kind, sorted(ids))
            lease.finish()
    return left


def _is_provided(graph: InMemoryGraph, kind: NodeKind, node: str, sources: set[str]) -> bool:
    provided = [one.source for key, one in graph.provided.items() if key[:2] == (kind, node)]
    # Examples hang on their methods, and categories may be named alone.
    return kind is NodeKind.EXAMPLE or any(one in sources for one in provided)


def _leads_to(
    graph: InMemoryGraph, kind: NodeKind, node: str, by: EdgeKind, seen: Mapping[NodeKind, set[str]]
) -> bool:
    for edge in graph.edges:
        if edge.form.kind is not by:
            continue
        ends = {(edge.form.source, edge.source), (edge.form.target, edge.target)}
        if (kind, node) in ends:
            ((other_kind, other),) = ends - {(kind, node)}
            if other in seen.get(other_kind, ()):
                return True
    return False


@contextmanager
def asked_as(graph: Graph, book: Book, token: str = TOKEN) -> Iterator[TestClient]:
    """A client of the service as a caller of `caller_list`."""
    encoder = ToolEncoder(WordEncoder())
    with client(graph, callers=caller_list, rules=book.now, encoder=encoder) as opened:
        opened.headers["Authorization"] = f"Bearer {token}"
        wait_until(lambda: opened.get("/v1/facets").status_code == 200 and _is_encoded(opened))
        yield opened


def _is_encoded(opened: TestClient) -> bool:
    status = opened.get("/v1/status").json()
    return bool(status["meaning"] and status["meaning"]["encoded"] == status["tools"])


class WordEncoder:
    """Texts with a word in common are close."""

    model = "words"
    dimensions = 32

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One place for each word."""
        found = np.full((len(texts), self.dimensions), 0.01, np.float32)
        for row, text in zip(found, texts, strict=True):
            for word in text.lower().split():
                row[zlib.crc32(word.encode()) % self.dimensions] += 1
        return found / np.linalg.norm(found, axis=1, keepdims=True)


@dataclass(frozen=True)
class Question:
    """A request, and what it is about."""

    method: str
    path: str
    body: Any = None

    @property
    def is_planning(self) -> bool:
        """Whether it is answered from what may be planned with."""
        return self.path.startswith("/v1/plan") or "plan_workflow" in json.dumps(self.body)

    def ask(self, opened: TestClient) -> tuple[int, str, list[tuple[str, str]]]:
        """Status, body and headers, without what differs between any two answers."""
        headers = {"Accept": "application/json, text/event-stream"} if self.path == "/mcp" else {}
        answer = opened.request(self.method, self.path, json=self.body, headers=headers)
        return answer.status_code, _settled(answer.text), _settled_headers(answer.headers)


_VARYING = (
    re.compile(r'"(generation|graph_generation|took_ms|snapshot_age_s)": ?[\d.e-]+'),
    re.compile(r'\\"(generation|took_ms)\\": ?[\d.e-]+'),
    re.compile(r'"(request_id|graph_generation_at|at|updated_at)": ?"[^"]*"'),
)


def _settled(text: str) -> str:
    for one in _VARYING:
        text = one.sub(r'"\1": 0', text)
    return text


def _settled_headers(headers: Mapping[str, str]) -> list[tuple[str, str]]:
    left_out = {"x-request-id", "date", "content-length", "etag"}
    return sorted((name, value) for name, value in headers.items() if name.lower() not in left_out)


def questions(seed: int, graph: InMemoryGraph) -> list[Question]:
    """What is asked: every route of REST that reads, and every tool of the MCP server; of hidden tools as of others."""
    chance = random.Random(seed)
    tools = sorted(graph.nodes[NodeKind.TOOL])
    some = chance.sample(tools, min(3, len(tools)))
    text = f"{chance.choice(_VERBS)} the {chance.choice(_NOUNS)} of my {chance.choice(_NOUNS)}"
    rare = f"{chance.choice(_NOUNS)} zzz"
    plan = {
        "goal": text,
        "steps": [{"position": at, "tool_id": tool} for at, tool in enumerate(some, start=1)],
    }
    return [
        *(
            Question("POST", "/v1/query", {"query": text, "method": method, "explain": True, "top_k": 8})
            for method in ("auto", "bm25", "kg_hybrid")
        ),
        Question("POST", "/v1/query", {"query": rare, "schemas": True, "order": "blocks"}),
        Question("POST", "/v1/query", {"query": text, "format": "openai"}),
        Question("POST", "/v1/query", {"query": text, "format": "anthropic"}),
        Question("POST", "/v1/query", {"query": "qqqq", "filters": {"read_only": True}}),
        Question("POST", "/v1/query", {"query": text, "filters": {"servers": ["s1"]}}),
        Question("POST", "/v1/query", {"query": text, "filters": {"servers": ["s"]}}),
        Question("POST", "/v1/query", {"query": text, "filters": {"categories": ["c9"]}}),
        Question("POST", "/v1/explain", {"query": text, "tools": some[:1]}),
        Question("POST", "/v1/explain", {"query": rare, "tools": some[1:2] or some}),
        Question("POST", "/v1/plan", {"goal": text}),
        Question("POST", "/v1/plan", {"goal": f"{rare}, then {text}", "known": {"order_id": "o-1"}}),
        Question("POST", "/v1/plan/edit", {"plan": plan}),
        Question("POST", "/v1/plan/edit", {"plan": plan, "edit": {"edit": "add", "calls": some[-1]}}),
        Question("POST", "/v1/plan/choices", {"plan": plan, "step": 1, "parameter": "order_id"}),
        Question("POST", "/v1/plan/validate", {"plan": plan}),
        Question("POST", "/v1/plan/export?format=arazzo", {"plan": plan}),
        Question("POST", "/v1/plan/export?format=mermaid", {"plan": plan}),
        Question("GET", "/v1/tools?limit=5"),
        Question("GET", f"/v1/tools?q={chance.choice(_NOUNS)}&limit=500"),
        *(Question("GET", f"/v1/tools/{one}") for one in (*some, some[0][:-1])),
        Question("GET", "/v1/facets"),
        Question("GET", f"/v1/find?q={chance.choice(_NOUNS)[:3]}"),
        Question("GET", "/v1/find?q=m0"),
        Question("GET", f"/v1/neighbours/{some[0]}?depth=2"),
        Question("GET", "/v1/neighbours/m0_1?depth=3&limit=20"),
        Question("GET", "/v1/neighbours/c0?per_kind=2"),
        Question("GET", f"/v1/nodes/Method/m{chance.randint(0, 1)}_{chance.randint(0, 4)}"),
        Question("GET", "/v1/nodes/Category/c0"),
        Question("GET", "/v1/nodes/Template/t1"),
        Question("GET", "/v1/nodes/Concept/k0"),
        Question("GET", "/v1/sources"),
        Question("GET", "/v1/changes"),
        Question("GET", f"/v1/changes?tool={some[0]}"),
        Question("GET", "/v1/sources/manifest:s1/changes"),
        Question("GET", "/v1/workflows"),
        *(Question("GET", f"/v1/workflows/w{at}") for at in range(3)),
        Question("POST", "/v1/workflows/w2/validate"),
        Question("GET", "/v1/neighbours/w2?kinds=STEP"),
        Question("GET", "/v1/nodes/Generator/g0"),
        Question(
            "POST", "/v1/query", {"query": f"please {chance.choice(_VERBS)} my {chance.choice(_NOUNS)}"}
        ),
        Question("GET", "/v1/status"),
        Question("GET", "/v1/unmet"),
        Question("GET", "/metrics"),
        Question("GET", "/readyz"),
        _mcp("tools/list", {}),
        _mcp("server/discover", {}),
        _mcp(
            "initialize",
            {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"},
            },
        ),
        _tool_call("search_tools", {"query": text}),
        _tool_call("plan_workflow", {"goal": text}),
        _tool_call("describe_tool", {"id": some[0], "request": rare}),
        _tool_call("list_sources", {}),
    ]


def _tool_call(name: str, arguments: Mapping[str, Any]) -> Question:
    return _mcp("tools/call", {"name": name, "arguments": dict(arguments)})


def _mcp(method: str, params: Mapping[str, Any]) -> Question:
    return Question("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params)})


def difference(question: Question, one: TestClient, other: TestClient) -> str:
    """Why two services do not answer alike; empty when they do."""
    found, expected = question.ask(one), question.ask(other)
    if found == expected:
        return ""
    return json.dumps(
        {"asked": [question.method, question.path, question.body], "got": found, "expected": expected},
        indent=1,
    )


def compare(catalogues: int, policies: int, *, first: int = 0) -> tuple[int, list[str]]:
    """How many answers were compared, and the differences.

    Args:
        catalogues: How many random graphs.
        policies: How many random files of rules for each.
        first: The seed of the first graph.
    """
    compared, differences = 0, []
    everything = Book(EVERYTHING)
    for seed in range(first, first + catalogues):
        graph, book = random_graph(seed), Book()
        with asked_as(graph, book) as under_policy:
            for at in range(policies):
                book.rules = random_rules(100 * seed + at, graph)
                with (
                    asked_as(taken_out(graph, book.rules), everything) as found,
                    asked_as(taken_out(graph, book.rules, Act.PLAN), everything) as planned,
                ):
                    for question in questions(1000 * seed + at, graph):
                        without = planned if question.is_planning else found
                        compared += 1
                        if said := difference(question, under_policy, without):
                            differences.append(said)
    return compared, differences
