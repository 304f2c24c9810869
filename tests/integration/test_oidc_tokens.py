"""Tokens of an issuer that answers on loopback: which are accepted, and when its keys are read."""

import base64
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from itertools import count
from typing import Any

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.adapters.oidc import tokens
from app.adapters.oidc.keys import IssuerKeys, KeyTimes
from app.adapters.oidc.published import metadata_addresses, parse_keys, read_keys
from app.adapters.oidc.tokens import KEPT_S, MAX_TOKEN_CHARS, OidcTokens
from app.domain.access.claims import ExpectedTokens
from app.errors import IssuerUnavailableError, OutfitterError, SourceRefusedError, TokenRefusedError
from tests.http_server import web_server
from tests.service import wait_until
from tests.token_issuer import RESOURCE, Issuer, private_key, published, token_issuer, unsigned

QUICK = KeyTimes(again_s=0.2, wait_s=20.0)


@contextmanager
def verifying(issuer: Issuer, times: KeyTimes = QUICK, **clocks: Callable[[], float]) -> Iterator[OidcTokens]:
    """What checks the tokens of an issuer, its keys read if it answers."""
    keys = IssuerKeys(partial(read_keys, issuer.url), times)
    keys.start()
    try:
        yield OidcTokens(ExpectedTokens(issuer.url, frozenset({RESOURCE})), keys, **clocks)
    finally:
        keys.stop()


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    with token_issuer() as found:
        yield found


@pytest.fixture(scope="module")
def verifier(issuer: Issuer) -> Iterator[OidcTokens]:
    with verifying(issuer) as found:
        yield found


@pytest.mark.parametrize("algorithm", ["RS256", "PS256", "ES256", "EdDSA"])
def test_a_token_of_the_issuer_names_its_holder(issuer: Issuer, verifier: OidcTokens, algorithm: str) -> None:
    """With each kind of key; the second time nothing has to be checked."""
    token = issuer.token(algorithm)

    assert verifier.known(token) is None
    found = verifier.verify(token)
    assert found.id == f"{issuer.url}|ada"
    assert found.values == {f"{issuer.url}|helpdesk"}
    assert verifier.known(token) is found


def _changed_payload(issuer: Issuer) -> str:
    head, _, signature = issuer.token().split(".")
    claims = json.dumps(issuer.claims(sub="eve")).encode()
    return f"{head}.{base64.urlsafe_b64encode(claims).decode().rstrip('=')}.{signature}"


def _signed_with_the_public_key(issuer: Issuer) -> str:
    """The published half as the secret of HS256."""
    public = str(published("RSA")["n"]).encode()
    return issuer.token("HS256", header={"kid": "RSA-first"}, signed_with=public)


def _with_a_key_of_its_own(issuer: Issuer, **header: Any) -> str:
    jwk = {name: value for name, value in published("EC", "evil").items() if name != "kid"}
    return issuer.token(key="evil", header={"kid": "EC-evil", "jwk": jwk, **header})


REFUSED: dict[str, tuple[Callable[[Issuer], str], str]] = {
    "no signature": (unsigned, "algorithm"),
    "a shared secret": (_signed_with_the_public_key, "algorithm"),
    "an algorithm that is not in the list": (lambda one: one.token("RS512"), "algorithm"),
    "another curve": (lambda one: one.token("ES384", header={"kid": "EC-first"}), "algorithm"),
    "a changed payload": (_changed_payload, "signature"),
    "the key of somebody else under a known name": (
        lambda one: one.token(key="evil", header={"kid": "EC-first"}),
        "signature",
    ),
    "an algorithm of another kind than its key": (
        lambda one: one.token("ES256", header={"kid": "RSA-first"}),
        "no key",
    ),
    "a key that is not published": (lambda one: one.token(key="evil"), "no key"),
    "a key in the token": (_with_a_key_of_its_own, "no key"),
    "extensions": (lambda one: one.token(header={"crit": ["exp"]}), "(crit)"),
    "the type of another token": (lambda one: one.token(header={"typ": "logout+jwt"}), "(typ)"),
    "another issuer": (lambda one: one.token(iss="https://evil.example"), "another issuer"),
    "another audience": (lambda one: one.token(aud="https://other.example/mcp"), "another resource"),
    "no audience": (lambda one: one.token(aud=None), "another resource"),
    "no end": (lambda one: one.token(exp=None), "when it ends"),
    "its end": (lambda one: one.token(exp=int(time.time()) - 31), "expired"),
    "not begun": (lambda one: one.token(nbf=int(time.time()) + 60), "not valid yet"),
    "nobody": (lambda one: one.token(sub=None), "whom it is about"),
    "an ID token": (lambda one: one.token(nonce="secret-nonce"), "no access token"),
    "an ID token by its hash": (lambda one: one.token(at_hash="x"), "no access token"),
    "an ID token of Keycloak": (lambda one: one.token(typ="ID"), "no access token"),
    "an ID token of Cognito": (lambda one: one.token(token_use="id"), "no access token"),
    "bound to a key": (lambda one: one.token(cnf={"jkt": "x"}), "bound to a key"),
    "no JWT": (lambda _: "a-secret-that-is-no-token", "is not one"),
    "five parts": (lambda one: one.token() + ".e30.e30", "is not one"),
    "a header that is no JSON": (lambda one: "e30x." + one.token().partition(".")[2], "JWT"),
    "a header that is a list": (lambda one: "W10." + one.token().partition(".")[2], "JWT"),
    "deep nesting": (
        lambda one: base64.urlsafe_b64encode(b"[" * 9_000).decode() + "." + "e30.e30",
        "JWT",
    ),
    "too long": (lambda one: one.token(sub="a" * MAX_TOKEN_CHARS), "longer than"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_token_is_refused_by_its_reason(issuer: Issuer, verifier: OidcTokens, what: str) -> None:
    """And what is said of it repeats nothing that stands in it."""
    make, said = REFUSED[what]
    token = make(issuer)

    with pytest.raises(TokenRefusedError) as refused:
        verifier.verify(token)

    assert said in str(refused.value)
    assert verifier.known(token) is None
    parts = [*token.split("."), "evil", "eve", "ada", "secret", issuer.url]
    assert not [part for part in parts if part and part in str(refused.value)]


ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.+/ \x00\x7fé"


@given(at=st.integers(0, 600), change=st.sampled_from(["put", "drop", "cut"]), sign=st.sampled_from(ALPHABET))
def test_no_other_token_than_the_one_that_was_signed_is_accepted(
    issuer: Issuer, verifier: OidcTokens, at: int, change: str, sign: str
) -> None:
    """With any character changed, left out, or all that follows it: refused in our own words, or the very same token."""
    good = _good(issuer.url)
    at %= len(good)
    end = {"put": sign + good[at + 1 :], "drop": good[at + 1 :], "cut": ""}[change]
    token = good[:at] + end
    try:
        found = verifier.verify(token)
    except TokenRefusedError:
        assert token != good
    else:
        # `=` behind a part is no part of it.
        assert token.replace("=", "") == good
        assert found.subject == "ada"


@cache
def _good(url: str) -> str:
    return Issuer(url).token()


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda data: data.decode("latin-1")))
def test_whatever_is_sent_as_a_token_is_refused(verifier: OidcTokens, token: str) -> None:
    for one in (token, f"{token}.{token}.{token}", f"eyJhbGciOiJFUzI1NiJ9.{token}.AAAA"):
        assert verifier.known(one) is None
        with pytest.raises(TokenRefusedError):
            verifier.verify(one)


def test_a_token_that_says_where_its_key_is_makes_us_ask_nobody(issuer: Issuer, verifier: OidcTokens) -> None:
    """`jku`, `x5u` and `jwk` are for those who trust the token already."""
    with web_server(lambda handler, _: handler.reply(200, json.dumps({"keys": []}).encode())) as evil:
        token = _with_a_key_of_its_own(issuer, jku=f"{evil.url}/jwks", x5u=f"{evil.url}/x5u")
        with pytest.raises(TokenRefusedError, match="no key"):
            verifier.verify(token)
        good = issuer.token(header={"jku": f"{evil.url}/jwks", "x5u": f"{evil.url}/x5u"})
        assert verifier.verify(good).subject == "ada"

    assert evil.asked == []


def test_a_key_that_is_too_short_checks_nothing() -> None:
    with token_issuer() as issuer:
        issuer.keys = [published("RSA-1024", kid="short")]
        with pytest.warns(jwt.InsecureKeyLengthWarning):
            token = issuer.token("RS256", header={"kid": "short"}, signed_with=private_key("RSA-1024"))
        with verifying(issuer) as verifier, pytest.raises(TokenRefusedError, match="signature"):
            verifier.verify(token)


def test_keys_that_are_not_for_us_are_left_out() -> None:
    """For encryption, secrets, other curves, other algorithms, halves that are missing; a private half is not taken up."""
    rsa = published("RSA")
    unusable: list[object] = [
        {**rsa, "kid": "enc", "use": "enc"},
        {**rsa, "kid": "sign", "key_ops": ["sign"]},
        {**rsa, "kid": "512", "alg": "RS512"},
        {"kty": "RSA", "kid": "half", "e": "AQAB"},
        {"kty": "oct", "kid": "secret", "k": "c2VjcmV0"},
        published("EC-384"),
        {**published("EC"), "kid": "bent", "x": "AAAA"},
        "key",
        None,
    ]
    found = parse_keys({"keys": [*unusable, {**rsa, "d": "AQAB", "alg": "PS256"}]})

    assert found.names == {"RSA-first"}
    assert set(found.by_id) == {("RSA-first", "PS256")}
    assert parse_keys({"keys": []}).names == frozenset()
    with pytest.raises(SourceRefusedError, match="no list"):
        parse_keys({"keys": {}})


def test_a_token_without_a_name_of_its_key_takes_the_only_one_there_is() -> None:
    with token_issuer() as issuer, verifying(issuer) as verifier:
        assert verifier.verify(issuer.token(header={"kid": None})).subject == "ada"
        issuer.keys.append(published("EC", "second"))
    with token_issuer() as issuer:
        issuer.keys = [published("EC"), published("EC", "second")]
        with verifying(issuer) as verifier, pytest.raises(TokenRefusedError, match="no key"):
            verifier.verify(issuer.token(header={"kid": None}))


def test_a_new_key_is_asked_for_once_in_a_while() -> None:
    """By the first token that names it; whoever makes names up makes nobody ask more often."""
    with token_issuer() as issuer, verifying(issuer, KeyTimes(again_s=0.3, wait_s=20.0)) as verifier:
        assert verifier.verify(issuer.token()).subject == "ada"
        issuer.keys = [published("EC", "second")]
        time.sleep(0.3)
        assert verifier.verify(issuer.token(key="second")).subject == "ada"
        # What was checked with the old key is known a while; nothing new is accepted with it.
        with pytest.raises(TokenRefusedError, match="no key"):
            verifier.verify(issuer.token(sub="eve"))
        before = issuer.asked("/jwks")
        begin = time.monotonic()
        for number in range(200):
            with pytest.raises(OutfitterError):
                verifier.verify(issuer.token(key="evil", header={"kid": f"made-up-{number}"}))
        assert issuer.asked("/jwks") - before <= 1 + (time.monotonic() - begin) / 0.3


def test_while_the_issuer_is_away_the_last_good_keys_serve_for_a_time() -> None:
    times = KeyTimes(kept_s=0.05, again_s=0.05, good_s=5.0, wait_s=1.0)
    numbers = count()
    with token_issuer() as issuer, verifying(issuer, times) as verifier:
        assert verifier.verify(issuer.token()).subject == "ada"
        issuer.status = 500
        before = len(issuer.recorded.asked)
        wait_until(lambda: len(issuer.recorded.asked) > before + 1)
        assert verifier.verify(issuer.token(sub="eve")).subject == "eve"
        # A token that was checked is known for longer than the keys are good here.
        wait_until(lambda: not _is_accepted(verifier, issuer.token(sub=f"eva-{next(numbers)}")))
        with pytest.raises(IssuerUnavailableError):
            verifier.verify(issuer.token(sub="eva"))
        issuer.status = 200
        wait_until(lambda: _is_accepted(verifier, issuer.token(sub="eva")))


def _is_accepted(verifier: OidcTokens, token: str) -> bool:
    try:
        return bool(verifier.verify(token))
    except OutfitterError:
        return False


def test_an_issuer_that_never_answered_refuses_nobody_and_lets_nobody_in() -> None:
    """Neither good tokens nor bad ones; they are asked to come again."""
    with token_issuer() as issuer:
        issuer.status = 503
        with verifying(issuer) as verifier, pytest.raises(IssuerUnavailableError, match="in a moment"):
            verifier.verify(issuer.token())


def test_a_slow_issuer_holds_up_only_few() -> None:
    """Those with keys that are known go on."""
    with token_issuer() as issuer, verifying(issuer, KeyTimes(again_s=0.0, wait_s=0.2)) as verifier:
        verifier.verify(issuer.token())
        issuer.slow_s = 3.0
        begin = time.monotonic()
        with pytest.raises(IssuerUnavailableError):
            verifier.verify(issuer.token(key="evil"))
        assert verifier.verify(issuer.token(sub="eva")).subject == "eva"
        assert time.monotonic() - begin < issuer.slow_s


@pytest.mark.parametrize("only", ["openid-configuration", "oauth-authorization-server"])
@pytest.mark.parametrize("path", ["", "/realms/staff", "/tenant/"])
def test_an_issuer_describes_itself_in_either_place(only: str, path: str) -> None:
    with token_issuer(path) as issuer:
        issuer.only = only
        assert "EC-first" in read_keys(issuer.url).names


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"issuer": "https://evil.example"}, "another issuer"),
        ({"issuer": None}, "another issuer"),
        ({"jwks_uri": None}, "jwks_uri"),
        ({"jwks_uri": "http://login.example/jwks"}, "not an https address"),
        ({"jwks_uri": "file:///etc/passwd"}, "not an https address"),
        ({"jwks_uri": "https://169.254.169.254/jwks"}, "never asked"),
        ({"jwks_uri": "https://10.0.0.1/jwks"}, "private address"),
        ({"jwks_uri": "https://[/jwks"}, "no address"),
    ],
)
def test_a_description_that_leads_elsewhere_is_not_followed(said: dict[str, Any], reason: str) -> None:
    with token_issuer() as issuer:
        issuer.said = said
        with pytest.raises(SourceRefusedError, match=reason):
            read_keys(issuer.url)


def test_a_redirect_is_not_followed() -> None:
    with web_server(lambda handler, asked: handler.reply(302, Location="/elsewhere")) as recorded:
        with pytest.raises(SourceRefusedError, match="redirect"):
            read_keys(recorded.url)
        assert {one.target for one in recorded.asked} == {
            address.removeprefix(recorded.url) for address in metadata_addresses(recorded.url)
        }


def test_what_is_known_ends_with_the_token_or_after_a_minute(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever comes first; and only some are kept."""
    now, clock = [time.time()], [0.0]
    with verifying(issuer, now=lambda: now[0], clock=lambda: clock[0]) as verifier:
        long, short = issuer.token(exp=int(now[0]) + 3600), issuer.token(exp=int(now[0]) + 20)
        verifier.verify(long)
        verifier.verify(short)
        now[0], clock[0] = now[0] + 21, clock[0] + 21
        assert verifier.known(long)
        assert verifier.known(short) is None
        assert verifier.verify(short)
        assert verifier.known(short) is None
        now[0], clock[0] = now[0] + 40, clock[0] + KEPT_S - 21
        assert verifier.known(long) is None
        with pytest.raises(TokenRefusedError, match="expired"):
            verifier.verify(short)
        monkeypatch.setattr(tokens, "MOST_KEPT", 3)
        many = [issuer.token(sub=f"one-{number}") for number in range(5)]
        for token in many:
            verifier.verify(token)
        assert [verifier.known(token) is not None for token in many] == [False, False, True, True, True]
