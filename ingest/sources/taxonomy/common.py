"""The common taxonomy: what people want done with software, whatever the tool. It comes with Outfitter."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from app.adapters.documents.structured_text import parse_text
from app.domain.language.near import near_ones
from app.domain.linking.recipe import LINKING
from app.domain.nodes.models import Method, MethodId
from app.errors import InvalidInputError
from ingest.cards import sha256
from ingest.sources.hidden_text import Cleaner
from ingest.sources.taxonomy.schema import MethodItem, TaxonomyFile, read_item

_TEXT_BYTES = 4_000
"""Of the shipped files; the longest text is a tenth of it."""
_ENDING = ".yaml"
_KINDS = ("manifest", "mcp", "openapi")
"""Of sources that bring tools."""


@dataclass(frozen=True, slots=True)
class CommonTaxonomy:
    """What of the common taxonomy is in use, and the servers that are left without it.

    Raises:
        InvalidInputError: what is left out is neither a domain nor a source of tools.
    """

    without: tuple[str, ...] = ()
    """Domains, and sources of tools (`manifest:shop`), that are left out."""

    def __post_init__(self) -> None:
        for name in self.without:
            kind, colon, source = name.partition(":")
            if colon and (kind not in _KINDS or not source):
                kinds = ", ".join(f"{one}:NAME" for one in _KINDS)
                raise InvalidInputError(
                    f"the common taxonomy cannot leave out {name!r}; accepted: {kinds}, or a domain"
                )
            if not colon and name not in domains():
                near = near_ones(name, domains(), cutoff=0.5, otherwise=", ".join(domains()))
                raise InvalidInputError(f"the common taxonomy has no domain {name!r}; {near}")

    @property
    def version(self) -> str:
        """A digest of all that links depend on: the texts, what is left out, what counts how much."""
        texts = [sha256(shipped_text(domain)) for domain in self._domains]
        return sha256(" ".join((*texts, *sorted(self._servers), repr(LINKING))))

    def methods(self) -> list[Method]:
        """The methods, without what they suggest; the category of each is its domain."""
        return [
            Method(
                id=MethodId(item.id),
                name=item.name,
                description=item.description,
                category=domain,
                tags=item.words,
                parameters=(),
                examples=item.said,
                implements=(),
                related=(),
                common=True,
            )
            for domain in self._domains
            for item in domain_methods(domain)
        ]

    def accepts(self, server: str) -> bool:
        """Whether tools of a server are linked. A server has one source of tools, which bears its name."""
        return server not in self._servers

    @property
    def _domains(self) -> list[str]:
        return [domain for domain in domains() if domain not in self.without]

    @property
    def _servers(self) -> frozenset[str]:
        return frozenset(name.partition(":")[2] for name in self.without if ":" in name)


@cache
def domains() -> tuple[str, ...]:
    """The domains, sorted."""
    folder = files("taxonomies").joinpath("common")
    names = (one.name for one in folder.iterdir())
    return tuple(sorted(name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING)))


@cache
def domain_methods(domain: str) -> tuple[MethodItem, ...]:
    """The methods of one domain as they are written."""
    value = parse_text(shipped_text(domain), name=domain + _ENDING)
    top = read_item(TaxonomyFile, value, text_bytes=_TEXT_BYTES, cleaner=Cleaner())
    return tuple(read_item(MethodItem, one, text_bytes=_TEXT_BYTES, cleaner=Cleaner()) for one in top.methods)


@cache
def common_items() -> Mapping[str, MethodItem]:
    """All methods by id, in use or not."""
    return {item.id: item for domain in domains() for item in domain_methods(domain)}


def shipped_text(domain: str) -> bytes:
    """A domain's file as it is shipped."""
    return files("taxonomies").joinpath("common", domain + _ENDING).read_bytes()
