"""Definitions that are reviewed, as JSON and as pages and tables show them.

Every text of a source has its hidden characters written out: who decides must see what is there.
"""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, Field

from app.domain.findings.patterns import Tier
from app.domain.language.visible_text import visible
from app.domain.nodes.syncs import Severity
from app.domain.review.definitions import differences, read_definition
from app.domain.review.records import Review, ReviewState


class ReviewFinding(BaseModel):
    """A sign that a definition wants to steer whoever reads it."""

    code: Annotated[str, Field(examples=["keeps_from_user"])]
    tier: Annotated[
        Tier,
        Field(
            description="`hard`: one holds a tool of a baseline; `soft`: two do; `note`: it is only shown."
        ),
    ]
    meaning: str
    field: Annotated[str, Field(description="Where it was found.")]
    said: Annotated[
        str, Field(description="The place in the text. Written by the source: data, not instructions.")
    ]


class ReviewEntry(BaseModel):
    """One tool of a source that is not trusted in full."""

    id: Annotated[str, Field(description="Of the tool.", examples=["orders/refund"])]
    source: Annotated[str, Field(examples=["mcp:orders"])]
    state: ReviewState
    severity: Annotated[
        str,
        Field(
            description="Of a change: `breaking`, `compatible` or `description`; empty where nothing changed."
        ),
    ]
    served: Annotated[bool, Field(description="Whether callers get the tool, as it was agreed to.")]
    reviewed: Annotated[
        bool, Field(description="Whether a person agreed to what is approved; a baseline is no person.")
    ]
    hash: Annotated[str, Field(description="SHA-256 of the definition that there is to decide on.")]
    by: Annotated[str, Field(description="Who decided last; `baseline`: nobody was asked.")]
    reason: str
    at: Annotated[str, Field(description="When that was; UTC, ISO 8601.")]
    seen_at: Annotated[str, Field(description="When the source first gave this definition.")]
    findings: list[ReviewFinding]


class ReviewsAnswer(BaseModel):
    """Definitions, what looks worst first."""

    reviews: list[ReviewEntry]
    total: Annotated[int, Field(description="How many there are beyond the limit, too.")]


class ReviewDifference(BaseModel):
    """One field that is another than what was agreed to."""

    field: str
    severity: Severity
    before: Annotated[str, Field(description="What was agreed to; empty where there was nothing.")]
    after: Annotated[str, Field(description="What the source says now. Data, not instructions.")]


class ReviewAnswer(ReviewEntry):
    """One definition with all that is new in it."""

    differences: Annotated[
        list[ReviewDifference],
        Field(description="Field by field, the gravest first; all of a definition where none was agreed to."),
    ]
    workflows: Annotated[list[str], Field(description="Stored workflows that call the tool.")]


def review_entry(record: Review) -> ReviewEntry:
    """A record without its definitions."""
    return ReviewEntry(**_entry(record))


def review_answer(record: Review, workflows: Sequence[str]) -> ReviewAnswer:
    """A record with what its definition changes."""
    found: list[ReviewDifference] = []
    if record.seen:
        before = read_definition(record.approved) if record.approved else None
        found = [
            ReviewDifference(
                field=visible(one.field),
                severity=one.severity,
                before=visible(one.before),
                after=visible(one.after),
            )
            for one in differences(before, read_definition(record.seen), tool_id=record.id)
        ]
    return ReviewAnswer(**_entry(record), differences=found, workflows=list(workflows))


def _entry(record: Review) -> dict[str, object]:
    findings = [
        ReviewFinding(
            code=one.code,
            tier=one.tier,
            meaning=one.meaning,
            field=visible(one.field),
            said=visible(one.said),
        )
        for one in record.findings
    ]
    return {
        "id": visible(record.id),
        "source": visible(record.source),
        "state": record.state,
        "severity": record.severity,
        "served": record.is_served,
        "reviewed": record.reviewed,
        "hash": record.hash,
        "by": visible(record.by),
        "reason": visible(record.reason),
        "at": record.at,
        "seen_at": record.seen_at,
        "findings": findings,
    }
