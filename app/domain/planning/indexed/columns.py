"""The terms of N tools, counted, and what else is known of each by position: arrays that a later generation shares."""

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from app.domain.filling.states.words import StateIndex
from app.domain.language.operation_words import OperationKind
from app.domain.nodes.models import Tool
from app.domain.packed.sequences import smallest
from app.domain.packed.texts import Vocabulary
from app.domain.planning.indexed.facts import (
    FIELDS,
    NAMING,
    Fact,
    PlanFacts,
    all_word_parts,
    text_terms,
    word_parts,
)
from app.domain.planning.indexed.id_shapes import IdShapes
from app.domain.ranking.formulas import Mask, Positions
from app.domain.ranking.runs import Reached, spans
from app.domain.ranking.segments import FieldCounts, counted
from app.domain.ranking.views import DocumentView

KINDS = tuple(OperationKind)
Numbers = npt.NDArray[np.int32]
KindNumbers = npt.NDArray[np.uint8]
PathKeys = npt.NDArray[np.uint64]
_NO_PATH = 0
NAMED = tuple([*FIELDS][at] for at in NAMING)
"""The fields of `PlanColumns.naming`."""
_SHORTEST_NAME = 2
"""A word of a server's name is longer than this."""
_SHORTEST_VERB = 3
"""Characters of a title's first word: shorter ones (`a`, `of`) say nothing that is done."""


@dataclass(frozen=True, eq=False)
class PlanColumns:
    """What the planner looks up of N tools; fixed once built."""

    words: Vocabulary
    """Of all terms, whatever they say."""
    written: Vocabulary
    """The words of names and paths; some are of earlier generations."""
    texts: DocumentView
    """BM25F over `FIELDS`."""
    facts: DocumentView
    """A field for each `Fact`."""
    naming: DocumentView
    """The words of the `NAMING` fields, by their numbers in `written`."""
    servers: tuple[str, ...]
    """Sorted."""
    server_codes: npt.NDArray[np.signedinteger]
    """Per tool the place of its server in `servers`."""
    kinds: KindNumbers
    """Per tool the place of its kind in `KINDS`."""
    mutating: Mask
    """Whether each changes something."""
    paths: PathKeys
    """Per tool a number that tools of one server and path share; they alone, but for chance. Of a view, of which no other
    columns are made, this and the last two are empty."""
    category_lists: tuple[tuple[str, ...], ...]
    """The categories that tools are in themselves, each list once; some are of earlier generations."""
    listed: Numbers
    """Per tool the place of its list in `category_lists`."""
    lends: KindNumbers
    """Per tool its `Lends`."""

    @property
    def size(self) -> int:
        """N."""
        return int(self.kinds.size)

    @cached_property
    def server_sizes(self) -> npt.NDArray[np.int64]:
        """Tools of each server."""
        return np.bincount(self.server_codes, minlength=len(self.servers))

    @cached_property
    def resource_sizes(self) -> npt.NDArray[np.signedinteger]:
        """Stems of each tool's resource."""
        found = np.zeros(self.size, np.int32)
        for segment in self.facts.segments:
            sizes: Numbers = segment.counts.lengths[Fact.RESOURCE]
            if segment.at is None:
                return sizes
            there = segment.at >= 0
            found[segment.at[there]] = sizes[there]
        return smallest(found)

    def code(self, server: str) -> int | None:
        """The place of a server in `servers`."""
        at = bisect_left(self.servers, server)
        return at if at < len(self.servers) and self.servers[at] == server else None

    @cached_property
    def named_servers(self) -> Mapping[str, Sequence[str]]:
        """Stem of a name of servers -> these servers; in a view also others, which have no `code`."""
        return _named_servers(self.servers)

    def named_codes(self, term: str) -> Positions:
        """The codes of the servers that have a stem in their name, rising; those asked for stay known."""
        found = self._codes_of_terms.get(term)
        if found is None:
            codes = (self.code(server) for server in self.named_servers.get(term, ()))
            found = np.array(sorted(code for code in codes if code is not None), np.intp)
            if found.size:
                self._codes_of_terms[term] = found
        return found

    @cached_property
    def _codes_of_terms(self) -> dict[str, Positions]:
        return {}

    def with_fact(self, fact: Fact, term: str) -> Positions:
        """The tools that have a fact, rising."""
        number = self.words.get(term)
        if number is None:
            return np.empty(0, np.intp)
        (runs,) = self.facts.holding(fact, np.array([number], np.int64))
        if len(runs) == 1:
            return runs[0]
        return np.sort(np.concatenate([*runs, np.empty(0, np.intp)])).astype(np.intp)

    def on_server(self, fact: Fact, term: str, server: str) -> Positions:
        """The tools of a server that have a fact."""
        found, code = self.with_fact(fact, term), self.code(server)
        return found[self.server_codes[found] == code] if code is not None else found[:0]

    def has_fact(self, fact: Fact, term: str) -> bool:
        """Whether any tool has a fact."""
        return bool(self.with_fact(fact, term).size)

    def terms_of(self, fact: Fact) -> Iterable[tuple[int, str]]:
        """Every term that a tool has for a fact, with its number."""
        return ((number, self.words.term(number)) for number in self.facts.held_in(fact).tolist())

    def terms_on(self, fact: Fact, servers: Collection[str]) -> frozenset[str]:
        """The terms that tools of these servers have for a fact."""
        if len(servers) == len(self.servers):
            return frozenset(term for _, term in self.terms_of(fact))
        entries = self.facts.entries(fact)
        codes = np.array(sorted(code for one in servers if (code := self.code(one)) is not None), np.int64)
        held = np.unique(entries.terms[np.isin(self.server_codes[entries.documents], codes)])
        return frozenset(map(self.words.term, held.tolist()))

    def scores(self, terms: Iterable[str]) -> Reached:
        """BM25F of every tool that holds one of these stems, each counted once."""
        numbers = (self.words.get(term) for term in terms)
        return self._weighed.scores({number: 1.0 for number in numbers if number is not None})

    def idf(self, term: str) -> float:
        """How rare a stem is in the texts of tools; one that is in none is as rare as the rarest."""
        number = self.words.get(term)
        if number is None:
            return self._rarest
        known = self._idfs_of_terms.get(number)
        if known is None:
            known = float(self.texts.idfs(np.array([number], np.int64))[0]) or self._rarest
            self._idfs_of_terms[number] = known
        return known

    @cached_property
    def _idfs_of_terms(self) -> dict[int, float]:
        """Of stems that were asked for; at most one for each that the catalogue has."""
        return {}

    def holds(self, term: str, at: int) -> bool:
        """Whether the texts of a tool hold a stem."""
        number = self.words.get(term)
        return number is not None and self.texts.holds(number, at)

    @cached_property
    def _weighed(self) -> DocumentView:
        """Weights of the mean lengths of now: those that were computed beforehand may be of earlier ones."""
        if self.texts.visible is not None:
            return self.texts
        if len(self.texts.segments) == 1 and self.texts.segments[0].at is None:
            return self.texts
        return self.texts.narrowed(np.ones(self.size, np.bool_))

    @cached_property
    def _rarest(self) -> float:
        held = self.texts.held
        return float(self.texts.idfs(held).max(initial=1.0))

    @cached_property
    def id_shapes(self) -> IdShapes:
        """What ids look like on each server."""
        keys, starts = self.facts.entries(Fact.KEY), self.facts.entries(Fact.START)
        servers = self.servers
        # Not these columns: what they keep would hold them, and the collector leaves them alone.
        bare = replace(self)

        def names_in(asked: Collection[str]) -> Iterable[str]:
            return bare.terms_on(Fact.LITERAL, asked)

        return IdShapes(
            (
                (servers[code], self.words.term(term), count)
                for code, term, count in zip(
                    self.server_codes[keys.documents].tolist(),
                    keys.terms.tolist(),
                    keys.counts.tolist(),
                    strict=True,
                )
            ),
            (
                (servers[code], *_halves(self.words.term(term)), 1)
                for code, term in zip(
                    self.server_codes[starts.documents].tolist(), starts.terms.tolist(), strict=True
                )
            ),
            names_in,
        )

    @cached_property
    def splits(self) -> "WordSplits":
        """How words of names and paths are read as two."""
        known = self.mask_of_words(self.facts)
        number = self.words.get

        def is_known(word: str) -> bool:
            at = number(word)
            return at is not None and at < known.size and bool(known[at])

        found = [
            (at, number(first) or 0, number(second) or 0)
            for at, word in enumerate(self.written)
            for first, second in all_word_parts(word, is_known)
        ]
        return WordSplits(*np.array(found, np.int64).reshape(-1, 3).T)

    def mask_of_words(self, facts: DocumentView) -> Mask:
        """By its number, whether a term is a word of any of the tools that these facts are of."""
        known = np.zeros(len(self.words), np.bool_)
        known[facts.held_in(Fact.WORD)] = True
        return known

    @cached_property
    def states(self) -> StateIndex:
        """States that calls can set; in a view those that others can set, too."""
        return StateIndex(self.terms_of(Fact.STATE))

    def take_words(self, whole: "PlanColumns") -> None:
        """Take states and names of servers of the columns of which these are a part."""
        # Where `cached_property` keeps them.
        vars(self).update(states=whole.states, named_servers=whole.named_servers)

    def within(self, servers: Collection[str]) -> "PlanColumns":
        """The same tools, where only those of these servers say what words there are and how rare each is."""
        codes = [code for one in servers if (code := self.code(one)) is not None]
        seen = np.isin(self.server_codes, codes)
        found = replace(self, texts=self.texts.narrowed(seen), facts=self.facts.narrowed(seen))
        found.take_words(self)
        # They are of each server by itself.
        vars(found).update(id_shapes=self.id_shapes, resource_sizes=self.resource_sizes)
        return found

    def keep_states(self, earlier: "PlanColumns") -> None:
        """Take the states of an earlier generation where they are the same: reading them is a third of taking in a change."""
        if "states" in vars(earlier) and np.array_equal(
            self.facts.held_in(Fact.STATE), earlier.facts.held_in(Fact.STATE)
        ):
            # Where `cached_property` keeps it; the numbers of words never change.
            vars(self)["states"] = earlier.states

    def is_catalogue_verb(self, term: str) -> bool:
        """Whether a stem is the first word of a title, and names no resource."""
        if len(term) < _SHORTEST_VERB or not self.has_fact(Fact.OPENS, term):
            return False
        return not self.has_fact(Fact.RESOURCE, term)

    def common(self, server: str, stems: Collection[str], *, share: float, least: int) -> frozenset[str]:
        """Of some stems those in the paths of more than a share of a server's tools, where it has at least that number."""
        code = self.code(server)
        total = int(self.server_sizes[code]) if code is not None else 0
        if total < least:
            return frozenset()
        return frozenset(one for one in stems if self.on_server(Fact.LEADS, one, server).size > share * total)

    def requiring(self, server: str, name: str) -> tuple[int, int]:
        """How many calls of a server require an input of this name, and how many there are."""
        code = self.code(server)
        total = int(self.server_sizes[code]) if code is not None else 0
        return self.on_server(Fact.NEEDS, name, server).size, total

    def settled(self) -> "PlanColumns":
        """The same, counted together."""
        found = replace(
            self, texts=self.texts.settled(), facts=self.facts.settled(), naming=self.naming.settled()
        )
        found.keep_states(self)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class WordSplits:
    """Of each word that is read as two every way to do so: by the word's number, and the first one first."""

    words: npt.NDArray[np.int64]
    firsts: npt.NDArray[np.int64]
    seconds: npt.NDArray[np.int64]


@lru_cache(maxsize=4)
def _named_servers(servers: tuple[str, ...]) -> Mapping[str, Sequence[str]]:
    # Of the servers of a generation, which mostly are those of the one before.
    found: defaultdict[str, list[str]] = defaultdict(list)
    for server in servers:
        for term in {term for term in text_terms(server) if len(term) > _SHORTEST_NAME}:
            found[term].append(server)
    return dict(found)


def _halves(term: str) -> tuple[str, str]:
    first, _, second = term.partition(" ")
    return first, second


def path_key(tool: Tool) -> int:
    """`PlanColumns.paths` of a tool; 0 for one without a path."""
    if not (tool.path or tool.method):
        return _NO_PATH
    said = f"{tool.server}\n{tool.path}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(said, digest_size=8).digest(), "little") or 1


def path_keys(tools: Iterable[Tool], count: int) -> PathKeys:
    """The keys of some tools."""
    return np.fromiter((path_key(tool) for tool in tools), np.uint64, count)


class Counting:
    """Takes the facts of tools one by one, and counts them."""

    def __init__(self, words: Vocabulary, written: Vocabulary, lists: Iterable[tuple[str, ...]] = ()) -> None:
        self._words = words
        self._written = written
        self._lists = {one: at for at, one in enumerate(lists)}
        self._listed, self._lends = array("i"), array("B")
        self._texts, self._text_lengths = array("i"), array("i")
        self._facts, self._fact_lengths = array("i"), array("i")
        self._naming, self._naming_lengths = array("i"), array("i")
        self._kinds, self._mutating = array("B"), array("B")

    def add(self, facts: PlanFacts) -> None:
        """Take the next tool."""
        number = self._words.number
        for terms in facts.texts:
            self._texts.extend(map(number, terms))
            self._text_lengths.append(len(terms))
        for terms in facts.facts:
            self._facts.extend(map(number, terms))
            self._fact_lengths.append(len(terms))
        for written in facts.written:
            self._naming.extend(map(self._written.number, written))
            self._naming_lengths.append(len(written))
        self._kinds.append(KINDS.index(facts.kind))
        self._mutating.append(facts.mutating)
        self._listed.append(self._lists.setdefault(facts.categories, len(self._lists)))
        self._lends.append(facts.lends)

    @property
    def kinds(self) -> KindNumbers:
        """`PlanColumns.kinds` of the tools."""
        return np.frombuffer(self._kinds, np.uint8)

    @property
    def mutating(self) -> Mask:
        """`PlanColumns.mutating` of the tools."""
        return np.frombuffer(self._mutating, np.bool_)

    @property
    def lists(self) -> tuple[tuple[str, ...], ...]:
        """`PlanColumns.category_lists`."""
        return tuple(self._lists)

    @property
    def listed(self) -> Numbers:
        """`PlanColumns.listed` of the tools."""
        return np.frombuffer(self._listed, np.int32)

    @property
    def lends(self) -> KindNumbers:
        """`PlanColumns.lends` of the tools."""
        return np.frombuffer(self._lends, np.uint8)

    def naming(self) -> FieldCounts:
        """The counts of the words of names and paths."""
        return counted(
            tuple(NAMED),
            np.frombuffer(self._naming, np.int32),
            np.frombuffer(self._naming_lengths, np.int32).reshape(-1, len(NAMING)),
            terms=len(self._written),
        )

    def facts(self) -> FieldCounts:
        """The counts of facts."""
        return counted(
            tuple(fact.name for fact in Fact),
            np.frombuffer(self._facts, np.int32),
            np.frombuffer(self._fact_lengths, np.int32).reshape(-1, len(Fact)),
            terms=len(self._words),
        )

    def texts(self, is_known: Callable[[str], bool]) -> FieldCounts:
        """The counts of texts, with the parts of words that are written together of two known ones."""
        lengths = np.frombuffer(self._text_lengths, np.int32).reshape(-1, len(FIELDS))
        naming = np.frombuffer(self._naming_lengths, np.int32).reshape(-1, len(NAMING))
        words = np.frombuffer(self._naming, np.int32)
        held = np.unique(words)
        parts = [
            [self._words.number(one) for one in word_parts(self._written.term(word), is_known)]
            for word in held.tolist()
        ]
        starts = np.cumsum([0, *map(len, parts)], dtype=np.int64)
        of_part = np.array([one for some in parts for one in some], np.int32)
        places = held.searchsorted(words)
        inside, sizes = spans(starts[places], starts[places + 1])
        of_word = np.repeat(np.arange(naming.size), naming.ravel())
        added = np.bincount(np.repeat(of_word, sizes), minlength=naming.size).reshape(naming.shape)
        # The words of a field, then the parts of its words.
        whole = lengths.astype(np.int64)
        whole[:, NAMING] += added
        numbers = np.empty(int(whole.sum()), np.int32)
        behind = np.zeros(whole.shape, np.int64)
        behind[:, NAMING] = added
        ends = np.cumsum(whole.ravel())
        is_part, _ = spans(ends - behind.ravel(), ends)
        is_text = np.ones(numbers.size, np.bool_)
        is_text[is_part] = False
        numbers[is_text] = np.frombuffer(self._texts, np.int32)
        numbers[is_part] = of_part[inside]
        return counted(tuple(FIELDS), numbers, whole.astype(np.int32), terms=len(self._words))
