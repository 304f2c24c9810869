"""By which filter a list is asked for the one thing that a task names."""

from collections.abc import Sequence

from app.domain.filling.assigned import Assignment, put
from app.domain.filling.fit import UUID, may_be_a_word, own_noun
from app.domain.filling.forms import Form, OperationForm
from app.domain.filling.said import SaidValue
from app.domain.filling.typed import MISSING, typed
from app.domain.language.goal_words import persons
from app.domain.language.operation_words import LISTING_KINDS
from app.domain.language.text import stem
from app.domain.reading.models import THING_NAMES, ValueKind
from app.lexicon.lists import table

_CALLED = (
    *THING_NAMES,
    ValueKind.CHANNEL,
    ValueKind.MENTION,
)
_FILTERED = 0.55
"""As of a text that goes to an optional title."""


def fill_filter(
    form: OperationForm, consumer: OperationForm, said: Sequence[SaidValue], found: Assignment
) -> None:
    """Ask a list for the thing that a task names: `the group Accounting` by `search`, `client web-shop` by `clientId`.

    Args:
        form: The list, which is added for another call.
        consumer: The call that takes something of it. A value without a noun names what that one is about.
        said: The values as the list sees them: local is what the consumer leaves.
        found: What the list takes already; the filter is added.
    """
    operation = form.operation
    if operation.kind not in LISTING_KINDS:
        return
    resource = frozenset(map(stem, operation.resource))
    # `restart web-1`: what a path ends with, but for its action, is what a name without a noun is of.
    last = consumer.last_place.names if consumer.last_place else frozenset()
    through = [one for one in consumer.forms if one.item.location == "path"]
    is_of_place = any(not resource.isdisjoint(one.names) for one in through)
    is_same = bool(resource.intersection((*map(stem, consumer.operation.resource), *last)))
    for one in said:
        noun = own_noun(one)
        is_person = one.value.kind is ValueKind.EMAIL and not resource.isdisjoint(persons())
        if one.at in found.used or not one.local or not (is_person or one.value.kind in _CALLED):
            continue
        if UUID.fullmatch(one.value.text) or not (
            noun in resource
            or (is_person and not noun)
            or (is_same and not noun and not one.value.preposition)
            or (is_of_place and one.is_place)
        ):
            continue
        if may_be_a_word(one, resource):
            continue
        target = _filter_for(form, noun, one, found)
        if target is not None:
            put(found, target, one, one.value.text, _FILTERED)
            return


def _filter_for(form: OperationForm, noun: str, one: SaidValue, found: Assignment) -> Form | None:
    """The filter that takes what a thing is called: by its noun (`clientId`), else by a name, else a search."""
    open_filters = [
        target
        for target in form.forms
        if target.item.location == "query"
        and target.item.type in ("string", "")
        and not target.item.enum
        and target.item.pointer not in found.known
        and typed(target, one.value) is not MISSING
    ]
    by_name = {target.filters_by: target for target in reversed(open_filters)}
    own = [f"{noun}{ending}" for ending in ("name", "id", "key", "code")] if noun else []
    names = [*own, *table("inputs")["titles"], *table("inputs")["searches"]]
    return next((by_name[name] for name in names if name in by_name), None)
