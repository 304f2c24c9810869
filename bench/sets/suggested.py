"""The catalogue of a set as ingest would leave it: with what methods of the common taxonomy suggest."""

from collections import defaultdict
from dataclasses import replace

from app.domain.catalogue import Catalogue
from app.domain.linking.method_links import MethodMatcher
from app.domain.nodes.models import EdgeKind, Link
from ingest.sources.taxonomy.common import CommonTaxonomy


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
