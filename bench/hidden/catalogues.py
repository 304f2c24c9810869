"""Random catalogues, for the check that no answer shows what is hidden."""

import json
import random
import tempfile
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from app.domain.language.accepted_text import TextLimits
from app.domain.moments import utc_text
from app.domain.nodes.models import Label, ToolId, ToolRequest, Trust
from app.domain.workflows.plans import Plan, PlanStep
from app.domain.workflows.stored import Workflow
from app.ports.graph import GraphWriter
from app.usecases.workflow_health import put_workflows
from ingest.enrich.requests.kept import put_requests
from ingest.run.pipeline import run_ingest
from ingest.run.request import Bounds, IngestRequest
from ingest.sources.files import IngestInput, file_input
from ingest.sources.taxonomy.common import CommonTaxonomy, domains

VERBS: Final = ("get", "list", "create", "cancel", "refund", "export", "send", "update")
NOUNS: Final = ("order", "payment", "customer", "parcel", "invoice", "ticket", "message", "report")
_FIRST: Final = datetime(2026, 1, 1, tzinfo=UTC)
_THEN: Final = datetime(2026, 1, 2, tzinfo=UTC)
"""Records of two fillings are in one order whatever the clock says."""
_API: Final = "shop"
_PATHS: Final = {
    "getOrder": ("get", "order"),
    "cancelOrder": ("post", "order"),
    "listParcels": ("get", "parcel"),
}
"""Operations of an OpenAPI document: id -> method, and what it is about."""
_OWNERS: Final = ("", "", "", "caller:bot", "caller:other")
"""Of the workflows; `bot` is who asks."""
_OWNER: Final = "hidden:1:0"
_DOMAINS: Final = ("customer_support", "online_shops", "payments")
"""Of the common taxonomy: those that suggest some of the tools. With all, a catalogue would take ten times as long to fill."""
_BOUNDS: Final = Bounds(TextLimits(100_000, 1_000_000), max_file_bytes=64_000_000, lease_wait_s=5.0)


def fill(graph: GraphWriter, seed: int, untold: AbstractSet[str] = frozenset()) -> None:
    """Put a random catalogue into an empty graph; the same for the same seed.

    Args:
        graph: Has the schema.
        seed: Of the catalogue.
        untold: Tools whose labels no taxonomy states: all else stays as it is.
    """
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        servers = [f"s{at}" for at in range(chance.randint(3, 8))]
        changed, baseline, failing = chance.sample(servers, 3)
        tools = [f"{_API}/{one}" for one in _PATHS]
        inputs = [_openapi_file(place, chance)]
        for server in servers:
            names = sorted(
                {f"{chance.choice(VERBS)}_{chance.choice(NOUNS)}" for _ in range(chance.randint(1, 8))}
            )
            tools += [f"{server}/{name}" for name in names]
            inputs.append(_manifest_file(place, server, [_tool(name, chance) for name in names]))
            if server == baseline:
                inputs[-1] = replace(inputs[-1], trust=Trust.BASELINE)
        for at in range(2):
            stated = _without_labels(_taxonomy(at, tools, chance), untold)
            inputs.append(_taxonomy_file(place, f"tax{at}", stated))
        _ingest(graph, inputs, at=_FIRST)
        _store_workflows(graph, tools, chance)
        again = []
        for server in (changed, baseline, failing):
            names = [one.partition("/")[2] for one in tools if one.startswith(f"{server}/")]
            again.append(_manifest_file(place, server, [_tool(name, chance) for name in names]))
        # What the second says again waits, and the third cannot be read.
        again[1] = replace(again[1], trust=Trust.BASELINE)
        again[2] = replace(again[2], problem="connection refused", problem_said="closed for today")
        _ingest(graph, again, at=_THEN)
        _keep_requests(graph, chance.sample(tools, 2), chance)


def _store_workflows(graph: GraphWriter, tools: Sequence[str], chance: random.Random) -> None:
    stored = []
    for at, owner in enumerate(_OWNERS):
        called = chance.sample(list(tools), min(len(tools), 2))
        steps = [PlanStep(position=place, tool_id=ToolId(one)) for place, one in enumerate(called, start=1)]
        if at == 2:
            steps.append(PlanStep(position=len(steps) + 1, workflow_id="w0"))
        goal = f"{chance.choice(VERBS)} the {chance.choice(NOUNS)}"
        plan = Plan(goal=goal, steps=tuple(steps))
        stored.append(Workflow(id=f"w{at}", name=f"flow {at}", plan=plan, owner=owner))
    with graph.lease(owner=_OWNER, wait_s=1.0) as lease:
        lease.begin()
        put_workflows(lease, stored)
        lease.finish()


def _keep_requests(graph: GraphWriter, tools: Sequence[str], chance: random.Random) -> None:
    """As a language model would have written them."""
    written = {
        str(tool.id): (
            tool,
            [ToolRequest(text=f"the {chance.choice(NOUNS)} is wrong", language="en", model="m", at="")],
        )
        for tool in graph.found_tools(sorted(tools))
    }
    put_requests(graph, written, owner=_OWNER, lease_wait_s=1.0, at=utc_text(_THEN))


def _openapi_file(folder: Path, chance: random.Random) -> IngestInput:
    paths = {}
    for name, (method, noun) in _PATHS.items():
        parameter = {"name": f"{noun}_id", "in": "path", "required": True, "schema": {"type": "string"}}
        answer = {"type": "object", "properties": {f"{chance.choice(NOUNS)}_id": {"type": "string"}}}
        paths[f"/{name}/{{{noun}_id}}"] = {
            method: {
                "operationId": name,
                "summary": f"{chance.choice(VERBS)} the {noun}",
                "parameters": [parameter],
                "responses": {
                    "200": {"description": "", "content": {"application/json": {"schema": answer}}}
                },
            }
        }
    path = folder / f"{_API}.json"
    info = {"title": "Shop", "version": "1"}
    servers = [{"url": "https://shop.example"}]
    path.write_text(json.dumps({"openapi": "3.0.3", "info": info, "servers": servers, "paths": paths}))
    return file_input("openapi", path)


def _tool(name: str, chance: random.Random) -> dict[str, object]:
    verb, noun = name.split("_")
    other = chance.choice(NOUNS)
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


def _taxonomy(at: int, tools: Sequence[str], chance: random.Random) -> dict[str, Any]:
    def some(most: int) -> list[str]:
        return chance.sample(list(tools), min(len(tools), chance.randint(1, most)))

    methods = [
        {
            "id": f"m{at}_{number}",
            "name": f"{chance.choice(VERBS)} a {chance.choice(NOUNS)}",
            "description": f"The {chance.choice(NOUNS)} is to be {chance.choice(VERBS)}ed",
            "category": f"c{at}",
            "examples": [f"please {chance.choice(VERBS)} my {chance.choice(NOUNS)}"],
            "implements": some(3),
            "relations": {"similar": [f"m{chance.randint(0, at)}_{chance.randint(0, 3)}"]} if number else {},
        }
        for number in range(4)
    ]
    return {
        "categories": [{"id": f"c{at}", "name": f"Category {at}"}],
        "methods": methods,
        "generators": [{"id": f"g{at}", "tool": tools[at], "description": f"{chance.choice(NOUNS)} preset"}],
        "tools": [
            {"id": one, "categories": [f"c{at}"], "labels": {chance.choice([*Label]): chance.random() < 0.7}}
            for one in some(2)
        ],
        "templates": [{"id": f"t{at}", "surface": f"my {chance.choice(NOUNS)} never came", "uses": some(4)}],
        "concepts": [
            {
                "id": f"k{at}",
                "description": f"{chance.choice(NOUNS)} trouble",
                "related_to": [f"m{at}_0", f"m{at}_1"],
            }
        ],
    }


def _without_labels(stated: dict[str, Any], untold: AbstractSet[str]) -> dict[str, Any]:
    tools = [
        {key: value for key, value in one.items() if key != "labels" or one["id"] not in untold}
        for one in stated["tools"]
    ]
    return {**stated, "tools": tools}


def _manifest_file(folder: Path, server: str, tools: Sequence[object]) -> IngestInput:
    path = folder / f"{server}.json"
    path.write_text(json.dumps({"tools": tools}))
    return file_input("manifest", path)


def _taxonomy_file(folder: Path, name: str, stated: dict[str, Any]) -> IngestInput:
    path = folder / f"{name}.yaml"
    path.write_text(json.dumps({"version": 1, **stated}))
    return file_input("taxonomy", path)


def _ingest(graph: GraphWriter, inputs: Sequence[IngestInput], *, at: datetime) -> None:
    common = CommonTaxonomy(tuple(one for one in domains() if one not in _DOMAINS))
    run_ingest(graph, IngestRequest(inputs, at=at), owner=_OWNER, bounds=_BOUNDS, common=common)
