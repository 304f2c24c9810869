"""Which of several calls is meant by its path: the thing itself, and neither a part of it nor the way to it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from app.domain.choosing.candidate import Candidate
from app.domain.language.identifiers import is_plural, pieces, singular
from app.domain.language.identifiers import words as words_of
from app.domain.language.operation_words import LISTING_KINDS, OperationKind
from app.domain.language.text import stem
from app.domain.reading.clauses.words import is_agent

_MINE = frozenset(("me", "my", "mine", "self", "current"))
"""In a path they say that things are the caller's own, which goals say with words that name nothing."""
_OWNING = frozenset(("my", "our", "his", "her", "their", "its", "mine", "ours"))
"""In a goal they say that not all things are meant."""
_ROOT = 4
"""Letters of a stem that may be what another one denies."""
_WHO = ("who",)
"""Who is in a group are its members."""
_AWAY = frozenset(("from", "off", "out", "of"))
"""They lead to what something is taken away from, which stays."""
_HOW_MANY = (stem("how"), stem("many"))
_COUNTS = frozenset(map(stem, ("count", "counts", "total", "totals")))


def without_the_way(candidates: Mapping[int, Candidate], top: int) -> int:
    """A change of the same thing by the end of the path alone, where what comes before would be looked up.

    `DELETE /subscriptions/{id}` asks for no customer, as `DELETE /customers/{customer}/subscriptions/{id}` does. It takes what
    the longer path takes, and the task says nothing of what that leads through.
    """
    first = candidates[top]
    if first.traits.safe or not first.pending:
        return top
    path, said = _places(first), {*first.words.stems, *first.words.nouns}
    same = (
        at
        for at, one in candidates.items()
        if one.traits.tool.method == first.traits.tool.method
        and one.traits.tool.server == first.traits.tool.server
        and not one.pending
        and one.form.operation.last_parameter
        and len(_places(one)) < len(path)
        and _places(one) == path[-len(_places(one)) :]
        and {*first.found.used} <= {*one.found.used}
        and said.isdisjoint(first.traits.path_words - one.traits.path_words)
    )
    return next(same, top)


def whole_of_it(candidates: Mapping[int, Candidate], top: int) -> int:
    """A read or a deletion of one thing by the beginning of a path alone, where nothing of what follows is said.

    `show me purchase invoice 93` asks for `/purchase_invoices/{id}` rather than for `/purchase_invoices/{id}/{packaging}`, and
    `delete it` deletes no part of it. It has all nouns of the task: what is called otherwise in a path is not left out.
    """
    first = candidates[top]
    if not (first.traits.safe or first.traits.kind is OperationKind.DELETE) or first.words.stems[:1] == _WHO:
        return top
    nouns, said = {*first.strangers}, pieces(first.context.tasks[first.number].do)
    shorter = [
        at
        for at, one in candidates.items()
        if one.traits.tool.method == first.traits.tool.method
        and one.traits.tool.server == first.traits.tool.server
        and not one.pending
        and one.form.operation.ends_with_parameter
        and _is_within(first, one)
        and nouns <= one.traits.path_words | one.traits.resource
        and {*first.found.used} <= {*one.found.used}
        # `take ann@acme.com off event 7` deletes no event, nor does `remove me from it`.
        and (one.traits.safe or (one.is_spoken and not one.left and _AWAY.isdisjoint(said)))
        and not _says_further(first, _places(one))
    ]
    return max(shorter, key=lambda at: len(_places(candidates[at])), default=top)


def part_of_it(candidates: Mapping[int, Candidate], top: int) -> int:
    """What belongs to a thing, in place of the thing, where it is said: `the payment details of order 42`, `group 7 of bucket 42`.

    By all words of its name, of which a single one, as `details`, may say no more than that the thing itself is asked for;
    or by the id of the part, which the thing leaves.
    """
    first = candidates[top]
    if not (first.traits.safe and first.form.operation.ends_with_parameter):
        return top
    said, path = first.words.stems, _places(first)
    for at, one in candidates.items():
        places = _places(one)
        if (
            not one.traits.safe
            or one.traits.tool.server != first.traits.tool.server
            or len(places) != len(path) + (2 if one.form.operation.ends_with_parameter else 1)
            or not {*first.found.used} <= {*one.found.used}
            or not _is_within(one, first)
        ):
            continue
        name = tuple(stem(word) for word in words_of(places[len(path)]))
        is_named = len(name) > 1 and any(
            said[begin : begin + len(name)] == name for begin in range(len(said))
        )
        takes_rest = bool(first.left) and not one.left and not one.pending
        if takes_rest if one.form.operation.ends_with_parameter else is_named:
            return at
    return top


def _is_within(one: Candidate, first: Candidate) -> bool:
    """Whether a path goes on where another one ends, whatever its parameters are called there."""
    begin, path = one.form.operation.segments, first.form.operation.segments
    return len(begin) > len(path) and all(
        ours.is_parameter if theirs.is_parameter else ours.text == theirs.text
        for ours, theirs in zip(begin, path, strict=False)
    )


def _says_further(one: Candidate, begin: Sequence[str]) -> bool:
    """Whether a task says anything of what follows in a path: fills a parameter, or has a word once more than the beginning."""
    filled = {form.item.name for form in one.form.forms if form.item.pointer in one.found.known}
    said = Counter(one.words.stems)
    said.subtract(stem(word) for place in begin for word in words_of(place))
    further = one.form.operation.segments[len(begin) - len(_places(one)) :]
    return any(
        part.text in filled
        if part.is_parameter
        else any(said[stem(word)] > 0 for word in words_of(part.text))
        for part in further
    )


def list_of_all(candidates: Mapping[int, Candidate], top: int) -> int:
    """The list of what a task names, in place of a read of some of it, or of what is in it, of which the task says nothing.

    `list all properties` asks neither for `/properties/random` nor for those of a project; and `the calls of broadcast 7` are
    what `/broadcasts/{id}/calls` lists, not the broadcast.
    """
    first = candidates[top]
    noun = first.words.object
    if not first.traits.safe or first.words.kind not in LISTING_KINDS or not noun:
        return top
    if not _OWNING.isdisjoint(pieces(first.context.tasks[first.number].do)):
        # `my repositories` are not all there are.
        return top
    if first.words.stems[:2] == _HOW_MANY:
        # `how many users are there` asks for `/users/count`.
        if not _COUNTS.isdisjoint(first.traits.path_words):
            return top
        counts = (at for at, one in candidates.items() if _counts(one, first))
        if (counting := next(counts, None)) is not None:
            return counting
    said = {*first.words.stems, *first.words.nouns}
    # Pull requests are listed by `/pulls`.
    called = {noun, *first.words.nouns}
    through = frozenset().union(*(place.names for place in first.pending)) - called
    for at, one in candidates.items():
        if (
            at == top
            or not one.traits.safe
            or one.pending
            or one.traits.tool.server != first.traits.tool.server
        ):
            continue
        if _listed(one) not in called or not {*first.found.used} <= {*one.found.used}:
            continue
        further = first.traits.path_words - one.traits.path_words
        is_wider = (
            one.traits.path_words <= first.traits.path_words
            and bool(further | through)
            and not any(word in _MINE or _is_said(word, said) for word in further | through)
        )
        is_within = _places(one)[:-1] == _places(first) and bool(first.form.operation.ends_with_parameter)
        if is_wider or is_within:
            return at
    return top


def _counts(one: Candidate, listing: Candidate) -> bool:
    """Whether a call says how many things there are of those that another one lists: `/users/count`, beside `/users`."""
    *place, last = _places(one) or ("",)
    takes_as_much = {*listing.found.used} <= {*one.found.used} and {*listing.found.states} <= {
        *one.found.states
    }
    return (
        one.traits.safe
        and not one.pending
        and takes_as_much
        and one.traits.tool.server == listing.traits.tool.server
        and stem(last) in _COUNTS
        and tuple(place) == _places(listing)
    )


def _is_said(word: str, said: AbstractSet[str]) -> bool:
    """Whether a stem is said, or what it denies: `unmatched`, where somebody asks for what was not matched."""
    return word in said or any(len(one) >= _ROOT and word.endswith(one) for one in said)


def _listed(one: Candidate) -> str:
    """Stem of what the end of a path calls many things; empty where it does not."""
    last = next(reversed(one.form.operation.segments), None)
    said = words_of(last.text) if last is not None and not last.is_parameter and is_plural(last.text) else ()
    # Reviewers are not what they review, though both have one stem.
    return stem(singular(said[-1])) if said and not is_agent(singular(said[-1])) else ""


def _places(one: Candidate) -> tuple[str, ...]:
    """The path of a call from its first noun on."""
    segments = one.form.operation.segments
    begin = next((at for at, segment in enumerate(segments) if segment.is_noun), len(segments))
    return tuple(segment.text for segment in segments[begin:])
