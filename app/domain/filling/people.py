"""People whom a goal names: by a first and a last name, or beside a verb after which documents call them."""

from collections.abc import Sequence

from app.domain.filling.assigned import Assignment, joins, put
from app.domain.filling.fit import KIND, own_noun
from app.domain.filling.forms import SHALLOW, Form, OperationForm, speaks_of_email
from app.domain.filling.said import SaidValue
from app.domain.filling.typed import MISSING, typed
from app.domain.reading.models import ValueKind
from app.lexicon.lists import table

_PEOPLE = (ValueKind.NAME, ValueKind.EMAIL, ValueKind.MENTION)


def fill_full_names(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """`Ann Lee` fills a first and a last name that stand side by side, where no whole name stands beside them."""
    pairs = form.first_and_last_names
    for first, last in pairs:
        if len(first.item.pointer) > SHALLOW and len(pairs) > 1:
            continue
        if any(one.item.pointer in found.known for one in (first, last)):
            continue
        for one in said:
            parts = one.value.text.split(" ", 1)
            named = one.local and one.value.kind is ValueKind.NAME and len(parts) > 1
            if named and one.at not in found.used and own_noun(one) in ("", *form.resource):
                found.known[first.item.pointer], found.known[last.item.pointer] = parts
                found.used[one.at] = first.item.pointer
                found.weight += KIND
                return


def fill_whole_names(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """A first and a last name that the caller gives apart fill a whole name, where there is no input for either."""
    lists = table("inputs")
    called = {one.joined_name for one in form.forms}
    if not called.isdisjoint((*lists["first_names"], *lists["last_names"])):
        return
    parts = [
        next(
            (
                one
                for one in said
                if one.local and one.value.by_name and "".join(one.value.nouns) in lists[key]
            ),
            None,
        )
        for key in ("first_names", "last_names")
    ]
    whole = next(
        (
            one
            for name in reversed(lists["whole_names"])
            for one in form.forms
            if one.joined_name == name
            and one.is_free_text
            and len(one.item.pointer) <= SHALLOW
            and one.item.pointer not in found.known
        ),
        None,
    )
    first, last = parts
    if first is not None and last is not None and whole is not None:
        found.known[whole.item.pointer] = f"{first.value.text} {last.value.text}"
        found.used.update({first.at: whole.item.pointer, last.at: whole.item.pointer})
        found.weight += KIND


def fill_people(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """Who is named beside a verb goes to the input that is called after what the verb makes of people: `assign it to bob`."""
    for one in said:
        if not one.local or not one.verb or one.at in found.used or one.value.kind not in _PEOPLE:
            continue
        if own_noun(one) or one.value.preposition not in ("", "to") or one.value.weak:
            continue
        target = next(
            (
                form.forms[at]
                for at in (*form.doers.get(one.verb, ()), *form.by_stem.get(one.object, ()))
                if len(form.forms[at].item.pointer) <= SHALLOW
                and not form.forms[at].item.is_container
                and (at in form.doers.get(one.verb, ()) or _is_for_people(form.forms[at], one))
            ),
            None,
        )
        if target is None or typed(target, one.value) is MISSING:
            continue
        is_known_so = one.value.kind is ValueKind.EMAIL and speaks_of_email(target.item.description)
        if target.is_opaque and one.value.kind is not ValueKind.MENTION and not is_known_so:
            # An id has to be looked up.
            continue
        if target.item.pointer not in found.known or joins(found, target, one):
            put(found, target, one, typed(target, one.value), KIND)  # type: ignore[arg-type]


def _is_for_people(target: Form, one: SaidValue) -> bool:
    """Whether an input is called as the people that a task names, and takes what it names them by: `add bob@a.com as a member`."""
    return (
        target.own == {one.object}
        and one.value.kind is ValueKind.EMAIL
        and "email" in target.item.description.lower()
    )
