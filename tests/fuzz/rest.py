"""Hostile requests to the REST interface."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from tests.fuzz.values import Fields, JsonText, Values
from tests.fuzz.wire import HostileRequest

_IDS = (
    *("orders/get_order", "orders%2Fget_order", "manifest:orders", "cancel-and-refund", "money", "a" * 8000),
    *(
        "%00",
        "x%00y",
        "%0d%0aSet-Cookie:%20a=b",
        "..",
        "../..",
        "%2e%2e/%2e%2e/etc/passwd",
        "%252e%252e",
        ".",
        "//",
    ),
    *(
        "%ff",
        "%c0%ae",
        "%ed%a0%80",
        "%zz",
        "%",
        "%u0041",
        "%C3%A9",
        "a;b",
        "a?b",
        "a#b",
        "a%20b",
        "\\",
        "fuzzed-0",
    ),
    *(
        "validate",
        "x/validate",
        "changes",
        "x/changes",
        "%E2%80%AE",
        "%F3%A0%81%81",
        "{id}",
        "<b>",
        "'\"--",
        "*",
        "~",
    ),
)
_ADDRESS_CHARS = 1000
_CURSORS = (
    "b3JkZXJz",
    "b3JkZXJz=",
    "/w",
    "7aCA",
    "AA",
    "-_-_",
    "é",
    "=",
    "1",
    "-1",
    "999999999999",
    "9" * 2001,
    "",
)
_COUNTS = ("0", "1", "3", "100", "-1", "1.5", "1e3", "9" * 5000, "NaN", "", " 1", "٣", "true")
_KINDS = ("IMPLEMENTS", "similar,,x", ",", "STEP", "IMPLEMENTS,SIMILAR")
_NODES = ("Tool", "tool,method", "Example", ",", "Tool,Tool,Nothing")
_MEDIA_TYPES = (
    *(
        b"application/json; charset=utf-16",
        b"application/json;charset=\xff",
        b"APPLICATION/JSON",
        b"",
        b"text/plain",
    ),
    *(b"application/x-www-form-urlencoded", b"multipart/form-data", b"application/vnd.api+json", b"\xff\xfe"),
)
_HEADERS = (
    (b"Content-Encoding", b"gzip"),
    (b"Accept", b"text/html;q=NaN, */*;q=1e999"),
    (b"X-Request-ID", b"a" * 65),
    (b"X-Request-ID", b"\x1b[2J"),
    (b"If-Match", b'"' * 200),
    (b"If-Match", b'W/"x", "y", *'),
    (b"If-None-Match", b"\xff"),
    (b"Cookie", b"a=" + b"b" * 4000),
    (b"Range", b"bytes=-1"),
    (b"Accept-Encoding", b"gzip;q=nan"),
    (b"Authorization", b"Bearer \xff\x80"),
    (b"X-Forwarded-For", b"\xff, ::1, 999.0.0.1"),
    (b"Forwarded", b"for=_x;host=evil.example"),
)


@dataclass(frozen=True, slots=True)
class RestRequests:
    """Draws requests of all routes."""

    values: Values

    def __iter__(self) -> Iterator[HostileRequest]:
        """Requests without end."""
        while True:
            yield self.values.one_of((self._body, self._body, self._body, self._parameters, self._at_an_id))()

    def filters(self) -> JsonText:
        """What restricts a search."""
        if self.values.now_and_then(0.6):
            return "{}"
        return self.values.object_of(
            {
                "servers": lambda: self.values.constant(
                    [], ["orders"], ["orders", "payments"], [""], ["none"]
                ),
                "categories": lambda: self.values.constant([], ["money"], ["none"]),
                "read_only": lambda: self.values.constant(True, False, None),
            }
        )

    def known(self) -> JsonText:
        """What a plan may take as known."""
        return self.values.object_of(
            {
                "order_id": lambda: self.values.one_of((self.values.json_text, self.values.number))(),
                "reason": self.values.number,
                "payment_id": self.values.json_text,
            }
        )

    def _body(self) -> HostileRequest:
        method, target, document = self.values.one_of(
            (
                *((("POST", "/v1/query", self._query),) * 3),
                *((("POST", "/v1/plan", self._goal),) * 3),
                ("POST", "/v1/explain", self._why_not),
                ("POST", "/v1/workflows", self._new_workflow),
                ("POST", "/v1/workflows/fuzzed/validate", self._workflow),
                ("POST", "/v1/plan/edit", self._edit),
                ("POST", "/v1/plan/choices", self._choices),
                ("POST", "/v1/plan/export?format=mermaid", self._bare_plan),
                ("POST", "/v1/plan/validate", self._bare_plan),
                ("PUT", "/v1/workflows/fuzzed-0", self._workflow),
                (
                    "POST",
                    self.values.one_of(("/v1/query", "/v1/explain", "/v1/plan", "/v1/workflows")),
                    self.values.anything,
                ),
            )
        )
        media_type = b"application/json"
        if self.values.now_and_then(0.05):
            media_type = self.values.one_of(_MEDIA_TYPES)
        headers = ((b"Content-Type", media_type), *self._headers())
        chunk = 1000 if self.values.now_and_then(0.1) else 0
        return HostileRequest(method, target.encode(), headers, self.values.encoded(document()), chunk)

    def _headers(self) -> tuple[tuple[bytes, bytes], ...]:
        return tuple(self.values.random.sample(_HEADERS, 2)) if self.values.now_and_then(0.15) else ()

    def _query(self) -> JsonText:
        constant = self.values.constant
        return self.values.object_of(
            {
                "query": self.values.json_text,
                "top_k": lambda: constant(1, 5, 100),
                "filters": self.filters,
                "method": lambda: constant("auto", "kg_hybrid", "bm25"),
                "format": lambda: constant("outfitter", "mcp", "openai", "anthropic", "langchain"),
                "explain": lambda: constant(True, False),
                "schemas": lambda: constant(True, False),
                "prerequisites": lambda: constant(0, 5),
                "order": lambda: constant("matches", "blocks"),
            }
        )

    def _why_not(self) -> JsonText:
        constant = self.values.constant
        ids = self.values.one_of((lambda: constant("orders/get_order", "orders/none"), self.values.json_text))
        return self.values.object_of(
            {
                "query": self.values.json_text,
                "tools": lambda: self.values.list_of(ids, up_to=3),
                "top_k": lambda: constant(1, 5, 100),
                "filters": self.filters,
                "method": lambda: constant("auto", "kg_hybrid", "bm25"),
            }
        )

    def _goal(self) -> JsonText:
        return self.values.object_of(
            {
                "goal": self.values.json_text,
                "known": self.known,
                "max_steps": lambda: self.values.constant(1, 10),
                "only_callable": lambda: self.values.constant(True, False, None),
                "filters": self.filters,
            }
        )

    def _new_workflow(self) -> JsonText:
        number = self.values.random.randrange(5)
        return f'{{"id":"fuzzed-{number}",{self._workflow()[1:]}'.replace(",}", "}")

    def _workflow(self) -> JsonText:
        plan = self._savable if self.values.now_and_then(0.4) else self._plan
        return self.values.object_of({"name": lambda: json.dumps(self.values.text()[:200]), "plan": plan})

    def _bare_plan(self) -> JsonText:
        return self.values.object_of({"plan": self.values.one_of((self._savable, self._plan))})

    def _choices(self) -> JsonText:
        constant = self.values.constant
        return self.values.object_of(
            {
                "plan": self.values.one_of((self._savable, self._plan)),
                "step": lambda: constant(0, 1, 2, 10**30),
                "parameter": self.values.one_of((lambda: constant("order_id"), self.values.json_text)),
            }
        )

    def _edit(self) -> JsonText:
        constant, position = self.values.constant, lambda: self.values.constant(-1, 1, 2, 10**30)
        given = self.values.one_of(('{"input":"o"}', f'{{"known":{self.values.anything()}}}', "null"))
        edit = self.values.one_of(
            (
                {"edit": lambda: constant("move"), "step": position, "to": position},
                {"edit": lambda: constant("remove"), "step": position},
                {"edit": lambda: constant("add"), "calls": self.values.json_text, "at": position},
                {
                    "edit": lambda: constant("bind"),
                    "step": position,
                    "parameter": self.values.json_text,
                    "binding": lambda: given,
                },
                {"edit": lambda: constant("replace"), "step": position, "tool_id": self.values.json_text},
            )
        )
        return self.values.object_of(
            {
                "plan": self.values.one_of((self._savable, self._plan)),
                "edit": lambda: self.values.object_of(edit),
            }
        )

    def _savable(self) -> JsonText:
        """A plan without a problem, but with hostile texts and values."""
        order_id = self.values.one_of(('{"input":"o"}', f'{{"known":{self.values.anything()}}}'))
        bindings = f'{{"order_id":{order_id},"reason":{{"known":{self.values.anything()}}}}}'
        step = f'{{"position":1,"tool_id":"orders/cancel_order","purpose":{self.values.json_text()},"bindings":{bindings}}}'
        given = f'{{"name":"o","type":{self.values.json_text()},"description":{self.values.json_text()}}}'
        return f'{{"goal":{self.values.json_text()},"steps":[{step}],"inputs":[{given}]}}'

    def _plan(self) -> JsonText:
        text, constant = self.values.json_text, self.values.constant
        return self.values.object_of(
            {
                "goal": text,
                "steps": lambda: self.values.list_of(lambda: self.values.object_of(self._step()), up_to=2),
                "inputs": lambda: self.values.list_of(
                    lambda: self.values.object_of(
                        {
                            "name": lambda: constant("order_id", "reason", "x"),
                            "type": text,
                            "description": text,
                            "required": lambda: constant(True, False),
                        }
                    ),
                    up_to=3,
                ),
                "outputs": lambda: self.values.object_of({"x": self._binding}),
                "warnings": lambda: self.values.list_of(
                    lambda: self.values.object_of(
                        {"code": text, "message": text, "step": self.values.number}
                    ),
                    up_to=1,
                ),
            }
        )

    def _step(self) -> Fields:
        text, constant = self.values.json_text, self.values.constant
        return {
            "position": lambda: constant(1, 2),
            "tool_id": lambda: constant("orders/cancel_order", "orders/get_order", "orders/none"),
            "workflow_id": lambda: constant("", "", "", "fuzzed", "fuzzed-0"),
            "purpose": text,
            "bindings": lambda: self.values.object_of({"order_id": self._binding, "reason": self._binding}),
            "alternatives": lambda: self.values.list_of(text, up_to=2),
            "mutating": lambda: constant(True, False),
        }

    def _binding(self) -> JsonText:
        text, constant = self.values.json_text, self.values.constant
        kinds: tuple[Fields, ...] = (
            {"known": self.values.anything},
            {"input": lambda: constant("order_id", "reason", "x"), "path": text},
            {
                "step": lambda: constant(1, 2, 0, -1, 10**30),
                "path": text,
                "header": text,
                "select": lambda: self.values.object_of(
                    {"by": lambda: constant("first", "match", "ask"), "value": self.values.anything}
                ),
            },
            {"compose": self.values.anything, "parts": lambda: constant({"x": {"input": "reason"}}, {})},
        )
        return self.values.object_of(self.values.one_of(kinds))

    def _parameters(self) -> HostileRequest:
        """A GET with parameters."""
        kinds = {"kinds": lambda: self.values.one_of((*_KINDS, self.values.text()))}
        count = {"limit": lambda: self.values.one_of(_COUNTS), "depth": lambda: self.values.one_of(_COUNTS)}
        cursor = {"cursor": lambda: self.values.one_of((*_CURSORS, self.values.text()))}
        names = {"server": self.values.text, "category": self.values.text, "x": self.values.text}
        typed = {"q": lambda: self.values.one_of(("order", "o", "", self.values.text()))}
        marks = dict.fromkeys(
            ("read_only", "declared", "deprecated"), lambda: self.values.one_of(("true", "0", "x", ""))
        )
        graveness = {
            "severity": lambda: self.values.one_of(("breaking", "failed,breaking", ",", self.values.text())),
            "since": lambda: self.values.one_of(("2026-11-01", "0001-01-01T00:00+14:00", self.values.text())),
        }
        path, known = self.values.one_of(
            (
                ("/v1/tools", {**names, **cursor, **count, **typed, **marks}),
                ("/v1/find", {**typed, "kinds": lambda: self.values.one_of((*_NODES, self.values.text()))}),
                ("/v1/facets", count),
                ("/v1/neighbours/orders/get_order", {**kinds, **count}),
                ("/v1/sources", names),
                ("/v1/status", names),
                ("/v1/unmet", {**cursor, **count}),
                ("/v1/changes", {**cursor, **count, **graveness, "tool": self.values.text}),
                ("/v1/sources/manifest:orders/changes", {**cursor, **count}),
                ("/v1/workflows", names),
            )
        )
        chosen = [self.values.one_of(list(known)) for _ in range(self.values.random.randint(0, 3))]
        pairs = "&".join(f"{name}={_quoted(known[name]())}" for name in chosen)
        return HostileRequest("GET", f"{path}?{pairs}".encode(), self._headers())

    def _at_an_id(self) -> HostileRequest:
        """Any method at any id."""
        method = self.values.one_of(
            ("GET",) * 6 + ("DELETE", "PUT", "POST", "HEAD", "OPTIONS", "PATCH", "PROPFIND")
        )
        place = self.values.one_of(
            (
                *("/v1/tools/", "/v1/neighbours/", "/v1/sources/%s/changes", "/v1/workflows/"),
                "/v1/unmet/",
                *("/v1/workflows/%s/validate", "/", "/v1/", "/docs/"),
            )
        )
        identifier = self.values.one_of((self.values.one_of(_IDS), _quoted(self.values.text())))
        target = place.replace("%s", identifier) if "%s" in place else place + identifier
        body = self.values.encoded(self._workflow()) if method in {"PUT", "POST"} else b""
        headers = ((b"Content-Type", b"application/json"),) if body else ()
        return HostileRequest(method, target.encode(), (*headers, *self._headers()), body)


def _quoted(text: str) -> str:
    """A text for an address; three of them stay below the limit of headers."""
    return quote(text[:_ADDRESS_CHARS], errors="surrogatepass")
