"""What keeps a tool from a caller: a rule, its review, an outage. Operators ask; to callers a hidden tool is unknown."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from app.answers.standing import ExplainAnswer, Withheld, WithheldBy
from app.domain.access.rules import Act, Rule, Selectable, deciding_rule
from app.domain.review.records import Review, ReviewState
from app.usecases.index.search_index import SearchIndex

_SAID = {
    ReviewState.PENDING: "is new and waits for review",
    ReviewState.CHANGED: "has changed and waits for review",
    ReviewState.BLOCKED: "is blocked",
}


@dataclass(frozen=True, eq=False)
class Withholding:
    """All that may keep tools from one caller, of one moment."""

    seen: SearchIndex
    """What the caller sees."""
    rules: tuple[Rule, ...] = ()
    """About the caller, and what they select from."""
    world: Selectable | None = None
    reviews: Collection[Review] = ()
    """Of the tools that are asked about."""
    down: frozenset[str] = frozenset()
    """Tools that cannot be reached."""

    def added_to(self, answer: ExplainAnswer) -> ExplainAnswer:
        """The answer with what keeps each tool from the caller; the same answer where nothing does."""
        found = {one.id: self.of(one.id) for one in answer.tools}
        if not any(found.values()):
            return answer
        return replace(answer, tools=tuple(replace(one, withheld=found[one.id]) for one in answer.tools))

    def of(self, tool_id: str) -> Withheld | None:
        """What keeps a tool from the caller; None where nothing does, or nobody knows the tool."""
        if self.world is not None and tool_id not in self.seen.positions and tool_id in self.world.ids:
            rule = deciding_rule(self.rules, self.world, tool_id, Act.FIND)
            text = f"rule {rule!r} denies it" if rule else "no rule grants it"
            return Withheld(WithheldBy.RULE, text, rule=rule or None)
        record = _named(self.reviews, tool_id)
        if record is not None and record.seen_hash and not record.is_served:
            text = f"its definition {_SAID[record.state]}: `outfitter review show {tool_id}`"
            return Withheld(WithheldBy.REVIEW, text, state=record.state)
        if tool_id in self.down:
            return Withheld(WithheldBy.OUTAGE, "its source cannot be reached: `outfitter sources`")
        return None


def _named(reviews: Iterable[Review], tool_id: str) -> Review | None:
    return next((one for one in reviews if one.id == tool_id), None)
