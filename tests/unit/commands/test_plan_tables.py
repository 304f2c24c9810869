"""Plans as people read them, in a terminal of any width and through a pipe; and as a chart."""

from collections import Counter
from io import StringIO

import pytest
from rich.console import Console

from app.commands.plan_tables import print_plan
from app.domain.nodes.models import ToolId
from app.domain.workflows.mermaid import plan_mermaid
from app.domain.workflows.plans import (
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
    with_unused_first,
)
from app.domain.workflows.wording import select_words, when_words

EACH = Select(
    by="each",
    where=(Where(field="status", value="open"), Where(field="total", op="gt", value=5)),
    except_=("o-1", 7),
    sort=Sort(field="created", descending=True),
)
LONG = "a" * 150
PLAN = with_unused_first(
    Plan(
        goal="refund each open order",
        steps=(
            PlanStep(position=1, tool_id=ToolId("shop/listOrders"), purpose="find orders"),
            PlanStep(
                position=2,
                tool_id=ToolId(f"shop/{LONG}"),
                bindings={
                    "orderId": StepBinding(step=1, path="/items/*/id", select=EACH),
                    "note": StepBinding(step=1, path="/items/*/note", select=Select(by="first")),
                    "reason": KnownBinding(known=LONG),
                },
                when=(When(step=1, path="/total", op="gt", value=0),),
                mutating=True,
            ),
        ),
        inputs=(
            PlanInput(name="key", type="string", description="What for"),
            PlanInput(name="tone", required=False, suggested=True),
        ),
        warnings=(PlanWarning(code="destructive", message="cannot be undone", step=2),),
        unused=(UnusedValue(value="15 EUR", reason="no input takes it"), UnusedValue(value=3)),
        unmet=(UnmetTask(task="sing a song", reason="no tool fits"),),
    )
)


def printed(plan: Plan, width: int) -> str:
    out = StringIO()
    print_plan(plan, console=Console(file=out, width=width))
    return out.getvalue()


def test_a_plan_says_first_what_it_does_not_use() -> None:
    """Then its steps with their conditions and selections, what has no call, what it needs, what to know."""
    lines = [" ".join(line.split()) for line in printed(PLAN, 400).splitlines() if line.strip()]

    assert lines[:2] == ['not used: "15 EUR": no input takes it', "not used: 3"]
    said = "\n".join(lines)
    assert "only where /total of step 1 is above 0" in said
    assert (
        'orderId = step 1: /items/*/id of each item whose status is "open" and total is above 5, never "o-1", 7,'
        " sorted by created, highest first"
    ) in said
    assert "note = step 1: /items/*/note of the first item" in said
    assert lines[-4:] == [
        "no call for: sing a song: no tool fits",
        "needs key (string): What for",
        "may need tone",
        "destructive: step 2: cannot be undone",
    ]


@pytest.mark.parametrize("width", [20, 40, 80])
def test_a_narrow_terminal_loses_nothing(width: int) -> None:
    """Neither does a pipe, which has 80 columns: long ids and values are broken, not cut."""
    wide, narrow = (Counter("".join(printed(PLAN, each).split())) for each in (400, width))

    assert "…" not in narrow
    assert all(narrow[letter] >= count for letter, count in wide.items() if letter not in "─━")


def test_values_that_are_not_used_are_the_first_warnings() -> None:
    """Once, however often they are put there."""
    assert [one.code for one in PLAN.warnings] == ["unused_value", "unused_value", "destructive"]
    assert PLAN.warnings[0].message == '"15 EUR" of the goal goes into no call: no input takes it'
    assert with_unused_first(PLAN) == PLAN


@pytest.mark.parametrize(
    ("select", "words"),
    [
        (None, ""),
        (Select(by="first"), " of the first item"),
        (Select(by="last"), " of the last item"),
        (Select(by="ask"), " of the item that you choose"),
        (Select(by="match", field="name", value="x"), ' of the item whose name is "x"'),
        (Select(by="match", where=(Where(field="", value="x"),)), ' of the item whose value is "x"'),
        (
            Select(by="ask", where=(Where(field="a", op="ne", value=1),)),
            " of the item that you choose, of those whose a is not 1",
        ),
        (Select(by="last", sort=Sort(field="")), " of the last item, sorted by its value, lowest first"),
    ],
)
def test_a_selection_in_words(select: Select | None, words: str) -> None:
    assert select_words(select) == words


def test_a_condition_in_words() -> None:
    assert when_words(When(step=2, path="", op="contains", value="x")) == (
        'the whole answer of step 2 contains "x"'
    )


def test_a_chart_has_conditions_selections_and_what_is_left_over() -> None:
    chart = plan_mermaid(PLAN).splitlines()

    assert chart[1] == '  u0>"not used: #quot;15 EUR#quot;<br/>no input takes it"]'
    assert '  i1[/"tone (suggested)"/]' in chart
    assert '  s1 ==>|"only where /total of step 1 is above 0"| s2' in chart
    assert any(
        line.startswith('  s1 -->|"orderId of each item whose status is #quot;open#quot;') for line in chart
    )
    assert '  s1 -->|"note"| s2' in chart
    assert "  s1 -.-> s2" not in chart
    assert chart[-1] == '  m0>"no call for: sing a song<br/>no tool fits"]'
