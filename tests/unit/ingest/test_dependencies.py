"""Which call fills which input of another."""

from app.domain.nodes.dependencies import PRODUCERS_KEPT, Evidence, Requirement
from app.domain.nodes.models import Tool
from bench.generated.same_shape import same_shape_tools
from ingest.enrich.requires.dependencies import (
    ServerIndexes,
    infer_dependencies,
    looks_elsewhere,
    moved_slots,
    servers_to_infer,
)
from tests.calls import call, page, record, shop


def producers(tools: list[Tool], consumer: str, parameter: str) -> list[str]:
    edges = infer_dependencies(tools).requires
    found = [e for e in edges if e.consumer == consumer and e.parameter == parameter]
    return [edge.producer.split("/", 1)[1] for edge in sorted(found, key=lambda edge: edge.rank)]


def edge(tools: list[Tool], consumer: str, producer: str) -> Requirement:
    return next(
        e for e in infer_dependencies(tools).requires if (e.consumer, e.producer) == (consumer, producer)
    )


def test_a_list_of_the_entity_is_its_best_producer() -> None:
    assert producers(shop(), "shop/cancelOrder", "orderId")[0] == "listOrders"


def test_an_edge_says_where_the_value_stands_and_why() -> None:
    found = edge(shop(), "shop/cancelOrder", "shop/listOrders")
    assert (found.field, found.evidence, found.rank, found.required) == (
        "/orders/*/orderId",
        Evidence.SCHEMA,
        1,
        True,
    )
    assert 0.7 < found.confidence <= 1


def test_a_call_that_needs_the_value_itself_ranks_below_one_that_finds_it() -> None:
    found = producers(shop(), "shop/cancelOrder", "orderId")
    assert found.index("listOrders") < found.index("getOrder")


def test_a_delete_gives_nothing() -> None:
    found = infer_dependencies(shop()).requires
    assert "shop/deleteOrder" not in {e.producer for e in found if e.rank <= 3}


def test_values_that_callers_set_have_no_producer() -> None:
    assert producers(shop(), "shop/refundPayment", "amount") == []
    assert producers(shop(), "shop/listOrders", "status") == []


def test_a_bare_id_in_a_path_is_that_of_the_noun_before_it() -> None:
    tools = [
        call("GET /pets", "listPets", "List pets", answer={"type": "array", "items": record("Pet", "id")}),
        call(
            "GET /owners",
            "listOwners",
            "List owners",
            answer={"type": "array", "items": record("Owner", "id")},
        ),
        call("POST /pets/{id}/feed", "feedPet", "Feed a pet"),
    ]
    assert producers(tools, "shop/feedPet", "id")[0] == "listPets"
    assert edge(tools, "shop/feedPet", "shop/listPets").field == "/*/id"


def test_without_an_answer_schema_the_collection_before_the_parameter_is_taken() -> None:
    tools = [
        call("GET /boxes", "boxes", ""),
        call("POST /boxes/{box}/open", "openBox", ""),
    ]
    found = edge(tools, "shop/openBox", "shop/boxes")
    assert (found.field, found.evidence) == ("", Evidence.PATH)


def test_what_a_create_is_given_for_its_own_thing_comes_from_nowhere() -> None:
    tools = [
        call(
            "GET /clients",
            "clients",
            "List clients",
            answer={"type": "array", "items": record("Client", "client_uri")},
        ),
        call("POST /clients", "createClient", "Create a client", body=["client_uri"]),
    ]
    assert producers(tools, "shop/createClient", "client_uri") == []


def test_tools_without_paths_are_matched_by_their_schemas() -> None:
    tools = [
        call(
            "",
            "list_tickets",
            "List tickets",
            answer=page("tickets", record("Ticket", "ticket_id", "subject")),
        ),
        call("", "close_ticket", "Close a ticket", body=["ticket_id"]),
    ]
    assert producers(tools, "shop/close_ticket", "ticket_id") == ["list_tickets"]


def test_a_veto_takes_a_pair_out_and_the_ranks_close_up() -> None:
    found = infer_dependencies(shop(), vetoes={("shop/cancelOrder", "shop/listOrders")})
    own = [e for e in found.requires if e.consumer == "shop/cancelOrder"]
    assert "shop/listOrders" not in {e.producer for e in own}
    assert [e.rank for e in own] == list(range(1, len(own) + 1))
    assert ("shop/listOrders", "shop/cancelOrder") not in {(e.first, e.then) for e in found.precedes}


def test_reading_an_item_precedes_deleting_it_where_nothing_is_taken_from_it() -> None:
    found = infer_dependencies(shop(), vetoes=set())
    needed = {(e.producer, e.consumer) for e in found.requires if e.rank <= 3}
    pairs = {(e.first, e.then) for e in found.precedes}
    assert not pairs & needed
    assert ("shop/getOrder", "shop/deleteOrder") in pairs | needed


def test_edges_do_not_depend_on_the_order_of_the_tools() -> None:
    assert infer_dependencies(shop()) == infer_dependencies(reversed(shop()))


def test_a_declared_tool_takes_no_part() -> None:
    tools = [tool.model_copy(update={"declared": tool.name == "listOrders"}) for tool in shop()]
    assert "listOrders" not in producers(tools, "shop/cancelOrder", "orderId")


def test_edges_grow_with_inputs_not_with_their_square() -> None:
    """500 resources that look the same: the bound per input holds."""
    tools = same_shape_tools(500)
    found = infer_dependencies(tools)
    inputs = {(e.consumer, e.parameter) for e in found.requires}
    assert len(inputs) == 300
    assert len(found.requires) <= PRODUCERS_KEPT * len(inputs)
    first = {e.consumer: e.producer for e in found.requires if e.rank == 1}
    assert all(
        first[tool.id].split("/")[1] == "list" + tool.name.removeprefix("get")
        for tool in tools
        if tool.name.startswith("get")
    )


def billing() -> list[Tool]:
    return [
        call("POST /charges", "createCharge", "Charge", body=["shipmentId"], server="billing"),
        call(
            "GET /charges",
            "listCharges",
            "List charges",
            server="billing",
            answer=page("charges", record("Charge", "chargeId")),
        ),
    ]


def depot() -> list[Tool]:
    return [
        call(
            "GET /shipments",
            "listShipments",
            "List shipments",
            server="depot",
            answer=page("shipments", record("Shipment", "shipmentId")),
        )
    ]


def test_an_entity_that_only_another_source_has_is_found_there() -> None:
    assert producers([*billing(), *depot()], "billing/createCharge", "shipmentId") == ["listShipments"]


def test_an_entity_that_the_own_source_has_is_not_looked_for_elsewhere() -> None:
    own = call("GET /shipments", "ownShipments", "List shipments", server="billing")
    assert "listShipments" not in producers([*billing(), own, *depot()], "billing/createCharge", "shipmentId")


def test_a_word_that_every_source_has_joins_none() -> None:
    tools = [
        call("POST /charges", "createCharge", "Charge", body=["userId"], server="billing"),
        call("GET /users", "listUsers", "", server="depot", answer=page("users", record("User", "userId"))),
    ]
    assert producers(tools, "billing/createCharge", "userId") == []


def test_a_change_reaches_the_sources_that_name_its_entities() -> None:
    before = ServerIndexes([*billing(), *depot(), *shop()])
    after = ServerIndexes([*billing(), *shop()])
    moved = moved_slots({"depot"}, before=before, after=after)
    assert servers_to_infer({"depot"}, moved, after) == {"depot", "billing"}
    assert moved_slots({"depot", "shop"}, before=before, after=before) == frozenset()
    assert servers_to_infer({"shop"}, frozenset(), after) == {"shop"}


def test_only_who_names_a_foreign_entity_looks_elsewhere() -> None:
    indexes = ServerIndexes([*billing(), *depot(), *shop()])
    assert looks_elsewhere(indexes, {"billing"})
    assert not looks_elsewhere(indexes, {"depot", "shop", "unknown"})


def test_inferring_some_servers_gives_their_part_of_the_whole() -> None:
    tools = [*billing(), *depot(), *shop()]
    whole = infer_dependencies(tools)
    part = infer_dependencies(tools, only={"billing"})
    assert part.requires == tuple(e for e in whole.requires if e.consumer.startswith("billing/"))
    assert part.requires


def test_a_nested_body_names_its_part_by_pointer() -> None:
    line: dict[str, object] = {
        "type": "object",
        "properties": {"productId": {"type": "string"}},
        "required": ["productId"],
    }
    tools = [
        *shop(),
        call("POST /baskets", "fillBasket", "Fill", body={"lines": {"type": "array", "items": line}}),
    ]
    assert producers(tools, "shop/fillBasket", "/lines/*/productId")[0] == "listProducts"


def test_a_field_that_names_the_thing_goes_before_a_bare_id_where_the_input_names_it_too() -> None:
    reference = record("Reference", "tableId")
    tables = {"type": "object", "properties": {"id": {"type": "string"}, "tableReference": reference}}
    tools = [
        call("GET /tables", "listTables", "List tables", answer={"type": "array", "items": tables}),
        call("GET /tables/{tableId}", "getTable", "Get a table"),
        call("DELETE /tables/{id}/rows", "clearTable", "Clear a table"),
    ]
    assert edge(tools, "shop/getTable", "shop/listTables").field == "/*/tableReference/tableId"
    assert edge(tools, "shop/clearTable", "shop/listTables").field == "/*/id"


def test_edges_of_optional_inputs_are_less_sure() -> None:
    optional = call("GET /notes", "listNotes", "List notes", query=["orderId"])
    required = call("POST /notes/send", "sendNote", "Send a note", body=["orderId"])
    tools = [*shop(), optional, required]
    less, sure = (edge(tools, note, "shop/listOrders") for note in ("shop/listNotes", "shop/sendNote"))
    assert (less.required, sure.required) == (False, True)
    assert less.confidence < 0.9 * sure.confidence


def test_a_parameter_with_a_slash_in_its_name_stops_nothing() -> None:
    """Documents have them, by mistake; what comes after it is still understood."""
    tools = [
        call("GET /pets", "listPets", "List pets", answer={"type": "array", "items": record("Pet", "id")}),
        call("GET /pets/{petId}", "getPet", "Get a pet", answer=record("Pet", "id")).model_copy(
            update={"path": "/{kind/of}/pets/{petId}.json"}
        ),
    ]

    assert producers(tools, "shop/getPet", "petId") == ["listPets"]


REMOTE = [
    call(
        "GET /files.list",
        "files_list",
        "List files",
        query=("user",),
        answer={
            "type": "object",
            "properties": {"files": {"type": "array", "items": record("File", "id", "name")}},
        },
    ),
    call("POST /files.delete", "files_delete", "Delete a file", optional={"file": {"type": "string"}}),
    call(
        "POST /files.share",
        "files_share",
        "Share a file",
        optional={"file": {"type": "string"}, "user": {"type": "string"}},
    ),
]


def test_the_thing_of_a_remote_call_comes_from_its_list_though_nothing_is_required() -> None:
    for consumer in ("shop/files_delete", "shop/files_share"):
        found = edge(REMOTE, consumer, "shop/files_list")
        assert (found.parameter, found.field, found.required) == ("file", "/files/*/id", True)


def test_what_a_remote_call_takes_besides_its_thing_stays_optional() -> None:
    assert producers(REMOTE, "shop/files_share", "user") == []


def test_what_a_call_writes_is_no_thing_that_is_there() -> None:
    listed = call(
        "GET /notes.list", "notes_list", "List notes", answer=page("notes", record("Note", "id", "note"))
    )
    written = call("POST /notes.edit", "notes_edit", "Edit a note", optional={"note": {"type": "string"}})
    posted = call("POST /file", "file", "Send a file", optional={"file": {"type": "string"}})
    assert producers([listed, written], "shop/notes_edit", "note") == []
    assert producers([*REMOTE, posted], "shop/file", "file") == []
