"""What something costs that much for, where a goal says it beside the price: a line of an invoice, `450 for a logo`."""

import re
from collections.abc import Iterator

from app.domain.filling.assigned import Assignment
from app.domain.filling.fit import is_title, names_of_kind
from app.domain.filling.forms import Form, OperationForm
from app.domain.filling.said import SaidValue
from app.domain.language.identifiers import pieces, singular
from app.domain.language.text import stem
from app.domain.planning.context import GoalContext
from app.domain.planning.draft import PlanDraft
from app.domain.planning.index import PlanIndex
from app.domain.reading.models import ValueKind
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

_PHRASE = r"(?:(?:an?|the)\s++)?((?:[A-Za-z][\w'&-]*+\s++){0,4}?[A-Za-z][\w'&-]*+)"
_END = r"(?=\s*+(?:$|[,.;:!?(\n])|\s++(?:and|then|every|each|per|on|by|due|to|from|until|till|in|at|with|for|please|pls)\b)"
_BEHIND = re.compile(rf"(?:\s++(?:each|apiece))?+\s++for\s++{_PHRASE}{_END}")
"""`450 for a logo`."""
_BEFORE = re.compile(
    rf"(?:[,:]|\b(?:and|plus|add|bill|charge|for|with)\b)\s*+{_PHRASE}\s++(?:for|of|at)\s++$"
)
"""`a travel fee of 40`."""
_COUNTED = re.compile(rf"\s++(?:of\s++)?+{_PHRASE}\s++(?:at|for)\s++$")
"""`4 shelving units at 210`, between both numbers."""
_LOOKED_BACK = 80
"""Characters before a price in which it is said what it is for."""
_PRICES = (ValueKind.NUMBER, ValueKind.AMOUNT)


def fill_described(index: PlanIndex, draft: PlanDraft) -> None:
    """Fill the description that a call has to have beside a price with what the goal says that the price is for.

    Args:
        index: The catalogue.
        draft: Whose calls take the descriptions.
    """
    for target in draft.targets:
        form = index.form(target.at)
        found = draft.context.assigned(target.number, target.at, form)
        for one in _descriptions(form, found) if form.operation.mutating else ():
            is_left = any(
                said.local and said.value.kind in _PRICES and said.at not in found.used
                for said in draft.context.said_for(target.number)
            )
            # Of several lines one would be lost.
            if not is_left and _describe(draft.context, form, found, one):
                draft.context.look_up_again(target.number)


def _descriptions(form: OperationForm, found: Assignment) -> Iterator[Form]:
    names = table("inputs")["described"]
    return (
        one
        for one in form.forms
        if one.item.required
        and one.is_free_text
        and one.joined_name in names
        # What has a name is described otherwise.
        and not any(
            is_title(other) and other.item.pointer[:-1] == one.item.pointer[:-1] for other in form.forms
        )
        and not found.has(one.item.pointer)
    )


def _describe(context: GoalContext, form: OperationForm, found: Assignment, one: Form) -> bool:
    """Fill a description; whether the goal says one."""
    beside = {
        at: form.forms[form.by_pointer[pointer]]
        for at, pointer in found.used.items()
        if pointer[:-1] == one.item.pointer[:-1] and context.values[at].kind in _PRICES
    }
    prices = [at for at, other in beside.items() if not other.own.isdisjoint(names_of_kind(ValueKind.AMOUNT))]
    if len(prices) != 1 or not all(other.is_number for other in beside.values()):
        return False
    span = _phrase_beside(context, context.said[prices[0]], [context.said[at] for at in beside])
    if span is None:
        return False
    begin, end = span
    inside = [other for other in context.said if other.value.start < end and begin < other.value.end]
    phrase = context.goal[begin:end]
    words = pieces(phrase)
    # What is called by capitals alone may be whom it is for.
    names_one = context.is_thing(stem(singular(words[-1]))) or all(
        word[0].isupper() for word in phrase.split()
    )
    known = value_words()
    # `for two weeks`, `for me`
    says_else = any(
        word in known.dates or word in known.units or (word in known.function and word != "of")
        for word in words
    )
    last = frozenset((stem(singular(words[-1])),))
    # `with a price of 20`
    names_input = last <= names_of_kind(ValueKind.AMOUNT) or any(
        other.own == last for other in beside.values()
    )
    if (
        names_one
        or says_else
        or names_input
        or any(not other.value.weak and other.at in found.used for other in inside)
    ):
        return False
    if any(other.value.kind not in (ValueKind.NAME, ValueKind.QUOTED) for other in inside):
        return False
    found.known[one.item.pointer] = phrase
    found.used.update((other.at, one.item.pointer) for other in inside)
    return True


def _phrase_beside(
    context: GoalContext, price: SaidValue, numbers: list[SaidValue]
) -> tuple[int, int] | None:
    """Where a goal says what a price is for: first character, end; None where it does not."""
    goal = context.goal
    counted = max((one.value.end for one in numbers if one.value.end <= price.value.start), default=None)
    if counted is not None and (found := _COUNTED.fullmatch(goal, counted, price.value.start)):
        return found.span(1)
    if found := _BEHIND.match(goal, price.value.end):
        return found.span(1)
    before = max(0, price.value.start - _LOOKED_BACK)
    # The shortest phrase is the one that begins last.
    spans = [
        one.span(1)
        for at in range(before, price.value.start)
        if (one := _BEFORE.match(goal, at, price.value.start))
    ]
    return spans[-1] if spans else None
