"""An index as named arrays, and back: what is kept of it in a file, and mapped by all who answer from it.

Whatever is cheap to make from these is left out: views of a taxonomy, statistics, what only the first query counts.
"""

import json
import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from app.domain.linking.suggested import SuggestedTools
from app.domain.nodes.models import GraphState
from app.domain.packed.catalogue import (
    GroupedRequirements,
    PackedCatalogue,
    PackedTools,
    PositionsOfIds,
    Taxonomy,
    ids_of,
)
from app.domain.packed.texts import PackedTexts, Vocabulary
from app.domain.planning.index import PlanIndex
from app.domain.planning.indexed.columns import PlanColumns
from app.domain.planning.indexed.facts import FIELDS
from app.domain.ranking.intent import act_matrix
from app.domain.ranking.meaning import ToolVectors
from app.domain.ranking.names import NameIndex
from app.domain.ranking.recipe import RECIPE
from app.domain.ranking.runs import Reached, Runs
from app.domain.ranking.segments import FieldCounts, Saturated
from app.domain.ranking.views import DocumentView
from app.errors import NotReadyError, OutfitterError
from app.ports.graph import CatalogueReader
from app.ports.snapshots import KeptState, SnapshotStore
from app.usecases.index.analyses import Analyses, Analysis, NodeTerms, PackedTerms
from app.usecases.index.changed import changed_index
from app.usecases.index.encoding import ToolEncoder
from app.usecases.index.facts import ToolActs, ToolObjects, ToolResources
from app.usecases.index.meaning import Meaning
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.views import CatalogueView, ReferenceViews
from app.usecases.index.whole import (
    cover_of,
    methods_of_tools,
    small_views,
    tool_document_fields,
    with_methods_of,
)

_log = logging.getLogger(__name__)
NamedArrays = Mapping[str, npt.NDArray[Any]]
_OTHER_NODES: Mapping[str, Collection[str]] = {
    "methods": RECIPE.method_fields,
    "generators": RECIPE.method_fields,
    "templates": RECIPE.template_fields,
    "concepts": RECIPE.concept_fields,
}
"""Kinds of analysed nodes beside tools, and their fields."""


Work: TypeAlias = Callable[[], NamedArrays]


def keep_index(
    reader: CatalogueReader,
    store: SnapshotStore,
    beside: Callable[[Work], Work],
    *,
    encoder: ToolEncoder | None = None,
) -> bool:
    """Keep the index of a graph as it is now, made from the last one that was kept where that can be; whether it is kept.

    Args:
        reader: The graph.
        store: Where it is kept.
        beside: Begins a work that has nothing to do with what follows; gives what waits for its result.
        encoder: Whose kept vectors of tools are kept with it.

    Raises:
        StoreUnavailableError: the database did not answer.
        NotReadyError: an ingest is at work; ask again.
    """
    state = reader.state()
    if state.writing:
        # What is kept leads to its end: whoever asks then need not read the whole.
        raise NotReadyError("an ingest is at work; ask again when it is done")
    found = latest_kept(state, reader, store)
    plans: Work | None = None
    if found is not None:
        kept, index = found
        if kept == KeptState(state.generation, state.stamp) and (
            encoder is None or index.meaning.vectors is not None
        ):
            return True
        index = index.settled()
    else:
        catalogue = reader.catalogue()
        # Half of the work, and none of the other half needs it.
        plans = beside(lambda: _plan_arrays(PlanIndex([one for one in catalogue.tools if not one.declared])))
        index = SearchIndex.build(catalogue)
    if encoder is not None:
        encoder.attach_kept(index)
    arrays = arrays_of(index) if plans is None else {**_ranking_arrays(index), **plans()}
    return store.keep(KeptState(index.generation, index.catalogue.stamp), arrays)


def latest_kept(
    state: GraphState, reader: CatalogueReader, store: SnapshotStore
) -> tuple[KeptState, SearchIndex] | None:
    """The index of a graph's state, from what was kept of it or of an earlier one and what changed since; None without.

    What was kept and cannot be used is logged and passed over.

    Raises:
        StoreUnavailableError, NotReadyError: as for `keep_index`.
    """
    try:
        states = store.states()
    except Exception:  # noqa: BLE001 - a build does without what is kept
        _log.exception("kept snapshots cannot be listed: a defect")
        return None
    for kept in states:
        try:
            index = _later_than_kept(kept, state, reader, store)
        except OutfitterError:
            raise
        except Exception:  # noqa: BLE001 - a build does without it
            _log.exception("kept snapshot cannot be used: a defect", extra={"generation": kept.generation})
            continue
        if index is not None:
            return kept, index
    return None


def _later_than_kept(
    kept: KeptState, state: GraphState, reader: CatalogueReader, store: SnapshotStore
) -> SearchIndex | None:
    """The index at a graph's state, from a kept one and what changed since; None where they do not lead to each other."""
    part = None
    if kept != KeptState(state.generation, state.stamp):
        if state.writing or kept.generation >= state.generation:
            return None
        changes = reader.changes(kept.generation, stamp=kept.stamp)
        if changes is None:
            return None
        part = reader.part(changes)
    arrays = store.load(kept)
    if arrays is None:
        return None
    index = index_of(arrays)
    if KeptState(index.generation, index.catalogue.stamp) != kept:
        raise ValueError(f"a snapshot of generation {index.generation} is named one of {kept.generation}")
    return index if part is None else changed_index(index, part)


def arrays_of(index: SearchIndex) -> NamedArrays:
    """The arrays of an index whose tools are counted together.

    Raises:
        ValueError: a text of it cannot be written as UTF-8, or its tools are not counted together.
    """
    return {**_ranking_arrays(index), **_plan_arrays(index.plan_index)}


def _ranking_arrays(index: SearchIndex) -> NamedArrays:
    if len(index.whole.tools.segments) > 1 or index.recipe != RECIPE:
        raise ValueError(
            "only an index whose tools are counted together, by the recipe of the release, is kept"
        )
    packed = PackedCatalogue.of(index.catalogue)
    found: dict[str, npt.NDArray[Any]] = {}
    found |= _texts("tools.ids", packed.tools.ids)
    found |= _texts("tools", packed.tools.records)
    found |= _texts("requirements.consumers", packed.requirements.consumers)
    found |= _texts("requirements", packed.requirements.groups)
    found["taxonomy"] = _bytes(packed.rest.model_dump_json())
    found |= _vocabulary("vocabulary", index.analyses.vocabulary)
    found |= _terms("terms", index.analyses.tools, fields=len(RECIPE.tool_fields))
    for kind, fields in _OTHER_NODES.items():
        analysed = getattr(index.analyses, kind)
        found |= _terms(f"{kind}.terms", [one.terms for one in analysed], fields=len(fields))
    found |= _view("words", index.whole.tools)
    found |= _view("reference", index.whole.reference.tools)
    runs, sizes = index.names.counted
    found |= _runs("names", runs)
    found["names.sizes"] = sizes
    found["acts"] = index.acts.of
    found["acts.profiles"] = _json([list(map(list, profile)) for profile in index.acts.profiles])
    found["objects"] = index.objects.of
    found["objects.terms"] = _json(list(index.objects.numbers))
    found["resources"] = index.resources.of
    found["definition_bytes"] = index.whole.definition_bytes
    found["server_of"] = index.whole.server_of
    found["servers"] = _json(dict(index.servers))
    found["categories"] = _json(list(index.categories))
    found |= _ragged("categories.tools", index.categories.values())
    found["read_only"] = index.read_only
    found["declared"] = index.declared
    suggested = [index.suggested.of(method.id) for method in index.catalogue.methods]
    found |= _ragged("suggested", [one.positions for one in suggested])
    found["suggested.scores"] = np.concatenate([np.empty(0), *(one.scores for one in suggested)])
    vectors = index.meaning.vectors
    if vectors is not None and not vectors.missing.size:
        found["meaning.model"] = _bytes(vectors.model)
        found["meaning"] = vectors.codes
        found["meaning.scales"] = vectors.scales
    return found


def _plan_arrays(index: PlanIndex) -> NamedArrays:
    columns = index.settled().columns
    return {
        **_vocabulary("plan.words", columns.words),
        **_vocabulary("plan.written", columns.written),
        **_view("plan.texts", columns.texts),
        **_view("plan.facts", columns.facts),
        "plan.servers": _json(list(columns.servers)),
        "plan.server_codes": columns.server_codes,
        "plan.kinds": columns.kinds,
        "plan.mutating": columns.mutating,
        "plan.paths": columns.paths,
        **_view("plan.naming", columns.naming),
        "plan.category_lists": _json(list(map(list, columns.category_lists))),
        "plan.listed": columns.listed,
        "plan.lends": columns.lends,
    }


def index_of(arrays: NamedArrays) -> SearchIndex:
    """The index that these are the arrays of; answers are the same to the last digit.

    Raises:
        KeyError: an array is missing.
        ValueError: an array is not what its name says.
    """
    read = _Reading(arrays)
    catalogue = PackedCatalogue(
        PackedTools(read.texts("tools.ids"), read.texts("tools")),
        GroupedRequirements(read.texts("requirements.consumers"), read.texts("requirements")),
        Taxonomy.model_validate_json(arrays["taxonomy"].tobytes()),
    ).catalogue()
    others = {kind: read.analysed(f"{kind}.terms", getattr(catalogue, kind)) for kind in _OTHER_NODES}
    analyses = Analyses(read.vocabulary("vocabulary"), read.terms("terms"), **others)
    small = small_views(analyses, RECIPE)
    positions = PositionsOfIds(ids_of(catalogue.tools))
    of_methods = methods_of_tools(catalogue, positions)
    tools = read.view("words", tool_document_fields(RECIPE))
    categories = read.json("categories")
    profiles = [tuple((act, worth) for act, worth in profile) for profile in read.json("acts.profiles")]
    index = SearchIndex(
        catalogue=catalogue,
        recipe=RECIPE,
        analyses=analyses,
        whole=CatalogueView(
            tools=tools,
            methods=small.methods,
            common=small.common,
            templates=small.templates,
            concepts=small.concepts,
            reference=ReferenceViews(
                DocumentView.of_text(read.counts("reference")),
                small.reference_methods,
                small.reference_templates,
            ),
            cover=cover_of(tools, analyses, RECIPE),
            server_of=arrays["server_of"],
            with_methods=with_methods_of(catalogue, of_methods),
            definition_bytes=arrays["definition_bytes"],
        ),
        acts=ToolActs(
            arrays["acts"],
            {profile: number for number, profile in enumerate(profiles)},
            act_matrix([dict(profile) for profile in profiles], recipe=RECIPE),
        ),
        objects=ToolObjects(
            arrays["objects"], {term: number for number, term in enumerate(read.json("objects.terms"))}
        ),
        resources=ToolResources(arrays["resources"]),
        positions=positions,
        of_methods=of_methods,
        servers=read.json("servers"),
        categories=dict(zip(categories, read.ragged("categories.tools"), strict=True)),
        read_only=arrays["read_only"],
        declared=arrays["declared"],
        names=NameIndex.of_counted(read.runs("names"), arrays["names.sizes"]),
        meaning=Meaning(read.vectors()),
    )
    columns = PlanColumns(
        words=read.vocabulary("plan.words"),
        written=read.vocabulary("plan.written"),
        texts=read.view("plan.texts", FIELDS),
        facts=DocumentView.of_facts(read.counts("plan.facts")),
        servers=tuple(read.json("plan.servers")),
        server_codes=arrays["plan.server_codes"],
        kinds=arrays["plan.kinds"],
        mutating=arrays["plan.mutating"],
        paths=arrays["plan.paths"],
        naming=DocumentView.of_facts(read.counts("plan.naming")),
        category_lists=tuple(map(tuple, read.json("plan.category_lists"))),
        listed=arrays["plan.listed"],
        lends=arrays["plan.lends"],
    )
    suggested = map(Reached, read.ragged("suggested"), read.ragged("suggested", ".scores"))
    methods = [method.id for method in catalogue.methods]
    index.take_suggested(
        SuggestedTools(catalogue.method_by_id, positions, dict(zip(methods, suggested, strict=True)))
    )
    index.take_plan_index(PlanIndex(index.callable_tools, position=index.callable_positions, columns=columns))
    return index


class _Reading:
    def __init__(self, arrays: NamedArrays) -> None:
        self._arrays = arrays

    def texts(self, name: str) -> PackedTexts:
        return PackedTexts(self._arrays[name], self._arrays[f"{name}.starts"])

    def vocabulary(self, name: str) -> Vocabulary:
        return Vocabulary(self.texts(name), self._arrays[f"{name}.order"])

    def terms(self, name: str) -> PackedTerms:
        parts = ("", ".starts", ".lengths", ".reference", ".reference_starts")
        return PackedTerms(*(self._arrays[name + part] for part in parts))

    def runs(self, name: str) -> Runs:
        return Runs(*(self._arrays[f"{name}.{part}"] for part in ("keys", "starts", "documents", "counts")))

    def analysed(self, name: str, nodes: Sequence[Any]) -> list[Analysis[Any]]:
        terms = self.terms(name)
        return [Analysis(node, one) for node, one in zip(nodes, terms, strict=True)]

    def counts(self, name: str) -> FieldCounts:
        return FieldCounts(
            tuple(self.json(f"{name}.fields")), self.runs(name), self._arrays[f"{name}.lengths"]
        )

    def view(self, name: str, weights: Mapping[str, float]) -> DocumentView:
        counts = self.counts(name)
        worths = Saturated(self.runs(f"{name}.worths"), self._arrays[f"{name}.worths.values"])
        return DocumentView.of_counted(
            counts, worths, {field: weights[field] for field in counts.fields}, exact=False
        )

    def vectors(self) -> ToolVectors | None:
        if "meaning" not in self._arrays:
            return None
        model = self._arrays["meaning.model"].tobytes().decode()
        return ToolVectors(model, self._arrays["meaning"], self._arrays["meaning.scales"])

    def ragged(self, name: str, part: str = "") -> list[npt.NDArray[Any]]:
        """Arrays that stand one behind the other."""
        starts = self._arrays[f"{name}.starts"]
        return np.split(self._arrays[name + part], starts[1:-1]) if starts.size > 1 else []

    def json(self, name: str) -> Any:
        return json.loads(self._arrays[name].tobytes())


def _texts(name: str, texts: PackedTexts) -> NamedArrays:
    return {name: texts.blob, f"{name}.starts": texts.starts}


def _vocabulary(name: str, words: Vocabulary) -> NamedArrays:
    terms, order = words.packed()
    return {**_texts(name, terms), f"{name}.order": order}


def _terms(name: str, terms: Sequence[NodeTerms], *, fields: int) -> NamedArrays:
    packed = terms if isinstance(terms, PackedTerms) else PackedTerms.of(terms, fields=fields)
    return {
        name: packed.numbers,
        f"{name}.starts": packed.starts,
        f"{name}.lengths": packed.lengths,
        f"{name}.reference": packed.reference,
        f"{name}.reference_starts": packed.reference_starts,
    }


def _runs(name: str, runs: Runs) -> NamedArrays:
    return {
        f"{name}.keys": runs.keys,
        f"{name}.starts": runs.starts,
        f"{name}.documents": runs.documents,
        f"{name}.counts": runs.counts,
    }


def _view(name: str, view: DocumentView) -> NamedArrays:
    (segment,) = view.segments
    found: dict[str, npt.NDArray[Any]] = {
        f"{name}.fields": _json(list(segment.counts.fields)),
        f"{name}.lengths": segment.counts.lengths,
        **_runs(name, segment.counts.runs),
    }
    if segment.compiled is None:
        return found
    return {
        **found,
        **_runs(f"{name}.worths", segment.compiled.runs),
        f"{name}.worths.values": segment.compiled.values,
    }


def _ragged(name: str, values: Iterable[npt.NDArray[np.intp]]) -> NamedArrays:
    some = list(values)
    starts = np.cumsum([0, *(one.size for one in some)], dtype=np.int64)
    return {name: np.concatenate([np.empty(0, np.intp), *some]), f"{name}.starts": starts}


def _json(value: object) -> npt.NDArray[np.uint8]:
    return _bytes(json.dumps(value, ensure_ascii=False))


def _bytes(text: str) -> npt.NDArray[np.uint8]:
    return np.frombuffer(text.encode(), np.uint8)
