"""The official MCP client with its OAuth provider, against the service as a process and an issuer of the tests.

It is refused, reads where tokens are to be had, registers, lets somebody agree, exchanges the code with PKCE, asks again,
and gets more scopes when a call takes them. The server that is called sees nothing of the token.
"""

import asyncio
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)

from tests.http_server import Recorded, web_server
from tests.ports import free_ports
from tests.service import Service, command, serving, wait_until
from tests.token_issuer import Issuer, token_issuer

ERAS = ("2026-07-28", "legacy")
BACK = "http://127.0.0.1:9/callback"
"""Where the issuer leads to; nobody has to listen there, since the address says it all."""
SHOP = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1"},
    "servers": [{"url": "https://shop.invalid"}],
    "paths": {
        "/orders/{order}": {
            "get": {
                "operationId": "find_order",
                "summary": "Find an order",
                "parameters": [
                    {"name": "order", "in": "path", "required": True, "schema": {"type": "string"}}
                ],
                "responses": {"200": {"description": "ok"}},
            }
        },
        "/vault": {"post": {"operationId": "open_vault", "summary": "Open the vault", "responses": {}}},
    },
}


@dataclass
class Kept:
    """What a client keeps; fits the SDK's `TokenStorage`."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@dataclass
class Person:
    """Agrees to whatever is asked, as a browser would be led through it."""

    agreed: list[dict[str, list[str]]] = field(default_factory=list)
    led_to: str = ""

    async def open(self, address: str) -> None:
        self.agreed.append(parse_qs(urlsplit(address).query))
        async with httpx2.AsyncClient() as browser:
            answer = await browser.get(address)
        assert answer.status_code == 302
        self.led_to = answer.headers["location"]

    async def come_back(self) -> AuthorizationCodeResult:
        said = {name: values[0] for name, values in parse_qs(urlsplit(self.led_to).query).items()}
        return AuthorizationCodeResult(code=said["code"], state=said["state"], iss=said["iss"])


def provider(url: str, kept: Kept, person: Person) -> OAuthClientProvider:
    metadata = OAuthClientMetadata.model_validate({"client_name": "desk", "redirect_uris": [BACK]})
    return OAuthClientProvider(url, metadata, kept, person.open, person.come_back)


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    with token_issuer("/realms/staff") as found:
        yield found


@pytest.fixture(scope="module")
def api() -> Iterator[Recorded]:
    with web_server(lambda handler, _: handler.reply(200, b'{"status": "paid"}')) as found:
        yield found


@pytest.fixture(scope="module")
def service(issuer: Issuer, api: Recorded, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """With an issuer and policies; without a token and callers of its own."""
    folder = tmp_path_factory.mktemp("oauth")
    (folder / "shop.json").write_text(json.dumps(SHOP))
    source = {"id": "shop", "kind": "openapi", "uri": "shop.json"}
    call = {"allow": ["shop/*"], "base_url": api.url}
    (folder / "sources.yaml").write_text(json.dumps({"sources": [{**source, "call": call}]}))
    policies = {
        "groups": {"support": {"oidc": [f"{issuer.url}|helpdesk"]}},
        "policies": [{"id": "a", "to": ["support"], "may": ["call"], "tools": ["shop/find_*"]}],
    }
    (folder / "policies.yaml").write_text(json.dumps(policies))
    done = command("ingest", "openapi", folder / "shop.json", data_dir=folder / "data")
    assert done.returncode == 0, done.stderr
    (port,) = free_ports(1)
    with serving(
        folder / "data",
        "--port",
        str(port),
        OUTFITTER_OIDC_ISSUER=issuer.url,
        OUTFITTER_RESOURCE=f"http://127.0.0.1:{port}/mcp",
        OUTFITTER_POLICIES=str(folder / "policies.yaml"),
        OUTFITTER_SOURCES=str(folder / "sources.yaml"),
        OUTFITTER_PROXY="true",
    ) as found:
        token = issuer.token(aud=f"{found.url}/mcp")
        wait_until(lambda: _status(found, token) == 200)
        yield found


def _status(service: Service, token: str) -> int:
    return httpx2.get(f"{service.url}/v1/facets", headers={"Authorization": f"Bearer {token}"}).status_code


@pytest.mark.parametrize("era", ERAS)
def test_the_official_client_gets_its_token_by_itself(
    service: Service, issuer: Issuer, api: Recorded, era: str
) -> None:
    kept, person = Kept(), Person()
    url = f"{service.url}/mcp"
    api.asked.clear()

    async def go() -> dict[str, Any]:
        async with (
            httpx2.AsyncClient(auth=provider(url, kept, person), timeout=30) as http,
            Client(streamable_http_client(url, http_client=http), mode=era) as client,
        ):
            listed = await client.list_tools()
            found = await client.call_tool("search_tools", {"query": "order vault", "top_k": 5})
            before = len(person.agreed)
            called = await client.call_tool(
                "call_tool", {"id": "shop/find_order", "arguments": {"order": "7"}}
            )
            return {
                "names": [tool.name for tool in listed.tools],
                "found": [tool["id"] for tool in (found.structured_content or {})["tools"]],
                "before": before,
                "called": called.structured_content,
            }

    said = asyncio.run(go())

    assert "call_tool" in said["names"]
    assert said["found"] == ["shop/find_order"]
    assert said["called"]["body"] == {"status": "paid"}
    # The first token is for finding alone; the call takes another scope, which is asked for beside it.
    assert said["before"] == 1
    assert [asked["scope"] for asked in person.agreed] == [["tools:find"], ["tools:find tools:call"]]
    assert all(asked["resource"] == [url] for asked in person.agreed)
    assert all(asked["code_challenge_method"] == ["S256"] for asked in person.agreed)
    assert kept.client is not None
    assert kept.client.issuer == issuer.url
    assert kept.tokens is not None
    (to_the_shop,) = api.asked
    assert "authorization" not in to_the_shop.headers
    assert kept.tokens.access_token not in str(to_the_shop)
    written = (service.log.parent / "data" / "calls.jsonl").read_text() + service.log.read_text()
    assert f"{issuer.url}|ada" in written
    assert kept.tokens.access_token not in written


def test_a_stream_ends_with_the_token_of_its_client(service: Service, issuer: Issuer) -> None:
    """Not before, and without an error: the client may come again with another one."""
    url = f"{service.url}/mcp"
    # Long enough for a client to come in on a busy machine.
    token = issuer.token(aud=url, exp=int(time.time()) + 10)

    async def go() -> float:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30) as http,
            Client(streamable_http_client(url, http_client=http), mode="2026-07-28") as client,
            client.listen(tools_list_changed=True) as changes,
        ):
            begin = time.monotonic()
            assert [change async for change in changes] == []
            return time.monotonic() - begin

    assert 0.5 < asyncio.run(asyncio.wait_for(go(), 40)) < 20
