"""`$ref`s of one document tree: local files below one folder, never the network."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit
from urllib.request import url2pathname

from referencing import Registry, Resource, Specification
from referencing.exceptions import Unresolvable

from app.adapters.documents.structured_text import JsonValue, parse_text
from app.domain.schemas.walk import as_object, pointer_segments
from app.errors import SourceRefusedError

MAX_HOPS = 16
MAX_FILES = 1_000
_CONTAINERS = {"schemas", "definitions", "$defs", "responses", "parameters", "requestBodies", "headers"}


@dataclass(frozen=True, slots=True)
class Target:
    """What a reference leads to, after following references that lead to references."""

    key: str
    """Absolute address of the value; equal for every way of writing the reference."""
    name: str
    """The component's name, such as `Pet`; empty when the place has no name of its own."""
    value: JsonValue
    base: str
    """Address of the file that holds the value: what references inside it are relative to."""


@dataclass
class Notes:
    """What a reader noticed in one document; the same remark is kept once."""

    document: str
    texts: dict[str, None] = field(default_factory=dict)
    left_out: int = 0

    def warn(self, place: str, text: str) -> None:
        """Keep a remark: `file: place: text`."""
        line = f"{self.document}: {place}: {text}"
        if line in self.texts:
            return
        if len(self.texts) >= 200:
            self.left_out += 1
        else:
            self.texts[line] = None

    def lines(self) -> tuple[str, ...]:
        """All remarks in the order in which they were made."""
        more = (f"{self.document}: {self.left_out:,} further warnings",) if self.left_out else ()
        return (*self.texts, *more)


class References:
    """Looks references up, each once; one that leads nowhere gives None and a warning.

    Args:
        document: the root document's value.
        address: its address; references to other files work for `file:` addresses only.
        root: the folder that referenced files must lie in; None: no other file is read.
        max_file_bytes: size of the largest file that is read, and of all of them together.
    """

    def __init__(
        self, document: JsonValue, *, address: str, root: Path | None, max_file_bytes: int, notes: Notes
    ) -> None:
        self.address = address
        self._root = root.resolve() if root else None
        self._bytes_left = max_file_bytes
        self._notes = notes
        self._files: dict[str, JsonValue] = {address: document}
        self._digests: dict[str, str] = {}
        self._refused: dict[str, str] = {}
        self._targets: dict[tuple[str, str], Target | None] = {}
        self._registry: Registry[JsonValue] = Registry(retrieve=self._resource)  # type: ignore[call-arg]

    def lookup(self, ref: JsonValue, *, base: str, place: str) -> Target | None:
        """The target of a reference that stands in the file `base`; `place` is for the warning."""
        if not isinstance(ref, str):
            self._notes.warn(place, f"$ref is {ref!r:.60}; accepted: text")
            return None
        known = (base, ref)
        if known not in self._targets:
            self._targets[known] = self._follow(ref, base, place)
        return self._targets[known]

    def deref(self, value: JsonValue, *, base: str, place: str) -> tuple[JsonValue, str]:
        """The value itself, or what its `$ref` leads to (None when nowhere), and the file that holds it."""
        if not (isinstance(value, dict) and "$ref" in value):
            return value, base
        target = self.lookup(value["$ref"], base=base, place=place)
        return (target.value, target.base) if target else (None, base)

    def media(self, content: JsonValue, *, base: str, place: str) -> tuple[str, dict[str, JsonValue], str]:
        """The preferred media type of a body, what is said of it, and the file that holds that; empty without one."""
        media_type = preferred_media_type(content)
        if not media_type:
            return "", {}, base
        media, base = self.deref(content[media_type], base=base, place=place)
        return media_type, as_object(media), base

    def digest(self) -> list[tuple[str, str]]:
        """Address and SHA-256 of every other file that was read, sorted."""
        return sorted(self._digests.items())

    def _follow(self, ref: str, base: str, place: str) -> Target | None:
        name = ""
        for _ in range(MAX_HOPS):
            found = self._find(ref, base, place)
            if found is None:
                return None
            value, base, fragment = found
            name = name or _component_name(base, fragment)
            if not (isinstance(value, dict) and isinstance(value.get("$ref"), str)):
                return Target(key=f"{base}#{unquote(fragment)}", name=name, value=value, base=base)
            ref = value["$ref"]
        self._notes.warn(place, f"$ref {ref!r:.200} leads to references only; it is read as anything")
        return None

    def _find(self, ref: str, base: str, place: str) -> tuple[JsonValue, str, str] | None:
        try:
            address, fragment = urldefrag(urljoin(base, ref))
            value = self._registry.resolver(address).lookup(f"#{fragment}").contents
        except (Unresolvable, ValueError, IndexError, TypeError):
            reason = self._refused.get(urldefrag(_joined(base, ref))[0], "leads nowhere")
            self._notes.warn(place, f"$ref {ref!r:.200} {reason}; it is read as anything")
            return None
        return value, address, fragment

    def _resource(self, address: str) -> Resource[JsonValue]:
        """A file as the registry wants it; raises what the registry turns into Unresolvable."""
        if address not in self._files:
            if address in self._refused:
                raise LookupError(address)
            try:
                self._files[address] = self._read(address)
            except SourceRefusedError as error:
                self._refused[address] = f"cannot be read: {error}"
                raise LookupError(address) from error
        # Opaque: an `id` in an OpenAPI document is data, so references into it are JSON pointers only.
        return Specification.OPAQUE.create_resource(self._files[address])

    def _read(self, address: str) -> JsonValue:
        parts = urlsplit(address)
        if parts.scheme != "file":
            raise SourceRefusedError("other documents are read from files only, never from the network")
        path = Path(url2pathname(parts.path))
        if self._root is None or not path.resolve().is_relative_to(self._root):
            raise SourceRefusedError(f"it lies outside {self._root}, the folder that may be read")
        if not path.is_file():
            raise SourceRefusedError("there is no such file")
        if len(self._files) >= MAX_FILES:
            raise SourceRefusedError(f"more than {MAX_FILES:,} files")
        size = path.stat().st_size
        if size > self._bytes_left:
            raise SourceRefusedError(f"{size:,} bytes; accepted: {self._bytes_left:,} more")
        self._bytes_left -= size
        data = path.read_bytes()
        self._digests[address] = hashlib.sha256(data).hexdigest()
        return parse_text(data, name=path.name)


def _joined(base: str, ref: str) -> str:
    try:
        return urljoin(base, ref)
    except ValueError:
        return ""


def _component_name(address: str, fragment: str) -> str:
    """`Pet` for `#/components/schemas/Pet`, `.../Pet.yaml` and `.../all.yaml#/Pet`; else empty."""
    steps = pointer_segments(unquote(fragment))
    if not steps:
        return Path(urlsplit(address).path).name.split(".")[0]
    if len(steps) == 1 or steps[-2] in _CONTAINERS:
        return steps[-1]
    return ""


def definition_name(name: str) -> str:
    """A component's name as a key of `$defs` that needs no escaping in a pointer."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name)[:120] or "schema"


def preferred_media_type(content: JsonValue) -> str:
    """json, then form, then multipart, then whatever comes first; empty without a body."""
    if not isinstance(content, Mapping) or not content:
        return ""

    def rank(media_type: str) -> int:
        plain = media_type.split(";")[0].strip().lower()
        if plain == "application/json":
            return 0
        if plain.endswith(("+json", "/json")) or "json" in plain:
            return 1
        return {"application/x-www-form-urlencoded": 2, "multipart/form-data": 3}.get(plain, 4)

    return str(min(content, key=rank))
