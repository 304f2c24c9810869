"""The fields of a taxonomy. An unknown field is an error, so that a typing mistake is not lost."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictStr, ValidationError

from app.adapters.documents.field_errors import FieldPlace, field_error, field_names
from app.domain.language.accepted_text import MAX_ID, check_name, check_text, kind_of, shown
from app.domain.language.visible_text import has_hidden, refuse_hidden
from app.domain.nodes.models import Label, StatedLabel
from app.errors import InvalidInputError
from ingest.sources.hidden_text import Cleaner


def _none_is_empty(value: object) -> object:
    """`tags:` with nothing behind it is null in YAML, and means an empty list."""
    return () if value is None else value


def _none_is_no_text(value: object) -> object:
    return "" if value is None else value


def _none_is_nothing(value: object) -> object:
    return {} if value is None else value


def _text_is_one(value: object) -> object:
    return (value,) if isinstance(value, str) else _none_is_empty(value)


def _text_is_id(value: object) -> object:
    return {"id": value} if isinstance(value, str) else value


def _text_is_tool(value: object) -> object:
    return {"tool": value} if isinstance(value, str) else value


_FLAGS = {
    form: word in ("yes", "on", "true")
    for word in ("yes", "on", "true", "no", "off", "false")
    for form in (word, word.capitalize(), word.upper())
}
"""Truth values as YAML 1.1 spells them; taxonomies were read by its rules before."""


def _word_is_flag(value: object) -> object:
    return _FLAGS.get(value, value) if isinstance(value, str) else value


def _flag_is_sink(value: object) -> object:
    flag = _word_is_flag(value)
    return {"value": flag} if isinstance(flag, bool) else flag


class Item(BaseModel):
    """Base: frozen, strict texts, no unknown field."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Flag: TypeAlias = Annotated[StrictBool, BeforeValidator(_word_is_flag)]
T = TypeVar("T")
Text: TypeAlias = Annotated[StrictStr, BeforeValidator(_none_is_no_text)]
Many: TypeAlias = Annotated[tuple[T, ...], BeforeValidator(_none_is_empty)]
Texts: TypeAlias = Many[StrictStr]
Requests: TypeAlias = Annotated[tuple[StrictStr, ...], BeforeValidator(_text_is_one)]


class WeightedItem(Item):
    """A near method: its id, or its id with a weight."""

    id: StrictStr
    weight: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = 1.0


class RequirementItem(Item):
    """A tool that another needs: its id, or what it is needed for."""

    tool: StrictStr
    parameter: Text = ""
    optional: Flag = False


Weighted: TypeAlias = Annotated[WeightedItem, BeforeValidator(_text_is_id)]
RequirementField: TypeAlias = Annotated[RequirementItem, BeforeValidator(_text_is_tool)]


class RelationsItem(Item):
    """Relations of a method to other methods."""

    similar: Many[Weighted] = ()
    enhances: Many[Weighted] = ()
    alternative: Texts = ()
    requires: Texts = ()
    precedes: Texts = ()


class CategoryItem(Item):
    """A group of methods or tools."""

    id: StrictStr
    name: Text = ""
    description: Text = ""


class MethodItem(Item):
    """One thing that a user may want done."""

    id: StrictStr
    name: Text = ""
    category: Text = ""
    implements: Texts = ()
    description: Text = ""
    tags: Texts = ()
    parameters: Texts = ()
    examples: Texts = ()
    requests: Annotated[Mapping[StrictStr, Requests], BeforeValidator(_none_is_nothing)] = Field(
        default_factory=dict
    )
    """Examples by language."""
    works_on: Texts = ()
    apart_from: Annotated[Mapping[StrictStr, Text], BeforeValidator(_none_is_nothing)] = Field(
        default_factory=dict
    )
    """Method id -> what tells this one from it; for people who write taxonomies."""
    relations: Annotated[RelationsItem, BeforeValidator(lambda value: {} if value is None else value)] = (
        RelationsItem()
    )

    @property
    def said(self) -> tuple[str, ...]:
        """What people say who want it done, in all languages."""
        return (*self.examples, *(text for texts in self.requests.values() for text in texts))

    @property
    def words(self) -> tuple[str, ...]:
        """Its tags, what it works on among them, each once."""
        return tuple(dict.fromkeys((*self.tags, *self.works_on)))


class TemplateItem(Item):
    """A composite deliverable."""

    id: StrictStr
    name: Text = ""
    surface: Text = ""
    interior: Text = ""
    tags: Texts = ()
    uses: Texts = ()
    methods: Texts = ()


class ConceptItem(Item):
    """An abstract word."""

    id: StrictStr
    name: Text = ""
    description: Text = ""
    tags: Texts = ()
    related_to: Texts = ()


class GeneratorItem(Item):
    """A preset of a tool."""

    id: StrictStr
    tool: StrictStr
    name: Text = ""
    description: Text = ""
    parameters: Texts = ()


class SinkItem(Item):
    """Whether, and how, what a tool is given leaves the house."""

    value: Flag = True
    to: Requests = ()
    carries: Requests = ()


class LabelsItem(Item):
    """What is said of the flows of a tool; what is left out is inferred."""

    untrusted_content: Flag | None = None
    private_data: Flag | None = None
    external_sink: Annotated[SinkItem | None, BeforeValidator(_flag_is_sink)] = None
    destructive: Flag | None = None

    def stated(self) -> tuple[StatedLabel, ...]:
        """The labels that are said, to be there or not."""
        found = []
        for label in Label:
            said = getattr(self, label.value)
            if isinstance(said, SinkItem):
                to, carries = (tuple(dict.fromkeys(names)) for names in (said.to, said.carries))
                found.append(StatedLabel(label=label, value=said.value, to=to, carries=carries))
            elif said is not None:
                found.append(StatedLabel(label=label, value=said))
        return tuple(found)


class ToolItem(Item):
    """What is stated, or vetoed, between tools."""

    id: StrictStr
    requires: Many[RequirementField] = ()
    not_requires: Texts = ()
    not_implements: Texts = ()
    precedes: Texts = ()
    part_of: Texts = ()
    categories: Texts = ()
    labels: Annotated[LabelsItem, BeforeValidator(_none_is_nothing)] = LabelsItem()


class TaxonomyFile(Item):
    """The top level; the items are checked one by one, so that a broken one does not stop the others."""

    version: str | int | float = ""
    domain: Text = ""
    description: Text = ""
    source: Text = ""
    server: Text = ""
    categories: Many[Any] = ()
    methods: Many[Any] = ()
    templates: Many[Any] = ()
    concepts: Many[Any] = ()
    generators: Many[Any] = ()
    tools: Many[Any] = ()


COMMON_TEXTS = ("name", "description", "tags", "parameters", "examples", "requests", "works_on")
"""Fields of a method that say what it is."""
_TEXTS = {
    "description",
    "examples",
    "requests",
    "apart_from",
    "surface",
    "interior",
    "version",
    "domain",
    "source",
}
"""Fields that people read; everything else is a name, an id or a word."""
SECTIONS = {"categories", "methods", "templates", "concepts", "generators", "tools"}
ItemT = TypeVar("ItemT", bound=Item)


def read_item(model: type[ItemT], value: object, *, text_bytes: int, cleaner: Cleaner) -> ItemT:
    """An item whose fields, texts and ids are as the schema says; items inside it are left for later.

    Hidden characters are taken out of descriptions and examples; names, ids and words are refused with them.

    Raises:
        InvalidInputError: they are not; the message names the first field.
    """
    if not isinstance(value, dict):
        raise InvalidInputError(f"{shown(value)} is {kind_of(value)}; accepted: {field_names(model)}")
    try:
        item = model.model_validate({key: _cleaned(key, child, cleaner) for key, child in value.items()})
    except ValidationError as error:
        raise InvalidInputError(
            field_error(error, fields_at=lambda place: field_names(_model_at(model, place)))
        ) from error
    for place, text in _texts(item.model_dump(exclude=SECTIONS if model is TaxonomyFile else None), ""):
        if has_hidden(text):
            refuse_hidden(text, field=place)
        check_text(text, field=place, max_bytes=text_bytes)
    if isinstance(identifier := getattr(item, "id", None), str):
        check_name(identifier, field="id", max_length=MAX_ID)
    return item


def _cleaned(key: str, value: object, cleaner: Cleaner) -> object:
    if key not in _TEXTS:
        return value
    if isinstance(value, dict):
        return {inner: _cleaned(key, child, cleaner) for inner, child in value.items()}
    if isinstance(value, list):
        return [cleaner.text(child, f"{key}[{index}]") for index, child in enumerate(value)]
    return cleaner.text(value, key)


def _texts(value: object, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for key, child in value.items():
            yield from _texts(child, f"{place}.{key}" if place else str(key))
    elif isinstance(value, tuple):
        for index, child in enumerate(value):
            yield from _texts(child, f"{place}[{index}]")


def _model_at(model: type[BaseModel], parents: FieldPlace) -> type[BaseModel]:
    """The model whose field was unknown; two levels are all that there are."""
    inner: dict[int | str, type[BaseModel]] = {
        "relations": RelationsItem,
        "similar": WeightedItem,
        "enhances": WeightedItem,
        "requires": RequirementItem,
        "labels": LabelsItem,
        "external_sink": SinkItem,
    }
    named = [inner[part] for part in parents if part in inner]
    return named[-1] if named else model
