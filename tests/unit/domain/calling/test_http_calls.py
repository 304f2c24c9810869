"""Requests of OpenAPI operations: where each argument goes, how it is written, and what is never sent."""

import json
from typing import Any
from urllib.parse import parse_qsl, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from app.domain.calling.answers import answer_of
from app.domain.calling.calls import CallRules
from app.domain.calling.credentials import (
    Credential,
    CredentialPlace,
    GivenCredential,
    check_send,
    credentials_for,
    schemes_of,
)
from app.domain.calling.http_calls import HttpCall, http_call
from app.domain.calling.http_requests import HttpAnswer, request_to, server_of
from app.domain.calling.secret_words import secret_forms
from app.errors import InvalidInputError
from tests.cpu import cpu_within


def call(
    path: str,
    properties: dict[str, Any],
    arguments: dict[str, Any],
    *,
    method: str = "GET",
    **root: Any,
) -> HttpCall:
    schema = {"type": "object", "properties": properties, **root}
    return http_call(method=method, path=path, schema=schema, arguments=arguments)


def query(marks: dict[str, Any], value: Any) -> str:
    found = call("/a", {"q": {"x-in": "query", **marks}}, {"q": value}).query
    return "&".join(f"{name}={text}" for name, text in found)


def in_path(template: str, marks: dict[str, Any], value: Any) -> str:
    return call(template, {"p": {"x-in": "path", **marks}}, {"p": value}).path


@pytest.mark.parametrize(
    ("template", "marks", "value", "path"),
    [
        ("/a/{p}", {}, "x y", "/a/x%20y"),
        ("/a/{p}", {}, "x/y?z#w", "/a/x%2Fy%3Fz%23w"),
        ("/a/{p}/b", {}, 7, "/a/7/b"),
        ("/a/{p}", {}, True, "/a/true"),
        ("/a/{p}", {}, "é", "/a/%C3%A9"),
        ("/a/{p}", {}, ["x", "y,z"], "/a/x,y%2Cz"),
        ("/a/{p}", {}, {"k": "v"}, "/a/k,v"),
        ("/a/{p}", {"x-explode": True}, {"k": "v"}, "/a/k=v"),
        ("/a/{p}", {"x-style": "label"}, ["x", "y"], "/a/.x,y"),
        ("/a/{p}", {"x-style": "label", "x-explode": True}, ["x", "y"], "/a/.x.y"),
        ("/a/{p}", {"x-style": "matrix"}, "x", "/a/;p=x"),
        ("/a/{p}", {"x-style": "matrix", "x-explode": True}, ["x", "y"], "/a/;p=x;p=y"),
        ("/v1/{+p}", {}, "projects/x", "/v1/projects/x"),
        ("/a{/p}", {}, "x", "/a/x"),
        ("/a(id={p})", {}, "x)", "/a(id=x%29)"),
        ("a/{p}", {}, "x", "/a/x"),
        ("/a/{p}#fragment", {}, "x", "/a/x"),
        ("/a b/{p}", {}, "x", "/a%20b/x"),
    ],
)
def test_path_parameters_are_written_in_their_style(
    template: str, marks: dict[str, Any], value: Any, path: str
) -> None:
    """Percent-encoded, so that no value makes another path."""
    assert in_path(template, marks, value) == path


@pytest.mark.parametrize("value", ["..", ".", "a/../../b", "..\\b", "", None, [], "..;x"])
def test_a_path_parameter_leads_nowhere_else(value: Any) -> None:
    """Dots as a segment make another path, whoever decodes it first; so does nothing at all."""
    for template in ("/a/{p}/b", "/a/{+p}/b"):
        with pytest.raises(InvalidInputError, match=r"segment|empty"):
            in_path(template, {}, value)


@given(st.text(min_size=1, max_size=20))
def test_any_text_stays_in_its_segment(value: str) -> None:
    """What is decoded is what was given; the path has as many segments as its template."""
    try:
        path = in_path("/a/{p}/b", {}, value)
    except (InvalidInputError, UnicodeEncodeError):
        assert "." in value or any("\ud800" <= sign <= "\udfff" for sign in value)
        return

    _, first, second, third = path.split("/")
    assert (first, unquote(second), third) == ("a", value, "b")
    assert second.isascii()


@pytest.mark.parametrize(
    ("marks", "value", "text"),
    [
        ({}, "x y&z", "q=x%20y%26z"),
        ({}, ["x", "y"], "q=x&q=y"),
        ({}, [], ""),
        ({}, None, ""),
        ({}, False, "q=false"),
        ({}, 1.5, "q=1.5"),
        ({"x-explode": False}, ["x", "y,z"], "q=x,y%2Cz"),
        ({"x-style": "spaceDelimited", "x-explode": False}, ["x", "y"], "q=x%20y"),
        ({"x-style": "pipeDelimited", "x-explode": False}, ["x", "y"], "q=x%7Cy"),
        ({"x-style": "deepObject", "x-explode": True}, {"gt": 5, "a": {"b": 1}}, "q[gt]=5&q[a][b]=1"),
        ({}, {"k": "v", "l": 2}, "k=v&l=2"),
        ({"x-explode": False}, {"k": "v"}, "q=k,v"),
        ({"x-collectionFormat": "csv"}, ["x", "y"], "q=x,y"),
        ({"x-collectionFormat": "multi"}, ["x", "y"], "q=x&q=y"),
        ({"x-collectionFormat": "pipes"}, ["x", "y"], "q=x%7Cy"),
        ({"x-content-type": "application/json"}, {"k": [1]}, "q=%7B%22k%22%3A%5B1%5D%7D"),
        ({"x-name": "other[]"}, "x", "other%5B%5D=x"),
    ],
)
def test_query_parameters_are_written_in_their_style(marks: dict[str, Any], value: Any, text: str) -> None:
    """Lists and objects as OpenAPI 3 and Swagger 2.0 write them."""
    assert query(marks, value) == text


def test_a_whole_query_is_one_argument() -> None:
    """`in: querystring` of OpenAPI 3.2."""
    properties = {"q": {"x-in": "querystring"}}

    assert call("/a", properties, {"q": {"x": 1, "y": "a b"}}).query == (("x", "1"), ("y", "a%20b"))
    assert call("/a", properties, {"q": "x=1&y=a b"}).query == (("x", "1"), ("y", "a%20b"))


def test_headers_and_cookies_are_plain() -> None:
    """Lists by commas; nulls are left out."""
    properties = {"X-A": {"x-in": "header"}, "X-B": {"x-in": "header"}, "c": {"x-in": "cookie"}}

    found = call("/a", properties, {"X-A": ["x", 1], "X-B": None, "c": "v"})

    assert found.headers == (("X-A", "x,1"),)
    assert found.cookies == (("c", "v"),)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-A", "x\r\nHost: evil"),
        ("X-A", "x\nY: z"),
        ("X-A", "x\0"),
        ("X-A", "é"),
        ("X-A\r\nY", "x"),
        ("Host", "evil.example"),
        ("content-length", "5"),
        ("Transfer-Encoding", "chunked"),
        ("Proxy-Authorization", "x"),
        ("Cookie", "a=b"),
        ("X A", "x"),
    ],
)
def test_a_header_cannot_break_out(name: str, value: str) -> None:
    """No line ends, no header that says how the request travels; the value is not repeated."""
    with pytest.raises(InvalidInputError) as caught:
        call("/a", {name: {"x-in": "header"}}, {name: value})

    assert "evil" not in str(caught.value)


def test_an_argument_that_the_operation_does_not_have_is_refused() -> None:
    """There is no place where it could go."""
    with pytest.raises(InvalidInputError, match="argument 'z' is not known; accepted: 'a'"):
        call("/a", {"a": {"x-in": "query"}}, {"z": 1})


def test_a_body_is_json_of_what_stands_in_it() -> None:
    """Single properties, or the whole under one name."""
    body = call(
        "/a", {"q": {"x-in": "query"}, "n": {"x-in": "body"}}, {"q": 1, "n": [1, None]}, method="POST",
        **{"x-media-type": "application/json; charset=utf-8"},
    ).body  # fmt: skip
    whole = call(
        "/a", {"body": {"x-in": "body"}}, {"body": ["é"]}, method="PUT",
        **{"x-media-type": "application/merge-patch+json", "x-body": "body"},
    ).body  # fmt: skip

    assert body
    assert (body.content_type, body.data) == ("application/json; charset=utf-8", b'{"n":[1,null]}')
    assert whole
    assert whole.data == '["é"]'.encode()
    assert whole.content_type == "application/merge-patch+json"


def test_no_body_where_none_is_given_and_none_is_usual() -> None:
    """A POST whose body has only optional parts sends an empty object; DELETE and GET send nothing."""
    marks = {"x-media-type": "application/json"}
    properties = {"n": {"x-in": "body"}}

    post = call("/a", properties, {}, method="POST", **marks).body
    assert post
    assert post.data == b"{}"
    assert call("/a", properties, {}, method="DELETE", **marks).body is None
    assert call("/a", {}, {}, method="POST").body is None
    whole = {**marks, "x-body": "body"}
    assert call("/a", {"body": {"x-in": "body"}}, {}, method="POST", **whole).body is None


def test_a_body_that_may_be_left_out_is_whole_when_it_is_sent() -> None:
    """`x-required-in-body` counts once anything of the body is there."""
    properties = {
        "a": {"x-in": "body", "x-required-in-body": True},
        "b": {"x-in": "body"},
        "q": {"x-in": "query"},
    }

    assert call("/a", properties, {"q": 1}, method="POST").body is None
    with pytest.raises(InvalidInputError, match="missing in the body: 'a'"):
        call("/a", properties, {"b": 1}, method="POST")


def test_forms_know_lists_objects_and_their_encoding() -> None:
    """Brackets where the document asks for them, and where there is no other way."""
    properties = {
        name: {"x-in": "body", **marks}
        for name, marks in {
            "text": {},
            "list": {},
            "deep": {"x-style": "deepObject", "x-explode": True},
            "nested": {},
            "json": {"x-content-type": "application/json"},
            "csv": {"x-collectionFormat": "csv"},
        }.items()
    }
    arguments = {
        "text": "a b&c",
        "list": ["x", "y"],
        "deep": ["x", {"k": "v"}],
        "nested": {"a": {"b": [1]}},
        "json": {"k": 1},
        "csv": ["x", "y"],
    }

    body = call(
        "/a", properties, arguments, method="POST", **{"x-media-type": "application/x-www-form-urlencoded"}
    ).body

    assert body
    assert body.data.startswith(b"text=a+b%26c&")
    assert parse_qsl(body.data.decode()) == [
        ("text", "a b&c"),
        ("list", "x"),
        ("list", "y"),
        ("deep[0]", "x"),
        ("deep[1][k]", "v"),
        ("nested[a][b][0]", "1"),
        ("json", '{"k":1}'),
        ("csv", "x,y"),
    ]


def test_multipart_sends_files_texts_and_json() -> None:
    """Bytes by a data: address; a field's name cannot end its line."""
    marks = {"x-media-type": "multipart/form-data"}
    properties = {
        "file": {"x-in": "body", "format": "binary"},
        "note": {"x-in": "body"},
        "meta": {"x-in": "body"},
        "many": {"x-in": "body", "items": {"format": "binary"}},
    }
    arguments = {
        "file": "data:image/png;base64,iVBORw==",
        "note": "x",
        "meta": {"k": 1},
        "many": ["a", "b"],
    }

    body = call("/a", properties, arguments, method="POST", **marks).body

    assert body
    boundary = body.content_type.removeprefix("multipart/form-data; boundary=")
    parts = [part.strip(b"\r\n") for part in body.data.split(f"--{boundary}".encode())[1:-1]]
    assert parts == [
        b'Content-Disposition: form-data; name="file"; filename="file"\r\nContent-Type: image/png\r\n\r\n\x89PNG',
        b'Content-Disposition: form-data; name="note"\r\n\r\nx',
        b'Content-Disposition: form-data; name="meta"\r\nContent-Type: application/json\r\n\r\n{"k":1}',
        *(
            b'Content-Disposition: form-data; name="many"; filename="many"\r\n'
            b"Content-Type: application/octet-stream\r\n\r\n" + text
            for text in (b"a", b"b")
        ),
    ]
    broken = 'x"\r\nContent-Type: text/html'
    with pytest.raises(InvalidInputError, match="part of a multipart"):
        call("/a", {broken: {"x-in": "body"}}, {broken: "v"}, method="POST", **marks)


@pytest.mark.parametrize(
    ("media_type", "value", "data"),
    [
        ("text/plain", "é", "é".encode()),
        ("application/octet-stream", "data:application/octet-stream;base64,AAE=", b"\0\1"),
    ],
)
def test_one_text_is_sent_as_it_is(media_type: str, value: str, data: bytes) -> None:
    """Raw bodies."""
    marks = {"x-media-type": media_type, "x-body": "body"}

    body = call("/a", {"body": {"x-in": "body"}}, {"body": value}, method="POST", **marks).body

    assert body
    assert (body.content_type, body.data) == (media_type, data)


@pytest.mark.parametrize(
    ("media_type", "value"),
    [
        ("application/xml", {"a": 1}),
        ("multipart/form-data", "x"),
        ("a/b\r\nX: y", "x"),
        ("text/plain", "data:x;base64,!"),
    ],
)
def test_a_body_of_another_kind_is_refused(media_type: str, value: Any) -> None:
    """With what is accepted, and never as something else."""
    with pytest.raises(InvalidInputError, match="accepted"):
        call(
            "/a", {"body": {"x-in": "body"}}, {"body": value}, method="POST",
            **{"x-media-type": media_type, "x-body": "body"},
        )  # fmt: skip


# Servers and credentials


@pytest.mark.parametrize(
    ("base", "rules", "origin", "path", "named"),
    [
        ("https://api.example/v1/", CallRules(), "https://api.example", "/v1", False),
        ("http://API.example:8080", CallRules(), "http://api.example:8080", "", False),
        (
            "https://api.example:443",
            CallRules(servers=("https://api.example/x",)),
            "https://api.example",
            "",
            True,
        ),
        ("https://api.example", CallRules(servers=("http://api.example",)), "https://api.example", "", False),
        ("https://evil", CallRules(base_url="http://[::1]:9/a b"), "http://[::1]:9", "/a%20b", True),
    ],
)
def test_the_server_is_the_operators_or_the_documents(
    base: str, rules: CallRules, origin: str, path: str, named: bool
) -> None:
    """Only what the operator wrote counts as named."""
    if " " in rules.base_url:
        rules = CallRules(base_url=rules.base_url.replace(" ", "%20"))

    server = server_of(base, rules)

    assert (server.origin, server.path, server.named_by_operator) == (origin, path, named)


@pytest.mark.parametrize(
    "base",
    [
        "",
        "/v1",
        "https://{site}.example",
        "ftp://x",
        "https://me:pw@x",
        "https://x/?key=s3cret",
        "api.example",
    ],
)
def test_a_server_that_cannot_be_called_says_what_to_do(base: str) -> None:
    """No user names, no queries, no variables without value."""
    with pytest.raises(InvalidInputError) as caught:
        server_of(base, CallRules())

    assert "s3cret" not in str(caught.value)
    assert "pw" not in str(caught.value)


def test_a_path_cannot_name_another_host() -> None:
    """The host is never read out of what was put together."""
    server = server_of("https://api.example", CallRules())

    request = request_to(server, call("@evil.example/x", {}, {}), ())

    assert request.server.host == "api.example"
    assert request.target == "/@evil.example/x"


def given_key(**scheme: GivenCredential) -> dict[str, GivenCredential]:
    return dict(scheme)


KEY = GivenCredential(SecretStr("k3y-value"))
PAIR = GivenCredential(SecretStr("pa55"), username=SecretStr("me"))


@pytest.mark.parametrize(
    ("security", "given_", "sent"),
    [
        (["a (http bearer)"], {"a": KEY}, [("header", "Authorization", "Bearer k3y-value")]),
        (["a (http basic)"], {"a": PAIR}, [("header", "Authorization", "Basic bWU6cGE1NQ==")]),
        (["a (basic)"], {"a": PAIR}, [("header", "Authorization", "Basic bWU6cGE1NQ==")]),
        (["a (oauth2)"], {"a": KEY}, [("header", "Authorization", "Bearer k3y-value")]),
        (["a (apiKey in header X-Key)"], {"a": KEY}, [("header", "X-Key", "k3y-value")]),
        (["a (apiKey in query key)"], {"a": KEY}, [("query", "key", "k3y-value")]),
        (["a (apiKey in cookie sid)"], {"a": KEY}, [("cookie", "sid", "k3y-value")]),
        (
            ["a (apiKey in header X-A) + b (http bearer)"],
            {"a": KEY, "b": KEY},
            [("header", "X-A", "k3y-value"), ("header", "Authorization", "Bearer k3y-value")],
        ),
        (["a (http bearer)", "b (apiKey in query k)"], {"b": KEY}, [("query", "k", "k3y-value")]),
        (["none"], {}, []),
        (["none", "a (http bearer)"], {"a": KEY}, [("header", "Authorization", "Bearer k3y-value")]),
        ([], {"a": KEY}, []),
        ([], {"a": GivenCredential(SecretStr("k"), send="header X-K")}, [("header", "X-K", "k")]),
        (
            ["a (mutualTLS)"],
            {"a": GivenCredential(SecretStr("k"), send="bearer")},
            [("header", "Authorization", "Bearer k")],
        ),
        (
            ["odd (name) (http bearer)"],
            {"odd (name)": KEY},
            [("header", "Authorization", "Bearer k3y-value")],
        ),
    ],
)
def test_credentials_go_where_the_scheme_says(
    security: list[str], given_: dict[str, GivenCredential], sent: list[tuple[str, str, str]]
) -> None:
    """The first way that can be satisfied; `send` goes with every call."""
    found = credentials_for(security, given_)

    assert [(one.place.value, one.name, one.value.get_secret_value()) for one in found] == sent


@given(
    st.lists(
        st.tuples(
            st.text(st.sampled_from("a(+) http"), min_size=1, max_size=12)
            .map(lambda name: name + "x")
            .filter(lambda name: " (http" not in name),
            st.sampled_from(["http bearer", "oauth2", "apiKey in header X-K", "not described"]),
        ),
        max_size=4,
    )
)
def test_schemes_are_read_as_ingest_writes_them(schemes: list[tuple[str, str]]) -> None:
    """Names may hold brackets, plus signs and words of kinds."""
    assert schemes_of(" + ".join(f"{name} ({kind})" for name, kind in schemes)) == schemes


def test_names_of_schemes_take_no_longer_than_they_are() -> None:
    """Graphs that were written before names had a bound are still called."""
    with cpu_within(0.5), pytest.raises(InvalidInputError, match="the tool needs credentials"):
        credentials_for(["a" + " (http x" * 12_500, " (http x) + " * 8_000 + "b"], {"a": KEY})


@pytest.mark.parametrize(
    ("security", "given_"),
    [
        (["a (http bearer)"], {}),
        (["a (http bearer) + b (http bearer)"], {"a": KEY}),
        (["a (http digest)"], {"a": KEY}),
        (["a (http bearer)"], {"a": PAIR}),
        (["a (apiKey in header Host)"], {"a": KEY}),
        (["a (apiKey in header X-K)"], {"a": GivenCredential(SecretStr("k3y\r\nX: y"))}),
        (["a (apiKey in cookie c)"], {"a": GivenCredential(SecretStr("k3y;x=y"))}),
    ],
)
def test_credentials_that_cannot_be_sent_are_refused_without_showing_them(
    security: list[str], given_: dict[str, GivenCredential]
) -> None:
    """The message names schemes, never values."""
    with pytest.raises(InvalidInputError) as caught:
        credentials_for(security, given_)

    assert "k3y" not in str(caught.value)
    assert "pa55" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["Bearer", "header", "header Host", "body x", "apiKey in header X", "header X\r\nY"]
)
def test_send_says_one_of_five_things(text: str) -> None:
    """A misspelt place would send a secret somewhere else."""
    with pytest.raises(InvalidInputError, match="accepted"):
        check_send(text)


def test_credentials_go_only_to_servers_that_the_operator_named() -> None:
    """A document that changes its server must not get the key."""
    credential = Credential(CredentialPlace.QUERY, "key", SecretStr("k3y-value"))

    with pytest.raises(InvalidInputError, match="only to servers that the sources file names") as caught:
        request_to(server_of("https://api.example", CallRules()), call("/a", {}, {}), [credential])

    assert "k3y" not in str(caught.value)


def test_a_credential_goes_before_an_argument_of_its_name() -> None:
    """Nobody overrides the key, or adds a second one."""
    server = server_of("", CallRules(base_url="https://api.example/v1"))
    properties = {"key": {"x-in": "query"}, "X-Key": {"x-in": "header"}}
    made = call("/a", properties, {"key": "mine", "X-Key": "mine"})

    request = request_to(
        server,
        made,
        [
            Credential(CredentialPlace.QUERY, "key", SecretStr("k&y")),
            Credential(CredentialPlace.HEADER, "x-key", SecretStr("k")),
            Credential(CredentialPlace.COOKIE, "sid", SecretStr("c")),
        ],
    )

    assert request.target == "/v1/a?key=k%26y"
    assert [pair for pair in request.headers if pair[0].lower() == "x-key"] == [("x-key", "k")]
    assert ("Cookie", "sid=c") in request.headers
    assert "k&y" not in repr(request)
    assert "k%26y" not in repr(request)


# Answers


def test_an_answer_is_text_and_data() -> None:
    """JSON as JSON, other texts as text, bytes as their number."""
    said = answer_of(HttpAnswer(200, "application/json", "", b'{"a": 1}'), ())
    text = answer_of(HttpAnswer(200, "text/plain", "latin-1", "é".encode("latin-1")), ())
    image = answer_of(HttpAnswer(200, "image/png", "", b"\x89PNG"), ())
    nothing = answer_of(HttpAnswer(204, "", "", b""), ())

    assert said.structured == {"status": 200, "body": {"a": 1}}
    assert said.content == ({"type": "text", "text": '{"a": 1}'},)
    assert text.structured == {"status": 200, "body": "é"}
    assert "4 bytes of image/png" in str(image.structured)
    assert nothing.structured == {"status": 204, "body": None}
    assert nothing.content == ({"type": "text", "text": "HTTP status 204"},)
    assert not said.is_error
    assert not nothing.is_error


@pytest.mark.parametrize("status", [301, 400, 404, 500])
def test_a_status_that_is_no_success_is_an_error(status: int) -> None:
    """The body of an error is passed on."""
    answer = answer_of(HttpAnswer(status, "application/json", "", b'{"why": "x"}'), ())

    assert answer.is_error
    assert answer.status == status
    assert f"HTTP status {status}" in str(answer.content)
    assert '{"why": "x"}' in str(answer.content[0]["text"])


def test_secrets_that_a_server_repeats_are_struck_out() -> None:
    """In each form in which they may come back."""
    secrets = secret_forms(['k3y/val"ue', "Bearer t0ken-value"])
    body = json.dumps(
        {"a": 'k3y/val"ue', "b": "k3y%2Fval%22ue", "c": "Bearer t0ken-value", "d": "xt0ken-valuex", "e": "ok"}
    )

    answer = answer_of(HttpAnswer(200, "application/json", "", body.encode()), secrets)

    assert answer.structured == {
        "status": 200,
        "body": {"a": "(secret)", "b": "(secret)", "c": "(secret)", "d": "x(secret)x", "e": "ok"},
    }
    assert "val" not in json.dumps(answer.content)
