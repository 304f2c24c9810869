"""Which paths of a plan lead to harm."""

import json

from hypothesis import given
from hypothesis import strategies as st

from app.domain.flows.warnings import flow_warnings, with_flow_warnings, without_flow_warnings
from app.domain.nodes.models import Label, StatedLabel, Tool, ToolId
from app.domain.workflows.mermaid import plan_mermaid
from app.domain.workflows.plans import (
    Binding,
    InputBinding,
    KnownBinding,
    Plan,
    PlanStep,
    PlanWarning,
    Select,
    StepBinding,
    plan_document,
    red_edges,
)
from tests.unit.catalogues import tool


def takes(*names: str) -> str:
    return json.dumps({"type": "object", "properties": {name: {"type": "string"} for name in names}})


MAIL = tool("mail/search_emails", input_schema=takes("query"))
SEND = tool("mail/send_email", input_schema=takes("recipients", "subject", "body"))
DROP = tool("files/delete_file", input_schema=takes("path"))
SHORTEN = tool("text/summarize", input_schema=takes("text"))
USER = tool("crm/get_customer", input_schema=takes("id"))
TOOLS = {str(one.id): one for one in (MAIL, SEND, DROP, SHORTEN, USER)}


def plan(*steps: tuple[Tool, dict[str, Binding]]) -> Plan:
    return Plan(
        goal="g",
        steps=tuple(
            PlanStep(position=at, tool_id=one.id, bindings=bindings)
            for at, (one, bindings) in enumerate(steps, start=1)
        ),
    )


def said(found: Plan, tools: dict[str, Tool] = TOOLS) -> list[tuple[str | None, str | None]]:
    return [(one.finding, one.severity) for one in flow_warnings(found, tools)]


def from_mail(path: str, **more: object) -> StepBinding:
    return StepBinding.model_validate({"step": 1, "path": path, **more})


def test_what_somebody_wrote_may_not_say_where_mail_goes() -> None:
    """And then what is private leaves."""
    found = plan((MAIL, {}), (SEND, {"recipients": from_mail("/*/body"), "body": from_mail("/*/subject")}))

    first, second = flow_warnings(found, TOOLS)

    assert (first.finding, first.severity, first.steps, first.step) == ("steered", "high", (1, 2), 2)
    assert first.path == ("mail/search_emails /*/body", "mail/send_email recipients")
    assert first.instead == "let a person choose `recipients` before step 2"
    assert (second.finding, second.severity) == ("leak", "high")


def test_a_recipient_that_a_person_names_is_no_finding() -> None:
    """From the goal, as an input, or chosen."""
    chosen = from_mail("/*/body", select=Select(by="ask"))
    for to in (KnownBinding(known="a@b"), InputBinding(input="to"), chosen):
        assert said(plan((MAIL, {}), (SEND, {"recipients": to, "body": from_mail("/*/body")}))) == []


def test_an_answer_to_whoever_wrote_is_not_worst() -> None:
    """Who wrote is what the service says; it is told only where labels are stated."""
    found = plan((MAIL, {}), (SEND, {"recipients": from_mail("/*/sender")}))
    tools = {
        **TOOLS,
        "mail/search_emails": MAIL.model_copy(
            update={
                "labels": tuple(
                    StatedLabel(label=one) for one in (Label.UNTRUSTED_CONTENT, Label.PRIVATE_DATA)
                )
            }
        ),
        "mail/send_email": SEND.model_copy(update={"labels": (StatedLabel(label=Label.EXTERNAL_SINK),)}),
    }

    assert said(found) == []
    assert said(found, tools) == [("steered", "medium")]


def test_what_the_service_made_up_steers_nothing() -> None:
    """To delete what was found by its id is what was asked for."""
    by_id = plan((MAIL, {}), (DROP, {"path": from_mail("/*/id")}))
    by_text = plan((MAIL, {}), (DROP, {"path": from_mail("/*/body")}))

    assert said(by_id) == []
    assert said(by_text) == [("steered", "high")]


def test_a_text_is_followed_through_tools_that_pass_it_on() -> None:
    """A summary of what others wrote is what others wrote."""
    found = plan(
        (MAIL, {}),
        (SHORTEN, {"text": from_mail("/*/body")}),
        (SEND, {"recipients": StepBinding(step=2, path="/result")}),
    )

    (warning,) = flow_warnings(found, TOOLS)

    assert warning.steps == (1, 2, 3)
    assert warning.path == ("mail/search_emails /*/body", "text/summarize text", "mail/send_email recipients")


def test_a_look_up_by_what_others_wrote_gives_what_the_house_knows() -> None:
    """It passes nothing on."""
    found = plan(
        (MAIL, {}),
        (USER, {"id": from_mail("/*/body")}),
        (SEND, {"recipients": StepBinding(step=2, path="/email")}),
    )

    assert said(found) == []


def test_stated_labels_also_tell_of_order_alone() -> None:
    """`unguarded` and `trifecta`, which inferred ones do not."""
    untrusted = StatedLabel(label=Label.UNTRUSTED_CONTENT)
    tools = {
        "a/read": tool("a/read").model_copy(update={"labels": (untrusted,)}),
        "a/wipe": tool("a/wipe").model_copy(update={"labels": (StatedLabel(label=Label.DESTRUCTIVE),)}),
        "a/own": tool("a/own").model_copy(update={"labels": (StatedLabel(label=Label.PRIVATE_DATA),)}),
        "a/out": tool("a/out").model_copy(update={"labels": (StatedLabel(label=Label.EXTERNAL_SINK),)}),
    }
    read, wipe, own, out = tools.values()

    assert said(plan((read, {}), (wipe, {})), tools) == [("unguarded", "medium")]
    assert said(plan((read, {}), (own, {}), (out, {})), tools) == [("trifecta", "note")]
    denied = {
        **tools,
        "a/read": tool("a/read").model_copy(
            update={"labels": (untrusted.model_copy(update={"value": False}),)}
        ),
    }
    assert said(plan((read, {}), (wipe, {})), denied) == []


def test_warnings_are_said_anew_and_stay_out_of_what_has_none() -> None:
    """A second time they are the same; a plan without a toxic flow is the very same plan."""
    toxic = plan((MAIL, {}), (DROP, {"path": from_mail("/*/body")}))
    other = PlanWarning(code="destructive", message="m", step=2)
    toxic = toxic.model_copy(update={"warnings": (other,)})

    once = with_flow_warnings(toxic, TOOLS)

    assert with_flow_warnings(once, TOOLS) == once
    assert without_flow_warnings(once) == toxic
    assert with_flow_warnings(once, {}) == toxic
    harmless = plan((MAIL, {"query": KnownBinding(known="x")}))
    assert with_flow_warnings(harmless, TOOLS) is harmless
    assert plan_document(toxic)["warnings"] == [{"code": "destructive", "message": "m", "step": 2}]
    assert '"finding"' not in toxic.model_dump_json()


def test_the_edge_is_red() -> None:
    """In Mermaid by its number among the arrows."""
    found = with_flow_warnings(
        plan(
            (USER, {}),
            (MAIL, {"query": StepBinding(step=1, path="/id")}),
            (DROP, {"path": StepBinding(step=2, path="/0/body")}),
        ),
        TOOLS,
    )

    assert red_edges(found) == {(2, 3, "path")}
    assert plan_mermaid(found).splitlines()[-1] == "  linkStyle 1 stroke:#d1242f,stroke-width:3px"
    assert "linkStyle" not in plan_mermaid(without_flow_warnings(found))


@given(st.data())
def test_what_no_untrusted_answer_reaches_is_never_high(data: st.DataObject) -> None:
    """Whatever is bound to whatever, as long as no tool before gives what others wrote."""
    ids = [one for one in TOOLS if one != "mail/search_emails"]
    steps = []
    for position in range(1, data.draw(st.integers(1, 5)) + 1):
        chosen = TOOLS[data.draw(st.sampled_from(ids))]
        names = list(json.loads(chosen.input_schema)["properties"])
        bindings: dict[str, Binding] = {}
        for name in names:
            if position > 1 and data.draw(st.booleans()):
                bindings[name] = StepBinding(
                    step=data.draw(st.integers(1, position - 1)),
                    path=data.draw(st.sampled_from(["", "/body", "/id"])),
                )
        steps.append(PlanStep(position=position, tool_id=ToolId(chosen.id), bindings=bindings))

    assert flow_warnings(Plan(goal="g", steps=tuple(steps)), TOOLS) == ()
