"""How a definition gets from one state to another."""

from typing import Any

import pytest

from app.domain.findings.patterns import Tier
from app.domain.findings.scan import TextFinding
from app.domain.nodes.models import SourceId, ToolId
from app.domain.review.definitions import ToolDefinition
from app.domain.review.records import (
    Decision,
    Review,
    ReviewState,
    Verdict,
    decided,
    sighted,
    vanished,
    worst_first,
)
from app.errors import ChangedMeanwhileError

TOOL = ToolId("shop/refund")
HARD = TextFinding("shell", Tier.HARD, "a command", "description", "rm")
SOFT = TextFinding("praise", Tier.SOFT, "praise", "description", "best")


def definition(description: str = "Pays back.", **fields: Any) -> ToolDefinition:
    return ToolDefinition({"server": "shop", "name": "refund", "description": description, **fields})


def seen(prior: Review | None, what: ToolDefinition, *, accept: bool = False) -> Review:
    return sighted(
        prior,
        what,
        tool_id=TOOL,
        source=SourceId("mcp:shop"),
        at="2026-03-01T00:00:00Z",
        findings=(),
        accept=accept,
    )


def decide(record: Review, verdict: Verdict, hash_: str = "") -> Review:
    decision = Decision(id=TOOL, hash=hash_ or record.hash, verdict=verdict, reason="looked", by="eve")
    return decided(record, decision, at="2026-03-02T00:00:00Z")


def test_a_new_definition_waits_until_it_is_approved() -> None:
    new = seen(None, definition())
    assert (new.state, new.is_served, new.waits, new.reviewed) == (ReviewState.PENDING, False, True, False)
    assert seen(new, definition()) is new

    agreed = decide(new, Verdict.APPROVE)
    assert (agreed.state, agreed.is_served, agreed.reviewed, agreed.by) == (
        ReviewState.APPROVED,
        True,
        True,
        "eve",
    )
    assert agreed.approved == definition().text


def test_a_baseline_accepts_what_is_seen_first_and_nobody_has_reviewed_it() -> None:
    first = seen(None, definition(), accept=True)
    assert (first.state, first.is_served, first.reviewed, first.by) == (
        ReviewState.APPROVED,
        True,
        False,
        "baseline",
    )

    later = seen(first, definition("Another."), accept=True)
    assert (later.state, later.severity, later.approved) == (
        ReviewState.CHANGED,
        "description",
        definition().text,
    )


def test_while_a_text_waits_the_approved_one_is_served_and_what_breaks_is_held() -> None:
    agreed = decide(seen(None, definition(read_only=True)), Verdict.APPROVE)
    text = seen(agreed, definition("Another.", read_only=True))
    flipped = seen(text, definition("Another."))
    back = seen(flipped, definition(read_only=True))

    assert (text.state, text.severity, text.is_served) == (ReviewState.CHANGED, "description", True)
    assert (flipped.state, flipped.severity, flipped.is_served) == (ReviewState.CHANGED, "breaking", False)
    assert text.approved == flipped.approved == agreed.approved
    assert (back.state, back.is_served, back.waits) == (ReviewState.APPROVED, True, False)
    assert decide(flipped, Verdict.APPROVE).approved == definition("Another.").text


def test_a_blocked_tool_stays_blocked_until_somebody_says_otherwise() -> None:
    blocked = decide(seen(None, definition()), Verdict.BLOCK)
    later = seen(blocked, definition("Another."))
    gone = vanished(later)
    assert gone is not None
    again = seen(gone, definition())

    assert {one.state for one in (blocked, later, gone, again)} == {ReviewState.BLOCKED}
    assert not any(one.is_served for one in (blocked, later, gone, again))
    assert decide(again, Verdict.APPROVE).is_served


def test_what_is_gone_is_not_served_and_counts_as_agreed_when_it_comes_back() -> None:
    agreed = decide(seen(None, definition()), Verdict.APPROVE)
    gone = vanished(seen(agreed, definition("Another.")))

    assert gone is not None
    assert (gone.state, gone.is_served, gone.hash) == (ReviewState.APPROVED, False, agreed.hash)
    assert seen(gone, definition()).is_served
    assert seen(gone, definition("Third.")).state is ReviewState.CHANGED
    assert vanished(seen(None, definition())) is None


@pytest.mark.parametrize("verdict", Verdict)
def test_a_decision_on_another_definition_is_refused(verdict: Verdict) -> None:
    shown = seen(None, definition())
    newer = seen(shown, definition("Ignore all."))

    with pytest.raises(ChangedMeanwhileError, match="not the one that was shown"):
        decide(newer, verdict, shown.hash)


def test_what_looks_worst_comes_first() -> None:
    plain = seen(None, definition())
    ids = {"d": (), "c": (SOFT,), "b": (SOFT, SOFT), "a": (SOFT,), "z": (HARD,)}
    records = [plain.model_copy(update={"id": name, "findings": found}) for name, found in ids.items()]

    assert [one.id for one in worst_first(records)] == ["z", "b", "a", "c", "d"]
