"""`sources.yaml`: every source in one place. What the file may say, and what of it cannot be accepted.

A broken entry is rejected by name and the others stand. Secrets are not in the file: where one is needed,
the file names the variable of the environment that holds it.
"""

import os
import stat
import sys
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictStr,
    ValidationError,
    model_validator,
)

from app.adapters.documents.field_errors import field_error, field_names
from app.adapters.documents.structured_text import parse_text
from app.adapters.sources_file.call_section import ApiCallSection, CallSection
from app.adapters.sources_file.fields import (
    EntryId,
    FilePath,
    HeaderVariables,
    IntervalField,
    PlaceField,
    Variables,
    WebAddress,
)
from app.domain.calling.addresses import check_clear
from app.domain.calling.mcp_endpoints import Era
from app.domain.language.accepted_text import kind_of, shown
from app.domain.nodes.models import SourceId, Trust, source_id
from app.errors import InvalidInputError

MAX_FILE_BYTES = 4_000_000
MAX_SOURCES = 10_000
_ACCEPTED = "accepted: {'sources': [{'id': ..., 'kind': ..., 'uri': ...}, ...]}"


class Entry(BaseModel):
    """What every source has."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    id: EntryId
    """The source's name; for sources of tools the server's name, with which the tools' ids begin."""
    kind: str
    interval: IntervalField | None = None
    """Seconds between two looks at it while watching, where nothing reports changes sooner."""

    @property
    def source(self) -> SourceId:
        """Its id in the graph, `kind:name`."""
        return source_id(self.kind, self.id)


class DocumentEntry(Entry):
    """A source that is one document."""

    uri: PlaceField
    allow_private: StrictBool = False
    """Fetch it from loopback and private addresses, too."""

    @property
    def is_file(self) -> bool:
        """Whether it lies here, and not in the web."""
        return "://" not in self.uri


class OfTools(BaseModel):
    """What every source of tools has."""

    trust: Trust | None = None
    """What of it is served without anybody having agreed to it; None: what the settings say."""


class TaxonomyEntry(DocumentEntry):
    """What people want done."""

    kind: Literal["taxonomy"]


class ManifestEntry(OfTools, DocumentEntry):
    """An answer to tools/list, kept in a file."""

    kind: Literal["manifest"]


class OpenApiEntry(OfTools, DocumentEntry):
    """The operations of an API."""

    kind: Literal["openapi"]
    include_tags: tuple[StrictStr, ...] = ()
    exclude_paths: tuple[StrictStr, ...] = ()
    skip_deprecated: StrictBool = False
    call: ApiCallSection | None = None
    """How its operations may be called; never where it is missing."""


class ArazzoEntry(DocumentEntry):
    """Workflows; they refer to files beside them, so they are read from files only."""

    kind: Literal["arazzo"]
    uri: FilePath


class McpEntry(OfTools, Entry):
    """A live MCP server: an address, or a command that speaks on its standard input and output."""

    kind: Literal["mcp"]
    uri: WebAddress | None = None
    headers_env: HeaderVariables = {}
    """Header -> the variable that holds its whole value, e.g. `Authorization: GITHUB_AUTH`."""
    allow_private: StrictBool = False
    """Ask a host of one's own network, too."""
    plain_http: StrictBool = False
    """Send the headers unencrypted to a host that is neither loopback nor private."""
    command: Annotated[StrictStr, Field(min_length=1)] | None = None
    """A program of the path, or a file relative to the sources file; runs in that file's folder."""
    args: tuple[StrictStr, ...] = ()
    env: Variables = {}
    """Variable of the server -> the variable of ours that holds its value."""
    protocol: Era = Era.AUTO
    """Which revision of MCP to speak; the newest that the server answers to unless given."""
    call: CallSection | None = None
    """How its tools may be called; never where it is missing."""

    @model_validator(mode="after")
    def _one_transport(self) -> "McpEntry":
        if (self.uri is None) == (self.command is None):
            found = "neither uri nor command" if self.uri is None else "both uri and command"
            raise ValueError(f"has {found}; accepted: one of them")
        if self.uri is not None and (self.args or self.env):
            raise ValueError("args and env belong to a command; accepted with uri: headers_env")
        if self.command is not None and self.headers_env:
            raise ValueError("headers_env belongs to a uri; accepted with command: args, env")
        if self.uri is not None and self.headers_env:
            try:
                check_clear(self.uri, what="headers_env", plain_http=self.plain_http)
            except InvalidInputError as error:
                raise ValueError(str(error)) from error
        return self


ListedSource: TypeAlias = TaxonomyEntry | ManifestEntry | OpenApiEntry | ArazzoEntry | McpEntry
_MODELS: Mapping[str, type[ListedSource]] = {
    get_args(model.model_fields["kind"].annotation)[0]: model for model in get_args(ListedSource)
}
KINDS = tuple(_MODELS)


@dataclass(frozen=True, slots=True)
class SourcesFile:
    """The sources that a file names."""

    path: Path
    """Absolute."""
    entries: tuple[ListedSource, ...]
    """In the order of the file; each id once."""
    rejected: Mapping[str, str] = field(default_factory=dict)
    """Place in the file of what is no entry -> what is wrong with it."""
    broken: frozenset[str] | None = frozenset()
    """Ids of rejected entries; None where one of them has no id that could be read."""

    @property
    def uri(self) -> str:
        """Where it lies, for finding its sources again in the graph."""
        return self.path.as_uri()

    def place(self, entry: DocumentEntry) -> Path:
        """Where the document of an entry lies, which is a file."""
        return self.path.parent / entry.uri

    def program(self, entry: McpEntry) -> str:
        """The command of an entry: as written when it is to be found in the path, else below the file's folder."""
        command = entry.command or ""
        return str(self.path.parent / command) if "/" in command or "\\" in command else command


def read_sources_file(path: Path) -> SourcesFile:
    """The sources that a file names.

    Raises:
        InvalidInputError: there is no such file, every user of this machine may write it, or it is no list of
            sources.
    """
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            _check_rights(path, found)
            if found.st_size > MAX_FILE_BYTES:
                raise InvalidInputError(
                    f"{path}: {found.st_size:,} bytes; accepted: up to {MAX_FILE_BYTES:,}"
                )
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise InvalidInputError(f"{path}: cannot be read: {error.strerror}; {_ACCEPTED}") from error
    return parse_sources(data, path=path)


def _check_rights(path: Path, found: os.stat_result) -> None:
    """Refuse a file that every user of this machine may write, or put another in the place of.

    As with the engine's data folder, rights of a group are the owner's to give. On a file system that is mounted
    read-only nobody here writes; on Windows nothing is looked at.

    Args:
        path: of the file, which may be a link.
        found: the file itself, opened.

    Raises:
        InvalidInputError: they may; the message says what to take away.
    """
    if sys.platform == "win32" or os.statvfs(path).f_flag & os.ST_RDONLY:
        return
    if found.st_mode & stat.S_IWOTH:
        raise InvalidInputError(
            f"{path} may be written by every user of this machine, and it names commands to run; take that right"
            " away (chmod o-w)"
        )
    for folder in {path.parent, path.resolve().parent}:
        mode = folder.stat().st_mode
        if not mode & stat.S_IWOTH:
            continue
        if not mode & stat.S_ISVTX:
            raise InvalidInputError(
                f"{path} names commands to run, and every user of this machine may put another file in its place:"
                f" take the right to write away from {folder} (chmod o-w), or choose another folder"
            )
        if found.st_uid not in (os.geteuid(), 0):
            raise InvalidInputError(
                f"{path} names commands to run and belongs to another user, in the folder {folder} in which"
                " everybody may make files; accepted: a file of your own or of root"
            )


def parse_sources(data: bytes, *, path: Path) -> SourcesFile:
    """The sources that the bytes of a file name.

    Raises:
        InvalidInputError: it is no list of sources.
    """
    value = parse_text(data, name=str(path))
    if not isinstance(value, dict) or not isinstance(value.get("sources"), list):
        found = f"'sources' is {kind_of(value.get('sources'))}" if isinstance(value, dict) else kind_of(value)
        raise InvalidInputError(f"{path}: {found}; {_ACCEPTED}")
    if unknown := [key for key in value if key != "sources"]:
        raise InvalidInputError(f"{path}: unknown field {shown(unknown[0])}; accepted: sources")
    items = value["sources"]
    if len(items) > MAX_SOURCES:
        raise InvalidInputError(f"{path}: {len(items):,} sources; accepted: up to {MAX_SOURCES:,}")
    return _checked(items, path.resolve())


def _checked(items: Sequence[Any], path: Path) -> SourcesFile:
    entries: dict[str, ListedSource] = {}
    rejected: dict[str, str] = {}
    broken: set[str] | None = set()
    for index, item in enumerate(items):
        name = item.get("id") if isinstance(item, dict) else None
        named = name if isinstance(name, str) else None
        place = f"{path}: sources[{index}]" + (f" ({shown(named)})" if named else "")
        try:
            entry = _entry(item, entries)
        except InvalidInputError as error:
            rejected[place] = str(error)
            if broken is not None:
                broken = broken | {named} if named else None
        else:
            entries[entry.id] = entry
    return SourcesFile(path, tuple(entries.values()), rejected, None if broken is None else frozenset(broken))


def _entry(item: object, others: Container[str]) -> ListedSource:
    if not isinstance(item, dict):
        raise InvalidInputError(f"{shown(item)} is {kind_of(item)}; accepted: an object with id and kind")
    kind = item.get("kind")
    if not isinstance(kind, str) or kind not in _MODELS:
        found = f"kind: {shown(kind)}" if "kind" in item else "has no 'kind'"
        raise InvalidInputError(f"{found}; accepted: {', '.join(KINDS)}")
    model = _MODELS[kind]
    try:
        entry = model.model_validate(item)
    except ValidationError as error:
        raise InvalidInputError(
            field_error(error, fields_at=lambda at: field_names(_model_at(model, at)))
        ) from error
    if entry.id in others:
        raise InvalidInputError(f"id {entry.id!r} comes twice; accepted: each id once")
    return entry


def _model_at(model: type[BaseModel], place: Sequence[int | str]) -> type[BaseModel]:
    """The model that describes what stands at a place."""
    for part in place:
        field = model.model_fields.get(str(part))
        inner = _models_in(field.annotation) if field else []
        model = inner[0] if inner else model
    return model


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for argument in get_args(annotation) for found in _models_in(argument)]
