"""What a token of an issuer costs whoever gets it: new, so that its signature is checked, and known."""

import json
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt import PyJWS
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from app.adapters.oidc.keys import IssuerKeys
from app.adapters.oidc.published import parse_keys
from app.adapters.oidc.tokens import OidcTokens
from app.domain.access.claims import ALGORITHMS, ExpectedTokens

_ISSUER: Final = "https://login.example"
_RESOURCE: Final = "https://tools.example/mcp"
_GROUPS: Final = 20
"""Of one who asks; providers put up to 200 into a token."""
_TOKENS: Final = 500
_ENDS_S: Final = 3600


@dataclass(frozen=True, slots=True)
class TokenCost:
    """Median microseconds over tokens that are all different."""

    new_us: float
    known_us: float


def measure_issued() -> Mapping[str, TokenCost]:
    """By the algorithm that signs, of each that is accepted."""
    return {algorithm: _cost(algorithm) for algorithm in ALGORITHMS}


def _cost(algorithm: str) -> TokenCost:
    private, public = _pair(algorithm)
    keys = parse_keys({"keys": [{**public, "kid": "1", "use": "sig"}]})
    sign = PyJWS()
    now = time.time()
    claims = {"iss": _ISSUER, "aud": _RESOURCE, "iat": int(now), "exp": int(now) + _ENDS_S}
    claims |= {"scope": "tools:find tools:plan", "groups": [f"group-{at}" for at in range(_GROUPS)]}
    tokens = [
        sign.encode(_payload({**claims, "sub": f"somebody-{at}"}), private, algorithm, {"kid": "1"})
        for at in range(_TOKENS)
    ]
    expected = ExpectedTokens(_ISSUER, frozenset({_RESOURCE}))
    with OidcTokens(expected, IssuerKeys(lambda: keys)) as verifier:
        # The first one waits for the keys.
        verifier.verify(tokens[0])
        return TokenCost(_median_us(verifier.verify, tokens[1:]), _median_us(verifier.known, tokens[1:]))


def _pair(algorithm: str) -> tuple[Any, dict[str, Any]]:
    """A key, and the half of it that an issuer publishes."""
    if algorithm in ("RS256", "PS256"):
        one = rsa.generate_private_key(65537, 2048)
        return one, RSAAlgorithm.to_jwk(one.public_key(), as_dict=True)
    if algorithm == "ES256":
        two = ec.generate_private_key(ec.SECP256R1())
        return two, ECAlgorithm.to_jwk(two.public_key(), as_dict=True)
    three = ed25519.Ed25519PrivateKey.generate()
    return three, OKPAlgorithm.to_jwk(three.public_key(), as_dict=True)


def _payload(claims: Mapping[str, Any]) -> bytes:
    return json.dumps(claims).encode()


def _median_us(ask: Callable[[str], object], tokens: Sequence[str]) -> float:
    times = []
    for one in tokens:
        begin = time.perf_counter()
        ask(one)
        times.append(time.perf_counter() - begin)
    return statistics.median(times) * 1e6
