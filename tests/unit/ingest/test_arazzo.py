"""Arazzo documents become workflows and stated dependencies; plans become Arazzo and come back the same."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.domain.language.accepted_text import TextLimits
from app.domain.language.visible_text import has_hidden
from app.domain.nodes.models import EdgeKind, NodeKind, Tool, ToolId
from app.domain.workflows.arazzo import arazzo_text
from app.domain.workflows.plans import (
    ComposedBinding,
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
    bindings_of,
    bindings_text,
)
from app.errors import InvalidInputError, SourceRefusedError
from ingest.cards import Origin
from ingest.sources.arazzo.operations import KnownOperations, Operations, operations_of
from ingest.sources.arazzo.reader import parse_arazzo, read_workflows

LIMITS = TextLimits(text_bytes=100_000, schema_bytes=1_000_000)


class Nowhere:
    def operations(self, address: str) -> Operations | None:
        return None


def flow(*steps, **more):
    return {"workflowId": "flow", "steps": list(steps), **more}


def step(step_id, operation="op", **more):
    return {"stepId": step_id, "operationId": operation, **more}


def document(*workflows, version="1.0.1", **more):
    source = {"name": "shop", "url": "./shop.json", "type": "openapi"}
    return {
        "arazzo": version,
        "info": {"title": "T", "version": "3"},
        "sourceDescriptions": [source],
        "workflows": list(workflows),
        **more,
    }


def parse(value, sources=None, uri="flows.json"):
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return parse_arazzo(data, Origin("arazzo", "flows", str(uri), "t", LIMITS), sources=sources or Nowhere())


def plans(value, sources=None, uri="flows.json"):
    return [
        workflow.plan
        for workflow in read_workflows(value, name="flows", uri=str(uri), sources=sources or Nowhere())[0]
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            {"asyncapi": "3.0.0"},
            r"flows\.json: #/asyncapi: AsyncAPI '3\.0\.0', not Arazzo; accepted: Arazzo 1\.0",
        ),
        ({"openapi": "3.1.0"}, r"#/openapi: OpenAPI '3\.1\.0', not Arazzo"),
        (document(version="1.1.0"), r"#/arazzo: version '1\.1\.0' is not read"),
        ({"workflows": []}, r"#/arazzo: missing"),
        (document(), r"#/workflows: \[\]"),
        ([1], r"#: \[1\] is a list"),
    ],
)
def test_what_is_no_arazzo_1_0_is_refused_by_name(value, message):
    with pytest.raises(SourceRefusedError, match=message):
        parse(value)


def test_a_workflow_has_its_steps_in_order_with_their_bindings():
    value = document(
        flow(
            step(
                "find",
                "search",
                parameters=[{"name": "q", "in": "query", "value": "$inputs.word"}],
                outputs={"id": "$response.body#/0/id"},
            ),
            step("buy", "order", requestBody={"payload": {"pet": "$steps.find.outputs.id", "count": 1}}),
            summary="Buy a pet",
            inputs={
                "type": "object",
                "properties": {"word": {"type": "string", "description": "W"}},
                "required": ["word"],
            },
        )
    )

    (card,) = parse(value).cards

    assert (card.kind, card.id, card.properties["goal"]) == (NodeKind.WORKFLOW, "flows/flow", "Buy a pet")
    assert [(edge.kind, edge.target.text, edge.properties["position"]) for edge in card.edges] == [
        (EdgeKind.STEP, "shop/search", 1),
        (EdgeKind.STEP, "shop/order", 2),
    ]
    assert bindings_of(card.edges[0].properties["bindings"]) == {"q": InputBinding(input="word")}
    assert bindings_of(card.edges[1].properties["bindings"]) == {
        "pet": StepBinding(step=1, path="/0/id"),
        "count": KnownBinding(known=1),
    }
    plan = Plan.model_validate_json(card.properties["document"])
    assert plan.inputs == (PlanInput(name="word", type="string", description="W"),)
    assert [step_.tool_id for step_ in plan.steps] == ["shop/search", "shop/order"]


def test_bound_steps_are_required_and_unbound_neighbours_precede():
    value = document(
        flow(
            step("a", "a", outputs={"id": "$response.body#/id"}),
            step("b", "b", parameters=[{"name": "x", "in": "query", "value": "$steps.a.outputs.id"}]),
            step(
                "c", "c", parameters=[{"name": "y", "in": "query", "value": "Bearer {$steps.a.outputs.id}"}]
            ),
        )
    )

    stated = {
        (note.tool.text, edge.kind, edge.target.text): dict(edge.properties)
        for note in parse(value).notes
        for edge in note.edges
    }

    certain = {"confidence": 1.0, "evidence": "arazzo"}
    assert stated == {
        ("shop/b", EdgeKind.REQUIRES, "shop/a"): {"parameter": "x", "field": "/id", "rank": 1, **certain},
        ("shop/c", EdgeKind.REQUIRES, "shop/a"): {"parameter": "y", "field": "/id", "rank": 1, **certain},
        ("shop/b", EdgeKind.PRECEDES, "shop/c"): certain,
    }


def test_every_called_tool_is_named_so_that_it_can_be_declared():
    parsed = parse(document(flow(step("a", "one"))))

    assert [note.tool.text for note in parsed.notes] == ["shop/one"]
    assert parsed.warnings == (
        "flows.json: sourceDescriptions[0]: './shop.json' cannot be read; its tools are declared as shop/...",
    )


def test_a_source_on_the_network_is_declared_under_its_host():
    value = document(flow(step("a", "one")))
    value["sourceDescriptions"][0]["url"] = "https://api.example/v1/openapi.json"

    parsed = parse(value)

    assert [note.tool.text for note in parsed.notes] == ["api.example/one"]
    assert "is on the network" in parsed.warnings[0]


def test_steps_may_run_other_workflows_and_use_what_they_give():
    inner = {
        **flow(step("x", outputs={"id": "$response.body#/id"}), outputs={"made": "$steps.x.outputs.id"}),
        "workflowId": "inner",
    }
    outer = flow(
        {
            "stepId": "run",
            "workflowId": "inner",
            "parameters": [{"name": "n", "value": 1}],
            "outputs": {"renamed": "$outputs.made"},
        },
        step("use", parameters=[{"name": "a", "in": "query", "value": "$steps.run.outputs.renamed"}]),
    )

    _, plan = plans(document(inner, outer))

    assert plan.steps[0].workflow_id == "flows/inner"
    assert plan.steps[0].bindings == {"n": KnownBinding(known=1)}
    assert plan.steps[1].bindings == {"a": StepBinding(step=1, path="/made")}


def test_parameters_of_the_workflow_hold_for_every_step_unless_it_gives_its_own():
    value = document(
        flow(
            step("a", parameters=[{"reference": "$components.parameters.size", "value": 5}]),
            step("b"),
            parameters=[{"name": "size", "in": "query", "value": 1}],
        ),
        components={"parameters": {"size": {"name": "size", "in": "query", "value": 9}}},
    )

    (plan,) = plans(value)

    assert [dict(s.bindings) for s in plan.steps] == [
        {"size": KnownBinding(known=5)},
        {"size": KnownBinding(known=1)},
    ]


@pytest.mark.parametrize(
    ("expression", "path"),
    [
        ("$steps.a.outputs.list[0].id", "/items/0/id"),
        ("$steps.a.outputs.list.name", "/items/name"),
        ("$steps.a.outputs.list#/1/id", "/items/1/id"),
        ("$steps.a.outputs.list[*].id", "/items/*/id"),
        ("$steps.a.outputs.list", "/items"),
        ("$steps.a.outputs.list.of.all", "/all"),
    ],
)
def test_expressions_may_go_into_an_output(expression, path):
    """The longest output name that fits is meant, and the rest goes into its value."""
    outputs = {"list": "$response.body#/items", "list.of.all": "$response.body#/all"}
    value = document(
        flow(
            step("a", outputs=outputs),
            step("b", parameters=[{"name": "x", "in": "query", "value": expression}]),
        )
    )

    binding = plans(value)[0].steps[1].bindings["x"]

    assert isinstance(binding, StepBinding)
    assert binding.path == path
    assert (binding.select == Select(by="ask")) == ("*" in path)


def test_values_are_put_together_from_parts():
    payload = {
        "auth": "Bearer {$inputs.token}",
        "list": ["$inputs.token", {"id": "$inputs.user.id"}],
        "note": "a {literal}",
    }
    inputs = {"properties": {"token": {}, "user": {}}}

    (plan,) = plans(document(flow(step("a", requestBody={"payload": payload}), inputs=inputs)))

    assert plan.steps[0].bindings == {
        "auth": ComposedBinding(compose="Bearer {token}", parts={"token": InputBinding(input="token")}),
        "list": ComposedBinding(
            compose=["{token}", {"id": "{user}"}],
            parts={"token": InputBinding(input="token"), "user": InputBinding(input="user", path="/id")},
        ),
        "note": KnownBinding(known="a {literal}"),
    }


def test_replacements_are_put_into_the_payload():
    body = {
        "payload": {"a": {"b": 1}},
        "replacements": [{"target": "/a/b", "value": "$inputs.x"}, {"target": "$.a", "value": 1}],
    }
    parsed = parse(document(flow(step("a", requestBody=body), inputs={"properties": {"x": {}}})))

    assert bindings_of(parsed.cards[0].edges[0].properties["bindings"]) == {
        "a": ComposedBinding(compose={"b": "{x}"}, parts={"x": InputBinding(input="x")})
    }
    assert any("replacement" in warning for warning in parsed.warnings)


@pytest.mark.parametrize(
    "expression",
    [
        "$inputs.gone",
        "$steps.later.outputs.x",
        "$steps.a.outputs.gone",
        "$response.body#/x",
        "$steps.b.outputs.x",
    ],
)
def test_a_reference_to_nothing_leaves_the_input_open_with_a_warning(expression):
    value = document(
        flow(
            step("a"),
            step("b", parameters=[{"name": "x", "in": "query", "value": expression}]),
            step("later", outputs={"x": "$response.body"}),
        )
    )

    parsed = parse(value)

    assert parsed.cards[0].edges[1].properties["bindings"] == "{}"
    assert any("'x' is left open" in warning for warning in parsed.warnings)


def test_a_workflow_that_cannot_be_read_is_rejected_and_the_rest_goes_on():
    broken = {"workflowId": "broken", "steps": [{"stepId": "a"}]}

    parsed = parse(document(broken, flow(step("a")), flow(step("b")), 5))

    assert [card.id for card in parsed.cards] == ["flows/flow"]
    assert [item.item for item in parsed.rejected] == ["workflow 'broken'", "workflow 'flow'", "workflows[3]"]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    pet = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    size = {"name": "size", "in": "query", "schema": {"type": "integer"}}
    body = {"content": {"application/json": {"schema": {"type": "array", "items": {"type": "string"}}}}}
    (tmp_path / "shop.json").write_text(
        json.dumps(
            {
                "openapi": "3.1.0",
                "info": {"title": "Shop", "version": "1"},
                "paths": {
                    "/pets/{id}": {
                        "parameters": [pet, size],
                        "get": {"operationId": "show"},
                        "put": {"requestBody": body},
                    },
                },
            }
        )
    )
    return tmp_path


def test_operations_are_found_by_path_and_their_inputs_by_the_schema(shop):
    by_path = {
        "stepId": "a",
        "operationPath": "{$sourceDescriptions.shop.url}#/paths/~1pets~1{id}/put",
        "requestBody": {"payload": ["x"]},
    }
    value = document(flow(by_path, step("b", "$sourceDescriptions.shop.show")))

    (plan,) = plans(value, KnownOperations(shop, LIMITS), uri=shop / "flows.json")

    assert [(s.tool_id, s.mutating) for s in plan.steps] == [
        ("shop/PUT_/pets/{id}", True),
        ("shop/show", False),
    ]
    assert plan.steps[0].bindings == {"body": KnownBinding(known=["x"])}


def test_documents_outside_the_folder_are_not_read(shop):
    value = document(flow(step("a", "show")))
    inside = shop / "flows"
    inside.mkdir()
    value["sourceDescriptions"][0]["url"] = "../shop.json"

    parsed = parse(value, KnownOperations(inside, LIMITS), uri=inside / "flows.json")

    assert "cannot be read" in parsed.warnings[0]


def tool(tool_id, method="", path="", **properties):
    server, _, name = tool_id.partition("/")
    schema = {"type": "object", "properties": properties}
    if "whole" in properties:
        schema["x-body"] = "whole"
    return Tool(
        id=ToolId(tool_id), server=server, name=name, title="", description="", input_schema=json.dumps(schema), output_schema="",
        method=method, path=path, read_only=method == "GET", destructive=None, idempotent=None, open_world=None,
        deprecated=False, declared=False, categories=(), content_hash="",
    )  # fmt: skip


TOOLS = {
    t.id: t
    for t in (
        tool(
            "shop/show",
            "GET",
            "/pets/{id}",
            id={"x-in": "path"},
            header_id={"x-in": "header", "x-name": "id"},
            q={"x-in": "query"},
        ),
        tool(
            "shop/POST_/orders",
            "POST",
            "/orders",
            id={"x-in": "body"},
            q={"x-in": "body"},
            note={"x-in": "body"},
        ),
        tool("shop/upload", "PUT", "/files", whole={"x-in": "body"}, q={"x-in": "query"}),
        tool("files and mail/read it", "", "", id={}, q={}, note={}),
    )
}


class Known:
    """The tools above, as the graph would give them."""

    def operations(self, address: str) -> Operations | None:
        for server in {t.server for t in TOOLS.values()}:
            if address in (
                f"urn:outfitter:server:{server.replace(' ', '%20')}",
                f"https://{server}.example/",
            ):
                return operations_of(server, (t.model_dump() for t in TOOLS.values() if t.server == server))
        return None


def back(plan, sources):
    text = arazzo_text(plan, workflow_id="flow", tools=TOOLS, uris={"shop": "https://shop.example/"})
    workflows, rejected, warnings = read_workflows(
        json.loads(text), name="flows", uri="flows.json", sources=sources
    )
    assert (rejected, warnings) == ([], [])
    return workflows[0].plan


def test_a_plan_comes_back_from_arazzo_as_it_was():
    plan = Plan(
        goal="Order the dog of a customer",
        steps=(
            PlanStep(
                position=1, tool_id=ToolId("files and mail/read it"), purpose="Read the letter",
                bindings={"id": InputBinding(input="letter"), "q": KnownBinding(known={"a": [1, None]})},
            ),
            PlanStep(
                position=2, tool_id=ToolId("shop/show"), alternatives=(ToolId("shop/upload"),),
                bindings={
                    "id": StepBinding(step=1, path="/pets/*/id", select=Select(by="match", field="kind", value="dog")),
                    "header_id": StepBinding(step=1, path="", header="X-Id"),
                    "q": KnownBinding(known="$inputs.letter"),
                },
            ),
            PlanStep(
                position=3, tool_id=ToolId("shop/POST_/orders"), mutating=True,
                bindings={"id": StepBinding(step=2, path="/id"), "q": StepBinding(step=1, path="/0/id"), "note": InputBinding(input="letter", path="/note")},
            ),
            PlanStep(position=4, tool_id=ToolId("shop/upload"), mutating=True, bindings={"whole": StepBinding(step=3, path="")}),
            PlanStep(position=5, workflow_id="others/pay", bindings={"amount": StepBinding(step=3, path="/a~1b/~0c")}),
        ),
        inputs=(PlanInput(name="letter", type="object", description="The letter"), PlanInput(name="extra", required=False)),
        outputs={"receipt": StepBinding(step=5, path="/receipt"), "letter": InputBinding(input="letter")},
        warnings=(PlanWarning(code="destructive", message="Orders are final", step=3), PlanWarning(code="note", message="x")),
    )  # fmt: skip

    assert back(plan, Known()) == plan


def test_a_plan_of_tools_that_nobody_knows_comes_back_by_their_names():
    plan = Plan(
        goal="g",
        steps=(PlanStep(position=1, tool_id=ToolId("far/away"), bindings={"a": KnownBinding(known=1)}),),
    )
    text = arazzo_text(plan, workflow_id="flow", tools={}, uris={})

    assert read_workflows(json.loads(text), name="f", uri="f.json", sources=Nowhere())[0][0].plan == plan


def test_the_document_is_arazzo_with_expressions_a_runner_understands():
    plan = Plan(
        goal="g",
        steps=(
            PlanStep(position=1, tool_id=ToolId("shop/show"), bindings={"id": InputBinding(input="pet")}),
            PlanStep(
                position=2,
                tool_id=ToolId("shop/POST_/orders"),
                bindings={"id": StepBinding(step=1, path="/items/*/id", select=Select(by="first"))},
            ),
        ),
        inputs=(PlanInput(name="pet", type="string"),),
    )

    written = json.loads(arazzo_text(plan, workflow_id="flow", tools=TOOLS, uris={"shop": "shop.json"}))

    first, second = written["workflows"][0]["steps"]
    assert written["arazzo"] == "1.0.1"
    assert written["sourceDescriptions"][0]["url"] == "shop.json"
    assert first["operationId"] == "$sourceDescriptions.shop.show"
    assert first["parameters"] == [{"name": "id", "in": "path", "value": "$inputs.pet"}]
    assert first["outputs"] == {"id": "$response.body#/items/0/id"}
    assert second["operationPath"] == "{$sourceDescriptions.shop.url}#/paths/~1orders/post"
    assert second["requestBody"]["payload"] == {"id": f"$steps.{first['stepId']}.outputs.id"}


@pytest.mark.parametrize("step_", [1, 2, 7])
def test_a_plan_that_takes_a_value_from_a_later_step_is_not_written(step_):
    plan = Plan(
        goal="g",
        steps=(
            PlanStep(
                position=1, tool_id=ToolId("shop/show"), bindings={"id": StepBinding(step=step_, path="")}
            ),
            PlanStep(position=2, tool_id=ToolId("shop/show")),
        ),
    )

    with pytest.raises(InvalidInputError, match="not before it"):
        arazzo_text(plan, workflow_id="flow", tools=TOOLS, uris={})


# A name or a value with a hidden character is refused: see the test of such a plan.
texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6).filter(
    lambda text: not has_hidden(text)
)
names = st.sampled_from(["a", "b", "a.b", "ü", "id", "id_2"])
known = (
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | texts
    | st.sampled_from(["$inputs.a", "x {$inputs.a}", "{a}", "{", "$"])
)
pointers = st.lists(st.sampled_from(["id", "items", "0", "*", "a~1b", "~0", "a.b"]), max_size=3).map(
    lambda s: "".join(f"/{x}" for x in s)
)
comparisons = st.sampled_from(["eq", "ne", "lt", "gt", "contains"])
values = known | st.lists(known, max_size=2)
selects = st.one_of(
    st.sampled_from([Select(by="first"), Select(by="ask")]),
    st.builds(Select, by=st.just("match"), field=texts, value=known),
    st.builds(
        Select,
        by=st.sampled_from(["first", "last", "match", "each", "ask"]),
        where=st.lists(st.builds(Where, field=texts, op=comparisons, value=values), max_size=2).map(tuple),
        except_=st.lists(values, max_size=2).map(tuple),
        sort=st.none() | st.builds(Sort, field=texts, descending=st.booleans()),
    ),
)


@st.composite
def bindings(draw, position):
    kinds = [
        st.builds(
            KnownBinding,
            known=known | st.lists(known, max_size=2) | st.dictionaries(texts, known, max_size=2),
        ),
        st.builds(InputBinding, input=names),
    ]
    if position > 1:
        earlier = st.integers(1, position - 1)
        kinds.append(
            st.builds(
                lambda step, path, select: StepBinding(
                    step=step, path=path, select=select if "*" in path.split("/") else None
                ),
                earlier,
                pointers,
                selects,
            )
        )
        kinds.append(st.builds(lambda step: StepBinding(step=step, path="", header="X-Id"), earlier))
    return draw(st.one_of(kinds))


@st.composite
def any_plan(draw):
    steps = []
    for position in range(1, draw(st.integers(1, 4)) + 1):
        called = draw(st.sampled_from(sorted(TOOLS)))
        properties = sorted(json.loads(TOOLS[called].input_schema)["properties"])
        keys = draw(st.lists(st.sampled_from(properties), unique=True))
        bound = {key: draw(bindings(position)) for key in keys}
        asked = st.builds(
            When, step=st.integers(1, max(1, position - 1)), path=pointers, op=comparisons, value=values
        )
        when = tuple(draw(st.lists(asked, max_size=2))) if position > 1 else ()
        steps.append(
            PlanStep(position=position, tool_id=called, purpose=draw(st.just("") | st.just("Why")), bindings=bound, when=when,
                     alternatives=tuple(draw(st.lists(st.sampled_from(sorted(TOOLS)), max_size=2))), mutating=draw(st.booleans()))
        )  # fmt: skip
    inputs = tuple(
        PlanInput(name=name, required=draw(st.booleans()), suggested=draw(st.booleans()))
        for name in ["a", "b", "a.b", "ü", "id", "id_2"]
    )
    return Plan(
        goal=draw(st.sampled_from(["g", "Do this"])),
        steps=tuple(steps),
        inputs=inputs,
        warnings=tuple(draw(st.lists(st.just(PlanWarning(code="select_not_run", message="m")), max_size=1))),
        unused=tuple(draw(st.lists(st.builds(UnusedValue, value=values, reason=st.sampled_from(["", "r"]))))),
        unmet=tuple(draw(st.lists(st.just(UnmetTask(task="t", reason="r")), max_size=1))),
    )


def choosing(field):
    """A plan that takes the item of a list whose `field` matches."""
    chosen = StepBinding(step=1, path="/*", select=Select(by="match", field=field, value="v"))
    return Plan(
        goal="g",
        steps=(
            PlanStep(position=1, tool_id=ToolId("shop/show")),
            PlanStep(position=2, tool_id=ToolId("shop/show"), bindings={"id": chosen}),
        ),
    )


@settings(max_examples=150)
@given(any_plan())
@example(choosing("a\u200db"))
def test_any_plan_comes_back_as_it_was(plan):
    """A joiner is writing, and stays."""
    assert back(plan, Known()) == plan


def test_a_plan_with_a_hidden_character_in_a_name_is_rejected():
    text = arazzo_text(choosing("\u2061"), workflow_id="flow", tools=TOOLS, uris={})
    workflows, (rejected,), _ = read_workflows(
        json.loads(text), name="flows", uri="flows.json", sources=Known()
    )

    assert (workflows, rejected.item) == ([], "workflow 'flow'")
    assert "bindings/id/select/field" in rejected.reason
    assert "U+2061" in rejected.reason


def conditional():
    """A plan whose second step runs for each open order but one, and only where the first says so."""
    chosen = Select(
        by="each", where=(Where(field="status", value="open"),), except_=("o-1",), sort=Sort(field="created")
    )
    return Plan(
        goal="g",
        steps=(
            PlanStep(position=1, tool_id=ToolId("shop/show")),
            PlanStep(
                position=2,
                tool_id=ToolId("shop/show"),
                bindings={
                    "id": StepBinding(step=1, path="/items/*/id", select=chosen),
                    "q": StepBinding(step=1, path="/items/*/note", select=Select(by="last")),
                },
                when=(When(step=1, path="/total", op="gt", value=0),),
            ),
        ),
        inputs=(PlanInput(name="note", required=False, suggested=True),),
        unused=(UnusedValue(value=5, reason="no input takes it"),),
        unmet=(UnmetTask(task="sing", reason="no tool fits"),),
    )


def test_what_arazzo_has_no_word_for_stands_beside_its_words_with_warnings():
    """A runner that reads plain Arazzo takes the first item and always runs the step; the document says so."""
    written = json.loads(arazzo_text(conditional(), workflow_id="flow", tools=TOOLS, uris={}))["workflows"][0]

    first, second = written["steps"]
    assert first["outputs"] == {"id": "$response.body#/items/0/id", "note": "$response.body#/items/0/note"}
    assert first["x-outfitter-outputs"] == {"id": {"path": "/items/*/id"}, "note": {"path": "/items/*/note"}}
    assert first["x-outfitter-select"] == {
        "id": {
            "by": "each",
            "where": [{"field": "status", "value": "open"}],
            "except": ["o-1"],
            "sort": {"field": "created"},
        },
        "note": {"by": "last"},
    }
    assert second["x-outfitter-each"] == ["id"]
    assert second["x-outfitter-when"] == [
        {"stepId": first["stepId"], "path": "/total", "op": "gt", "value": 0}
    ]
    assert "successCriteria" not in first
    assert [(one["code"], one["step"]) for one in written["x-outfitter-warnings"]] == [
        ("each_not_run", 2),
        ("select_not_run", 2),
        ("condition_not_run", 2),
    ]
    assert written["inputs"]["properties"]["note"] == {"x-outfitter-suggested": True}
    assert back(conditional(), Known()) == conditional()


def test_a_condition_on_a_later_step_is_not_written():
    late = PlanStep(position=1, tool_id=ToolId("shop/show"), when=(When(step=1, path="", value=1),))

    with pytest.raises(
        InvalidInputError, match="condition of step 1 is about step 1, which is not before it"
    ):
        arazzo_text(Plan(goal="g", steps=(late,)), workflow_id="flow", tools=TOOLS, uris={})


@pytest.mark.parametrize(
    ("where", "field", "value", "said"),
    [
        (
            1,
            "x-outfitter-when",
            [{"stepId": "nope", "path": "", "value": 1}],
            "no earlier step is called 'nope'",
        ),
        (
            1,
            "x-outfitter-when",
            [{"stepId": "s1-show", "path": "", "op": "like", "value": 1}],
            "op: Input should be",
        ),
        (0, "x-outfitter-select", {"id": {"by": "some"}}, "selection of 'id' is left out"),
    ],
)
def test_a_selection_or_condition_that_cannot_be_read_is_named(where, field, value, said):
    """The item is then the caller's to choose: any other could be the wrong one."""
    document_ = json.loads(arazzo_text(conditional(), workflow_id="flow", tools=TOOLS, uris={}))
    document_["workflows"][0]["steps"][where][field] = value

    (flow_,), _, warnings = read_workflows(document_, name="flows", uri="flows.json", sources=Known())

    assert said in " ".join(warnings)
    if field == "x-outfitter-select":
        assert flow_.plan.steps[1].bindings["id"].select == Select(by="ask")
    else:
        assert flow_.plan.steps[1].when == ()


@given(any_plan())
def test_bindings_are_kept_as_text_without_loss(plan):
    for step_ in plan.steps:
        assert bindings_of(bindings_text(step_.bindings)) == dict(step_.bindings)
