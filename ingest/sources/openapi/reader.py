"""OpenAPI documents: Swagger 2.0 and OpenAPI 3.0, 3.1, 3.2, in JSON or YAML, in one file or several."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from app.adapters.documents.structured_text import JsonValue, parse_text
from app.domain.language.accepted_text import check_name, kind_of, shown
from app.domain.language.visible_text import refuse_hidden
from app.domain.schemas.walk import as_object
from app.errors import InvalidInputError, SourceRefusedError
from ingest.cards import Origin, Rejected, SourceDocument, canonical_json, sha256
from ingest.sources.hidden_text import Removals
from ingest.sources.openapi.answers import AnswerSchemas
from ingest.sources.openapi.cards import Named, category_cards, tags_of, tool_cards
from ingest.sources.openapi.dialects import RawSchema
from ingest.sources.openapi.facts import ApiFacts, read_facts
from ingest.sources.openapi.operations import FoundOperation, OperationReader
from ingest.sources.openapi.parameters import Parameters
from ingest.sources.openapi.references import Notes, References
from ingest.sources.openapi.schemas import Schemas
from ingest.sources.openapi.shown import property_names, shared_examples

VERSIONS = ("2.0", "3.0", "3.1", "3.2")
ACCEPTED = "accepted: OpenAPI 3.0, 3.1, 3.2 ('openapi: 3.x.y') or Swagger 2.0 ('swagger: \"2.0\"')"


@dataclass(frozen=True, slots=True)
class Selection:
    """Which operations of a document are wanted."""

    include_tags: tuple[str, ...] = ()
    """Operations with one of these tags; empty: all."""
    exclude_paths: tuple[str, ...] = ()
    """Patterns of paths that are left out: `*` stands for any text, `/` included."""
    skip_deprecated: bool = False

    def left_out_by(self, found: FoundOperation) -> str:
        """The option that leaves the operation out, or nothing."""
        if self.skip_deprecated and found.value.get("deprecated") is True:
            return "--skip-deprecated"
        if any(fnmatchcase(found.path, pattern) for pattern in self.exclude_paths):
            return "--exclude-path"
        if self.include_tags and not set(tags_of(found.value)) & set(self.include_tags):
            return "--include-tag"
        return ""


ALL_OPERATIONS = Selection()


def parse_openapi(
    data: bytes,
    origin: Origin,
    *,
    selection: Selection = ALL_OPERATIONS,
    root: Path | None = None,
    max_file_bytes: int = 64_000_000,
) -> SourceDocument:
    """The operations of one API as tools, its tags as categories, its links as dependencies.

    Operations that cannot be read are rejected by name; the rest goes on. Input schemas are JSON schemas
    that stand alone; answers are written out to a bound (`openapi_answers`).

    Other files that the document refers to are read when its URI is a path; they must lie in `root`, or in
    the document's own folder where that is None.

    Raises:
        SourceRefusedError: this is no OpenAPI document, or one of a version that is not read. The message
            names the file and the place.
    """
    label, address, folder = _address(origin.uri, root)
    document = parse_text(data, name=label)
    is_swagger = check_version(document, name=label) == "2.0"
    notes = Notes(label)
    references = References(
        document, address=address, root=folder, max_file_bytes=max_file_bytes, notes=notes
    )
    schemas = Schemas(references, notes)
    parameters = Parameters(
        references,
        schemas,
        notes,
        is_swagger=is_swagger,
        names=property_names(document),
        examples={} if is_swagger else shared_examples(document),
    )
    reader = OperationReader(references, parameters, AnswerSchemas(references), notes)
    facts = read_facts(document, references, uri=origin.uri)

    found, rejected = _selected(reader, _paths(document, name=label), selection, notes)
    named, more = _named(reader, found, facts, notes)
    _count_uncalled(reader, document, found, notes)
    removals = Removals()
    cards, hidden = tool_cards(
        named, server=origin.name, facts=facts, limits=origin.limits, notes=notes, removals=removals
    )
    categories = category_cards(named, facts, server=origin.name, limits=origin.limits, removals=removals)
    version = as_object(document.get("info")).get("version", "")
    return SourceDocument(
        source=origin.source(version=version, content_hash=_content_hash(data, references, selection)),
        cards=(*categories, *cards),
        rejected=(*rejected, *more, *hidden),
        warnings=(*notes.lines(), *removals.lines()),
    )


def _content_hash(data: bytes, references: References, selection: Selection) -> str:
    """The document's own hash; with options or other files, a hash over all that was read."""
    others = references.digest()
    if not others and selection == Selection():
        return sha256(data)
    return sha256(canonical_json([sha256(data), others, repr(selection)]))


def check_version(document: JsonValue, *, name: str) -> str:
    """Which of `VERSIONS` a document is.

    Raises:
        SourceRefusedError: none of them.
    """
    if document is None:
        raise SourceRefusedError(f"{name}: #: the document is empty; {ACCEPTED}")
    if not isinstance(document, dict):
        raise SourceRefusedError(f"{name}: #: {shown(document)} is {kind_of(document)}; {ACCEPTED}")
    for key, known in (("swagger", VERSIONS[:1]), ("openapi", VERSIONS[1:])):
        if key in document:
            text = str(document[key])
            version = next((v for v in known if text == v or text.startswith(f"{v}.")), None)
            if version is None:
                raise SourceRefusedError(
                    f"{name}: #/{key}: version {shown(document[key])} is not read; {ACCEPTED}"
                )
            return version
    keys = ", ".join(map(repr, list(document)[:5])) or "no keys"
    raise SourceRefusedError(
        f"{name}: #: an object with {keys} and without 'openapi' or 'swagger'; {ACCEPTED}"
    )


def _address(uri: str, root: Path | None) -> tuple[str, str, Path | None]:
    """A short name for messages, the absolute address, and the folder that may be read."""
    if uri.startswith(("http://", "https://")):
        return uri, uri, None
    path = Path(url2pathname(urlsplit(uri).path) if uri.startswith("file:") else uri).resolve()
    return path.name, path.as_uri(), root or path.parent


def _paths(document: RawSchema, *, name: str) -> RawSchema:
    paths = document.get("paths")
    if paths is None and ("paths" in document or {"webhooks", "components", "servers"} & set(document)):
        return {}
    if not isinstance(paths, dict):
        found = f"{shown(paths)} is {kind_of(paths)}" if "paths" in document else "missing"
        raise SourceRefusedError(f"{name}: #/paths: {found}; accepted: an object with a path per key")
    return paths


def _selected(
    reader: OperationReader, paths: RawSchema, selection: Selection, notes: Notes
) -> tuple[list[FoundOperation], list[Rejected]]:
    kept: list[FoundOperation] = []
    rejected: list[Rejected] = []
    left_out: dict[str, int] = {}
    for item in reader.find(paths):
        if isinstance(item, Rejected):
            rejected.append(item)
        elif option := selection.left_out_by(item):
            left_out[option] = left_out.get(option, 0) + 1
        else:
            kept.append(item)
    if not kept and not left_out:
        notes.warn("paths", "no operations in here")
    for option, count in left_out.items():
        notes.warn("paths", f"{count:,} operations left out by {option}")
    return kept, rejected


def _named(
    reader: OperationReader, operations: Sequence[FoundOperation], facts: ApiFacts, notes: Notes
) -> tuple[list[Named], list[Rejected]]:
    """Names and shapes: the `operationId`, or `METHOD_path` where it is missing or another has it."""
    named: list[Named] = []
    rejected: list[Rejected] = []
    taken: set[str] = set()
    for found in operations:
        try:
            name = _name(found, taken, notes)
            taken.add(name)
            named.append(Named(name, found, reader.shape(found), facts.security(found.value)))
        except InvalidInputError as error:
            rejected.append(Rejected(item=f"operation {shown(found.label)}", reason=str(error)))
    return named, rejected


def _name(found: FoundOperation, taken: set[str], notes: Notes) -> str:
    fallback = f"{found.method}_{found.path}"
    stated = found.value.get("operationId")
    name = fallback
    if stated is not None:
        # Another name would hide that somebody tried.
        refuse_hidden(stated, field="operationId")
        try:
            name = check_name(stated, field="operationId")
        except InvalidInputError as error:
            notes.warn(found.label, f"{error}; the name is {fallback!r:.300}")
    if name in taken and name != fallback:
        notes.warn(found.label, f"operationId {name!r} comes twice; the name is {fallback!r:.300}")
        name = fallback
    if name in taken:
        raise InvalidInputError(f"the name {shown(name)} is taken by another operation")
    return check_name(name, field="name")


def _count_uncalled(
    reader: OperationReader, document: RawSchema, operations: Sequence[FoundOperation], notes: Notes
) -> None:
    webhooks = reader.count(document.get("webhooks")) + reader.count(document.get("x-webhooks"))
    callbacks = sum(map(reader.count_callbacks, operations))
    for count, what in ((webhooks, "webhooks"), (callbacks, "callbacks")):
        if count:
            notes.warn(what, f"{count:,} calls that the server makes; they are not tools")
