"""What a document says of the API as a whole: where it is served, how callers prove who they are, its tags."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit, urlunsplit

from app.adapters.documents.structured_text import JsonValue
from app.domain.language.accepted_text import shown
from app.domain.schemas.walk import as_list, as_object, as_text, texts_in
from app.errors import InvalidInputError
from ingest.sources.openapi.dialects import RawSchema
from ingest.sources.openapi.references import References

MAX_SCHEME_NAME = 200
"""Characters; the longest in twelve public documents has 20."""
MAX_SCHEMES = 100
"""In all ways to be let in to one operation together; those documents have 3."""


@dataclass(frozen=True, slots=True)
class ApiFacts:
    """Facts that operations share. Security schemes are kept by name and kind, never a secret."""

    uri: str
    servers: tuple[str, ...]
    schemes: Mapping[str, str]
    """Name of a security scheme -> its kind, such as `http bearer` or `apiKey in header X-Key`."""
    required: JsonValue
    """Security requirements of operations that state none."""
    tags: Mapping[str, str]
    """Tag -> description."""

    def base_url(self, operation: RawSchema, item: RawSchema) -> str:
        """The address that the operation's path is appended to; empty when not stated."""
        for stated in (operation.get("servers"), item.get("servers")):
            if isinstance(stated, list) and stated:
                return next(iter(_urls(stated, self.uri)), "")
        return next(iter(self.servers), "")

    def security(self, operation: RawSchema) -> list[str]:
        """Each way to be let in: `name (kind)`, joined by ` + ` where several are needed; `none` for nobody asked.

        Raises:
            InvalidInputError: a scheme's name is too long, or there are too many; every call reads them again.
        """
        stated = operation.get("security", self.required)
        required = [way for way in as_list(stated) if isinstance(way, dict)]
        if (count := sum(map(len, required))) > MAX_SCHEMES:
            raise InvalidInputError(f"security: names {count:,} schemes; accepted: up to {MAX_SCHEMES}")
        for name in (name for way in required for name in way):
            if len(name) > MAX_SCHEME_NAME:
                raise InvalidInputError(
                    f"security: the scheme {shown(name)} has {len(name):,} characters; accepted: up to"
                    f" {MAX_SCHEME_NAME}"
                )
        ways = [
            " + ".join(f"{name} ({self.schemes.get(name, 'not described')})" for name in way) or "none"
            for way in required
        ]
        return list(dict.fromkeys(ways))


def read_facts(document: RawSchema, references: References, *, uri: str) -> ApiFacts:
    """The facts of one document; what is not as OpenAPI has it is left out."""
    components = as_object(document.get("components"))
    schemes = components.get("securitySchemes", document.get("securityDefinitions"))
    kinds: dict[str, str] = {}
    for name, stated in as_object(schemes).items():
        value, _ = references.deref(stated, base=references.address, place=f"security scheme {name!r:.100}")
        if isinstance(value, dict):
            kinds[name] = _kind(value)
    tags: dict[str, str] = {}
    for tag in as_list(document.get("tags")):
        if isinstance(tag, dict) and isinstance(tag.get("name"), str):
            text = as_text(tag.get("description") or tag.get("summary"))
            tags.setdefault(tag["name"].strip(), text)
    return ApiFacts(uri, _servers(document, uri), kinds, document.get("security"), tags)


def _kind(scheme: RawSchema) -> str:
    words = [scheme.get("type"), scheme.get("scheme")]
    if scheme.get("type") == "apiKey":
        words = ["apiKey", "in", scheme.get("in"), scheme.get("name")]
    return " ".join(word for word in words if isinstance(word, str))[:200] or "not described"


def _servers(document: RawSchema, uri: str) -> tuple[str, ...]:
    if isinstance(document.get("host"), str):
        scheme = next(iter(texts_in(document.get("schemes"))), "https")
        return (_clean(f"{scheme}://{document['host']}{as_text(document.get('basePath'))}"),)
    return _urls(as_list(document.get("servers")), uri)


def _urls(servers: list[JsonValue], uri: str) -> tuple[str, ...]:
    """The addresses of servers, without those that are not stated."""
    return tuple(filter(None, (_server(server, uri) for server in servers)))


def _server(server: JsonValue, uri: str) -> str:
    """A server's address with its variables' defaults; a relative one is relative to the document's address."""
    url = as_object(server).get("url")
    if not isinstance(url, str):
        return ""
    for name, variable in as_object(server.get("variables")).items():
        if isinstance(variable, dict) and isinstance(variable.get("default"), str):
            url = url.replace(f"{{{name}}}", variable["default"])
    try:
        return _clean(urljoin(uri, url) if uri.startswith(("http://", "https://")) else url)
    except ValueError:
        return ""


def _clean(url: str) -> str:
    """The address without user name and password."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])).rstrip("/")[:2_000]
