"""Tools written as one line each, for tests of dependencies and plans."""

import json
from collections.abc import Mapping, Sequence

from app.domain.nodes.models import Tool, ToolId

Schema = Mapping[str, object]
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
DATE: Schema = {"type": "string", "format": "date"}


def record(title: str, *fields: str) -> Schema:
    """An object with text fields; `total:integer` says another type."""
    typed = (field.partition(":") for field in fields)
    return {
        "title": title,
        "type": "object",
        "properties": {name: {"type": kind or "string"} for name, _, kind in typed},
    }


def page(name: str, item: Schema) -> Schema:
    """An object around a list of records."""
    return {"type": "object", "properties": {name: {"type": "array", "items": item}}}


def call(
    line: str,
    name: str,
    title: str,
    *,
    query: Sequence[str] = (),
    body: Sequence[str] | Mapping[str, Schema] = (),
    optional: Mapping[str, Schema] | None = None,
    details: Mapping[str, Schema] | None = None,
    description: str = "",
    answer: Schema | None = None,
    server: str = "shop",
    category: str = "",
    deprecated: bool = False,
) -> Tool:
    """`line` is method and path. Path inputs are required, query ones optional, body ones required.

    `optional` are further inputs of the body; `details` add to the schemas of inputs that are there already.
    """
    method, _, path = line.partition(" ")
    properties: dict[str, dict[str, object]] = {}
    required: list[str] = []
    for part in path.split("/"):
        if part.startswith("{"):
            properties[part[1:-1]] = {"type": "string", "x-in": "path"}
            required.append(part[1:-1])
    properties |= {item: {"type": "string", "x-in": "query"} for item in query}
    parts = body if isinstance(body, Mapping) else {item: {"type": "string"} for item in body}
    properties |= {item: {**schema, "x-in": "body"} for item, schema in parts.items()}
    required += list(parts)
    properties |= {item: {**schema, "x-in": "body"} for item, schema in (optional or {}).items()}
    for item, schema in (details or {}).items():
        properties[item] |= schema
    return Tool(
        id=ToolId(f"{server}/{name}"),
        server=server,
        name=name,
        title=title,
        description=description,
        input_schema=json.dumps({"type": "object", "properties": properties, "required": required}),
        output_schema=json.dumps(answer) if answer else "",
        method=method,
        path=path,
        read_only=method == "GET" if method else None,
        destructive=method == "DELETE",
        idempotent=None,
        open_world=None,
        deprecated=deprecated,
        declared=False,
        categories=(category,) if category else (),
        content_hash="",
    )


ORDER = record("Order", "orderId", "status", "total:number", "createdAt")
PAYMENT = record("Payment", "paymentId", "orderId", "amount:number", "status")
PRODUCT = record("Product", "productId", "name", "price:number")


def shop() -> list[Tool]:
    """An order API as many are: lists, items, actions on items, nothing annotated."""
    return [
        call("GET /orders", "listOrders", "List orders", query=["status"], answer=page("orders", ORDER)),
        call("POST /orders", "createOrder", "Create an order", body=["productId"], answer=ORDER),
        call("GET /orders/{orderId}", "getOrder", "Get an order", answer=ORDER),
        call("DELETE /orders/{orderId}", "deleteOrder", "Delete an order"),
        call("POST /orders/{orderId}/cancel", "cancelOrder", "Cancel an order", answer=ORDER),
        call(
            "GET /orders/{orderId}/payments",
            "listOrderPayments",
            "List the payments of an order",
            answer=page("payments", PAYMENT),
        ),
        call("GET /payments/{paymentId}", "getPayment", "Get a payment", answer=PAYMENT),
        call(
            "POST /payments/{paymentId}/refunds",
            "refundPayment",
            "Refund a payment",
            body={"amount": {"type": "number"}},
            answer=record("Refund", "refundId"),
        ),
        call("GET /products", "listProducts", "List products", query=["q"], answer=page("products", PRODUCT)),
    ]
