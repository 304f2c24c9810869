"""Which tool a step of an Arazzo workflow calls."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urljoin, urlsplit
from urllib.request import url2pathname

from app.adapters.documents.structured_text import JsonValue
from app.domain.language.accepted_text import TextLimits
from app.domain.nodes.models import NodeKind, Tool
from app.domain.schemas.walk import as_list, as_object, as_text, parsed_schema, unescaped
from app.domain.workflows.arazzo import SERVER_URN
from app.errors import InvalidInputError, SourceRefusedError
from ingest.cards import Origin
from ingest.sources.openapi.reader import parse_openapi

_PATH = re.compile(r"(?P<source>.*)#/paths/(?P<path>[^/]+)(?:/(?P<method>[A-Za-z]+))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CalledOperation:
    """What a step needs to know of the tool that it calls."""

    name: str
    method: str
    path: str
    read_only: bool
    keys: Mapping[tuple[str, str], str]
    """(place, name as it is sent) -> property of the input schema; body properties have the place `body`."""
    body_key: str
    """The property that is the body as a whole; empty when the body's properties stand alone."""


@dataclass(frozen=True, slots=True)
class Operations:
    """The tools of one server."""

    server: str
    by_name: Mapping[str, CalledOperation]

    def at(self, path: str, method: str) -> list[CalledOperation]:
        """Operations of a path; of one method unless that is empty."""
        return [
            operation
            for operation in self.by_name.values()
            if operation.path == path and method in ("", operation.method)
        ]


class Sources(Protocol):
    """Looks up what a source description leads to."""

    def operations(self, address: str) -> Operations | None:
        """The tools of the API at an address; None when it cannot be read here."""


@dataclass(frozen=True)
class KnownOperations:
    """Fits `Sources`: documents that were ingested, by their address or server; else OpenAPI documents in a folder."""

    root: Path
    """The folder, that of the Arazzo document as a rule."""
    limits: TextLimits
    servers: Mapping[str, str] = field(default_factory=dict)
    """Address of an ingested document -> the server of its tools."""
    tools_of: Callable[[str], Sequence[Tool]] = lambda _: ()
    max_file_bytes: int = 64_000_000

    def operations(self, address: str) -> Operations | None:
        """The tools of the API at an address; None when it is neither in the graph nor a file that can be read."""
        server = self.servers.get(address)
        if server is None and address.startswith(SERVER_URN):
            server = server_name(address)
        tools = [tool for tool in self.tools_of(server) if not tool.declared] if server else []
        if server and tools:
            return operations_of(server, [tool.model_dump() for tool in tools])
        return self._in_folder(address)

    def _in_folder(self, address: str) -> Operations | None:
        parts = urlsplit(address)
        if parts.scheme != "file":
            return None
        path = Path(url2pathname(parts.path))
        inside = path.resolve().is_relative_to(self.root.resolve())
        if not inside or not path.is_file() or path.stat().st_size > self.max_file_bytes:
            return None
        origin = Origin("openapi", server_name(address), str(path), "", self.limits)
        try:
            document = parse_openapi(path.read_bytes(), origin, root=self.root)
        except SourceRefusedError:
            return None
        tools = (card.properties for card in document.cards if card.kind is NodeKind.TOOL)
        return operations_of(origin.name, tools)


def operations_of(server: str, tools: Iterable[Mapping[str, object]]) -> Operations:
    """Operations from the properties of tools: name, method, path, read_only, input_schema."""
    found = {}
    for tool in tools:
        schema = parsed_schema(str(tool.get("input_schema") or ""))
        keys = {
            (str(value.get("x-in", "body")), str(value.get("x-name", key))): key
            for key, value in as_object(schema.get("properties")).items()
            if isinstance(value, dict)
        }
        name = str(tool["name"])
        found[name] = CalledOperation(
            name=name,
            method=str(tool.get("method") or ""),
            path=str(tool.get("path") or ""),
            read_only=tool.get("read_only") is True,
            keys=keys,
            body_key=str(schema.get("x-body", "")),
        )
    return Operations(server, found)


def server_name(address: str) -> str:
    """The server under which a document's tools are kept: its file's stem, or the host of its URL."""
    if address.startswith(SERVER_URN):
        return unquote(address.removeprefix(SERVER_URN))
    parts = urlsplit(address)
    if parts.scheme in ("http", "https"):
        return parts.hostname or "unknown"
    return Path(unquote(parts.path)).stem.replace("/", "-") or "unknown"


@dataclass(frozen=True, slots=True)
class Described:
    """A source description: the API or the workflows that steps speak of."""

    name: str
    kind: str
    """openapi or arazzo."""
    server: str
    operations: Operations | None
    """None when it could not be read: its tools are declared."""


def read_descriptions(stated: JsonValue, *, base: str, sources: Sources) -> tuple[list[Described], list[str]]:
    """The source descriptions of a document, and what is worth a warning."""
    found: list[Described] = []
    warnings: list[str] = []
    for index, item in enumerate(as_list(stated)):
        place = f"sourceDescriptions[{index}]"
        name, url = as_object(item).get("name"), as_object(item).get("url")
        if not isinstance(name, str) or not isinstance(url, str):
            warnings.append(f"{place}: has no name and url; left out")
            continue
        try:
            address = urljoin(base, url) if not url.startswith("urn:") else url
            server = server_name(address)
        except ValueError:
            warnings.append(
                f"{place}: url {url!r:.100} is not an address; its name {name!r:.100} stands for the server"
            )
            address, server = "", name
        kind = "arazzo" if item.get("type") == "arazzo" else "openapi"
        operations = sources.operations(address) if kind == "openapi" else None
        stated_server = as_text(item.get("x-outfitter-server"))
        if operations is not None:
            server = operations.server
        elif stated_server:
            server = stated_server
        elif kind == "openapi" and not url.startswith("urn:"):
            where = "is on the network" if urlsplit(address).scheme in ("http", "https") else "cannot be read"
            warnings.append(f"{place}: {url!r:.200} {where}; its tools are declared as {server}/...")
        found.append(Described(name, kind, server, operations))
    return found, warnings


@dataclass(frozen=True, slots=True)
class Call:
    """The tool that a step calls."""

    tool_id: str
    operation: CalledOperation | None
    """None when nothing but the name is known."""
    warning: str = ""


def called_tool(step: Mapping[str, JsonValue], described: list[Described]) -> Call:
    """The tool that `operationId` or `operationPath` names.

    Raises:
        InvalidInputError: the step names no operation, or one of no source.
    """
    apis = [source for source in described if source.kind == "openapi"]
    if operation_id := as_text(step.get("operationId")):
        return _by_id(operation_id, apis)
    operation_path = step.get("operationPath")
    if isinstance(operation_path, str):
        return _by_path(operation_path, apis)
    raise InvalidInputError("names no operationId, operationPath or workflowId")


def source_in(text: str, sources: Sequence[Described], *, field: str) -> tuple[Described, str]:
    """What `$sourceDescriptions.SOURCE.ID` names: the source, and the id in it.

    Raises:
        InvalidInputError: there is no such source.
    """
    rest = text.removeprefix("$sourceDescriptions.")
    source = next((one for one in sources if rest.startswith(f"{one.name}.")), None)
    if source is None:
        raise InvalidInputError(f"{field} {text!r:.200} names no source of the document")
    return source, rest.removeprefix(f"{source.name}.")


def _by_id(text: str, apis: list[Described]) -> Call:
    if text.startswith("$sourceDescriptions."):
        return _call(*source_in(text, apis, field="operationId"))
    name = text
    having = [api for api in apis if api.operations and name in api.operations.by_name]
    if len(having) > 1:
        servers = ", ".join(api.server for api in having)
        raise InvalidInputError(
            f"operationId {name!r:.200} is in several sources: {servers}; write $sourceDescriptions.NAME.ID"
        )
    if not (having or apis):
        raise InvalidInputError(
            f"operationId {name!r:.200} has no source; accepted: a sourceDescription of type openapi"
        )
    unread = [api for api in apis if api.operations is None]
    return _call((having or unread or apis)[0], name)


def _call(source: Described, name: str) -> Call:
    operation = source.operations.by_name.get(name) if source.operations else None
    missing = source.operations is not None and operation is None
    warning = f"{source.server} has no operation {name!r:.200}; it is declared" if missing else ""
    return Call(f"{source.server}/{name}", operation, warning)


def _by_path(text: str, apis: list[Described]) -> Call:
    match = _PATH.fullmatch(text)
    if match is None or not apis:
        raise InvalidInputError(
            f"operationPath {text!r:.200} is not read; accepted: {{$sourceDescriptions.NAME.url}}#/paths/~1path/method"
        )
    name = match["source"].strip("{}").removeprefix("$sourceDescriptions.").removesuffix(".url")
    source = next((api for api in apis if api.name == name), None)
    if source is None and len(apis) > 1:
        raise InvalidInputError(f"operationPath {text!r:.200} names no source of the document")
    source = source or apis[0]
    path = unescaped(unquote(match["path"]))
    method = (match["method"] or "").upper()
    found = source.operations.at(path, method) if source.operations else []
    if len(found) == 1:
        return Call(f"{source.server}/{found[0].name}", found[0])
    if found or not method:
        chosen = next((operation for operation in found if operation.method == "GET"), None)
        name = chosen.name if chosen else f"GET_{path}"
        return Call(
            f"{source.server}/{name}", chosen, f"operationPath {text!r:.200} names no method; GET is meant"
        )
    missing = f"{source.server} has no {method} {path}; it is declared" if source.operations else ""
    return Call(f"{source.server}/{method}_{path}", None, missing)
