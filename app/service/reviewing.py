"""Requests that decide of definitions: who may, and what carries it out."""

from collections.abc import Sequence

from app.answers.reviews import ReviewAnswer
from app.domain.access.callers import Caller, CameBy
from app.domain.review.records import Decision
from app.errors import NotPermittedError
from app.service.components import Components
from app.service.waiting import ask_graph, ask_reviews, ask_workflows
from app.usecases.review import show_review


def is_identified(caller: Caller | None) -> bool:
    """Whether it is known who asks; any program of this machine can ask on loopback without a token."""
    return caller is not None and caller.how is not CameBy.LOCAL


def check_identified(caller: Caller | None) -> str:
    """Who decides.

    Raises:
        NotPermittedError: nobody is identified: any program of this machine could be asking.
    """
    if caller is None or not is_identified(caller):
        raise NotPermittedError(
            "nobody is identified here, so definitions are approved and blocked on the command line alone: `outfitter"
            " review approve`; accepted: a service with OUTFITTER_API_TOKEN or OUTFITTER_CALLERS"
        )
    return caller.id


async def shown_review(components: Components, tool_id: str) -> ReviewAnswer:
    """One definition, with the workflows that call its tool."""
    workflows = await ask_workflows(components, lambda store: store.calling(tool_id))
    return await ask_graph(components, lambda graph: show_review(graph, tool_id, workflows=workflows))


async def decide(components: Components, decisions: Sequence[Decision]) -> None:
    """Carry decisions out; the service answers by them as soon as it has read the new generation."""
    components.keeper.notice(await ask_reviews(components, lambda desk: desk.decide(decisions)))
