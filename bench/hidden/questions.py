"""What is asked of two services that must answer alike: everything that reads."""

import json
import random
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeAlias

from app.domain.schemas.tool_formats import ToolFormat
from bench.hidden.catalogues import NOUNS, VERBS


class ReadAnswer(Protocol):
    """Of a request over HTTP."""

    @property
    def status_code(self) -> int:
        """Of the answer."""

    @property
    def text(self) -> str:
        """The body."""

    @property
    def headers(self) -> Mapping[str, str]:
        """By name."""


Settled: TypeAlias = tuple[int, str, list[tuple[str, str]]]
"""Status, body and headers, without what differs between any two answers."""
_WITH_IDS: Final = frozenset({"tools", "neighbours", "nodes", "workflows", "sources"})
_EACH: Final = 2
"""Questions of a route under one policy, where all routes get as many."""


_TEXTS: Final = (
    "{verb} the {noun} of my {other}",
    "{verb} the {noun} of my {other}",
    "my {noun} is nowhere. It came with another {other}, which is fine; {verb} the first one",
    "{verb} the {noun}, then give the money back and tell them about the {other}",
    "bitte {noun} stornieren und das Geld erstatten",
    "they want their cash for the broken {noun}",
)
"""Requests that say what tools say, and such as are near them in meaning alone: by vectors, or by common methods."""


class Asked(Protocol):
    """A client of a service; it says itself who asks."""

    def request(self, method: str, url: str, *, json: Any, headers: Mapping[str, str]) -> ReadAnswer:
        """The answer to a request."""


@dataclass(frozen=True)
class HttpQuestion:
    """A request, and what it is about."""

    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    then: "tuple[HttpQuestion, ...]" = ()
    """Asked behind it, all or none: changes that leave everything as it was."""

    @property
    def is_planning(self) -> bool:
        """Whether it is answered from what may be planned with."""
        return self.path.startswith("/v1/plan") or "plan_workflow" in json.dumps(self.body)

    @property
    def route(self) -> str:
        """What answers it: method and path, ids left out; of MCP the method, or the tool that is called."""
        if self.path == "/mcp":
            called: str = self.body["params"].get("name", "")
            return f"mcp {called or self.body['method']}"
        parts = self.path.partition("?")[0].split("/")
        if len(parts) > 3 and parts[2] in _WITH_IDS:
            last = parts[-1:] if parts[-1] in {"changes", "validate"} else []
            parts = [*parts[:3], "{id}", *last]
        return f"{self.method} {'/'.join(parts)}"

    def ask(self, opened: Asked) -> Settled:
        """The answer of a service; of several, one behind the other."""
        answers = [self._asked(opened), *(one._asked(opened) for one in self.then)]
        if self.then:
            _wait_until_read(opened, answers)
        first = answers[0]
        if len(answers) == 1:
            return first.status_code, _settled(first.text), _settled_headers(first.headers)
        said = json.dumps([[one.status_code, _settled(one.text)] for one in answers])
        return first.status_code, said, [pair for one in answers for pair in _settled_headers(one.headers)]

    def _asked(self, opened: Asked) -> ReadAnswer:
        accepted = {"Accept": "application/json, text/event-stream"} if self.path == "/mcp" else {}
        return opened.request(self.method, self.path, json=self.body, headers={**accepted, **self.headers})


def _wait_until_read(opened: Asked, answers: Iterable[ReadAnswer]) -> None:
    """Until answers come from a generation behind all that these made, so that what follows is of one state.

    Raises:
        RuntimeError: that takes too long.
    """
    made = [int(found) for one in answers for found in _GENERATION.findall(one.text)]
    end = time.monotonic() + _READ_WITHIN_S
    while made:
        status = opened.request("GET", "/v1/status", json=None, headers={})
        # The last of the changes deletes, and its answer says no generation.
        if int(json.loads(status.text)["generation"]) > max(made):
            return
        if time.monotonic() > end:
            raise RuntimeError(f"generation {max(made)} was not followed within {_READ_WITHIN_S:g} s")
        time.sleep(0.01)


_GENERATION = re.compile(r'"generation": ?(\d+)')
_READ_WITHIN_S: Final = 20.0
"""Many times what a look at the graph takes on a busy machine."""
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


def questions(seed: int, tools: Iterable[str]) -> list[HttpQuestion]:
    """What is asked: every route of REST, and every tool of the MCP server; of hidden tools as of others.

    Changes of workflows are refused in any case, or taken back.
    """
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    tools = sorted(tools)
    some = chance.sample(tools, min(3, len(tools)))
    text = chance.choice(_TEXTS).format(
        verb=chance.choice(VERBS), noun=chance.choice(NOUNS), other=chance.choice(NOUNS)
    )
    rare = f"{chance.choice(NOUNS)} zzz"
    plan = {
        "goal": text,
        "steps": [{"position": at, "tool_id": tool} for at, tool in enumerate(some, start=1)],
    }
    tasks = [{"do": text, "values": {"order_id": "o-1"}}, {"do": rare, "after": [1]}]
    broken = {**plan, "steps": [*plan["steps"], {"position": 9, "tool_id": "nobody/nothing"}]}
    called, needed = _with_its_id(chance.choice(tools), tools)
    whole = {
        "goal": text,
        "steps": [{"position": 1, "tool_id": called, "bindings": {one: {"input": one} for one in needed}}],
        "inputs": [{"name": one, "type": "string"} for one in needed],
    }
    arguments = dict.fromkeys(needed, "o-1")
    return [
        *(
            HttpQuestion("POST", "/v1/query", {"query": text, "method": method, "explain": True, "top_k": 8})
            for method in ("auto", "bm25", "kg_hybrid")
        ),
        HttpQuestion("POST", "/v1/query", {"query": rare, "schemas": True, "order": "blocks"}),
        *(
            HttpQuestion("POST", "/v1/query", {"query": text, "format": form.value})
            for form in ToolFormat
            if form is not ToolFormat.OUTFITTER
        ),
        HttpQuestion(
            "POST", "/v1/query", {"query": rare, "phrasings": [text, "zzz of mine"], "explain": True}
        ),
        *(
            HttpQuestion("POST", "/v1/query", {"query": text, "filters": {"reviewed": reviewed}})
            for reviewed in (True, False)
        ),
        HttpQuestion("POST", "/v1/query", {"query": "qqqq", "filters": {"read_only": True}}),
        HttpQuestion("POST", "/v1/query", {"query": text, "filters": {"servers": ["s1"]}}),
        HttpQuestion("POST", "/v1/query", {"query": text, "filters": {"servers": ["s"]}}),
        HttpQuestion("POST", "/v1/query", {"query": text, "filters": {"categories": ["c9"]}}),
        HttpQuestion("POST", "/v1/explain", {"query": text, "tools": some[:1]}),
        HttpQuestion("POST", "/v1/explain", {"query": rare, "tools": some[1:2] or some}),
        HttpQuestion("POST", "/v1/plan", {"goal": text}),
        HttpQuestion("POST", "/v1/plan", {"goal": f"{rare}, then {text}", "known": {"order_id": "o-1"}}),
        HttpQuestion("POST", "/v1/plan", {"goal": text, "tasks": tasks, "filters": {"reviewed": True}}),
        HttpQuestion("POST", "/v1/plan", {"goal": text, "only_callable": True}),
        HttpQuestion("POST", "/v1/plan", {"goal": text, "only_callable": False}),
        HttpQuestion("POST", "/v1/plan?format=arazzo", {"goal": text}),
        HttpQuestion("POST", "/v1/plan?format=mermaid", {"goal": text, "only_callable": False}),
        HttpQuestion("POST", "/v1/plan/edit", {"plan": plan}),
        HttpQuestion("POST", "/v1/plan/edit", {"plan": plan, "edit": {"edit": "add", "calls": some[-1]}}),
        HttpQuestion("POST", "/v1/plan/choices", {"plan": plan, "step": 1, "parameter": "order_id"}),
        HttpQuestion("POST", "/v1/plan/validate", {"plan": plan}),
        HttpQuestion("POST", "/v1/plan/export?format=arazzo", {"plan": plan}),
        HttpQuestion("POST", "/v1/plan/export?format=mermaid", {"plan": plan}),
        HttpQuestion("GET", "/v1/tools?limit=5"),
        HttpQuestion("GET", f"/v1/tools?q={chance.choice(NOUNS)}&limit=500"),
        *(HttpQuestion("GET", f"/v1/tools/{one}") for one in (*some, some[0][:-1])),
        HttpQuestion("GET", f"/v1/tools/{some[0]}?labels=true"),
        HttpQuestion("GET", "/v1/facets"),
        HttpQuestion("GET", f"/v1/find?q={chance.choice(NOUNS)[:3]}"),
        HttpQuestion("GET", "/v1/find?q=m0"),
        HttpQuestion("GET", f"/v1/neighbours/{some[0]}?depth=2"),
        HttpQuestion("GET", "/v1/neighbours/m0_1?depth=3&limit=20"),
        HttpQuestion("GET", "/v1/neighbours/c0?per_kind=2"),
        HttpQuestion("GET", f"/v1/nodes/Method/m{chance.randint(0, 1)}_{chance.randint(0, 4)}"),
        HttpQuestion("GET", "/v1/nodes/Category/c0"),
        HttpQuestion("GET", "/v1/nodes/Template/t1"),
        HttpQuestion("GET", "/v1/nodes/Concept/k0"),
        HttpQuestion("GET", "/v1/sources"),
        HttpQuestion("GET", "/v1/changes"),
        HttpQuestion("GET", f"/v1/changes?tool={some[0]}"),
        HttpQuestion("GET", "/v1/sources/manifest:s1/changes"),
        HttpQuestion("GET", "/v1/workflows"),
        *(HttpQuestion("GET", f"/v1/workflows/w{at}") for at in range(5)),
        HttpQuestion("GET", f"/v1/workflows/w{chance.randint(0, 4)}?format=arazzo"),
        HttpQuestion("GET", f"/v1/workflows/w{chance.randint(0, 4)}?format=mermaid"),
        HttpQuestion("POST", "/v1/workflows/w2/validate"),
        HttpQuestion("POST", "/v1/workflows/w1/validate", {"plan": plan}),
        HttpQuestion("POST", "/v1/workflows", {"id": "new", "plan": broken}),
        HttpQuestion(
            "POST",
            "/v1/workflows",
            {"id": "new", "plan": whole},
            then=(
                HttpQuestion("GET", "/v1/workflows/new?format=mermaid"),
                HttpQuestion("PUT", "/v1/workflows/new", {"name": "newer", "plan": {**whole, "goal": rare}}),
                HttpQuestion("GET", "/v1/workflows"),
                HttpQuestion("DELETE", "/v1/workflows/new"),
            ),
        ),
        HttpQuestion("PUT", f"/v1/workflows/w{chance.randint(0, 4)}", {"plan": broken}),
        *(
            HttpQuestion(method, f"/v1/workflows/w{chance.randint(0, 4)}", body, {"If-Match": '"older"'})
            for method, body in (("PUT", {"plan": plan}), ("DELETE", None))
        ),
        HttpQuestion("GET", "/v1/neighbours/w2?kinds=STEP"),
        HttpQuestion("GET", "/v1/nodes/Generator/g0"),
        HttpQuestion(
            "POST", "/v1/query", {"query": f"please {chance.choice(VERBS)} my {chance.choice(NOUNS)}"}
        ),
        HttpQuestion("GET", "/v1/status"),
        HttpQuestion("GET", "/v1/unmet"),
        HttpQuestion("GET", "/metrics"),
        HttpQuestion("GET", "/readyz"),
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
        _tool_call("search_tools", {"queries": [text, rare], "format": "mcp"}),
        _tool_call("search_tools", {"query": text, "phrasings": [rare], "format": "langchain"}),
        _tool_call("plan_workflow", {"goal": text}),
        _tool_call("plan_workflow", {"goal": text, "tasks": tasks, "only_callable": False}),
        _tool_call("describe_tool", {"id": some[0], "request": rare}),
        _tool_call("list_sources", {}),
        _tool_call("call_tool", {"id": called, "arguments": arguments}),
        _tool_call("call_tool", {"id": called[:-1], "arguments": arguments}),
    ]


def _with_its_id(one: str, tools: Sequence[str]) -> tuple[str, Sequence[str]]:
    """A tool of the catalogues that takes the id of what it is about, this one if it does, and the names of what it needs."""
    takes_id = [
        tool for tool in tools if "_" in tool and not {"list", "create"} & set(re.split("[/_]", tool))
    ]
    found = one if one in takes_id or not takes_id else takes_id[len(one) % len(takes_id)]
    return found, [f"{found.rpartition('_')[2]}_id"] if takes_id else []


def _tool_call(name: str, arguments: Mapping[str, Any]) -> HttpQuestion:
    return _mcp("tools/call", {"name": name, "arguments": dict(arguments)})


def _mcp(method: str, params: Mapping[str, Any]) -> HttpQuestion:
    return HttpQuestion("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params)})


def even_questions(seed: int, tools: Iterable[str]) -> list[HttpQuestion]:
    """About as many of each route: two, or one where there is nothing else to ask of it."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    tools = sorted(tools)
    of_routes: dict[str, dict[str, HttpQuestion]] = {}
    for more in range(_EACH):
        for one in questions(_EACH * seed + more, tools):
            said = json.dumps([one.method, one.path, one.body, *one.headers, len(one.then)])
            of_routes.setdefault(one.route, {})[said] = one
    return [
        one
        for some in of_routes.values()
        for one in chance.sample(list(some.values()), min(_EACH, len(some)))
    ]


def difference(question: HttpQuestion, one: Asked, other: Asked) -> str:
    """Why two services do not answer alike; empty when they do."""
    return difference_of(question, question.ask(one), question.ask(other))


def difference_of(question: HttpQuestion, found: Settled, expected: Settled) -> str:
    """How one answer is not as it should be; empty when it is."""
    if found == expected:
        return ""
    return json.dumps(
        {"asked": [question.method, question.path, question.body], "got": found, "expected": expected},
        indent=1,
    )
