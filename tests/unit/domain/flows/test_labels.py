"""What is said of the flows of tools, and what names and schemas speak for."""

import json

import pytest

from app.domain.flows.inferred import is_made_by_service, names_party
from app.domain.flows.labels import counting, labels_of
from app.domain.flows.values import LabelEvidence
from app.domain.nodes.models import Label, StatedLabel, Tool, merged_labels
from tests.unit.catalogues import tool

UNTRUSTED, PRIVATE = Label.UNTRUSTED_CONTENT, Label.PRIVATE_DATA
SINK, DESTRUCTIVE = Label.EXTERNAL_SINK, Label.DESTRUCTIVE


def takes(*names: str) -> str:
    return json.dumps({"type": "object", "properties": {name: {"type": "string"} for name in names}})


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (tool("mail/search_emails", input_schema=takes("query")), {UNTRUSTED, PRIVATE}),
        (tool("mail/send_email", input_schema=takes("recipients", "subject", "body")), {SINK}),
        (tool("mail/delete_email", input_schema=takes("email_id")), {DESTRUCTIVE}),
        (tool("web/fetch_page", input_schema=takes("url")), {UNTRUSTED}),
        (tool("bank/get_balance"), {PRIVATE}),
        (tool("time/get_current_time"), set()),
        (tool("mail/search", input_schema=takes("query")), {UNTRUSTED, PRIVATE}),
        (tool("cal/create_event", input_schema=takes("title", "participants")), {SINK}),
        # How something is set up tells next to nothing.
        (tool("mail/get_email_template"), set()),
        # A name without a verb says what the answer is.
        (tool("desk/ticket_info"), {PRIVATE}),
        (tool("svg/html_formatter"), set()),
        # What somebody gives to have it looked up is not told by the answer.
        (tool("risk/get_address_risk", input_schema=takes("address")), set()),
        (tool("crm/get_address", input_schema=takes("customer_id")), {PRIVATE}),
        # Documentation is written by whoever publishes, a document by anybody.
        (tool("lib/search_docs", input_schema=takes("query")), set()),
        (tool("drive/search_documents", input_schema=takes("query")), {UNTRUSTED, PRIVATE}),
        # Whose service it is.
        (tool("reddit-reader/get_top", input_schema=takes("subreddit")), {UNTRUSTED}),
        (tool("my-jira/search_entities", input_schema=takes("query")), {UNTRUSTED, PRIVATE}),
        (tool("prod-k8s/list_pods"), {PRIVATE}),
        (tool("figma/get_styles_schema"), set()),
        # A shell does what it is told and says whatever comes out; keys are typed, not sent to anybody.
        (tool("box/shell_exec", input_schema=takes("command")), {UNTRUSTED, PRIVATE, DESTRUCTIVE}),
        (tool("mac/send_keys", input_schema=takes("keys")), set()),
        (tool("db/execute_sql_query", input_schema=takes("sql")), {PRIVATE, DESTRUCTIVE}),
        (tool("net/fetch", input_schema=takes("url", "method", "body")), {UNTRUSTED, SINK}),
        (tool("web/scrape_site"), {UNTRUSTED}),
        # The method in a name is no verb of its own.
        (tool("pay/post-sessions", method="POST", path="/sessions"), set()),
        (tool("hub/get_pull_request"), {UNTRUSTED}),
        (tool("my-bitbucket/get_pull_request"), {UNTRUSTED, PRIVATE}),
        (
            tool(
                "hub/create",
                method="POST",
                path="/issues/{number}/comments",
                input_schema=takes("number", "body"),
            ),
            {SINK},
        ),
        # What a call makes is the last word before a preposition.
        (tool("desk/add_comment_to_ticket", input_schema=takes("ticket_id", "body")), {SINK}),
        (tool("desk/create_issue_labels", input_schema=takes("names")), set()),
        (tool("hub/issue_write", input_schema=takes("title", "body")), {SINK}),
        # The verb stands behind the name of its service, or of its thing.
        (tool("wallets/wallet_send_message", input_schema=takes("recipient", "text")), {SINK}),
        (tool("desk/event_update_trigger", input_schema=takes("id")), {DESTRUCTIVE}),
        (tool("desk/create_or_update_entry", input_schema=takes("id")), {DESTRUCTIVE}),
        (tool("desk/create_text_block", input_schema=takes("text")), set()),
        (tool("disk/append_line", input_schema=takes("text")), set()),
        (tool("disk/write_file", input_schema=takes("path", "content")), {DESTRUCTIVE}),
        # Posting and putting send where others read it, or where any address and body are taken.
        (tool("site/post_article", input_schema=takes("title", "body")), {SINK}),
        (tool("wall/post_to_wall", input_schema=takes("text")), {SINK}),
        (tool("school/post_user_class", input_schema=takes("name")), set()),
        (tool("web/http_post", input_schema=takes("url", "value")), {SINK}),
        # How much, and to whom: it pays, and destroys nothing.
        (tool("chain/sui-transfer", input_schema=takes("amount", "recipient")), {SINK}),
        # A machine is no reader, and a model neither; a draft stays here.
        (tool("box/send_control_character", input_schema=takes("letter")), set()),
        (tool("claude-bridge/send-message", input_schema=takes("message")), set()),
        (tool("gemini-helper/send-email", input_schema=takes("to", "body")), {SINK}),
        (tool("x/generate_reply_to_tweet", input_schema=takes("tweet")), set()),
        # Code that is carried out may do anything.
        (tool("lab/run_python", input_schema=takes("code")), {DESTRUCTIVE}),
        (tool("lab/eval", input_schema=takes("code")), {DESTRUCTIVE}),
        # What everybody may look up: a place, a coin, somebody by a public name.
        (tool("geo/list_places", input_schema=takes("latitude", "longitude")), set()),
        (tool("trips/get_airport_locations"), set()),
        (tool("eth-reader/get_balance", input_schema=takes("address")), set()),
        (tool("records/get_user_profile", input_schema=takes("username")), set()),
        (tool("crm/get_user_profile", input_schema=takes("id")), {PRIVATE}),
        # Whose a thing is, a description says.
        (
            tool("vid/list_watched", description="Lists what the authenticated user saw in this account."),
            {PRIVATE},
        ),
        (tool("youtube/list_saved", description="Videos of your list."), {PRIVATE}),
        # What stands in a folder is named; what stands in a file, read.
        (tool("disk/list_files", input_schema=takes("path")), {PRIVATE}),
        (tool("docs-tool/convert_pdf", input_schema=takes("file")), {UNTRUSTED}),
        (tool("wikis/fetch_readme", input_schema=takes("url")), {UNTRUSTED}),
        # The beginning of a long name is a service's.
        (tool("youtubeinsights/list_videos"), {UNTRUSTED}),
        (tool("mistral/list_models"), set()),
        (tool("logseq/get_page"), {PRIVATE}),
        (tool("find/search_google", input_schema=takes("query")), {UNTRUSTED}),
        (tool("papers/get_paper_metadata", input_schema=takes("doi")), {UNTRUSTED}),
        (tool("papers/analyze_posts"), set()),
        (tool("decks/open_presentation", input_schema=takes("name")), {PRIVATE}),
        # Whoever gives a text knows it.
        (tool("maps/parse_sitemap_content", input_schema=takes("content")), set()),
        # A new thing under its own address overwrites nothing.
        (
            tool("quiz/put", method="PUT", path="/questions", title="Create a question"),
            set(),
        ),
        (tool("shop/drop", method="DELETE", path="/orders/{id}", input_schema=takes("id")), {DESTRUCTIVE}),
        (tool("shop/all", method="GET", path="/orders"), {PRIVATE}),
    ],
    ids=lambda one: one.id if isinstance(one, Tool) else "",
)
def test_what_names_schemas_and_methods_speak_for(found: Tool, expected: set[Label]) -> None:
    """The labels that count in a plan."""
    assert counting(labels_of(found)) == expected


def test_a_sink_names_where_it_sends_and_what() -> None:
    """As its schema has them."""
    found = labels_of(tool("mail/send_email", input_schema=takes("recipients", "subject", "body")))[SINK]

    assert (found.to, found.carries) == (("recipients",), ("subject", "body"))
    assert found.evidence is LabelEvidence.INFERRED


def test_a_hint_of_the_publisher_goes_before_names() -> None:
    """Also against them."""
    found = labels_of(tool("notes/delete_note", destructive=False, input_schema=takes("id")))[DESTRUCTIVE]

    assert (found.value, found.evidence, found.counts) == (False, LabelEvidence.ANNOTATION, False)


def test_what_is_stated_goes_before_all_else() -> None:
    """Also as false; what a statement leaves open comes from the schema."""
    sends = tool("mail/send_email", input_schema=takes("recipients", "subject", "body"))
    said = sends.model_copy(update={"labels": (StatedLabel(label=SINK, to=("subject",)),)})
    denied = sends.model_copy(update={"labels": (StatedLabel(label=SINK, value=False),)})

    stated = labels_of(said)[SINK]
    assert (stated.to, stated.carries, stated.confidence) == (("subject",), ("subject", "body"), 1.0)
    assert stated.evidence is LabelEvidence.STATED
    assert counting(labels_of(denied)) == set()


def test_where_sources_differ_the_label_is_there() -> None:
    """And what they say of a sink is put together; the order of the sources does not count."""
    yes = StatedLabel(label=SINK, to=("b",), carries=("x",))
    more = StatedLabel(label=SINK, to=("a",))
    no = StatedLabel(label=SINK, value=False)

    assert merged_labels([no, yes]) == merged_labels([yes, no]) == (yes,)
    assert merged_labels([yes, more]) == merged_labels([more, yes])
    assert merged_labels([yes, more])[0].to == ("a", "b")
    assert merged_labels([]) == ()


@pytest.mark.parametrize(
    ("pointer", "made"),
    [("/items/*/id", True), ("/0/created_at", True), ("/number", True), ("", False), ("/0/body", False)],
)
def test_what_the_service_makes_up_nobody_else_wrote(pointer: str, made: bool) -> None:
    """An id, a number, a moment."""
    assert is_made_by_service(pointer) is made


def test_who_somebody_is_the_service_knows() -> None:
    """Unlike what they wrote."""
    assert names_party("/0/sender")
    assert names_party("/user/email") is True
    assert not names_party("/0/body")
