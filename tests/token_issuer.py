"""An OpenID issuer on loopback, with keys of its own: tokens of every kind, keys that change, and times when it is away."""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from tests.http_server import Asked, Handler, Recorded, web_server

RESOURCE = "http://localhost/mcp"
"""What tokens of tests are for."""
KIND = {"RS256": "RSA", "PS256": "RSA", "ES256": "EC", "EdDSA": "OKP", "ES384": "EC-384", "RS512": "RSA"}


@cache
def private_key(kind: str, name: str = "first") -> Any:
    """A key of its own for each name."""
    match kind:
        case "RSA":
            return rsa.generate_private_key(65537, 2048)
        case "RSA-1024":
            return rsa.generate_private_key(65537, 1024)
        case "EC":
            return ec.generate_private_key(ec.SECP256R1())
        case "EC-384":
            return ec.generate_private_key(ec.SECP384R1())
        case _:
            return ed25519.Ed25519PrivateKey.generate()


def published(kind: str, name: str = "first", **more: Any) -> dict[str, Any]:
    """The public half, as a set of keys has it."""
    public = private_key(kind, name).public_key()
    algorithm: Any = (
        OKPAlgorithm if kind == "OKP" else RSAAlgorithm if kind.startswith("RSA") else ECAlgorithm
    )
    return {**algorithm.to_jwk(public, as_dict=True), "kid": f"{kind}-{name}", **more}


@dataclass
class Issuer:
    """What it says, which a test changes."""

    url: str = ""
    recorded: Recorded = field(default_factory=lambda: Recorded(""))
    keys: list[dict[str, Any]] = field(
        default_factory=lambda: [published(kind) for kind in ("RSA", "EC", "OKP")]
    )
    status: int = 200
    """Of every answer."""
    said: dict[str, Any] = field(default_factory=dict)
    """Changes of its description."""
    only: str = ""
    """The one place where it describes itself; empty: both."""
    slow_s: float = 0.0
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    clients: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Registered ones."""

    def asked(self, place: str) -> int:
        """How often a place was asked for."""
        return sum(one.target.partition("?")[0].endswith(place) for one in self.recorded.asked)

    def claims(self, **changed: Any) -> dict[str, Any]:
        """Of a good token; None takes one out."""
        now = int(time.time())
        good = {
            "iss": self.url,
            "aud": RESOURCE,
            "sub": "ada",
            "iat": now,
            "exp": now + 300,
            "scope": "openid tools:find tools:plan tools:call",
            "groups": ["helpdesk"],
        }
        return {name: value for name, value in {**good, **changed}.items() if value is not None}

    def token(
        self,
        algorithm: str = "ES256",
        *,
        key: str = "first",
        header: Mapping[str, Any] | None = None,
        signed_with: Any = None,
        **changed: Any,
    ) -> str:
        """A good token, but for what is changed."""
        kind = KIND.get(algorithm, "EC")
        headers = {"kid": f"{kind}-{key}", "typ": "at+jwt", **(header or {})}
        with_key = private_key(kind, key) if signed_with is None else signed_with
        claims = self.claims(**changed)
        payload = json.dumps(claims).encode()
        shown = {name: value for name, value in headers.items() if value is not None}
        return jwt.api_jws.PyJWS().encode(payload, with_key, algorithm, {"typ": "", **shown})

    def answer(self, handler: Handler, asked: Asked) -> None:
        """One request."""
        if self.slow_s:
            time.sleep(self.slow_s)
        path = urlsplit(asked.target).path
        if self.status != 200:
            handler.reply(self.status)
        elif "/.well-known/" in path and path in self._places():
            handler.reply(200, json.dumps(self.description()).encode())
        elif path.endswith("/jwks"):
            handler.reply(200, json.dumps({"keys": self.keys}).encode())
        elif path.endswith("/register"):
            handler.reply(201, json.dumps(self._registered(json.loads(asked.body))).encode())
        elif path.endswith("/authorize"):
            self._authorize(handler, asked)
        elif path.endswith("/token"):
            self._give_token(handler, asked)
        else:
            handler.reply(404)

    def description(self) -> dict[str, Any]:
        """RFC 8414, and what OpenID Connect Discovery adds."""
        base = self.url.rstrip("/")
        return {
            "issuer": self.url,
            "jwks_uri": f"{base}/jwks",
            "authorization_endpoint": f"{base}/authorize",
            "token_endpoint": f"{base}/token",
            "registration_endpoint": f"{base}/register",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "authorization_response_iss_parameter_supported": True,
            **self.said,
        }

    def _places(self) -> set[str]:
        path = urlsplit(self.url).path.rstrip("/")
        both = {f"{path}/.well-known/openid-configuration", f"/.well-known/oauth-authorization-server{path}"}
        return {one for one in both if self.only in one}

    def _registered(self, asked: dict[str, Any]) -> dict[str, Any]:
        """RFC 7591: a public client."""
        found = {**asked, "client_id": secrets.token_hex(8), "token_endpoint_auth_method": "none"}
        self.clients[found["client_id"]] = found
        return found

    def _authorize(self, handler: Handler, asked: Asked) -> None:
        """A code at once: whoever asks agrees."""
        given = {name: values[0] for name, values in parse_qs(urlsplit(asked.target).query).items()}
        client = self.clients[given["client_id"]]
        assert given["redirect_uri"] in client["redirect_uris"]
        assert given["response_type"] == "code"
        assert given["code_challenge_method"] == "S256"
        code = secrets.token_hex(16)
        self.codes[code] = given
        back = urlencode({"code": code, "state": given["state"], "iss": self.url})
        handler.reply(302, Location=f"{given['redirect_uri']}?{back}")

    def _give_token(self, handler: Handler, asked: Asked) -> None:
        """For a code, once, to whoever knows what its challenge was made of."""
        given = {name: values[0] for name, values in parse_qs(asked.body.decode()).items()}
        code = self.codes.pop(given["code"])
        digest = hashlib.sha256(given["code_verifier"].encode()).digest()
        assert base64.urlsafe_b64encode(digest).decode().rstrip("=") == code["code_challenge"]
        assert given["resource"] == code["resource"]
        token = self.token(aud=given["resource"], scope=code.get("scope", ""))
        answer = {
            "access_token": token,
            "token_type": "Bearer",
            "expires_in": 300,
            "scope": code.get("scope", ""),
        }
        handler.reply(200, json.dumps(answer).encode(), Cache_Control="no-store")


@contextmanager
def token_issuer(path: str = "") -> Iterator[Issuer]:
    """An issuer on a free port, its address with this path."""
    issuer = Issuer()
    with web_server(issuer.answer) as recorded:
        issuer.url, issuer.recorded = recorded.url + path, recorded
        yield issuer


def unsigned(issuer: Issuer) -> str:
    """`alg: none`."""
    parts = (json.dumps({"alg": "none", "typ": "JWT"}), json.dumps(issuer.claims()))
    return ".".join([*(base64.urlsafe_b64encode(one.encode()).decode().rstrip("=") for one in parts), ""])
