"""What an operator learns of an answer to one of the callers: what keeps tools from them."""

from collections.abc import Callable, Sequence

from app.domain.access.asked_for import caller_asked_for
from app.domain.access.callers import Caller, CallerList, CallerScope
from app.domain.access.rules import RuleBook
from app.errors import InvalidInputError, NotPermittedError
from app.service.waiting import ask_graph
from app.service.worlds import Worlds, world_of
from app.usecases.standing.withheld import Withholding


def caller_to_answer_for(
    name: str,
    asking: Caller | None,
    listed: Callable[[], CallerList] | None,
    rules: Callable[[], RuleBook] | None,
) -> Caller:
    """The caller of this name.

    Args:
        name: As for `caller_asked_for`.
        asking: Who wants to know.
        listed: The file of callers; None where nothing names one.
        rules: That of policies; the same.

    Raises:
        NotPermittedError: whoever asks administers nothing.
        InvalidInputError: there is no such caller, or nothing is found by it.
    """
    if asking is not None and asking.lacks((CallerScope.ADMIN,)):
        raise NotPermittedError(f"caller {asking.name!r} lacks a scope; 'as' takes {CallerScope.ADMIN}")
    try:
        return caller_asked_for(
            name, listed() if listed else None, rules() if rules else None, takes=CallerScope.FIND
        )
    except InvalidInputError as error:
        raise InvalidInputError(f"as: {error}") from error


async def withholding_from(caller: Caller, tools: Sequence[str], worlds: Worlds) -> Withholding:
    """What may keep these tools from a caller.

    Raises:
        NotReadyError: nothing is loaded yet.
        StoreUnavailableError: the graph is away, which knows what is reviewed.
    """
    every = worlds.everything
    world = await world_of(worlds, caller, every)
    reviews = await ask_graph(every, lambda explorer: explorer.found_reviews(tools))
    rules, selectable = worlds.selecting(caller) or ((), None)
    return Withholding(world.find.keeper.index, rules, selectable, reviews, every.reach.down())
