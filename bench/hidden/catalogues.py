"""Random catalogues and random policies over them, for the check that no answer shows what is hidden."""

import json
import random
import tempfile
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from app.domain.access.rules import Act, Rule, RuleBook
from app.domain.language.accepted_text import TextLimits
from app.domain.nodes.models import Label, ToolId
from app.domain.workflows.plans import Plan, PlanStep
from app.domain.workflows.stored import Workflow
from app.ports.graph import GraphWriter
from app.usecases.workflow_health import put_workflows
from ingest.run.pipeline import run_ingest
from ingest.run.request import Bounds, IngestRequest
from ingest.sources.files import IngestInput, file_input

VERBS: Final = ("get", "list", "create", "cancel", "refund", "export", "send", "update")
NOUNS: Final = ("order", "payment", "customer", "parcel", "invoice", "ticket", "message", "report")
_FIRST: Final = datetime(2026, 1, 1, tzinfo=UTC)
_THEN: Final = datetime(2026, 1, 2, tzinfo=UTC)
"""Records of two fillings are in one order whatever the clock says."""
_OWNER: Final = "hidden:1:0"
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
        tools: list[str] = []
        inputs = []
        for server in servers:
            names = sorted(
                {f"{chance.choice(VERBS)}_{chance.choice(NOUNS)}" for _ in range(chance.randint(1, 8))}
            )
            tools += [f"{server}/{name}" for name in names]
            inputs.append(_manifest_file(place, server, [_tool(name, chance) for name in names]))
        for at in range(2):
            stated = _without_labels(_taxonomy(at, tools, chance), untold)
            inputs.append(_taxonomy_file(place, f"tax{at}", stated))
        _ingest(graph, inputs, at=_FIRST)
        changed = chance.choice(servers)
        names = [one.partition("/")[2] for one in tools if one.startswith(f"{changed}/")]
        _store_workflows(graph, tools, chance)
        _ingest(graph, [_manifest_file(place, changed, [_tool(name, chance) for name in names])], at=_THEN)


def _store_workflows(graph: GraphWriter, tools: Sequence[str], chance: random.Random) -> None:
    stored = []
    for at in range(3):
        called = chance.sample(list(tools), min(len(tools), 2))
        steps = [PlanStep(position=place, tool_id=ToolId(one)) for place, one in enumerate(called, start=1)]
        if at == 2:
            steps.append(PlanStep(position=len(steps) + 1, workflow_id="w0"))
        goal = f"{chance.choice(VERBS)} the {chance.choice(NOUNS)}"
        stored.append(Workflow(id=f"w{at}", name=f"flow {at}", plan=Plan(goal=goal, steps=tuple(steps))))
    with graph.lease(owner=_OWNER, wait_s=1.0) as lease:
        lease.begin()
        put_workflows(lease, stored)
        lease.finish()


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
    run_ingest(graph, IngestRequest(inputs, at=at), owner=_OWNER, bounds=_BOUNDS)


def random_rules(seed: int, sources: Iterable[str]) -> RuleBook:
    """Grants by source, pattern, category, mark and label to the group `staff`, and sometimes a denial."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    sources = sorted(one for one in sources if not one.startswith("common:"))
    manifests = [one for one in sources if one.startswith("manifest:")]
    taxonomies = [one for one in sources if one.startswith("taxonomy:")]
    staff = frozenset({"staff"})
    chosen = chance.sample(manifests, chance.randint(1, len(manifests)))
    chosen += chance.sample(taxonomies, chance.randint(0, len(taxonomies)))
    acts = chance.choice([{Act.FIND}, {Act.PLAN}, {Act.CALL}, {Act.PLAN}])
    rules = [Rule("one", staff, may=frozenset(acts), sources=tuple(chosen))]
    if chance.random() < 0.5:
        pattern = chance.choice(
            [f"*/{chance.choice(VERBS)}_*", f"s{chance.randint(0, 4)}/*", f"*_{chance.choice(NOUNS)}"]
        )
        rules.append(Rule("two", staff, may=frozenset({Act.PLAN}), tools=(pattern,)))
    if chance.random() < 0.3:
        rules.append(Rule("three", staff, may=frozenset({Act.PLAN}), categories=("c0",), read_only=True))
    if chance.random() < 0.5:
        pattern = f"*/{chance.choice(VERBS)}_*"
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
"""With nothing hidden."""
