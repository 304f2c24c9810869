"""What an operator learns of an answer to one of the callers: what keeps tools from them."""

from collections.abc import Callable, Sequence

from app.domain.access.callers import Caller, CallerList, CallerScope
from app.errors import InvalidInputError, NotPermittedError
from app.service.waiting import ask_graph
from app.service.worlds import Worlds, world_of
from app.usecases.standing.withheld import Withholding


def caller_to_answer_for(name: str, asking: Caller | None, listed: Callable[[], CallerList] | None) -> Caller:
    """The caller of this name.

    Args:
        name: Of an entry.
        asking: Who wants to know.
        listed: The file of callers; None where nothing names one.

    Raises:
        NotPermittedError: whoever asks administers nothing.
        InvalidInputError: there is no such caller, or nothing is found by it.
    """
    if asking is not None and asking.lacks((CallerScope.ADMIN,)):
        raise NotPermittedError(f"caller {asking.name!r} lacks a scope; 'as' takes {CallerScope.ADMIN}")
    if listed is None:
        raise InvalidInputError(
            f"as: {name!r}; accepted: where there is a file of callers (OUTFITTER_CALLERS)"
        )
    entry = listed().named(name)
    if entry is None:
        raise InvalidInputError(f"as: no caller {name!r}; accepted: a name of the file of callers")
    caller = entry.caller()
    if caller.lacks((CallerScope.FIND,)):
        raise InvalidInputError(f"as: caller {name!r} lacks a scope; this takes {CallerScope.FIND}")
    return caller


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
