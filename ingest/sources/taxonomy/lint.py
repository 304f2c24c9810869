"""What is wrong with taxonomies, seen together, before anything is ingested."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field

from app.adapters.documents.structured_text import parse_text
from app.domain.language.accepted_text import kind_of, shown
from app.domain.schemas.walk import as_object, as_text
from app.errors import InvalidInputError
from ingest.sources.hidden_text import Cleaner
from ingest.sources.taxonomy.common import common_items, domains, shipped_text
from ingest.sources.taxonomy.schema import (
    COMMON_TEXTS,
    CategoryItem,
    ConceptItem,
    GeneratorItem,
    Item,
    MethodItem,
    TaxonomyFile,
    TemplateItem,
    ToolItem,
    read_item,
)

_MODELS: dict[str, type[Item]] = {
    "categories": CategoryItem,
    "methods": MethodItem,
    "templates": TemplateItem,
    "concepts": ConceptItem,
    "generators": GeneratorItem,
    "tools": ToolItem,
}
_WORDS_ABOUT = {"apart_from", "not_implements"}
"""Fields that name methods and make no edge."""
_NAMES_IN_REQUESTS = 2
"""Requests of a method that may not all hold its name: who knows it need not be understood. One may."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong."""

    file: str
    item: str
    """`method 'weather.now'`, or a place."""
    problem: str

    def as_row(self) -> dict[str, str]:
        """For JSON."""
        return asdict(self)


@dataclass(slots=True)
class LintedFile:
    """The items of one taxonomy, and what is wrong with them by themselves."""

    name: str
    is_shipped: bool = False
    """Whether its methods are in a graph only as long as they suggest a tool, so that no edge may lead to them."""
    items: dict[str, list[Item]] = field(default_factory=lambda: {section: [] for section in _MODELS})
    findings: list[Finding] = field(default_factory=list)

    @property
    def methods(self) -> list[MethodItem]:
        """Those that are as the schema says."""
        return [one for one in self.items["methods"] if isinstance(one, MethodItem)]

    def ids(self, section: str) -> Iterator[str]:
        """Of one section."""
        return (str(getattr(item, "id", "")) for item in self.items[section])


def read_taxonomy(data: bytes, name: str, *, text_bytes: int) -> LintedFile:
    """Every item of a document that can be read.

    Args:
        data: YAML, or JSON, which is YAML too.
        name: of the file, for messages.
        text_bytes: longest text.

    Raises:
        SourceRefusedError: it is neither.
        InvalidInputError: it is no taxonomy.
    """
    value = parse_text(data, name=name)
    if not isinstance(value, dict):
        raise InvalidInputError(f"{name}: {kind_of(value)}; accepted: an object with {', '.join(_MODELS)}")
    try:
        top = read_item(TaxonomyFile, value, text_bytes=text_bytes, cleaner=Cleaner())
    except InvalidInputError as error:
        raise InvalidInputError(f"{name}: {error}") from error
    found = LintedFile(name)
    for section, model in _MODELS.items():
        for index, one in enumerate(getattr(top, section)):
            place = f"{section}[{index}]"
            cleaner = Cleaner()
            try:
                item = read_item(model, one, text_bytes=text_bytes, cleaner=cleaner)
            except InvalidInputError as error:
                found.findings.append(
                    Finding(name, _label(section, as_text(as_object(one).get("id"))) or place, str(error))
                )
                continue
            label = _label(section, str(getattr(item, "id", "")))
            found.findings += [
                Finding(name, label, f"{place} holds hidden characters: {', '.join(characters)}")
                for place, characters in cleaner.found.items()
            ]
            found.items[section].append(item)
    return found


def shipped_files() -> list[LintedFile]:
    """The common taxonomy, domain by domain."""
    read = [
        read_taxonomy(shipped_text(domain), f"common/{domain}.yaml", text_bytes=len(shipped_text(domain)))
        for domain in domains()
    ]
    for one in read:
        one.is_shipped = True
    return read


def lint(files: Sequence[LintedFile]) -> list[Finding]:
    """What is wrong with these, by file.

    A link may lead into any of them; words about a method (`apart_from`, `not_implements`) also to a common one.
    """
    found = [*_ids(files), *_requests(files), *_links(files)]
    return [
        one for file in files for one in (*file.findings, *(each for each in found if each.file == file.name))
    ]


def _ids(files: Sequence[LintedFile]) -> Iterator[Finding]:
    for section in _MODELS:
        first: dict[str, str] = {}
        for file in files:
            for one in file.ids(section):
                # Several taxonomies may speak of one tool.
                if one in first and (section != "tools" or first[one] == file.name):
                    yield Finding(
                        file.name, _label(section, one), f"the id comes twice; {first[one]} has it first"
                    )
                first.setdefault(one, file.name)


def _requests(files: Sequence[LintedFile]) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for file in files:
        for item in file.methods:
            label = _label("methods", item.id)
            if not item.said and not _is_confirmation(item):
                yield Finding(file.name, label, "no requests; accepted: what people say who want it done")
            holding = [text for text in item.said if item.name and _plain(item.name) in _plain(text)]
            if len(holding) >= _NAMES_IN_REQUESTS:
                yield Finding(
                    file.name,
                    label,
                    f"{len(holding)} requests say its name, {shown(item.name)}; accepted: other words in all but one",
                )
            for text in item.said:
                if (plain := _plain(text)) in first:
                    yield Finding(file.name, label, f"request {shown(text)} is one of {first[plain]} already")
                first.setdefault(plain, label)


def _links(files: Sequence[LintedFile]) -> Iterator[Finding]:
    known: defaultdict[str, set[str]] = defaultdict(set)
    for file in files:
        for section in _MODELS if not file.is_shipped else ():
            known[section].update(file.ids(section))
    for file in files:
        for section, items in file.items.items():
            for item in items:
                for place, target, ids in _targets(item):
                    for one in ids:
                        is_common = target == "methods" and one in common_items()
                        if one not in known[target] and not (is_common and place in _WORDS_ABOUT):
                            noun = _MODELS[target].__name__.removesuffix("Item").lower()
                            why = f"there is no such {noun}"
                            if is_common:
                                why = "only the common taxonomy has it; accepted: a method of yours with this id"
                            problem = f"{place} names {shown(one)}, and {why}"
                            yield Finding(file.name, _label(section, str(getattr(item, "id", ""))), problem)


def _targets(item: Item) -> Iterator[tuple[str, str, Iterable[str]]]:
    """(field, section that its ids are of, ids)."""
    if isinstance(item, MethodItem):
        near = item.relations
        yield "category", "categories", [item.category] if item.category else []
        yield "apart_from", "methods", item.apart_from
        yield "relations.similar", "methods", [one.id for one in near.similar]
        yield "relations.enhances", "methods", [one.id for one in near.enhances]
        yield "relations.alternative", "methods", near.alternative
        yield "relations.requires", "methods", near.requires
        yield "relations.precedes", "methods", near.precedes
    elif isinstance(item, TemplateItem):
        yield "methods", "methods", item.methods
    elif isinstance(item, ConceptItem):
        yield "related_to", "methods", item.related_to
    elif isinstance(item, ToolItem):
        yield "not_implements", "methods", item.not_implements
        yield "part_of", "templates", item.part_of
        yield "categories", "categories", item.categories


def _is_confirmation(item: MethodItem) -> bool:
    """Whether it only names the tools of a common method, whose requests it then has."""
    return item.id in common_items() and not any(getattr(item, name) for name in COMMON_TEXTS)


def _label(section: str, identifier: str) -> str:
    noun = _MODELS[section].__name__.removesuffix("Item").lower()
    return f"{noun} {shown(identifier)}" if identifier else ""


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".?!")
