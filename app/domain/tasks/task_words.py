"""The words of a task, as rankings see them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise, takewhile, zip_longest
from types import MappingProxyType

from app.domain.language.goal_words import ORDER_WORDS, is_past_participle, means, people, verb_kinds
from app.domain.language.identifiers import is_plural, pieces, singular
from app.domain.language.idioms import turns_what_is_there, with_opposite, without_idioms
from app.domain.language.intent_words import ARTICLES, PHRASE_ENDS, PLURAL_IN_FORM
from app.domain.language.negation import denied
from app.domain.language.operation_words import LISTING_KINDS, READING_KINDS, OperationKind
from app.domain.language.same_things import as_called
from app.domain.language.text import COMMON_STOP_WORDS, PARTICLES, stem
from app.domain.reading.clauses.forgoing import forgone
from app.domain.reading.clauses.marks import ADDED
from app.domain.reading.clauses.orders import asked_kind
from app.domain.reading.clauses.phrases import BY_AGE
from app.domain.reading.clauses.questions import is_question
from app.domain.reading.clauses.words import goal_terms, is_agent, names_only
from app.domain.reading.models import GoalTask, ValueKind
from app.domain.reading.shapes import is_phone
from app.domain.reading.tokens import value_words
from app.domain.tasks.which import Which, which_words
from app.lexicon.lists import table

_THIS = ("this", "that", "these", "those")
_SOON = frozenset(map(stem, (*table("reading")["at_once"], *table("reading")["now"])))
"""Stems of how soon something is to be done, which are no nouns."""
_HEADS = re.compile(r"[,;:(]")
_VERB_WITHIN = 2
_FINITE_WITHIN = 6
"""Words within which the verb of a statement stands: `the next message in the channel has to wait`."""
_ADDRESSED = (("the",), ("our",), ("my",), ("him",), ("her",), ("them",))
_RESCHEDULE = "reschedule"
_TEXT, _SHORT_MESSAGE = "text", "sms"
_NAMES = (ValueKind.NAME, ValueKind.ID, ValueKind.SLUG, ValueKind.NUMBER)
_EXISTING = (ValueKind.ID, ValueKind.NUMBER)
_AWAY = ("to", "from", "into", "onto", "in", "at", "for", "of", "with")
"""Where a value stands before one of these, it is the object itself."""
_LEADING = frozenset((*table("values")["announcing"].split(), *table("values")["naming"].split()))
"""They lead to what a thing says or is called, behind its noun: `a comment saying fixed`."""
_BEHIND = ("to", "inside", "within")
"""Further words behind which a noun phrase is over."""
_INTO = ("to", "into", "onto")
_INSIDE = (*_INTO, "in", "on")
_TOWARDS = ("to", "into", "onto", "in", "from", "of")


@dataclass(slots=True, frozen=True)
class TaskWords:
    """The words of a task as rankings see them."""

    terms: tuple[str, ...]
    """Stems that may name a tool."""
    stems: tuple[str, ...]
    """All stems, in order."""
    nouns: tuple[str, ...]
    """Of the terms, those that are not the verb."""
    verb: str
    """Stem of the verb, or of the first word."""
    kind: OperationKind | None
    """The kind of call that the verb asks for."""
    ends: bool
    """Whether the verb says that something is gone afterwards."""
    towards: str
    """Stem of the noun behind the preposition that follows the object: `queue` in `add it to my queue`."""
    into: str
    """The same behind `to`, `into` or `onto` alone."""
    has_pronoun: bool
    """Whether it speaks of something that was spoken of before."""
    object: str
    """Stem of the last noun of the first noun phrase behind the verb; empty without one."""
    says: bool
    """Whether the verb passes a text on: to post, to send, to write."""
    creates: bool
    """Whether the verb makes something and does nothing else."""
    makes: bool
    """Whether the verb may make something: to add, to start, to publish."""
    takes_back: bool
    """Whether the verb takes back what was given: to revoke."""
    gives: bool
    """Whether the verb gives something to somebody: to assign, to grant."""
    is_question: bool
    """Whether it asks something, so that nothing may be changed."""
    is_definite: bool
    """Whether its object is there already: `the` or a possessive stands before it."""
    tells: bool = False
    """Whether it says how something is, or is to be, and orders nothing: `he's an editor from today`."""
    new: frozenset[str] = frozenset()
    """Stems of the nouns behind `a new`."""
    many: str = ""
    """Stem of the noun of which it means many: (ticket) in `set the priority of all open tickets`."""
    narrowing: frozenset[str] = frozenset()
    """Stems of what says which of many are meant: (low, urgenc, trigger) in `all low urgency incidents that are triggered`."""
    qualifying: frozenset[str] = frozenset()
    """Of these, adjectives before the noun: (old) of `all old tickets`."""
    described_by: frozenset[str] = frozenset()
    """Of these, participles and clauses behind it: (merg) of `all branches already merged`."""
    denied: frozenset[str] = frozenset()
    """Stems of what those that are meant are not: (paid) of `invoices that are not paid`."""
    becomes_not: frozenset[str] = frozenset()
    """Stems of what things are not to be from now on: (spam) of `mark it as not spam`."""
    forgone: frozenset[str] = frozenset()
    """Stems of what it is to go without: (mail, team) of `close it, no mails to the team`."""
    places: bool = False
    """Whether the verb puts one thing into another, by whatever kind of call."""
    is_of_people: bool = False
    """Whether its object is whoever is there: `everyone`."""
    is_of_somebody: bool = False
    """Whether its object is somebody who was spoken of: `her`."""
    kind_of_object: str = ""
    """What the object is called in the goal, where the catalogue calls such things otherwise: `bug` for an issue."""

    @property
    def reads(self) -> bool:
        """Whether the verb by itself looks something up: to find, to check."""
        return verb_kinds().get(self.verb) in READING_KINDS


def task_words(
    task: GoalTask,
    joined: Callable[[str], bool],
    implied: frozenset[str] = frozenset(),
    *,
    formed: Mapping[str, str] = MappingProxyType({}),
    is_thing: Callable[[str], bool] = lambda _: False,
) -> TaskWords:
    """The words of a task; two that the catalogue writes together (`cron job`) are one more.

    So are the things that its ids are of: an issue for `ABC-42`; an id in place of the object says what that is (`formed`,
    by its text). What may be a name is a word where calls are about
    such things (`is_thing`, by the stem): `a private list`, but `namespace staging`.
    """
    # In which order a list comes is no part of what is asked for.
    asked = BY_AGE.sub(" ", task.words or task.do)
    # `send "Hello" in the channel` has a text before the place.
    is_text = any(value.kind in (ValueKind.QUOTED, ValueKind.SAID) for value in task.values)
    leading = {value.preposition for value in task.values} | ({"in"} if is_text else set())
    said = _with_message(_with_verb(without_idioms(after_order(pieces(asked)), leading=leading)), task)
    said = with_opposite(said, is_used=joined)
    called = {value.preposition: pieces(value.text)[:1] for value in task.values}
    # `create a list called X` has nothing to do with calls.
    said = tuple(
        word
        for word, behind in zip_longest(said, said[1:])
        if word not in value_words().naming or word not in called or (behind,) == called[word]
    )
    if (
        said
        and said[0] in table("reading")["postponing"]
        and any(value.kind is ValueKind.DATE and value.preposition == "to" for value in task.values)
    ):
        # Who moves something to another day changes when it is.
        said = (_RESCHEDULE if joined(stem(_RESCHEDULE)) else "update", *said[1:])
    if said[:1] == (_TEXT,) and any(map(is_phone, task.values)):
        # Who texts a number sends a message to it.
        said = ("send", _SHORT_MESSAGE if is_thing(stem(_SHORT_MESSAGE)) else "message", *said[1:])
    named = frozenset(
        piece
        for value in task.values
        if value.kind in _NAMES and not value.by_name
        for piece in pieces(value.text)
        if not (value.weak and value.text.isalpha() and is_thing(stem(singular(piece))))
    )
    # `set its stage to lead` sets it to no contact, whatever leads are called.
    first = next(iter(said), "")
    sets = first in (*table("reading")["turning"], *table("reading")["advancing"])
    sets = sets or verb_kinds().get(stem(first)) is OperationKind.UPDATE
    plain = (
        *said[:1],
        *(
            word
            if word in named or (sets and before == "to")
            else as_called(word, is_thing=is_thing, is_used=joined)
            for before, word in pairwise(said)
        ),
    )
    text = " ".join(plain)
    together = [
        stem(singular(first) + singular(second))
        for first, second in pairwise(plain)
        if joined(stem(singular(first) + singular(second)))
    ]
    stems = tuple(stem(piece) for piece in plain)
    known = verb_kinds()
    # What stands behind a comma says more of the object: `create a contact, phone 331`.
    head = _HEADS.split(asked, maxsplit=1)[0]
    count = len(pieces(head)) + len(said) - len(pieces(asked))
    phrase = plain[:count] if object_word(plain[:count], named, valued=bool(task.values)) else plain
    phrase = tuple(word for word in phrase if stem(word) not in _SOON)
    object_ = object_word(phrase, named, valued=bool(task.values))
    if object_ and stems:
        # To bind a role is to make a role binding.
        made = stem(singular(object_)) + stems[0]
        together += [made] if joined(made) else []
    # What a value is called by the caller is its thing: the verb of `transition issue ABC-42` is no `issue`.
    things = {noun for value in task.values if value.by_name for noun in value.nouns}
    acting = tuple(word for at, word in enumerate(plain) if not at or word not in things)
    if _is_subject(task, plain):
        # `account 5 is not needed any more`: what could be a verb is what is spoken of.
        acting = acting[1:]
    spoken = [stem(piece) for piece in acting if not is_agent(piece)][:_VERB_WITHIN]
    # `order new toner`: what is new is no verb, though names of calls have it as one.
    verbs = [
        word
        for word in spoken
        if word in known and (word == stems[0] or word not in value_words().determiners)
    ]
    verb = verbs[0] if verbs else stems[0] if stems else ""
    if names_only(plain):
        # `its refunds`: what could be a verb is a noun.
        verb = ""
    units = [stem(singular(value.unit)) for value in task.values if value.unit.islower()]
    persons = people() if plain[:1] and plain[0] in table("reading")["of_people"] else ()
    terms = tuple(dict.fromkeys((*goal_terms(text), *together, *units, *sorted(implied), *persons)))
    spoken_of = _whole(object_noun(phrase, named, valued=bool(task.values)), together)
    # `rename evt_9410`: an id of a form that only events have says that it is one.
    thing = [formed[value.text] for value in task.values[:1] if value.text in formed and not spoken_of]
    named_terms = dict.fromkeys((*goal_terms(text), *together, *thing))
    nouns = tuple(term for term in named_terms if term != verb and term not in _SOON)
    ends = any(word in table("reading")["ending"] for word in plain[:_VERB_WITHIN])
    # `text` has lost the mark that tells `anything open?`.
    # `INV-7 is paid` asks nothing, though without its value it begins as one.
    asks = not _tells_of_value(task) and (is_question(text) or is_question(asked))
    kind = _kind_asked(" ".join(acting), plain, task, asks=asks)
    which = which_words(asked, object_) if task.quantity.is_of_many else Which()
    # `make the project public` makes no project.
    turns = kind is OperationKind.UPDATE and means(verb, "creating")
    return TaskWords(
        terms=terms,
        stems=(*stems, *together),
        nouns=nouns,
        verb=verb,
        kind=kind,
        ends=ends,
        towards=_towards(plain, named, _TOWARDS),
        into=_towards(plain, named, _INTO),
        has_pronoun=_has_pronoun(plain),
        object=spoken_of or "".join(thing),
        says=means(verb, "saying"),
        creates=not turns and means(verb, "creating"),
        makes=kind is OperationKind.CREATE or (not turns and means(verb, "making")),
        takes_back=means(verb, "undoing"),
        gives=_gives(plain),
        is_question=asks,
        is_definite=_is_definite(plain),
        tells=_tells(task),
        new=_new(plain),
        many=stem(singular(which.noun)) if which.noun else "",
        narrowing=frozenset(map(stem, which.words)),
        qualifying=frozenset(map(stem, which.before)),
        described_by=frozenset(map(stem, which.behind)),
        denied=denied(stems),
        becomes_not=denied(stems, becoming=True),
        forgone=_forgone(asked),
        places=plain[:1] != ()
        and plain[0] in table("reading")["placing"]
        and any(word in _INSIDE for word in plain[1:]),
        is_of_people=any(word in table("reading")["everybody"] for word in plain[1:3]),
        is_of_somebody=_is_of_somebody(plain),
        kind_of_object=next(
            (word for word, read in zip(said, plain, strict=True) if read == object_ and word != read), ""
        ),
    )


def _forgone(asked: str) -> frozenset[str]:
    """Stems of what a task is to go without, and that nothing else in it says.

    Where that is all it asks for, it is said of something that is there: `no more notifications from the alert`.
    """
    gone: set[str] = set()
    said: set[str] = set()
    for at, part in enumerate(asked.split(ADDED)):
        what, whose = forgone(part)
        (gone if what else said).update(_stems_of(f"{what} {whose if at else ''}" if what else part))
    return frozenset(gone - said)


def _stems_of(text: str) -> set[str]:
    return {stem(form) for piece in pieces(text) for form in (piece, singular(piece))}


def _with_verb(plain: tuple[str, ...]) -> tuple[str, ...]:
    """`new contact ...` asks to create one."""
    return ("create", *plain) if plain[:1] in (("new",), ("another",)) and len(plain) > 1 else plain


def _with_message(plain: tuple[str, ...], task: GoalTask) -> tuple[str, ...]:
    """`tell the customer "..."` sends a message."""
    tells = (
        plain[:1]
        and (
            plain[0] in table("values")["telling"].split()
            # `write the customer "..."`, but not `write a note "..."`.
            or (plain[0] == "write" and plain[1:2] in _ADDRESSED)
        )
    )
    if plain[:1] == ("get",) and plain[1:2] and plain[1] in _INSIDE and task.values[:1]:
        # `get ann@acme.com on the call` adds her.
        return ("add", *plain[1:]) if task.values[0].kind is ValueKind.EMAIL else plain
    sends = plain[:1] and means(stem(plain[0]), "saying")
    if (
        sends
        and not object_word(plain, valued=True)
        and task.values
        and task.values[0].kind is ValueKind.QUOTED
    ):
        # `send "disk full"` sends a message.
        return (plain[0], "message", *plain[1:])
    if tells and any(value.kind in (ValueKind.QUOTED, ValueKind.SAID) for value in task.values):
        return ("send", "message", "to", *plain[1:])
    return plain


def _is_of_somebody(plain: Sequence[str]) -> bool:
    """Whether the object of a task is somebody who was spoken of: `add her to ...`, but not `add her card`."""
    behind = plain[2] if len(plain) > 2 else "to"
    return any(word in table("reading")["somebody"] for word in plain[1:2]) and (
        behind in PHRASE_ENDS or behind in _TOWARDS or behind in COMMON_STOP_WORDS
    )


def _gives(plain: Sequence[str]) -> bool:
    """Whether words begin with a verb that gives something to somebody."""
    return bool(plain) and (means(stem(plain[0]), "giving") or plain[0] in table("reading")["handing_over"])


def after_order(plain: tuple[str, ...]) -> tuple[str, ...]:
    """Without the words at the start that only place a task in time, or ask politely: `then`, `could you please`."""
    polite = table("reading")["polite"]
    begin = next(
        (at for at, word in enumerate(plain) if stem(word) not in ORDER_WORDS and word not in polite), 0
    )
    return plain[begin:]


def _new(plain: Sequence[str]) -> frozenset[str]:
    """Stem of the last word of each phrase that `new` begins: (playlist) for `into a new private playlist`."""
    return frozenset(stem(singular(phrase[-1])) for phrase in phrases_behind(plain, ("new",)) if phrase)


def phrases_behind(plain: Sequence[str], leads: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The words behind each of `leads`, as far as the noun phrase goes that it begins."""
    for at, word in enumerate(plain):
        if word in leads:
            yield tuple(takewhile(lambda other: other not in PHRASE_ENDS and other != "to", plain[at + 1 :]))


def _has_pronoun(said: Sequence[str]) -> bool:
    """Whether words speak of something that was spoken of before; `the payments that are cancelled` and `of this year` do not."""
    reading, times = table("reading"), value_words().periods | value_words().dates
    return any(
        word in reading["pronouns"]
        and not (word in _THIS and behind in times)
        and not (word == "that" and is_plural(before) and behind in reading["auxiliaries"])
        for before, word, behind in zip(("", *said), said, (*said[1:], ""), strict=False)
    )


def _is_definite(plain: Sequence[str]) -> bool:
    return any(
        word in ("the", "this", "that", "my", "our", "its", "his", "her", "their") for word in plain[1:2]
    )


def _tells(task: GoalTask) -> bool:
    """Whether a task begins with who or what is spoken of, and a verb in the third person follows: `Ann is here`."""
    reading = table("reading")
    said = pieces(task.words or task.do)
    if not said or said[0] in (*reading["recording"], *reading["putting"]):
        # What it says is to be written down: `enter emp_7 is off sick`.
        return False
    begins = bool(task.values) and task.do.lstrip().startswith(task.values[0].text)
    if begins and said[0].endswith("s") and stem(said[0]) in verb_kinds():
        # `INV-7 gets 5 points`
        return True
    if said[0] != "there" and any(word in reading["auxiliaries"] for word in said[1:2]):
        # `author 7 is an editor now`, but not `there is no room left`.
        return True
    subjects = (*reading["statement_determiners"], *reading["statement_subjects"])
    finite = (*reading["auxiliaries"], *reading["contracted"], *reading["wishing"])
    behind = said[0 if begins else 1 : _FINITE_WITHIN]
    return (begins or said[0] in subjects) and any(word in finite for word in behind)


def _is_subject(task: GoalTask, plain: Sequence[str]) -> bool:
    """Whether a task begins with the noun of its value, of which it tells something: `account 5 is gone`."""
    is_told = any(word in table("reading")["auxiliaries"] for word in plain[1:2])
    is_wished = plain[2:4] == ("to", "be")
    return is_told and not is_wished and bool(task.values) and task.values[0].nouns[-1:] == plain[:1]


def _tells_of_value(task: GoalTask) -> bool:
    """Whether a task begins with a value, of which it tells something: `INV-7 is paid`, but not `INV-7 is it paid`."""
    first = next(iter(task.values), None)
    do = task.do.strip()
    if first is None or first.weak or not do.startswith(first.text) or do.endswith("?"):
        return False
    reading = table("reading")
    behind = pieces(do[len(first.text) :])
    asks_who = any(word in reading["interrogatives"] for word in behind[:1])
    determined = reading["statement_determiners"]
    subjects = (*reading["subjects"], *reading["pronouns"], *reading["anybody"], *determined)
    return not asks_who and not any(word in subjects for word in behind[1:2])


def object_noun(plain: Sequence[str], named: AbstractSet[str] = frozenset(), *, valued: bool = False) -> str:
    """Stem of `label` in `add the label to every issue`; where others stand before them, words of names do not count."""
    noun = object_word(plain, named, valued=valued)
    return stem(singular(noun)) if noun else ""


def object_phrase(plain: Sequence[str]) -> tuple[str, ...]:
    """Stems of the first noun phrase behind the verb: (custom, domain) in `set the custom domain of the site`.

    A particle is a part of the verb: `turn the volume down to 30`.
    """
    phrase: list[str] = []
    if [*plain[1:2]] == ["to"]:
        # What is renamed `to` something is a value, whatever noun follows.
        return ()
    for word in plain[1:]:
        if phrase and (word in PHRASE_ENDS or word == "to" or word in _LEADING):
            break
        if word not in ARTICLES and word not in COMMON_STOP_WORDS and word not in PARTICLES:
            phrase.append(stem(singular(word)))
    return tuple(phrase)


def _whole(noun: str, together: Sequence[str]) -> str:
    """The stem of a noun with the word before it, where the catalogue writes both together: (cronjob) for `cron job`."""
    return next((both for both in together if noun and both != noun and both.endswith(noun)), noun)


def _towards(plain: Sequence[str], named: AbstractSet[str], prepositions: Sequence[str]) -> str:
    """Stem of the noun phrase behind the first of some prepositions; empty without one."""
    at = next((at for at, word in enumerate(plain) if at and word in prepositions), len(plain))
    noun = object_word(plain[at:], named)
    return stem(singular(noun)) if noun else ""


_OMITTED = COMMON_STOP_WORDS.union(table("reading")["somebody"], ("his",))
"""Words that are no objects."""


_SINCE_WHEN = frozenset(table("reading")["since_when"])


def object_word(plain: Sequence[str], named: AbstractSet[str] = frozenset(), *, valued: bool = False) -> str:
    """Stem of `label` in `add the label to every issue`; what stands behind a preposition is no object."""
    found = ""
    somebody = table("reading")["somebody"]
    for at, (before, word) in enumerate(pairwise(plain), start=1):
        if (
            (found or before in somebody) and (word in PHRASE_ENDS or word in _BEHIND or word in _LEADING)
        ) or (valued and word in _AWAY):
            break
        if (
            found
            and is_past_participle(word)
            and plain[at + 1 : at + 2]
            and plain[at + 1] in value_words().prepositions
        ):
            # `the tickets assigned to Ann` are tickets.
            break
        if word in ARTICLES or word in _OMITTED or (found and (word in named or word in _SINCE_WHEN)):
            continue
        if word in PARTICLES:
            # `make an invoice out of a quote` makes an invoice.
            continue
        found = word
    return found


def _is_made_of(task: GoalTask) -> bool:
    """Whether a task states what something is called, or what it is made from, behind what tells which thing that is."""
    leads = value_words().naming | {"from"}
    return any(value.preposition in leads for value in task.values[1:] if not value.weak)


def _kind_asked(text: str, plain: Sequence[str], task: GoalTask, *, asks: bool) -> OperationKind | None:
    """The kind of call that a task asks for, by its verb and by what follows it."""
    kind = asked_kind(text)
    if plain and kind in (None, OperationKind.ACTION) and means(stem(plain[0]), "deleting"):
        kind = OperationKind.DELETE
    reading = table("reading")
    if asks and kind not in LISTING_KINDS:
        kind = OperationKind.LIST if plain[:1] and plain[0] in reading["anybody"] else OperationKind.GET
    behind = plain[2:] if plain[1:2] in (("me",), ("us",)) else plain[1:]
    following = behind[0] if behind else ""
    if (
        plain
        and plain[0] in reading["turning"]
        and (
            following in reading["pronouns"]
            or (task.values and task.do.lower().startswith(f"{plain[0]} {task.values[0].text.lower()}"))
        )
    ):
        # `make it private` changes what is there.
        return OperationKind.UPDATE
    if _is_made_of(task) and plain[:1] == ("make",):
        # `make VLAN 120 named voice`, `make the branch fix from main`.
        return OperationKind.CREATE
    if kind in (None, OperationKind.CREATE) and turns_what_is_there(plain):
        return OperationKind.UPDATE
    if (
        plain
        and plain[0] in reading["turning"]
        and following not in ("a", "an", "new", "another")
        and following not in ("me", "us")
        and any(value.kind in _EXISTING and any(map(str.isdigit, value.text)) for value in task.values)
    ):
        # `make my video 123 private` too: what has an id is there.
        return OperationKind.UPDATE
    if plain[:1] == ("make",) and task.values and following not in ARTICLES and {"a", "an"} & {*plain[1:]}:
        # `make user bob an admin`.
        return OperationKind.UPDATE
    if (
        kind is None
        and plain
        and _gives(plain)
        and any(value.kind is ValueKind.EMAIL and value.preposition == "to" for value in task.values)
    ):
        # `give deal 7 to ann@acme.com` changes whose it is.
        return OperationKind.UPDATE
    if plain and plain[0] in reading["opening"] and following in ("a", "an", "new", "another"):
        return OperationKind.CREATE
    noun = object_word(plain)
    if kind is OperationKind.GET and noun and is_plural(noun) and noun not in PLURAL_IN_FORM:
        # `which pods are not running` asks for many.
        return OperationKind.LIST
    if (
        kind is None
        and plain
        and task.values
        and (len(plain) == 1 or plain[1] in PHRASE_ENDS or plain[1] == "to")
        and plain[0] not in PHRASE_ENDS
        # `contacts in Aarhus` and `details of customer 12` are looked at.
        and not (is_plural(plain[0]) and plain[0] not in PLURAL_IN_FORM and "each" not in plain)
        and plain[0] not in reading["looked_at"]
        # `solve 48620` makes nothing.
        and not (len(plain) == len(task.values) == 1 and task.values[0].kind is ValueKind.NUMBER)
    ):
        # `comment "have a look"` makes a comment.
        return OperationKind.CREATE
    return kind
