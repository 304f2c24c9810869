"""What is said beside a task, or only implied by it, and what inputs take of it: reasons, enums that a call needs, and what descriptions say of switches and members."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from app.domain.filling.assigned import Assignment
from app.domain.filling.forms import Form, OperationForm
from app.domain.filling.members import ExplainedMember, Member, NamedMember
from app.domain.filling.states.setting import SHORTEST, TELLING, put_member, telling
from app.domain.filling.states.words import is_said, share_beginning, with_alike
from app.domain.language.goal_words import all_verbs, mailing_verbs, verb_kinds
from app.domain.language.identifiers import pieces, words
from app.domain.language.negation import CONTRACTED, DENIAL, denials
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

_EVERY_OTHER = 2
"""Two denials deny nothing."""
_SEVERAL = 3
"""Words that say something, beside which one may be missing."""
_HAVING = frozenset(("has", "have"))
_TELLING = frozenset(("won", "same", "new", "other", "another", "own"))
"""Words of grammar that tell one state from another: a deal is `won`, a link opens in `the same tab`."""


def set_reasons(
    form: OperationForm, found: Assignment, *, background: Sequence[str], task_stems: AbstractSet[str]
) -> None:
    """Fill what says why a call is made: `cancel trip 7, our plans changed` by the `PLANS_CHANGED` of its reasons.

    A text is asked for, with the last statement: what is said to us need not be said to others. A member has to have
    half of its words in the statements, or all in them and the task, and more than any other.

    Args:
        form: The inputs.
        found: What is filled already; the reason is added.
        background: What is said around the task and asks for nothing.
        task_stems: Stems of the task, but for its verb.
    """
    kind = form.operation.kind
    # What names a thing by its number says what was done before.
    remarks = [text for text in background if not any(letter.isdigit() for letter in text)]
    denying = [text for text in background if DENIAL.search(text)]
    stated = with_alike({stem(word) for text in background if text not in denying for word in pieces(text)})
    denied = with_alike({stem(word) for text in denying for word in pieces(text)})
    for one in form.reasons if kind is not OperationKind.UPDATE or found.states else ():
        pointer = one.item.pointer
        if found.has(pointer):
            continue
        if one.members:
            best = _nearest_member(one.members, stated, stated | task_stems)
            # `it had no effect` says what begins with no.
            without = [member for member in one.members if "no" in member.stems]
            best = best or _nearest_member(without, denied, denied)
            if best is not None:
                put_member(one, found, best.value, frozenset(best.stems))
        elif remarks and one.is_free_text and kind in (OperationKind.ACTION, OperationKind.DELETE):
            found.asked[pointer] = remarks[-1]


def set_needed(
    form: OperationForm, found: Assignment, *, said: AbstractSet[str], units: AbstractSet[str] = frozenset()
) -> None:
    """Fill the enums that a change has to have, and that stand open, with the member that the task says.

    `add a severe allergy` says how severe it is, and `a code for 15% off` that it is a `percentage`. Only one member may be
    said, and a word that names what the call is about says none. Remarks beside the task are left out: `invite bob, our
    admin is away` makes nobody an admin.

    Args:
        form: The inputs.
        found: What is filled already; the members are added.
        said: Stems of the task, without those of names and values.
        units: Those of the values of the task: `percent`.
    """
    said = said - form.noun_stems
    for one in form.needed_members:
        if found.has(one.item.pointer):
            continue
        fitting = [
            member
            for member in one.members
            if len(member.name) >= SHORTEST
            and member.stems
            and (said >= {*member.stems} or _is_unit(member.stems, units))
        ]
        if len(fitting) == 1:
            put_member(one, found, fitting[0].value, frozenset(fitting[0].stems))


def set_explained(
    form: OperationForm,
    found: Assignment,
    statement: str,
    *,
    beside: AbstractSet[str] = frozenset(),
    is_manner: bool = False,
) -> None:
    """Fill the switch or the enum whose description says what a statement says: `it should open in a new tab`.

    All words that say something have to be in the name of the one member, or in what the description says of it alone; one
    may be missing beside three. A single word has to be the name, or half of what is said. No other input may be as near.
    What is denied is said by what a description denies, or turns a switch off.

    Args:
        form: The inputs.
        found: What is filled already; what the statement says is added.
        statement: What is said of the thing or of the act, beside what is to be done.
        beside: Stems that say something else.
        is_manner: Whether it is an adverb, such as `permanently`, which may be one word of many.
    """
    spoken = [word for word in pieces(statement) if len(word) > 1]
    if not spoken or _is_of_else(spoken):
        return
    ignored = light_words() | form.noun_stems | beside
    said = frozenset(map(stem, spoken)) - ignored
    free = said.difference(*found.states.values())
    denies = denials(statement) % _EVERY_OTHER == 1
    told_of = dict.fromkeys(
        pair for word in sorted(free) for pair in form.settable_by_explanation.get(word, ())
    )
    near: list[tuple[tuple[int, float], Form, Member, frozenset[str]]] = []
    for at, member in told_of:
        one = form.settable[at]
        if found.has(one.item.pointer) or _leaves_out(one):
            continue
        # `it has issues` says `has_issues`, and nothing of what happens to issues.
        only_named = not _HAVING.isdisjoint(spoken[1:2])
        value, told = _as_told(one, member, denies=denies)
        shared = free & (member.name if only_named else told)
        is_enough = len(shared) >= len(said) - (len(shared) >= _SEVERAL)
        says_it = len(shared) > 1 or _is_all_of(shared, member.name - ignored, told - ignored)
        if shared and is_enough and (is_manner or says_it):
            near.append(((len(shared), len(shared) / len(told)), one, value, shared))
    nearest = max((closeness for closeness, *_ in near), default=None)
    best = [(one, value, shared) for closeness, one, value, shared in near if closeness == nearest]
    if len(best) == 1:
        ((one, value, shared),) = best
        put_member(one, found, value, shared)


def _is_all_of(shared: AbstractSet[str], name: AbstractSet[str], told: AbstractSet[str]) -> bool:
    """Whether a single word is what something is called, or half of what is said of it."""
    return shared >= name > frozenset() or 2 * len(shared) >= len(told)


def _is_of_else(spoken: Sequence[str]) -> bool:
    """Whether a statement says what was, what stays, or what somebody of ours does, rather than how something is to be."""
    first, *more = spoken
    lists = table("reading")
    if first in lists["owned_or_kept"] or not {*lists["past"]}.isdisjoint(spoken) or "that" in more:
        return True
    # `he emailed us`, `she just got the mail`.
    verb = next((word for word in more if word not in ("just", "also", *_HAVING)), "")
    is_past = first in lists["subjects"] and (verb.endswith("ed") or verb in lists["past_verbs"])
    return is_past or (not {"us", "me"}.isdisjoint(more) and stem(first) not in all_verbs())


def _leaves_out(one: Form) -> bool:
    """Whether a filter says what a list leaves out: `hide_empty`."""
    return one.item.location == "query" and not {*words(one.item.name)[:1]}.isdisjoint(
        table("reading")["leaving_out"]
    )


def _as_told(one: Form, member: ExplainedMember, *, denies: bool) -> tuple[Member, frozenset[str]]:
    """The value that a statement sets, and the stems that it may share: what is denied turns a switch off."""
    if not denies:
        return member.value, member.name | member.stated
    if one.switch and not member.denied:
        return one.switched(on=not member.value), member.name | member.stated
    return member.value, member.denied


def spare_kept(form: OperationForm, found: Assignment, kept: AbstractSet[str]) -> None:
    """Turn off the switches that would change what is to stay: `leave the disk as it is`, where `grow_disk` may be on.

    Args:
        form: The inputs.
        found: What is filled already.
        kept: Stems of what says what stays.
    """
    for one in form.switches:
        verb, *what = one.switch
        changes = verb in verb_kinds() and verb not in mailing_verbs() | telling("telling_of")
        if what and changes and kept >= {*what} and not found.has(one.item.pointer):
            found.known[one.item.pointer] = one.switched(on=False)
            found.states[one.item.pointer] = frozenset(one.switch)


@cache
def light_words() -> frozenset[str]:
    """Stems of words that say nothing of how something is."""
    grammar = value_words().function | value_words().determiners
    return frozenset(map(stem, {*grammar, *CONTRACTED, *table("reading")["light"]} - _TELLING))


def _is_unit(member: Sequence[str], units: AbstractSet[str]) -> bool:
    """Whether a member of an enum is one word for the only unit: `percentage`, for percent."""
    return len(member) == len(units) == 1 and any(
        len(unit) >= TELLING and share_beginning(member[0], stem(unit)) for unit in units
    )


def _nearest_member(
    members: Sequence[NamedMember], stated: AbstractSet[str], said: AbstractSet[str]
) -> NamedMember | None:
    """The only member with the most words that are stated; one has half of its words stated, or all said."""
    ranked: list[tuple[int, float, NamedMember]] = []
    for one in members:
        words_of = frozenset(one.stems)
        whole = bool(words_of) and all(is_said(word, said) for word in words_of)
        count = len(words_of) if whole else sum(is_said(word, stated) for word in words_of)
        if count and 2 * count >= len(words_of):
            ranked.append((count, count / len(words_of), one))
    ranked.sort(key=lambda pair: pair[:2], reverse=True)
    values = {str(pair[2].value) for pair in ranked if pair[:2] == ranked[0][:2]}
    return ranked[0][2] if len(values) == 1 else None
