"""Small OpenAPI documents for the tests, and what the reader makes of them."""

import json

from app.domain.language.accepted_text import TextLimits
from app.domain.nodes.models import NodeKind
from ingest.cards import Origin
from ingest.sources.openapi.reader import Selection, parse_openapi

LIMITS = TextLimits(text_bytes=100_000, schema_bytes=1_000_000)


def document(paths=None, version="3.1.0", **more):
    key = "swagger" if version == "2.0" else "openapi"
    return {
        key: version,
        "info": {"title": "T", "version": "7"},
        "paths": {} if paths is None else paths,
        **more,
    }


def read(value, *, uri="shop.json", limits=LIMITS, selection=None, root=None):
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return parse_openapi(
        data,
        Origin("openapi", "shop", str(uri), "t", limits),
        selection=selection or Selection(),
        root=root,
    )


def tools(parsed):
    return {card.properties["name"]: card for card in parsed.cards if card.kind is NodeKind.TOOL}


def inputs(parsed, name):
    return json.loads(tools(parsed)[name].properties["input_schema"])


def answer(parsed, name):
    return json.loads(tools(parsed)[name].properties["output_schema"])


def get(schema, **more):
    """An operation that answers with a schema."""
    content = {"application/json": {"schema": schema}}
    return {"operationId": "get", "responses": {"200": {"description": "", "content": content}}, **more}


def post(schema, media_type="application/json", *, required=True, **more):
    """An operation that takes a schema."""
    body = {"required": required, "content": {media_type: {"schema": schema}}}
    return {"operationId": "post", "requestBody": body, "responses": {}, **more}
