"""Where each definition of a source below full trust stands, and how it gets elsewhere."""

from collections.abc import Iterable
from enum import StrEnum

from app.domain.findings.patterns import Tier
from app.domain.findings.scan import TextFinding
from app.domain.nodes.models import SourceId, ToolId, Value
from app.domain.nodes.syncs import Severity
from app.domain.review.definitions import ToolDefinition, read_definition, severity_of
from app.errors import ChangedMeanwhileError

REASON_CHARS = 500
"""As many as are kept of why a sync failed."""
BASELINE = "baseline"
"""Who agreed to what a source said when it was seen first; no person."""


class ReviewState(StrEnum):
    """What is known of a definition."""

    PENDING = "pending"
    """New: nobody has agreed to any definition of the tool, and nothing of it is served."""
    CHANGED = "changed"
    """The source says something else than what was agreed to."""
    APPROVED = "approved"
    BLOCKED = "blocked"
    """It stays so, whatever the source says later."""


class Verdict(StrEnum):
    """What somebody decides of a definition."""

    APPROVE = "approve"
    BLOCK = "block"


class Decision(Value):
    """What somebody decided of the definition that was shown."""

    id: ToolId
    hash: str
    """Of the definition that was shown."""
    verdict: Verdict
    reason: str
    by: str
    """Who decided."""


class Review(Value):
    """What a source says of a tool, what of that was agreed to, and by whom."""

    id: ToolId
    source: SourceId
    state: ReviewState
    severity: str = ""
    """Of a change: what it means for those who call the tool."""
    reviewed: bool = False
    """Whether a person agreed to what is approved; a baseline is no person."""
    approved_hash: str = ""
    approved: str = ""
    """The definition that is served; empty where none is agreed to."""
    seen_hash: str = ""
    """Empty where the source does not list the tool any more."""
    seen: str = ""
    """The definition that the source gave last."""
    by: str = ""
    reason: str = ""
    at: str = ""
    """When that was decided; UTC, ISO 8601."""
    seen_at: str = ""
    """When the source first gave this definition."""
    findings: tuple[TextFinding, ...] = ()
    """What in the definition that was seen last catches the eye."""

    @property
    def hash(self) -> str:
        """Of the definition that there is to decide on."""
        return self.seen_hash or self.approved_hash

    @property
    def waits(self) -> bool:
        """Whether somebody has to decide."""
        return self.state in (ReviewState.PENDING, ReviewState.CHANGED)

    @property
    def is_served(self) -> bool:
        """Whether callers get the tool, as it was agreed to."""
        is_held = self.state is ReviewState.CHANGED and self.severity == Severity.BREAKING
        return (
            bool(self.seen_hash)
            and not is_held
            and self.state not in (ReviewState.PENDING, ReviewState.BLOCKED)
        )


def sighted(
    prior: Review | None,
    definition: ToolDefinition,
    *,
    tool_id: ToolId,
    source: SourceId,
    at: str,
    findings: tuple[TextFinding, ...],
    accept: bool,
) -> Review:
    """The record after the source gave a definition.

    Args:
        prior: the record before; None for a tool that was never seen.
        definition: what the source says now.
        tool_id: of the tool.
        source: which says it.
        at: when.
        findings: in this definition.
        accept: agree to the first definition of a tool without asking anybody.
    """
    new = definition.hash
    if prior is not None and prior.seen_hash == new:
        return prior
    record = prior or Review(id=tool_id, source=source, state=ReviewState.PENDING)
    seen = {
        "seen_hash": new,
        "seen": definition.text,
        "seen_at": at,
        "findings": findings,
        "severity": "",
    }
    if prior is None and accept:
        agreed = {"approved_hash": new, "approved": definition.text, "by": BASELINE, "at": at}
        return record.model_copy(update={**seen, **agreed, "state": ReviewState.APPROVED})
    if record.state is ReviewState.BLOCKED:
        return record.model_copy(update=seen)
    if not record.approved_hash:
        return record.model_copy(update={**seen, "state": ReviewState.PENDING})
    if record.approved_hash == new:
        return record.model_copy(update={**seen, "state": ReviewState.APPROVED})
    severity = severity_of(read_definition(record.approved), definition, tool_id=tool_id).value
    return record.model_copy(update={**seen, "state": ReviewState.CHANGED, "severity": severity})


def vanished(prior: Review) -> Review | None:
    """The record after the source no longer lists the tool; None where there is nothing to remember.

    What was agreed to, and what was blocked, counts again when the tool comes back.
    """
    if prior.state is not ReviewState.BLOCKED and not prior.approved_hash:
        return None
    state = ReviewState.BLOCKED if prior.state is ReviewState.BLOCKED else ReviewState.APPROVED
    gone = {"seen_hash": "", "seen": "", "findings": (), "severity": "", "state": state}
    return prior.model_copy(update=gone)


def decided(record: Review, decision: Decision, *, at: str) -> Review:
    """The record after somebody decided.

    Raises:
        ChangedMeanwhileError: the decision is on another definition than the one that is there now.
    """
    if decision.hash != record.hash:
        raise ChangedMeanwhileError(
            f"the definition of {record.id!r} is not the one that was shown (hash {decision.hash:.64}); nothing is decided:"
            f" look at what `outfitter review show {record.id}` shows now"
        )
    said = {"by": decision.by, "reason": decision.reason[:REASON_CHARS], "at": at}
    if decision.verdict is Verdict.BLOCK:
        return record.model_copy(update={**said, "state": ReviewState.BLOCKED, "severity": ""})
    agreed = {"approved_hash": record.seen_hash, "approved": record.seen} if record.seen_hash else {}
    return record.model_copy(
        update={**said, **agreed, "state": ReviewState.APPROVED, "severity": "", "reviewed": True}
    )


def worst_first(records: Iterable[Review]) -> list[Review]:
    """In the order in which somebody should look: hard findings, soft ones, what is not served, then by id."""

    def rank(record: Review) -> tuple[int, int, bool, str]:
        tiers = [one.tier for one in record.findings]
        return -tiers.count(Tier.HARD), -tiers.count(Tier.SOFT), record.is_served, record.id

    return sorted(records, key=rank)
