"""Which item of a list a step takes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from pydantic import JsonValue

from app.domain.filling.fit import (
    becomes,
    is_of_states,
    is_set_on,
    may_be_a_word,
    may_be_id,
    names_of_kind,
    own_noun,
)
from app.domain.filling.forms import switch_words
from app.domain.filling.said import SaidValue, counts_things
from app.domain.filling.states.words import alike
from app.domain.filling.typed import without_sign
from app.domain.language.identifiers import pieces, singular, words
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.nodes.dependencies import Requirement
from app.domain.planning.operations import Operation
from app.domain.reading.models import Quantity, StatedValue, ValueKind
from app.domain.schemas.tool_schemas import ITEM, Output
from app.domain.workflows.plans import Select, Sort, Where
from app.lexicon.lists import table

_NAMES = frozenset(
    (
        ValueKind.QUOTED,
        ValueKind.NAME,
        ValueKind.EMAIL,
        ValueKind.URL,
        ValueKind.ID,
        ValueKind.NUMBER,
        ValueKind.MENTION,
        ValueKind.CHANNEL,
    )
)


_NO_KEYS = (ValueKind.DATE, ValueKind.EMAIL, ValueKind.MEASURE, ValueKind.DURATION, ValueKind.AMOUNT)
"""Kinds of values that no thing is known by, unless a field of it says so."""
_PLACES = frozenset(("from", "in", "into", "on", "onto", "at", "to"))
_PARTS_OF_ITSELF = ("metadata", "fields", "profile", "attributes", "properties", "data", "info")
"""Objects within an item that hold its own fields."""


def item_fields(operation: Operation, field: str) -> list[tuple[str, Output]]:
    """Scalars of the item in which a field of an answer stands, each with its pointer within the item."""
    segments = field.split("/")[1:]
    last = len(segments) - 1 - segments[::-1].index(ITEM)
    item = tuple(segments[: last + 1])
    return [
        ("/".join(output.pointer[len(item) :]), output)
        for output in operation.answer.fields
        if output.pointer[: len(item)] == item and ITEM not in output.pointer[len(item) :]
    ]


def named_field(operation: Operation, item: str) -> str:
    """The field that says what the items of a list are called, by the JSON pointer to the list; empty without one."""
    own, near = _by_name(item_fields(operation, f"{item}/{ITEM}/"))
    called = table("inputs")["called"]
    return next((held[name] for held in (own, near) for name in called if name in held), "")


def _by_name(fields: Sequence[tuple[str, Output]]) -> tuple[dict[str, str], dict[str, str]]:
    """Name -> pointer of the scalars of an item, and of those of the objects that hold its own fields."""
    own = {"".join(words(output.name)): pointer for pointer, output in fields if "/" not in pointer}
    near = {
        "".join(words(output.name)): pointer
        for pointer, output in fields
        if pointer.count("/") == 1 and pointer.split("/", 1)[0] in _PARTS_OF_ITSELF
    }
    return own, near


def select_of(
    producer: Operation,
    edge: Requirement,
    *,
    quantity: Quantity,
    left: Sequence[SaidValue],
    spared: Sequence[StatedValue],
    narrowed: bool,
    leads_to_change: bool,
    narrowing: AbstractSet[str] = frozenset(),
    denied: AbstractSet[str] = frozenset(),
    unsaid: AbstractSet[str] = frozenset(),
    open_values: AbstractSet[int] = frozenset(),
    is_plural: bool = False,
    spares_by_other: bool = False,
    is_thing: Callable[[str], bool] = lambda _: False,
) -> tuple[Select, list[int]]:
    """Which item is meant, and the positions of the values that say so.

    The one that a value of the task names, each of all, the latest by its time, or the only one of a narrowed list.
    What the goal could have narrowed and did not is not changed by taking the first: the caller chooses.

    Args:
        producer: The call whose answer holds the list.
        edge: From where in the answer the value comes.
        quantity: How many the task means.
        left: Values of the task that no input has taken.
        spared: Values that the goal excepts.
        narrowed: Whether the call looks for one thing by its name or address.
        leads_to_change: Whether a step that changes something takes the item.
        narrowing: Stems of what says which of many are meant, and that the call does not take: `all completed tasks`.
        denied: Stems of what those that are meant are not, and that the call does not take: `tickets that are not urgent`.
        unsaid: Of all these stems, the ones that have to tell which are meant before each of them is changed.
        open_values: Positions of the values that have to do so.
        is_plural: Whether the task speaks of several, without saying that it means all: `delete tickets older than a year`.
        spares_by_other: Whether the goal says by something else what it excepts: `except those of customer 77`.
        is_thing: Whether calls are about what a stem names: who stands behind another such noun is no item of this list.
    """
    resource = frozenset(stem(word) for word in producer.resource) | _held(edge.field)
    left = [one for one in left if one.value.kind is not ValueKind.NUMBER or not _says_how_much(one)]
    if is_of_states(resource):
        # The status "Done" of the project "Garden" is not called "Garden".
        left = [one for one in left if becomes(one, resource)] or left
    fields = item_fields(producer, edge.field)
    by_name, near = _by_name(fields)
    # The item's own field, rather than one of what it holds.
    deep = {
        "".join(words(output.name)): pointer
        for pointer, output in sorted(fields, key=lambda pair: -pair[0].count("/"))
    }
    # What stands behind the noun of the list says which, before what stands behind none.
    left = sorted(left, key=lambda one: own_noun(one) not in resource)
    where, used = [], []
    # `those of customer 77` are not 77.
    excepted, avoided = ((), []) if spares_by_other else _spared(edge, spared, by_name or near)
    where += avoided
    for one in left:
        if one.value.kind not in _NAMES or _is_place(one) or one.is_sentence:
            continue
        if one.is_letter or may_be_a_word(one, resource) or is_set_on(one, resource):
            continue
        if one.implied and one.implied.isdisjoint(resource):
            # An id of another thing is not what this one is called.
            continue
        noun = own_noun(one)
        is_other = noun not in {"", *resource} and (may_be_id(one.value) or is_thing(noun))
        name = _field_for(one, by_name, is_other=is_other) or _field_for(one, near, is_other=is_other)
        if name:
            where.append(Where(field=name, op="eq", value=without_sign(one.value)))
            used.append(one.at)
            break
    narrowed_by = [*_narrowed(fields, narrowing - denied), *_narrowed(fields, denied, are=False)]
    known_by = frozenset().union(*(stems for _, stems in narrowed_by))
    unnamed = spares_by_other or any(one.kind in _NO_KEYS or counts_things(one) for one in spared)
    unnamed |= not avoided and any(
        one.kind in (ValueKind.NAME, ValueKind.QUOTED)
        # `except the urgent ones` is known by a field.
        and known_by.isdisjoint(map(stem, pieces(one.text)))
        for one in spared
    )
    excepted = tuple(
        one
        for one in excepted
        if not (isinstance(one, str) and known_by.intersection(map(stem, pieces(one))))
    )
    if unnamed and leads_to_change and (is_opaque(edge.field) or spares_by_other or quantity.is_of_many):
        # Nothing in the list tells which item is spared.
        return Select(by="ask", except_=excepted), used
    if quantity.is_of_many:
        where += [one for one, _ in narrowed_by]
        # Who says `all purple tickets` does not mean all tickets.
        is_open = bool(unsaid - known_by or open_values - {*used})
        by = "ask" if leads_to_change and is_open else "each"
        return Select(by=by, where=tuple(where), except_=excepted), used
    named = [one for one in where if one.op == "eq"]
    if named:
        rest = tuple(one for one in where if one is not named[0])
        return Select(
            by="match", field=named[0].field, value=named[0].value, where=rest, except_=excepted
        ), used
    if quantity is Quantity.SEVERAL:
        # No selection says how many.
        return Select(by="ask", except_=excepted), used
    if quantity in (Quantity.LAST, Quantity.FIRST):
        time = next((deep[name] for name in table("inputs")["times"] if name in deep), "")
        if time:
            by = "last" if quantity is Quantity.LAST else "first"
            return Select(by=by, sort=Sort(field=time), except_=excepted), used
        if not leads_to_change:
            return Select(by="first" if quantity is Quantity.FIRST else "last", except_=excepted), used
        return Select(by="ask", except_=excepted), used
    if leads_to_change and is_plural:
        return Select(by="ask", except_=excepted), used
    if narrowed or not leads_to_change or producer.kind in (OperationKind.GET, OperationKind.CREATE):
        # What makes a thing gives no other.
        return Select(by="first", except_=excepted), used
    return Select(by="ask", except_=excepted), used


def _held(field: str) -> frozenset[str]:
    """Stem of what an answer calls the items that it holds: (channel) of `/channels/*/id`."""
    before, of_items, _ = field.rpartition(f"/{ITEM}/")
    return frozenset((stem(singular(before.rsplit("/", 1)[-1])),)) if of_items and before else frozenset()


def _says_how_much(one: SaidValue) -> bool:
    """Whether a number is written as a word, or says how much it is: 25 of `move 25 of BX-2210`, or 9.25."""
    said = one.value.text
    if not any(map(str.isdigit, said)):
        return True
    return not own_noun(one) and (not said.isdigit() or (bool(one.after) and not one.value.preposition))


def _narrowed(
    fields: Sequence[tuple[str, Output]], said: AbstractSet[str], *, are: bool = True
) -> Iterator[tuple[Where, frozenset[str]]]:
    """What fields of an item have to hold, where words name a switch of it or a member of one of its enums; and these words.

    Args:
        fields: Of an item.
        said: Stems.
        are: Whether the items are what is said, or are not.
    """
    same = {other: one for one in said for other in alike(one)}
    for pointer, output in fields:
        if "/" in pointer:
            continue
        members = [
            one
            for one in output.enum
            if isinstance(one, str) and _are_said(map(stem, words(one)), same.keys())
        ]
        if len(members) == 1:
            named = frozenset(same[stem(word)] for word in words(members[0]))
            yield Where(field=pointer, op="eq" if are else "ne", value=members[0]), named
        elif output.type == "boolean" and _are_said(switch_words(output.name), same.keys()):
            named = frozenset(same[word] for word in switch_words(output.name))
            yield Where(field=pointer, op="eq", value=are), named


def _are_said(stems: Iterable[str], said: AbstractSet[str]) -> bool:
    """Whether there are any, and each is said."""
    found = {*stems}
    return bool(found) and found <= said


def _is_place(one: SaidValue) -> bool:
    """Whether a value says where things are, or where they go, rather than what one is called: `from localhost`."""
    return (
        one.value.kind in (ValueKind.NAME, ValueKind.ID)
        and one.value.preposition in _PLACES
        and not one.nouns
    )


def is_opaque(field: str) -> bool:
    """Whether a field holds an id that people do not know a thing by."""
    return words(field.rsplit("/", 1)[-1])[-1:] in (("id",), ("uuid",), ("sid",), ("guid",))


def _spared(
    edge: Requirement, spared: Sequence[StatedValue], fields: dict[str, str]
) -> tuple[tuple[JsonValue, ...], list[Where]]:
    """What is never taken: by the value itself, or by what people call the thing, where its id is another."""
    called = next((fields[name] for name in table("inputs")["called"] if name in fields), "")
    taken = edge.field.rsplit("/", 1)[-1]
    excepted: list[JsonValue] = []
    avoided: list[Where] = []
    for one in spared:
        if counts_things(one) or one.text.lower() in ("one", "ones"):
            continue
        if one.kind in (ValueKind.NAME, ValueKind.QUOTED) and called and called != taken:
            avoided.append(Where(field=called, op="ne", value=one.text))
        else:
            excepted.append(one.value)
    return tuple(excepted), avoided


def _field_for(one: SaidValue, fields: dict[str, str], *, is_other: bool) -> str:
    """The field of an item that a value names it by, which is not what it is called where a noun says that it is another thing."""
    if one.value.kind is ValueKind.EMAIL:
        return next((pointer for name, pointer in fields.items() if "email" in name), "")
    if one.value.kind is ValueKind.URL:
        ends = tuple(names_of_kind(ValueKind.URL))
        return next((pointer for name, pointer in fields.items() if name.endswith(ends)), "")
    for noun in reversed(one.value.nouns):
        # The tag v2 of a release stands in its `tag_name`.
        name = next((name for name in (noun, f"{noun}name") if name in fields), "")
        if name and name != "id":
            return fields[name]
    if is_other:
        return ""
    if one.value.kind is ValueKind.NAME:
        # Nobody's name is an address.
        fields = {name: pointer for name, pointer in fields.items() if "email" not in name}
    return next((fields[name] for name in table("inputs")["called"] if name in fields), "")
