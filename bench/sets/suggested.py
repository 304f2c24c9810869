"""The index of a set as the service would have it: with what common methods suggest, and with vectors."""

from collections import defaultdict
from dataclasses import replace
from functools import cache

from app.domain.catalogue import Catalogue
from app.domain.linking.method_links import MethodMatcher
from app.domain.nodes.models import EdgeKind, Link
from app.roots.encoders import closeness_weight, encoder_of, field_weights
from app.settings import Settings
from app.usecases.index.encoding import ToolEncoder
from app.usecases.index.search_index import SearchIndex
from ingest.sources.taxonomy.common import CommonTaxonomy


def served_index(catalogue: Catalogue) -> SearchIndex:
    """The index of `with_common`, all of its tools encoded; OUTFITTER_ENCODER and OUTFITTER_VECTOR_WEIGHTS say whether, and how."""
    return with_vectors(SearchIndex.build(with_common(catalogue)))


def with_vectors(index: SearchIndex) -> SearchIndex:
    """The index with the vectors of all its tools."""
    encoder = _encoder()
    if encoder is not None:
        encoder.attach(index, at_once=0)
        encoder.complete(index, goes_on=lambda: True)
    return index


@cache
def _encoder() -> ToolEncoder | None:
    """One for the process: sets have tools in common."""
    settings = Settings()
    encoder = encoder_of(settings)
    return (
        None
        if encoder is None
        else ToolEncoder(encoder, weights=field_weights(settings), weight=closeness_weight(settings))
    )


def with_common(catalogue: Catalogue, common: CommonTaxonomy | None = None) -> Catalogue:
    """The catalogue with the common methods, and what they suggest of it.

    A tool that a method is implemented by is left to that; a method whose id the catalogue has, likewise.
    """
    common = common or CommonTaxonomy()
    taken = {method.id for method in catalogue.methods}
    methods = [method for method in common.methods() if method.id not in taken]
    implemented = {tool for method in catalogue.methods for tool in method.implements}
    tools = [tool for tool in catalogue.tools if tool.id not in implemented and not tool.declared]
    links: defaultdict[str, list[Link]] = defaultdict(list)
    for one in MethodMatcher(methods).links(tools):
        links[one.method].append(Link(kind=EdgeKind.SUGGESTS, target=one.tool, weight=one.confidence))
    suggesting = [
        method.model_copy(
            update={
                "category": "",
                "suggests": tuple(sorted(links[method.id], key=lambda link: link.target)),
            }
        )
        for method in methods
    ]
    return replace(
        catalogue, methods=tuple(sorted([*catalogue.methods, *suggesting], key=lambda method: method.id))
    )
