"""What claims make of a caller: which tokens are for us, groups and scopes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.access.callers import CallerScope, CameBy, is_operator
from app.domain.access.claims import LEEWAY_S, ExpectedTokens, Identity, identity_of, signed_by
from app.domain.access.resource import ProtectedResource, check_issuer, check_resource
from app.domain.access.rules import RuleBook
from app.errors import InvalidInputError, TokenRefusedError

ISSUER = "https://login.example.com/realms/staff"
RESOURCE = "https://tools.example.com/mcp"
EXPECTED = ExpectedTokens(ISSUER, frozenset({RESOURCE}))
NOW = 1_800_000_000.0
GOOD: dict[str, Any] = {"iss": ISSUER, "aud": RESOURCE, "sub": "ada", "exp": NOW + 300}


def test_a_good_token_names_its_holder() -> None:
    claims = {**GOOD, "scope": "openid tools:find", "scp": ["tools:plan"], "groups": ["helpdesk", 7]}
    found = identity_of(claims, EXPECTED, now=NOW)
    caller = found.caller(frozenset({"support"}))

    assert found.values == {f"{ISSUER}|helpdesk"}
    assert caller.id == f"{ISSUER}|ada"
    assert (caller.name, caller.how, caller.expires_at) == ("ada", CameBy.OIDC, NOW + 300)
    assert caller.scopes == {CallerScope.FIND, CallerScope.PLAN}
    assert caller.groups == {"support"}


@pytest.mark.parametrize(
    ("said", "scopes"),
    [
        ({}, set()),
        ({"scope": ""}, set()),
        ({"scope": "openid profile"}, set()),
        ({"scope": "tools:find  catalogue:admin"}, {CallerScope.FIND, CallerScope.ADMIN}),
        ({"scope": ["tools:find", "tools:call"]}, {CallerScope.FIND, CallerScope.CALL}),
        ({"scp": "tools:find tools:call"}, {CallerScope.FIND, CallerScope.CALL}),
        ({"scp": ["tools:plan"]}, {CallerScope.PLAN}),
        ({"scope": "TOOLS:FIND tools:find2 tools"}, set()),
        ({"scope": {"tools:find": True}}, set()),
    ],
)
def test_scopes_are_those_that_the_token_names(said: dict[str, Any], scopes: set[CallerScope]) -> None:
    """In either claim and either form; of one that names none, none."""
    assert identity_of({**GOOD, **said}, EXPECTED, now=NOW).scopes == scopes


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"iss": None}, "another issuer"),
        ({"iss": ISSUER + "/"}, "another issuer"),
        ({"iss": [ISSUER]}, "another issuer"),
        ({"aud": None}, "another resource"),
        ({"aud": "https://other.example.com/mcp"}, "another resource"),
        ({"aud": RESOURCE + "/"}, "another resource"),
        ({"aud": ["a", "b"]}, "another resource"),
        ({"aud": {RESOURCE: 1}}, "another resource"),
        ({"exp": None}, "when it ends"),
        ({"exp": NOW - LEEWAY_S}, "has expired"),
        ({"exp": "soon"}, "a time (exp)"),
        ({"exp": str(NOW + 300)}, "a time (exp)"),
        ({"exp": True}, "a time (exp)"),
        ({"exp": float("nan")}, "a time (exp)"),
        ({"exp": float("inf")}, "a time (exp)"),
        ({"exp": 10**400}, "a time (exp)"),
        ({"exp": 1000 * NOW}, "a time (exp)"),
        ({"nbf": NOW + LEEWAY_S + 1}, "not valid yet (nbf)"),
        ({"iat": NOW + LEEWAY_S + 1}, "not valid yet (iat)"),
        ({"nbf": "later"}, "a time (nbf)"),
        ({"sub": None}, "whom it is about"),
        ({"sub": ""}, "whom it is about"),
        ({"sub": 7}, "whom it is about"),
        ({"sub": "a\nb"}, "whom it is about"),
        ({"sub": "a" * 256}, "whom it is about"),
        ({"nonce": "n"}, "no access token"),
        ({"at_hash": "h"}, "no access token"),
        ({"c_hash": "h"}, "no access token"),
        ({"events": {}}, "no access token"),
        ({"token_use": "id"}, "no access token"),
        ({"typ": "ID"}, "no access token"),
        ({"typ": "Refresh"}, "no access token"),
        ({"cnf": {"jkt": "k"}}, "bound to a key"),
    ],
)
def test_a_token_that_is_not_for_us_is_refused_by_its_reason(changed: dict[str, Any], said: str) -> None:
    claims = {name: value for name, value in {**GOOD, **changed}.items() if value is not None}

    with pytest.raises(TokenRefusedError) as refused:
        identity_of(claims, EXPECTED, now=NOW)

    assert said in str(refused.value)


@pytest.mark.parametrize(
    "changed",
    [
        {"aud": ["account", RESOURCE]},
        {"exp": NOW - LEEWAY_S + 1},
        {"nbf": NOW + LEEWAY_S, "iat": NOW + LEEWAY_S},
        {"typ": "Bearer", "azp": "desk", "auth_time": 1},
        {"token_use": "access"},
        {"sub": "auth0|1234"},
    ],
)
def test_what_providers_say_besides_is_no_matter(changed: dict[str, Any]) -> None:
    assert identity_of({**GOOD, **changed}, EXPECTED, now=NOW).issuer == ISSUER


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({"alg": "none"}, "algorithm"),
        ({"alg": "HS256"}, "algorithm"),
        ({"alg": "RS512"}, "algorithm"),
        ({"alg": ["ES256"]}, "algorithm"),
        ({}, "algorithm"),
        ({"alg": "ES256", "crit": []}, "(crit)"),
        ({"alg": "ES256", "crit": ["b64"], "b64": False}, "(crit)"),
        ({"alg": "ES256", "typ": "dpop+jwt"}, "(typ)"),
        ({"alg": "ES256", "typ": "logout+jwt"}, "(typ)"),
        ({"alg": "ES256", "typ": "ID"}, "(typ)"),
        ({"alg": "ES256", "typ": 3}, "(typ)"),
        ({"alg": "ES256", "kid": 3}, "(kid)"),
        ({"alg": "ES256", "kid": "k" * 501}, "(kid)"),
    ],
)
def test_a_header_that_is_not_of_an_access_token_is_refused(header: dict[str, Any], said: str) -> None:
    with pytest.raises(TokenRefusedError) as refused:
        signed_by(header)

    assert said in str(refused.value)


@pytest.mark.parametrize(
    "kind", [None, "JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt", "application/JWT"]
)
def test_the_type_of_an_access_token_is_written_in_several_ways(kind: str | None) -> None:
    header = {"alg": "PS256", "kid": "k", "jku": "https://evil.example"}

    assert signed_by(header if kind is None else {**header, "typ": kind}).key_id == "k"


VALUES = (
    None,
    True,
    0,
    -1,
    NOW,
    NOW + 1,
    NOW - 31,
    1e12,
    float("nan"),
    "",
    ISSUER,
    RESOURCE,
    "tools:find",
    "a b",
)
PLAIN = st.sampled_from(VALUES)
JSON = (
    PLAIN | st.lists(PLAIN, max_size=3) | st.dictionaries(st.sampled_from(["a", RESOURCE]), PLAIN, max_size=2)
)
NAMES = ("iss", "aud", "sub", "exp", "nbf", "iat", "nonce", "typ", "cnf", "scope", "scp", "groups")


@given(st.dictionaries(st.sampled_from(NAMES), JSON, max_size=len(NAMES)))
def test_whatever_a_token_says_nobody_gets_more_than_it_names(changed: dict[str, Any]) -> None:
    """Either it is refused, or all of it holds: issuer, audience, time, kind; and scopes and groups are in it."""
    claims = {**GOOD, **changed}
    try:
        found = identity_of(claims, EXPECTED, now=NOW)
    except TokenRefusedError:
        return
    text = json.dumps([claims.get("scope"), claims.get("scp")])
    assert claims["iss"] == ISSUER
    assert RESOURCE in ([claims["aud"]] if isinstance(claims["aud"], str) else claims["aud"])
    assert found.expires_at == claims["exp"] > NOW - LEEWAY_S
    assert "nonce" not in claims
    assert "cnf" not in claims
    assert all(str(scope) in text for scope in found.scopes)
    groups = claims.get("groups")
    listed = [groups] if isinstance(groups, str) else groups if isinstance(groups, list) else []
    assert all(value.removeprefix(f"{ISSUER}|") in listed for value in found.values)
    assert not is_operator(found.caller(frozenset()))


@given(st.sampled_from(["operator", "caller:bot", "", "|", "a"]) | st.text("|:abc", max_size=40))
def test_nobody_of_an_issuer_is_the_operator_or_a_caller_of_the_file(subject: str) -> None:
    """Whatever it calls them."""
    found = Identity(ISSUER, subject, frozenset(), frozenset(), NOW)

    assert not is_operator(found.caller(frozenset()))
    assert not found.id.startswith("caller:")


def test_groups_are_those_that_policies_name_for_a_value() -> None:
    """A value by itself is no group, and the same value of another issuer is another one."""
    book = RuleBook(
        (),
        {
            "support": frozenset({f"{ISSUER}|helpdesk", f"{ISSUER}|desk"}),
            "all": frozenset({f"{ISSUER}|helpdesk"}),
            "other": frozenset({"https://other.example|helpdesk"}),
        },
    )

    assert book.groups_meant_by(frozenset({f"{ISSUER}|helpdesk", f"{ISSUER}|support"})) == {"support", "all"}
    assert book.groups_meant_by(frozenset({f"{ISSUER}|desk"})) == {"support"}
    assert book.groups_meant_by(frozenset({"support", "helpdesk"})) == frozenset()


@pytest.mark.parametrize(
    ("url", "metadata"),
    [
        (
            "https://tools.example.com/mcp",
            "https://tools.example.com/.well-known/oauth-protected-resource/mcp",
        ),
        ("https://tools.example.com", "https://tools.example.com/.well-known/oauth-protected-resource"),
        (
            "https://tools.example.com:8443/outfitter/mcp",
            "https://tools.example.com:8443/.well-known/oauth-protected-resource/outfitter/mcp",
        ),
    ],
)
def test_metadata_stands_where_rfc_9728_has_it(url: str, metadata: str) -> None:
    found = ProtectedResource(url, ISSUER)

    assert found.metadata_url == metadata
    assert "/.well-known/oauth-protected-resource/mcp" in found.metadata_paths
    assert "/.well-known/oauth-protected-resource" in found.metadata_paths
    assert metadata.removeprefix("https://").partition("/")[2] in {one[1:] for one in found.metadata_paths}
    assert found.metadata()["authorization_servers"] == [ISSUER]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("http://tools.example.com/mcp", "not an https address"),
        ("tools.example.com/mcp", "not an https address"),
        ("ftp://tools.example.com/mcp", "not an https address"),
        ("https:///mcp", "not an https address"),
        ("https://u:p@tools.example.com/mcp", "not an https address"),
        ("https://tools.example.com/mcp#x", "a query or a fragment"),
        ("https://tools.example.com/mcp#", "a query or a fragment"),
        ("https://tools.example.com/mcp?a=b", "a query or a fragment"),
        ('https://tools.example.com/m"cp', "signs that no address has"),
        ("https://tools.example.com/m cp", "signs that no address has"),
        ("https://tools.example.com/m|cp", "signs that no address has"),
        ("https://tools.example.com/{tenant}/mcp", "signs that no address has"),
        ("https://tools.exämple.com/mcp", "signs that no address has"),
        ("https://tools.example.com:x/mcp", "is no address"),
    ],
)
def test_an_address_that_nobody_could_trust_is_refused(text: str, said: str) -> None:
    for check in (check_resource, check_issuer):
        with pytest.raises(InvalidInputError) as refused:
            check(text)
        assert said in str(refused.value)


def test_addresses_are_kept_as_they_are_written() -> None:
    """An issuer may end with a slash, as those of Auth0 do; loopback needs no TLS."""
    assert check_issuer("https://tenant.auth0.com/") == "https://tenant.auth0.com/"
    assert check_issuer("http://127.0.0.1:8080/realms/a") == "http://127.0.0.1:8080/realms/a"
    assert check_resource("http://localhost:8000/mcp") == "http://localhost:8000/mcp"
    with pytest.raises(InvalidInputError, match="ends with a slash"):
        check_resource("https://tools.example.com/mcp/")
