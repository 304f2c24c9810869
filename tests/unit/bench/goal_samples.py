"""A small document, goals over it and plans for them, written for the tests of the bench."""

import json
from pathlib import Path
from typing import Any

from app.domain.workflows.plans import Plan, PlanInput, PlanStep
from bench.measure.planner import PlanCatalogue, catalogue_of
from bench.sets.goals import GoalItem
from bench.sets.openapi_tools import read_tools
from tests.unit.bench.data import write_lines

LIST, MAKE, SEND, CANCEL = "GET /orders", "POST /orders", "POST /orders/{id}/mail", "DELETE /orders/{id}"


def _operation(name: str, summary: str, **more: Any) -> dict[str, Any]:
    return {"operationId": name, "summary": summary, "responses": {"200": {"description": ""}}, **more}


def _body(**properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties}
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}}


_ID = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
_TEXT = {"type": "string"}
_ORDERS = {
    "type": "array",
    "items": {"type": "object", "properties": {"id": _TEXT, "buyer": _TEXT, "state": _TEXT}},
}
_LISTED = {"200": {"description": "", "content": {"application/json": {"schema": _ORDERS}}}}
DOCUMENT = {
    "openapi": "3.0.0",
    "info": {"title": "Shop", "version": "1"},
    "paths": {
        "/orders": {
            "get": {**_operation("listOrders", "List the orders of the shop"), "responses": _LISTED},
            "post": _operation(
                "makeOrder",
                "Make an order for an article",
                **_body(article=_TEXT, count={"type": "integer"}, tags={"type": "array", "items": _TEXT}),
            ),
        },
        "/orders/{id}": {"delete": _operation("cancelOrder", "Cancel an order", parameters=_ID)},
        "/orders/{id}/mail": {
            "post": _operation(
                "mailOrder", "Send a letter about an order", parameters=_ID, **_body(text=_TEXT)
            )
        },
    },
}
GOALS: tuple[dict[str, Any], ...] = (
    {
        "id": "mail-all",
        "server": "shop",
        "goal": 'mail "your order is late" about every order',
        "steps": [{"op": LIST}, {"op": SEND}],
        "bind": [
            {
                **{"op": SEND, "step": 1, "param": "id", "from_op": LIST, "from_any_of": []},
                **{"path_suffix": "/id", "not_first": True, "each": True},
            },
            {"op": SEND, "step": 1, "param": "/text", "value": "your order is late"},
        ],
        "one_input": ["id"],
        "forbid": ["DELETE *"],
        "order": [[LIST, SEND]],
    },
    {
        "id": "make",
        "server": "shop",
        "goal": "order 3 lamps",
        "steps": [{"op": MAKE}],
        "bind": [
            {"op": MAKE, "step": 0, "param": "/count", "value": 3},
            {"op": MAKE, "step": 0, "param": "/article", "value": "lamps", "ask_ok": True},
        ],
    },
)
QUESTIONS = (
    {
        "id": "q1",
        "server": "shop",
        "query": "cancel the order",
        "gold": [CANCEL],
        "kind": "plain",
        "lang": "en",
    },
    {"id": "q2", "server": "shop", "query": "xylophone", "gold": [], "kind": "unanswerable", "lang": "en"},
)


def write_goals(folder: Path) -> Path:
    """The goals, the questions and their document in the layout of the public folder."""
    (folder / "openapi" / "specs").mkdir(parents=True)
    (folder / "openapi" / "specs" / "shop-1.0.json").write_text(json.dumps(DOCUMENT))
    (folder / "goals" / "visible").mkdir(parents=True)
    write_lines(folder / "goals" / "visible" / "goals.jsonl", GOALS)
    write_lines(folder / "goals" / "visible" / "questions.jsonl", QUESTIONS)
    return folder


def shop(folder: Path) -> PlanCatalogue:
    """The document's operations."""
    path = folder / "shop.json"
    path.write_text(json.dumps(DOCUMENT))
    return catalogue_of(read_tools(path, server="shop"))


def goal(number: int, **changes: Any) -> GoalItem:
    """One of the goals, perhaps changed."""
    return GoalItem.model_validate({**GOALS[number], **changes})


def plan_of(catalogue: PlanCatalogue, *steps: tuple[str, dict[str, Any]], **more: Any) -> Plan:
    """A plan from calls and bindings as JSON has them; `when`, `unused`, `warnings` are the plan's or its last step's."""
    by_call = {f"{tool.method} {tool.path}": tool.id for tool in catalogue.tools}
    when = more.pop("when", ())
    made = [
        PlanStep.model_validate(
            {
                **{"position": at, "tool_id": by_call[call], "bindings": bindings},
                **{"mutating": not call.startswith("GET"), "when": when if at == len(steps) else ()},
            }
        )
        for at, (call, bindings) in enumerate(steps, start=1)
    ]
    return Plan.model_validate({"goal": "", "steps": made, "inputs": [PlanInput(name="id")], **more})
