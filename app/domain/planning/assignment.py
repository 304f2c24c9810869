"""Which value of a goal fills which input of a call: by noun, type, enum, form and place in the path."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from pydantic import JsonValue

from app.domain.language.goal_words import verb_kinds
from app.domain.language.identifiers import pieces, singular, words
from app.domain.language.intent_words import PHRASE_ENDS
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.planning.forms import Form, OperationForm, stems
from app.domain.reading.models import StatedValue, ValueKind
from app.domain.schemas.tool_schemas import Input
from app.lexicon.lists import table

ENOUGH = 0.5
"""Fit from which a value goes to an input without further reason."""
_NOUN, _PART = 1.0, 0.55
_IMPLIED = 0.75
_HALF = 0.5
_SURE_FIT = 0.85
_MEMBER, _FORM, _KIND, _WORD_OF_KIND = 1.1, 0.9, 1.2, 0.8
_WORDS_AFTER = 3
_EPOCH_DIGITS = 10
_EPOCH = re.compile(r"\b(?:unix|epoch)\b", re.IGNORECASE)
_MISSING = object()

_KIND_NAMES: Mapping[ValueKind, frozenset[str]] = {
    ValueKind.EMAIL: frozenset(("email", "mail")),
    ValueKind.URL: frozenset(("url", "uri", "link", "href")),
    ValueKind.CHANNEL: frozenset(("channel",)),
    ValueKind.MENTION: frozenset(("user", "usernam", "login", "member", "assigne")),
    ValueKind.AMOUNT: frozenset(("amount", "price", "total", "cost")),
    ValueKind.DATE: frozenset(("date", "time", "at", "due", "until", "since", "deadlin")),
    ValueKind.DURATION: frozenset(("time", "durat", "spent", "estim")),
    ValueKind.MEASURE: frozenset(),
}
"""Kind -> stems by which inputs are called that take such values."""


@dataclass(slots=True)
class Assignment:
    """What fills the inputs of one call."""

    known: dict[tuple[str, ...], JsonValue] = field(default_factory=dict)
    """By the input's pointer."""
    used: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Position of a value among those of the goal -> pointer of the input that takes it."""
    more: dict[tuple[str, ...], list[JsonValue]] = field(default_factory=dict)
    """Further values for an input that takes one: each makes a step of its own."""
    asked: dict[tuple[str, ...], str] = field(default_factory=dict)
    """Inputs that a value is meant for and that cannot take it as it is: what to ask, in words."""
    states: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict)
    """Inputs that words of the task set, with the stems of these words."""
    by_rank: set[int] = field(default_factory=set)
    """Of the used values, those that went to the likeliest input for texts."""
    guessed: set[int] = field(default_factory=set)
    """Of the used values, names and numbers that went to the only input left."""
    weight: float = 0.0
    """Sum of how well the used values fit."""


@dataclass(frozen=True, slots=True)
class Said:
    """One value, with the stems around it."""

    at: int
    """Position among the values of the goal."""
    value: StatedValue
    nouns: tuple[str, ...]
    """Stems of the words before it, the nearest last."""
    after: tuple[str, ...]
    """Stems of the words behind it, and of its unit."""
    local: bool = True
    """Whether it stands in the task itself."""
    implied: frozenset[str] = frozenset()
    """Stems of what values of its form are in this catalogue: an issue for `ABC-42`."""
    joined: str = ""
    """Stem of the last two nouns written together, as documents may write them: `cronjob`."""


def said_values(
    goal: str,
    values: Sequence[StatedValue],
    *,
    implied: Callable[[str], frozenset[str]],
    objects: Mapping[int, str] = MappingProxyType({}),
) -> tuple[Said, ...]:
    """The values of a goal with the words around them, and what ids of their form are.

    `objects`: first character of values -> the noun that they are for, though it stands further away (`set the topic
    of the channel to ...`).
    """
    found = []
    for at, value in enumerate(values):
        behind = pieces(
            re.split(r"[,.;:!?\"]", goal[value.end : value.end + 40].lstrip("\"”'» "), maxsplit=1)[0]
        )
        after = tuple(stem(singular(word)) for word in behind[:_WORDS_AFTER])
        unit = (stem(singular(value.unit.lower())),) if value.unit else ()
        nouns = tuple(stem(singular(word)) for word in value.nouns)
        joined = stem("".join(map(singular, value.nouns[-2:]))) if len(nouns) > 1 else ""
        found.append(
            Said(
                at,
                value,
                nouns or ((objects[value.start],) if value.start in objects else ()),
                (*unit, *after),
                implied=implied(value.text) if value.kind is ValueKind.ID else frozenset(),
                joined=joined,
            )
        )
    return tuple(found)


def assign(
    form: OperationForm,
    said: Sequence[Said],
    *,
    given: Mapping[tuple[str, ...], JsonValue],
    for_another: bool = False,
) -> Assignment:
    """Fill the inputs of a call.

    Args:
        form: The inputs.
        said: Values of the goal, those of the task marked as local.
        given: What the caller knows, by pointer: no value of the goal goes there.
        for_another: Whether the call only looks up what another needs: no bare name goes there unasked.

    First what is named or of a form that only one input has, then free texts, then what is left over: an id for the
    only input that identifies something, a number for the only number.
    """
    found = Assignment(known=dict(given))
    open_values = [one for one in said if not _is_own_word(form, one)]
    _fill_runs(form, open_values, found)
    _fill_key(form, open_values, found)
    _fill_named(form, open_values, found)
    _fill_texts(form, open_values, found)
    _fill_rest(
        form, [one for one in open_values if not for_another or one.value.kind is not ValueKind.NAME], found
    )
    return found


def _is_own_word(form: OperationForm, one: Said) -> bool:
    """Whether what may be a name is a word that the operation itself is called by: no value of it."""
    return one.value.weak and stems(one.value.text) <= form.spoken


def _put(found: Assignment, form: Form, said: Said, value: JsonValue, fit: float) -> None:
    pointer = form.item.pointer
    if pointer in found.known:
        previous = found.known[pointer]
        if isinstance(previous, list):
            found.known[pointer] = [*previous, *(value if isinstance(value, list) else [value])]
        else:
            found.more.setdefault(pointer, []).append(value)
    else:
        found.known[pointer] = value
    found.used[said.at] = pointer
    found.weight += fit if said.local else fit / 2


def _fill_runs(form: OperationForm, said: Sequence[Said], found: Assignment) -> None:
    """`owner/name` fills two path parameters that stand side by side."""
    for one in sorted(said, key=lambda one: (bool(_own_noun(one)), not one.local)):
        if one.value.kind is not ValueKind.SLUG:
            continue
        parts = one.value.text.split("/")
        for run in form.runs:
            if len(run) == len(parts) and all(form.forms[at].item.pointer not in found.known for at in run):
                noun = _own_noun(one)
                named = form.forms[run[-1]].names | form.forms[run[0]].names
                if not noun or noun in named:
                    for at, part in zip(run, parts, strict=True):
                        found.known[form.forms[at].item.pointer] = part
                    found.used[one.at] = form.forms[run[0]].item.pointer
                    found.weight += _KIND if one.local else _KIND / 2
                    break


def _fill_key(form: OperationForm, said: Sequence[Said], found: Assignment) -> None:
    """The one text that a new thing has to have takes what the goal calls it: `publish release v1.4.0`."""
    if form.operation.kind in (OperationKind.CREATE, OperationKind.ACTION):
        for one in said:
            if one.at in found.used or not one.local:
                continue
            named = any(other.own == {_own_noun(one)} for other in form.forms)
            if not named and (target := _only_text(form, one, found)) is not None:
                _put(found, target, one, typed(target, one.value), 0.8)  # type: ignore[arg-type]


def _own_noun(one: Said) -> str:
    """Stem of the noun directly before a value; empty where that is a verb or nothing."""
    last = one.nouns[-1:]
    is_verb = (
        bool(last) and len(one.value.nouns) == 1 and not one.value.preposition and last[0] in verb_kinds()
    )
    return last[0] if last and not is_verb else ""


def _fill_named(form: OperationForm, said: Sequence[Said], found: Assignment) -> None:
    pairs = []
    for one in said:
        if one.at in found.used or (not one.local and one.value.kind in _OF_ONE_TASK):
            continue
        for at in _candidates(form, one):
            fit = value_fit(form.forms[at], one)
            if fit >= ENOUGH:
                item = form.forms[at].item
                pairs.append((-round(fit, 4), not item.required, len(item.pointer), at, one.at, one))
    for negative, _, _, at, _, one in sorted(pairs, key=lambda pair: pair[:5]):
        target = form.forms[at]
        if one.at in found.used or _is_other_name(form, target, found):
            continue
        busy = target.item.pointer in found.known
        if busy and not _joins(found, target, one):
            continue
        value = typed(target, one.value, siblings=form.forms)
        if value is _MISSING:
            continue
        if value is None:
            found.asked[target.item.pointer] = one.value.text
            found.used[one.at] = target.item.pointer
            continue
        _put(found, target, one, value, -negative)  # type: ignore[arg-type]
    for one in said:
        if one.value.kind is ValueKind.AMOUNT and one.at in found.used and one.value.unit:
            _fill_currency(form, one.value.unit, found, beside=found.used[one.at])


def _is_other_name(form: OperationForm, target: Form, found: Assignment) -> bool:
    """Whether an object that is known by its key or by its id has one of them already."""
    parent = target.item.pointer[:-1]
    return (
        bool(parent)
        and target.identifies
        and any(
            pointer[:-1] == parent
            and pointer != target.item.pointer
            and form.forms[form.by_pointer[pointer]].identifies
            for pointer in found.known
            if pointer in form.by_pointer
        )
    )


def _joins(found: Assignment, target: Form, one: Said) -> bool:
    """Whether a further value of a list of values goes to the same input: `invite bob and carol`."""
    if target.item.pointer not in found.used.values():
        return False
    return one.local and (target.item.is_list or one.value.preposition == "and")


def _fill_currency(form: OperationForm, code: str, found: Assignment, *, beside: tuple[str, ...]) -> None:
    for one in form.forms:
        pointer = one.item.pointer
        if words(one.item.name)[-1:] == ("currency",) and pointer[:-1] == beside[:-1]:
            found.known.setdefault(pointer, _spelt_like(one.item, code))


def _spelt_like(item: Input, code: str) -> str:
    """A currency's code in the case that the document writes it."""
    for member in (*item.enum, *item.examples):
        if isinstance(member, str) and member.lower() == code.lower():
            return member
    return code.lower() if "lowercase" in item.description.lower() else code


def _candidates(form: OperationForm, one: Said) -> set[int]:
    """Inputs that a value may be named for."""
    found: set[int] = set()
    if one.value.kind is ValueKind.NUMBER and len(one.value.text) == _EPOCH_DIGITS:
        found.update(at for at, shape in enumerate(form.forms) if _EPOCH.search(shape.item.description))
    if one.value.kind is ValueKind.EMAIL:
        found.update(at for at, shape in enumerate(form.forms) if "email" in shape.item.description.lower())
    if one.value.preposition:
        found.update(
            at for at, shape in enumerate(form.forms) if shape.item.name.lower() == one.value.preposition
        )
    for word in (*one.nouns, one.joined, *one.after, *one.implied, *_KIND_NAMES.get(one.value.kind, ())):
        found.update(form.by_stem.get(word, ()))
    key = tuple(stem(word) for word in words(one.value.text))
    found.update(at for at, _ in form.enums.get(key, ()))
    found.update(
        at for at, shape in enumerate(form.forms) if shape.item.examples and shape.has_shape(one.value.text)
    )
    return found


def value_fit(form: Form, one: Said) -> float:
    """How well a value fits an input, 0 where its type excludes it; from `ENOUGH` on, it may stand there."""
    value, item = one.value, form.item
    if form.is_unavailable:
        return 0.0
    if one.implied and form.identifies and not _is_implied(form, one):
        return 0.0
    if value.kind is ValueKind.EMAIL and not _takes_email(form, one):
        return 0.0
    if (
        one.local
        and value.preposition
        and item.name.lower() == value.preposition
        and not (item.is_container or value.kind in (ValueKind.DATE, ValueKind.QUOTED))
    ):
        # `from +15550001`: some documents call an input by its preposition.
        return _KIND
    if value.kind is ValueKind.NUMBER and value.text.isdigit() and item.type == "string" and _is_title(form):
        return 0.0
    if value.kind in (ValueKind.QUOTED, ValueKind.SAID) and " " in value.text and item.location == "path":
        return 0.0
    if (item.is_container and not item.is_list) or item.type == "boolean":
        return 0.0
    if typed(form, value) is _MISSING:
        return 0.0
    if form.is_opaque and not item.enum and not (_may_be_id(value) or form.has_shape(value.text)):
        return 0.0
    member = _member(item, value.text)
    fit = 0.0
    if item.enum:
        if member is None:
            return 0.0
        fit = _MEMBER if one.local else 0.0
    elif form.has_shape(value.text):
        fit = _FORM
    kind_names = _KIND_NAMES.get(value.kind)
    if kind_names is not None and form.own & kind_names:
        fit = max(fit, _KIND if len(form.own - kind_names) == 0 else _WORD_OF_KIND)
    if value.kind is ValueKind.EMAIL and item.format == "email":
        fit = max(fit, _KIND)
    if (
        value.kind is ValueKind.NUMBER
        and len(value.text) == _EPOCH_DIGITS
        and _EPOCH.search(item.description)
    ):
        fit = max(fit, _FORM)
    fit = max(fit, _noun_fit(form, one))
    if not one.local and fit < _SURE_FIT and item.location != "path":
        # A value of another task goes only where it is called by name.
        return fit if one.implied else 0.0
    return fit


def _may_be_id(value: StatedValue) -> bool:
    """Whether a value may be an id: neither a name, nor a text, nor a number in words."""
    if value.kind in (ValueKind.NAME, ValueKind.SAID, ValueKind.QUOTED):
        return value.kind is ValueKind.QUOTED and " " not in value.text and any(map(str.isdigit, value.text))
    return value.kind is not ValueKind.NUMBER or value.text.isdigit()


def _is_title(form: Form) -> bool:
    """Whether an input holds what a thing is called."""
    return "".join(words(form.item.name)) in table("inputs")["titles"]


def _is_implied(form: Form, one: Said) -> bool:
    """Whether an input is of a thing that values of this form are: an issue, but no scheme of issue types."""
    if one.implied & form.described:
        return True
    return bool(form.names) and len(one.implied & form.names) / len(form.names) >= _HALF


def _takes_email(form: Form, one: Said) -> bool:
    """Whether an address may stand in an input: it says so, it searches, or the goal names it."""
    name = words(form.item.name)
    if form.item.format == "email" or ("email" in name and name[-1] in ("email", "address")):
        return True
    if len(form.item.pointer) == 1 and "email" in form.item.description.lower():
        return True
    noun = one.nouns[-1:] if one.value.nouns else ()
    return bool(noun) and noun[0] in form.own


def _noun_fit(form: Form, one: Said) -> float:
    nouns, names = one.nouns, form.names
    if not names:
        return 0.0
    best = 0.0
    if one.value.weak and item_is_loose(form.item):
        return 0.0
    if form.identifies and (
        (one.implied and _is_implied(form, one)) or (nouns and nouns[-1] in form.described)
    ):
        best = _IMPLIED - (0.06 if form.is_opaque and len(form.item.pointer) > 1 else 0.0)
    if nouns and (nouns[-1] in names | form.own or nouns[-2:][0] in names or one.joined in names):
        # `pull request 88` is the number of a pull, `cron job nightly` the name of a cronjob.
        covered = len(names & {*nouns, one.joined}) / len(names)
        best = _PART + (_NOUN - _PART) * covered
        # `repository acme` names the path's own noun better than a body's.
        if form.item.location == "path":
            best += 0.1
        if form.own == {nouns[-1]}:
            best += 0.1
        if len(form.item.pointer) > 1:
            best -= 0.05 * (len(form.item.pointer) - 1) + (0.06 if form.is_opaque else 0.0)
    after = [word for word in one.after if word in form.own]
    if (
        after
        and one.value.kind in (ValueKind.NUMBER, ValueKind.MEASURE)
        and (form.is_number or not form.item.enum)
    ):
        best = max(best, _PART + (_NOUN - _PART) * len(after) / max(1, len(form.own)))
    return best


def item_is_loose(item: Input) -> bool:
    """Whether an input is none that a call has to have: an ordinary word does not fill it."""
    return not item.required and item.location != "path"


def _member(item: Input, text: str) -> str | int | float | bool | None:
    """The member of an enum that a text spells; None without one."""
    wanted = tuple(stem(word) for word in words(text)) or (text.lower(),)
    for member in item.enum:
        if str(member).lower() == text.lower() or tuple(stem(w) for w in words(str(member))) == wanted:
            return member
    return None


def typed(form: Form, value: StatedValue, *, siblings: Sequence[Form] = ()) -> object:
    """The value with the type of the input; `_MISSING` where it has no such form, None where it must be asked."""
    item = form.item
    if item.is_list:
        inner = _scalar(form, item.item_type, value, siblings)
        return inner if inner is _MISSING or inner is None else [inner]
    return _scalar(form, item.type, value, siblings)


def _scalar(form: Form, kind: str, value: StatedValue, siblings: Sequence[Form]) -> object:
    item = form.item
    if item.enum:
        member = _member(item, value.text)
        return _MISSING if member is None else member
    number = (
        value.value if isinstance(value.value, int | float) and not isinstance(value.value, bool) else None
    )
    if value.kind is ValueKind.AMOUNT and kind in ("integer", "number", "string"):
        if number is None:
            return _MISSING
        if kind == "integer":
            counted = form.in_cents or any(one.in_cents for one in siblings)
            return round(number * minor_units(value.unit)) if counted else None
        return number if kind == "number" else f"{number:.2f}"
    if kind == "integer":
        if value.kind is ValueKind.ID or number is None or int(number) != number:
            return _MISSING
        return int(number)
    if kind == "number":
        return _MISSING if number is None else number
    if kind == "boolean":
        return _MISSING
    if kind in ("string", ""):
        if item.format in ("date", "date-time") and value.kind is not ValueKind.DATE:
            return _MISSING
        if item.format == "email" and value.kind is not ValueKind.EMAIL:
            return _MISSING
        if item.format in ("uri", "url") and value.kind is not ValueKind.URL:
            return _MISSING
        if number is not None and value.kind in (ValueKind.NUMBER, ValueKind.MEASURE):
            return re.match(r"[\d.,]*+", value.text)[0] or str(number) if kind == "string" else number  # type: ignore[index]
        return value.value if isinstance(value.value, str) else value.text
    return _MISSING


@lru_cache(256)
def minor_units(code: str) -> int:
    """How many of the smallest unit make one of a currency (ISO 4217)."""
    return 10 ** int(table("inputs").get("minor_digits", {}).get(code, 2))


def _fill_texts(form: OperationForm, said: Sequence[Said], found: Assignment) -> None:
    """Quoted and announced texts go to the inputs that take free text, names to titles."""
    texts = table("inputs")["texts"]
    titles, searches = table("inputs")["titles"], table("inputs")["searches"]
    kind = form.operation.kind
    for one in said:
        value = one.value
        if (
            one.at in found.used
            or not one.local
            or not (
                value.kind in (ValueKind.QUOTED, ValueKind.SAID, ValueKind.NAME)
                or (value.kind in (ValueKind.ID, ValueKind.SLUG) and value.preposition in _TOWARDS)
            )
            or (value.weak and value.preposition not in ("called", "named", "to"))
            or (value.preposition == "as" and value.text.islower() and value.kind is ValueKind.NAME)
        ):
            continue
        best: tuple[float, int] | None = None
        for at, target in enumerate(form.forms):
            if target.item.pointer in found.known or not target.is_free_text or target.is_number:
                continue
            if target.is_opaque or (kind in _ON_EXISTING and _names_the_thing(form, one, target)):
                continue
            if typed(target, value) is _MISSING or len(target.item.pointer) > 3:
                continue
            name = "".join(words(target.item.name))
            last = words(target.item.name)[-1:]
            order = texts
            if kind in (OperationKind.SEARCH, OperationKind.LIST):
                order = searches
                if target.item.location == "body" and kind is OperationKind.LIST:
                    continue
            elif value.preposition in ("called", "named", "titled", "as") or value.kind in (
                ValueKind.NAME,
                ValueKind.ID,
                ValueKind.SLUG,
            ):
                order = titles
            key = name if name in order else last[0] if last and last[0] in order else ""
            if not key:
                continue
            rank = order.index(key) / len(order) + 0.3 * (len(target.item.pointer) - 1)
            rank -= 1.0 if target.item.required else 0.0
            if key != name:
                rank += 0.1
            if target.item.location == "path":
                rank += 0.5
            if best is None or rank < best[0]:
                best = (rank, at)
        if best is not None:
            target = form.forms[best[1]]
            value_there = typed(target, value)
            found.by_rank.add(one.at)
            _put(found, target, one, value_there, 0.7 if target.item.required else 0.55)  # type: ignore[arg-type]


_IDENTIFYING = (ValueKind.ID, ValueKind.NAME, ValueKind.CHANNEL, ValueKind.MENTION, ValueKind.NUMBER)
_OF_ONE_TASK = (
    ValueKind.QUOTED,
    ValueKind.SAID,
    ValueKind.AMOUNT,
    ValueKind.DATE,
    ValueKind.MEASURE,
    ValueKind.DURATION,
)
"""Kinds of values that say something of one task; the others may name a thing that several are about."""
_ON_EXISTING = (OperationKind.UPDATE, OperationKind.DELETE, OperationKind.ACTION)
_TOWARDS = frozenset(("to", "as", "called", "named", "titled", "into"))


def _names_the_thing(form: OperationForm, one: Said, target: Form) -> bool:
    """Whether a text says which thing is to be changed, not what it is to be called from now on."""
    if words(target.item.name)[-1:] and words(target.item.name)[-1] not in table("inputs")["titles"]:
        return False
    return one.value.preposition not in _TOWARDS


def _fill_rest(form: OperationForm, said: Sequence[Said], found: Assignment) -> None:
    """What only one input is left for: an id, the text that a new thing has to have, a number."""
    for one in said:
        if one.at in found.used or not one.local or one.value.weak:
            continue
        target = _only_id(form, one, found) or _only_number(form, one, found)
        if target is None:
            continue
        value = typed(target, one.value, siblings=form.forms)
        if one.value.kind in (ValueKind.NAME, ValueKind.NUMBER):
            found.guessed.add(one.at)
        if value is None:
            found.asked[target.item.pointer] = one.value.text
            found.used[one.at] = target.item.pointer
        else:
            _put(found, target, one, value, 0.6)  # type: ignore[arg-type]


def _only_id(form: OperationForm, one: Said, found: Assignment) -> Form | None:
    """The only input left that identifies something; a required one comes first."""
    if one.value.kind not in _IDENTIFYING:
        return None
    if (
        one.value.kind is ValueKind.NUMBER
        and one.value.noun_after
        and one.value.noun_after not in PHRASE_ENDS
    ):
        # `50 lines` counts something.
        return None
    open_ids = [
        target
        for target in form.forms
        if target.item.pointer not in found.known
        and target.identifies
        and not target.is_context
        and not target.is_unavailable
        and len(target.item.pointer) == 1
        and target.item.location in ("path", "query", "body")
        and "".join(words(target.item.name)) not in table("inputs")["shaping"]
        and typed(target, one.value) is not _MISSING
        and (_may_be_id(one.value) or not target.is_opaque)
    ]
    needed = [target for target in open_ids if target.item.required]
    chosen = needed if len(needed) == 1 else open_ids if len(open_ids) == 1 and not needed else []
    return chosen[0] if chosen and not _belongs_to_other(one, chosen[0]) else None


def _only_text(form: OperationForm, one: Said, found: Assignment) -> Form | None:
    """The only text that a thing has to have, where a value says which: `publish release v1.4.0`."""
    resource = {stem(word) for word in form.operation.resource}
    if (
        one.value.kind not in (ValueKind.ID, ValueKind.NAME, ValueKind.QUOTED)
        or _own_noun(one) not in resource
    ):
        return None
    open_texts = [
        target
        for target in form.forms
        if target.item.required
        and target.item.pointer not in found.known
        and target.item.location in ("body", "query")
        and target.is_free_text
        and not target.is_opaque
        and typed(target, one.value) is not _MISSING
    ]
    return open_texts[0] if len(open_texts) == 1 else None


def _only_number(form: OperationForm, one: Said, found: Assignment) -> Form | None:
    """The only number, or date, that is required and open."""
    if one.value.kind not in (ValueKind.NUMBER, ValueKind.MEASURE, ValueKind.AMOUNT, ValueKind.DATE):
        return None
    numbers = [
        target
        for target in form.forms
        if target.item.required
        and target.item.pointer not in found.known
        and (target.is_number or value_is_date(target, one.value))
        and typed(target, one.value) is not _MISSING
    ]
    return numbers[0] if len(numbers) == 1 and not numbers[0].is_opaque else None


def value_is_date(target: Form, value: StatedValue) -> bool:
    """Whether an input takes a date, and the value is one."""
    return value.kind is ValueKind.DATE and target.item.format in ("date", "date-time")


def _belongs_to_other(one: Said, chosen: Form) -> bool:
    """Whether a noun before a value, or its form, says that it is another thing than the input's."""
    noun = _own_noun(one)
    own = chosen.names | chosen.own | chosen.described
    if noun:
        return noun not in own and one.joined not in own
    return bool(one.implied) and not one.implied & own
