"""What of sources that are not trusted in full waits for somebody to agree to it."""

from collections.abc import Collection, Sequence

from app.answers.reviews import ReviewAnswer, ReviewsAnswer, review_answer, review_entry
from app.domain.review.records import Review, ReviewState, worst_first
from app.errors import InvalidInputError, NotFoundError
from app.ports.graph import GraphExplorer

WAITING = (ReviewState.PENDING, ReviewState.CHANGED)
STATES = (*(one.value for one in ReviewState), "all")
"""What a list may be asked for."""


def states_of(text: str) -> tuple[ReviewState, ...]:
    """The states that a word of a list means; those that wait for an empty one.

    Raises:
        InvalidInputError: it means none.
    """
    if not text:
        return WAITING
    if text not in STATES:
        raise InvalidInputError(f"state {text!r:.60}; accepted: {', '.join(STATES)}")
    return tuple(ReviewState) if text == "all" else (ReviewState(text),)


def waiting_reviews(
    graph: GraphExplorer, *, states: Collection[ReviewState] = WAITING, source: str = ""
) -> list[Review]:
    """The records in these states, of one source or of all, what looks worst first."""
    found = [one for one in graph.reviews() if one.state in states and source in ("", one.source)]
    return worst_first(found)


def list_reviews(
    graph: GraphExplorer, *, states: Collection[ReviewState], source: str, limit: int
) -> ReviewsAnswer:
    """A list of them."""
    found = waiting_reviews(graph, states=states, source=source)
    return ReviewsAnswer(reviews=[review_entry(one) for one in found[:limit]], total=len(found))


def show_review(graph: GraphExplorer, tool_id: str, *, workflows: Sequence[str]) -> ReviewAnswer:
    """One definition, field by field, with what uses the tool.

    Raises:
        NotFoundError: no definition of this tool is reviewed.
    """
    found = graph.found_reviews([tool_id])
    if not found:
        raise NotFoundError(
            f"no definition of a tool {tool_id!r:.200} is reviewed; `outfitter review --state all` lists all"
        )
    return review_answer(found[0], workflows)
