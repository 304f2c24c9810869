"""Operations of an OpenAPI document: found, separated from webhooks and callbacks, and read one by one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.adapters.documents.structured_text import JsonValue
from app.domain.language.accepted_text import kind_of, shown
from app.domain.schemas.walk import as_object, as_text, pointer_segments
from app.errors import InvalidInputError
from ingest.cards import Rejected
from ingest.sources.openapi.answers import AnswerSchemas
from ingest.sources.openapi.dialects import RawSchema
from ingest.sources.openapi.parameters import Parameters
from ingest.sources.openapi.references import Notes, References
from ingest.sources.openapi.schemas import SchemaPlace

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
_SUCCESS = re.compile(r"2(\d\d|XX)", re.IGNORECASE)
_RESPONSE_FIELD = re.compile(r"\$response\.body(?:#(?P<pointer>/.*))?")
_LOCATED = re.compile(r"(?P<place>path|query|header|cookie)\.(?P<name>.+)")


@dataclass(frozen=True, slots=True)
class FoundOperation:
    """An operation where it stands."""

    method: str
    """In upper case."""
    path: str
    value: RawSchema
    item: RawSchema
    """The path item around it."""
    place: SchemaPlace

    @property
    def label(self) -> str:
        """`GET /pets/{id}`."""
        return f"{self.method} {self.path}"


@dataclass(frozen=True, slots=True)
class ResponseLink:
    """What a response says of a later call: a field of the answer is a parameter of that operation."""

    target: tuple[str, ...]
    """The operation: its `operationId`, or its method and path."""
    place: str
    """Where the parameter is sent: path, query, header, cookie, body; empty when not stated."""
    parameter: str
    field: str
    """JSON pointer into the answer's body."""
    label: str


@dataclass(frozen=True, slots=True)
class Shape:
    """What an operation takes and gives."""

    input_schema: RawSchema
    output_schema: RawSchema | None
    output_is_cut: bool
    links: tuple[ResponseLink, ...]


class OperationReader:
    """Reads one document's operations."""

    def __init__(
        self, references: References, parameters: Parameters, answers: AnswerSchemas, notes: Notes
    ) -> None:
        self._references = references
        self._parameters = parameters
        self._answers = answers
        self._notes = notes

    def find(self, paths: RawSchema) -> Iterator[FoundOperation | Rejected]:
        """Every operation under `paths`, in the document's order."""
        for path, stated in paths.items():
            if path.startswith("x-"):
                continue
            if not path.startswith("/"):
                self._notes.warn(f"paths: {path!r:.200}", "does not start with '/'; read all the same")
            item, base = self._item(stated, f"paths: {path!r:.200}")
            if item is None:
                yield Rejected(
                    item=f"path {shown(path)}", reason=f"{shown(stated)} holds no operations that can be read"
                )
                continue
            for method, value in _methods(item):
                label = f"{method.upper()} {path}"
                if isinstance(value, dict):
                    yield FoundOperation(method.upper(), path, value, item, SchemaPlace(base, label))
                else:
                    reason = f"{shown(value)} is {kind_of(value)}; accepted: an operation, which is an object"
                    yield Rejected(item=f"operation {shown(label)}", reason=reason)

    def count(self, items: JsonValue) -> int:
        """How many operations a map of path items holds: webhooks, or one callback."""
        found = 0
        for name, stated in as_object(items).items():
            item, _ = self._item(stated, f"{name!r:.200}")
            found += sum(isinstance(value, dict) for _, value in _methods(item or {}))
        return found

    def count_callbacks(self, found: FoundOperation) -> int:
        """How many operations the server may call back after this one."""
        place = found.place
        values = [
            self._references.deref(item, base=place.base, place=f"{place.label}: callbacks")[0]
            for item in as_object(found.value.get("callbacks")).values()
        ]
        return sum(self.count(value) for value in values)

    def shape(self, found: FoundOperation) -> Shape:
        """What the operation takes and gives.

        Raises:
            InvalidInputError: it cannot be determined.
        """
        try:
            input_schema = self._parameters.input_schema(
                found.value, found.item, found.place, path=found.path
            )
            output, is_cut, links = self._answer(found)
        except RecursionError as error:
            raise InvalidInputError("its schemas nest too deeply to be read") from error
        return Shape(input_schema, output, is_cut, tuple(links))

    def _item(self, stated: JsonValue, label: str) -> tuple[RawSchema | None, str]:
        base = self._references.address
        if stated is None:
            return {}, base
        if not isinstance(stated, dict):
            return None, base
        if "$ref" not in stated:
            return stated, base
        value, base = self._references.deref(stated, base=base, place=label)
        if not isinstance(value, dict):
            return None, base
        return {**value, **{key: item for key, item in stated.items() if key != "$ref"}}, base

    def _answer(self, found: FoundOperation) -> tuple[RawSchema | None, bool, list[ResponseLink]]:
        responses, base = self._references.deref(
            found.value.get("responses"), base=found.place.base, place=found.place.label
        )
        if not isinstance(responses, dict):
            return None, False, []
        links: list[ResponseLink] = []
        chosen: tuple[JsonValue, SchemaPlace] | None = None
        for code in _successes(responses):
            place = SchemaPlace(base, f"{found.label}: response {code}")
            response, inner = self._references.deref(responses[code], base=base, place=place.label)
            if not isinstance(response, dict):
                continue
            links.extend(self._links(response, SchemaPlace(inner, place.label)))
            if chosen is None:
                chosen = self._answer_schema(response, SchemaPlace(inner, place.label))
        if chosen is None:
            return None, False, links
        answer = self._answers.write_out(*chosen)
        return answer.schema, answer.is_cut, links

    def _answer_schema(self, response: RawSchema, place: SchemaPlace) -> tuple[JsonValue, SchemaPlace] | None:
        if "schema" in response:
            return response["schema"], place
        _, media, base = self._references.media(response.get("content"), base=place.base, place=place.label)
        schema = media.get("schema", media.get("itemSchema"))
        return None if schema is None else (schema, SchemaPlace(base, place.label))

    def _links(self, response: RawSchema, place: SchemaPlace) -> Iterator[ResponseLink]:
        for name, stated in as_object(response.get("links")).items():
            label = f"{place.label}: link {name!r:.100}"
            link, _ = self._references.deref(stated, base=place.base, place=label)
            if not isinstance(link, dict):
                continue
            target = _link_target(link)
            if not target:
                self._notes.warn(label, "names no operation of this document; left out")
                continue
            values = dict(as_object(link.get("parameters")))
            if isinstance(link.get("requestBody"), str):
                values["body"] = link["requestBody"]
            for parameter, expression in values.items():
                match = _RESPONSE_FIELD.fullmatch(expression) if isinstance(expression, str) else None
                if match is not None:
                    located = _LOCATED.fullmatch(parameter)
                    sent, plain = (located["place"], located["name"]) if located else ("", parameter)
                    yield ResponseLink(target, sent, plain, match["pointer"] or "", label)


def _methods(item: RawSchema) -> Iterator[tuple[str, JsonValue]]:
    yield from ((method, item[method]) for method in METHODS if method in item)
    yield from ((str(method), value) for method, value in as_object(item.get("additionalOperations")).items())


def _successes(responses: RawSchema) -> list[str]:
    """Codes of success, lowest first, `2XX` last; else `default`."""
    codes = sorted(code for code in responses if _SUCCESS.fullmatch(code))
    return codes or [code for code in ("default",) if code in responses]


def _link_target(link: RawSchema) -> tuple[str, ...]:
    if operation_id := as_text(link.get("operationId")):
        return (operation_id,)
    match = re.fullmatch(r"#(/paths/[^/]+/[a-z]+)", as_text(link.get("operationRef")))
    if match is None:
        return ()
    _, path, method = pointer_segments(match[1])
    return method.upper(), path
