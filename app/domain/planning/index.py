"""A catalogue as the planner sees it: what each tool is, and how well its texts fit a clause."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from app.domain.choosing.recipe import RECIPE
from app.domain.filling.forms import OperationForm, read_form, says_cents
from app.domain.filling.id_shapes import IdShapes
from app.domain.filling.states import StateIndex
from app.domain.language.goal_words import KIND_FIT, STOP_WORDS
from app.domain.language.identifiers import ID_WORDS, pieces, singular, words
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.nodes.models import Tool
from app.domain.planning.operations import Operation, is_context, read_operation, with_body_of
from app.domain.planning.traits import Traits, traits_of, without_common
from app.domain.ranking.documents import ANALYSED_CHARS
from app.domain.ranking.fields import FieldIndex, compile_bm25f
from app.domain.reading.values import is_plain_word

Scores = npt.NDArray[np.float64]
"""One value per tool, (N,)."""

FIELDS = RECIPE.fields
_DESCRIPTION_CHARS = 500
_PARAMETERS = 25
_OUTPUTS = 40
_OUTPUTS_LOOKED_AT = 200
_OUTPUT_DEPTH = 3
_VALUES = 40
_SHORTEST_PART = 3
_OPERATIONS_KEPT = 4096
"""Operations whose inputs stay read: 3,373 of six large documents take 60 MB."""
# A tag is no longer than this; without a bound, each `<` would be read to the end.
_MARKUP = re.compile(r"<[^>]{1,500}+>")
_PARAMETER = re.compile(r"\{[^{}]*+\}")


class PlanIndex:
    """N tools in the order given; fixed once built."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        operations = [read_operation(tool) for tool in tools]
        self._patches = {(tool.server, tool.path) for tool in tools if tool.method == "PATCH"}
        self._patched = _put_for_patch(tools)
        whole = [self._with_borrowed(at, operation, operations) for at, operation in enumerate(operations)]
        self._read: Callable[[int], Operation] = (
            whole.__getitem__
            if len(whole) <= _OPERATIONS_KEPT
            else lru_cache(maxsize=_OPERATIONS_KEPT)(self._read_whole(tools))
        )
        self.traits = without_common([traits_of(operation) for operation in operations])
        self.position: Mapping[str, int] = {tool.id: at for at, tool in enumerate(tools)}
        self.servers = sorted({tool.server for tool in tools})
        code = {server: number for number, server in enumerate(self.servers)}
        self.server_codes = np.array([code[tool.server] for tool in tools], np.intp)
        """Per tool the place of its server in `servers`."""
        self.states = StateIndex(whole)
        self._of_server = {
            server: np.flatnonzero(self.server_codes == number).tolist() for server, number in code.items()
        }
        self._terms: dict[str, int] = {}
        lists: defaultdict[tuple[str, frozenset[str]], list[int]] = defaultdict(list)
        for at, traits in enumerate(self.traits):
            if traits.kind in (OperationKind.LIST, OperationKind.SEARCH):
                lists[traits.tool.server, traits.resource].append(at)
        self._lists = dict(lists)
        self._resource_names = {(traits.tool.server, traits.resource) for traits in self.traits}
        nouns: defaultdict[str, set[str]] = defaultdict(set)
        for traits in self.traits:
            nouns[traits.tool.server] |= traits.resource
        self._resource_nouns = dict(nouns)
        places: defaultdict[str, set[str]] = defaultdict(set)
        for operation in operations:
            places[operation.tool.server] |= {
                stem(singular(pieces(literal.text)[-1]))
                for literal, behind in pairwise(operation.segments)
                if literal.is_noun and behind.is_parameter and pieces(literal.text)
            }
        self._places = dict(places)
        self._in_cents = {
            operation.tool.server
            for operation in operations
            if any(says_cents(item) for item in operation.inputs)
        }
        made: defaultdict[str, set[str]] = defaultdict(set)
        inputs_about: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for operation, traits in zip(operations, self.traits, strict=True):
            if not traits.mutating:
                continue
            if traits.kind is OperationKind.CREATE:
                made[traits.tool.server].add(stem("".join(singular(word) for word in operation.resource)))
            names = {
                stem(word)
                for item in operation.inputs
                if len(item.pointer) < _OUTPUT_DEPTH
                for word in words(item.name)
            }
            for noun in traits.resource:
                inputs_about[traits.tool.server, noun] |= names
        self._made, self._inputs_about = dict(made), dict(inputs_about)
        self._vocabulary = _vocabulary(operations)
        self._texts = self._compile(operations)
        self.id_shapes = IdShapes(operations)
        self._rarest = float(self._texts.idfs.max(initial=1.0))
        self._kinds = _one_hot(
            [list(OperationKind).index(traits.kind) for traits in self.traits], len(OperationKind)
        )
        self._classes = _members([traits.verb_classes for traits in self.traits])
        self._resources = self._resource_matrix()
        self.catalogue_verbs = _catalogue_verbs(operations, self.traits)
        self._spread = _spread(self.traits)
        self._form = lru_cache(maxsize=_OPERATIONS_KEPT)(self._read_form())

    def __len__(self) -> int:
        return len(self.traits)

    def operation(self, at: int) -> Operation:
        """A tool with its inputs and outputs: all are kept where there are few enough, else those asked for lately."""
        return self._read(at)

    def form(self, at: int) -> OperationForm:
        """A tool's inputs as values see them."""
        return self._form(at)

    def _read_whole(self, tools: Sequence[Tool]) -> Callable[[int], Operation]:
        patched = self._patched

        def read(at: int) -> Operation:
            operation = read_operation(tools[at])
            if at in patched:
                return with_body_of(operation, read_operation(tools[patched[at]]))
            return operation

        return read

    def _read_form(self) -> Callable[[int], OperationForm]:
        # Holds not this object itself: an index that does is never freed once the collector leaves it alone.
        read, traits, spread, in_cents = self._read, self.traits, self._spread, self._in_cents

        def read_one(at: int) -> OperationForm:
            server = traits[at].tool.server
            return read_form(
                read(at),
                is_context=lambda name: _is_context(spread[server], name),
                in_cents=server in in_cents,
            )

        return read_one

    def _with_borrowed(self, at: int, operation: Operation, operations: Sequence[Operation]) -> Operation:
        return with_body_of(operation, operations[self._patched[at]]) if at in self._patched else operation

    def coverage(self, at: int, terms: Sequence[str]) -> float:
        """Share of `terms`, each weighed by its rarity, that the texts of a tool hold; 0 to 1."""
        total = found = 0.0
        for term in dict.fromkeys(terms):
            number = self._terms.get(term)
            idf = float(self._texts.idfs[number]) if number is not None else self._rarest
            total += idf
            if number is not None and self._texts.by_document[at, number] > 0:
                found += idf
        return found / total if total else 0.0

    def of_server(self, server: str) -> Sequence[int]:
        """Positions of the tools of a server."""
        return self._of_server[server]

    def is_separate(self, servers: Iterable[str], thing: str, part: str) -> bool:
        """Whether calls make a part of a thing that no call about the thing itself takes as an input.

        Args:
            servers: Where.
            thing: A noun.
            part: Another, or two words joined.
        """
        thing, part = stem(singular(thing)), stem(singular(part))
        return thing != part and any(
            part in self._made.get(server, ())
            and part not in self._inputs_about.get((server, thing), (part,))
            for server in servers
        )

    def is_resource(self, server: str, noun: str) -> bool:
        """Whether calls of a server are about what a stem names, alone: branches, besides rules of branches."""
        return (server, frozenset((noun,))) in self._resource_names

    def is_part_of_resource(self, server: str, noun: str) -> bool:
        """Whether calls of a server are about what a stem names, alone or beside others: IP addresses."""
        return noun in self._resource_nouns.get(server, ())

    def lists_of(self, server: str, resource: frozenset[str]) -> Sequence[int]:
        """Positions of a server's lists and searches of a resource, by its stems."""
        return self._lists.get((server, resource), ())

    def has_patch(self, at: int) -> bool:
        """Whether the path of a tool can be patched."""
        tool = self.traits[at].tool
        return (tool.server, tool.path) in self._patches

    def places(self, servers: Iterable[str]) -> frozenset[str]:
        """Stems of what stands before parameters in the paths of these servers: (issu,) for `/issues/{number}`."""
        return frozenset().union(*(self._places.get(server, frozenset()) for server in servers))

    def is_joined(self, word: str) -> bool:
        """Whether the catalogue has this stem of two words written together."""
        return word in self._vocabulary

    def is_word(self, word: str) -> bool:
        """Whether names, paths, titles or inputs of the catalogue have a word, in the lower case."""
        return stem(word) in self._vocabulary or is_plain_word(word)

    def text_scores(self, terms: Sequence[str]) -> Scores:
        """BM25F of every tool for these stems, each counted once."""
        found = self._texts.postings.scores({self._terms[t]: 1.0 for t in terms if t in self._terms})
        return found.astype(np.float64)

    def kind_fit(self, asked: OperationKind) -> Scores:
        """How well each tool's kind serves the asked one, 0 to 1."""
        fit = np.array([KIND_FIT[asked].get(kind, 0.0) for kind in OperationKind], np.float64)
        return fit @ self._kinds

    def same_verb(self, classes: frozenset[int]) -> Scores:
        """1 where a tool's verb means the same as one of these groups, else 0."""
        found = np.zeros(len(self), np.float64)
        for number in classes:
            found[self._classes.get(number, [])] = 1.0
        return found

    def resource_share(self, terms: Sequence[str]) -> Scores:
        """Share of the stems of each tool's resource that are among `terms`."""
        found = np.zeros(len(self), np.float64)
        for term in set(terms):
            if term in self._resources:
                positions, shares = self._resources[term]
                found[positions] += shares
        return found

    def is_context(self, at: int, name: str) -> bool:
        """Whether most tools of the server require an input of this name (its words joined by spaces)."""
        return _is_context(self._spread[self.traits[at].tool.server], name)

    def _resource_matrix(self) -> dict[str, tuple[npt.NDArray[np.intp], Scores]]:
        found: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for at, traits in enumerate(self.traits):
            for term in traits.resource:
                found[term].append((at, 1 / len(traits.resource)))
        return {
            term: (np.array([at for at, _ in pairs], np.intp), np.array([s for _, s in pairs], np.float64))
            for term, pairs in found.items()
        }

    def _compile(self, operations: Sequence[Operation]) -> FieldIndex:
        rows: dict[str, list[int]] = {field: [] for field in FIELDS}
        columns: dict[str, list[int]] = {field: [] for field in FIELDS}
        values = _values_by_path(operations)
        for at, operation in enumerate(operations):
            said = values[operation.tool.server, operation.tool.path] if operation.tool.path else ()
            for field, text in zip(FIELDS, _texts(operation, said), strict=True):
                terms = text_terms(text)
                if field in _NAMING_FIELDS:
                    terms += [part for piece in pieces(text) for part in _parts(piece, self._vocabulary)]
                for term in terms:
                    rows[field].append(at)
                    columns[field].append(self._terms.setdefault(term, len(self._terms)))
        shape = (len(operations), max(1, len(self._terms)))
        counts = {
            field: sp.csr_matrix((np.ones(len(rows[field])), (rows[field], columns[field])), shape=shape)
            for field in FIELDS
        }
        return compile_bm25f(counts, weights=FIELDS)


_NAMING_FIELDS = ("name", "path")


def _parts(word: str, known: frozenset[str]) -> tuple[str, ...]:
    """Stems of the two words that one is written together of: (work, log) for `worklog`; none for other words."""
    for at in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        first, second = stem(word[:at]), stem(word[at:])
        if first in known and second in known and word[:at] == first and len(word) > 2 * _SHORTEST_PART - 1:
            return (first, second)
    return ()


def _vocabulary(operations: Sequence[Operation]) -> frozenset[str]:
    return frozenset(
        stem(piece)
        for operation in operations
        for text in (operation.tool.name, _PARAMETER.sub(" ", operation.tool.path), operation.tool.title)
        for piece in pieces(text)
    ) | frozenset(
        stem(word) for operation in operations for item in operation.inputs for word in pieces(item.name)
    )


def _put_for_patch(tools: Sequence[Tool]) -> dict[int, int]:
    """Position of each PATCH -> that of the PUT on the same path."""
    puts = {(tool.server, tool.path): at for at, tool in enumerate(tools) if tool.method == "PUT"}
    return {
        at: puts[tool.server, tool.path]
        for at, tool in enumerate(tools)
        if tool.method == "PATCH" and (tool.server, tool.path) in puts
    }


def text_terms(text: str) -> list[str]:
    """Stems of the words of a tool's text; single letters go, single digits stay."""
    return [stem(piece) for piece in pieces(text) if len(piece) > 1 or piece.isdigit()]


def _values_by_path(operations: Sequence[Operation]) -> dict[tuple[str, str], tuple[str, ...]]:
    """(server, path) -> members of the enums that calls on it take: what can be said there may be read there."""
    found: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for operation in operations:
        values = found[operation.tool.server, operation.tool.path]
        for item in operation.inputs:
            if item.location == "body" and len(item.pointer) < _OUTPUT_DEPTH:
                for member in item.enum:
                    if isinstance(member, str) and len(values) < _VALUES:
                        values[member] = None
    return {path: tuple(values) for path, values in found.items()}


def _texts(operation: Operation, values: Sequence[str]) -> tuple[str, ...]:
    tool = operation.tool
    outputs: dict[str, None] = {}
    for field in operation.answer.fields[:_OUTPUTS_LOOKED_AT]:
        if len(field.pointer) - field.pointer.count("*") <= _OUTPUT_DEPTH and len(outputs) < _OUTPUTS:
            outputs[field.name] = None
    return (
        tool.name if operation.name_words else "",
        _PARAMETER.sub(" ", tool.path),
        tool.title,
        " ".join(tool.categories),
        _MARKUP.sub(" ", tool.description.removeprefix(tool.title)[:ANALYSED_CHARS])[:_DESCRIPTION_CHARS],
        " ".join(item.name for item in operation.inputs[:_PARAMETERS]),
        " ".join(outputs),
        " ".join(values),
    )


def _one_hot(numbers: Sequence[int], count: int) -> Scores:
    matrix = np.zeros((count, len(numbers)), np.float64)
    matrix[numbers, range(len(numbers))] = 1.0
    return matrix


def _members(groups: Sequence[frozenset[int]]) -> dict[int, list[int]]:
    found: defaultdict[int, list[int]] = defaultdict(list)
    for at, group in enumerate(groups):
        for number in group:
            found[number].append(at)
    return dict(found)


def _is_context(spread: tuple[Counter[str], int], name: str) -> bool:
    counts, total = spread
    return name not in ID_WORDS and is_context(counts[name], total)


def _catalogue_verbs(operations: Sequence[Operation], traits: Sequence[Traits]) -> frozenset[str]:
    """First words of titles that name no resource."""
    nouns = frozenset().union(*(found.resource for found in traits))
    firsts = {stem(word) for op in operations for word in pieces(op.tool.title)[:1] if word not in STOP_WORDS}
    return frozenset(word for word in firsts - nouns if len(word) > 2)


def _spread(traits: Sequence[Traits]) -> dict[str, tuple[Counter[str], int]]:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    totals: Counter[str] = Counter()
    for found in traits:
        counts[found.tool.server].update(found.required)
        totals[found.tool.server] += 1
    return {server: (counts[server], totals[server]) for server in totals}
