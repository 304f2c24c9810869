"""Who saved a workflow changes it, and whoever administers; nobody else learns whose it is."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.domain.access.callers import EVERY_SCOPE, USUAL_SCOPES, CallerEntry, CallerList, digest_of
from app.domain.access.rules import Act, Rule, RuleBook
from app.domain.workflows.plans import Plan
from app.domain.workflows.stored import Workflow
from app.usecases.workflow_health import put_workflows
from app.web.session import COOKIE, SignedIn
from app.web.visits import Face
from tests.fakes import InMemoryGraph
from tests.service import client, ingest, wait_until

ADA, BOB, ADMIN = ("oft_" + letter * 43 for letter in "abc")
OPERATOR = "an-operators-token-of-the-service"
CALLERS = CallerList.of(
    [
        # A name that no id in hexadecimal digits holds by chance.
        CallerEntry("adelheid", digest_of(ADA), frozenset({"staff"}), USUAL_SCOPES),
        CallerEntry("bob", digest_of(BOB), frozenset({"staff"}), USUAL_SCOPES),
        CallerEntry("root", digest_of(ADMIN), frozenset({"staff"}), EVERY_SCOPE),
    ]
)
ALL = RuleBook((Rule("all", frozenset({"staff"}), may=frozenset({Act.CALL}), tools=("*",)),))
STEP = {"position": 1, "tool_id": "helpdesk/get_ticket", "bindings": {"ticket_id": {"known": "t-1"}}}
PLAN = {"goal": "read the ticket t-1", "steps": [STEP]}
SIGNED_IN = SignedIn(token=OPERATOR, key=OPERATOR, callers=lambda: CALLERS)


@pytest.fixture(params=[ALL, None], ids=["policies", "no policies"])
def opened(request: pytest.FixtureRequest) -> Iterator[TestClient]:
    """The example's tools, and a workflow that nobody owns."""
    graph = InMemoryGraph()
    ingest(graph)
    with graph.lease(owner="tests:1:0", wait_s=1.0) as lease:
        lease.begin()
        put_workflows(lease, [Workflow(id="old", name="old", plan=Plan.model_validate(PLAN))])
        lease.finish()
    rules = (lambda: request.param) if request.param else None
    face = Face(signed_in=SIGNED_IN)
    with client(graph, token=OPERATOR, callers=lambda: CALLERS, rules=rules, face=face) as found:
        wait_until(lambda: asked(found, ADA, "GET", "/v1/facets").status_code == 200)
        yield found


def asked(opened: TestClient, token: str, method: str, path: str, body: object = None) -> Any:
    return opened.request(method, path, json=body, headers={"Authorization": f"Bearer {token}"})


def saved(opened: TestClient, token: str, workflow: str) -> Any:
    """Save one; what each caller sees is brought up to date a moment later."""
    made = asked(opened, token, "POST", "/v1/workflows", {"id": workflow, "plan": PLAN})
    for one in (ADA, BOB, ADMIN):
        wait_until(lambda one=one: asked(opened, one, "GET", f"/v1/workflows/{workflow}").status_code == 200)
    return made


def test_only_the_owner_and_administrators_change_a_workflow(opened: TestClient) -> None:
    made = saved(opened, ADA, "hers")
    assert made.status_code == 201
    assert made.json()["owner"] == "caller:adelheid"

    put = asked(opened, BOB, "PUT", "/v1/workflows/hers", {"plan": PLAN, "name": "his now"})
    gone = asked(opened, BOB, "DELETE", "/v1/workflows/hers")
    for refused in (put, gone):
        assert refused.status_code == 403
        assert refused.json()["type"] == "urn:outfitter:problem:insufficient-scope"
        assert "'hers' belongs to another caller" in refused.json()["detail"]
        assert "adelheid" not in refused.text

    assert asked(opened, ADA, "PUT", "/v1/workflows/hers", {"plan": PLAN, "name": "n"}).status_code == 200
    replaced = asked(opened, ADMIN, "PUT", "/v1/workflows/hers", {"plan": PLAN, "name": "m"})
    assert replaced.status_code == 200
    assert replaced.json()["owner"] == "caller:adelheid"
    assert asked(opened, OPERATOR, "DELETE", "/v1/workflows/hers").status_code == 204


def test_others_read_it_and_do_not_learn_whose_it_is(opened: TestClient) -> None:
    saved(opened, ADA, "hers")

    for path in ("/v1/workflows/hers", "/v1/workflows"):
        read = asked(opened, BOB, "GET", path)
        assert read.status_code == 200
        assert "hers" in read.text
        assert "adelheid" not in read.text
        assert "owner" not in read.text
        for token in (ADA, ADMIN):
            assert '"owner":"caller:adelheid"' in asked(opened, token, "GET", path).text


def test_what_nobody_owns_is_changed_as_before(opened: TestClient) -> None:
    """Neither old workflows nor those of whoever runs the service have an owner, and an edit makes none."""
    assert "owner" not in saved(opened, OPERATOR, "o").json()

    for workflow in ("old", "o"):
        changed = asked(opened, BOB, "PUT", f"/v1/workflows/{workflow}", {"plan": PLAN, "name": "x"})
        assert changed.status_code == 200
        assert "owner" not in changed.json()
        assert asked(opened, ADA, "DELETE", f"/v1/workflows/{workflow}").status_code == 204


def test_the_editor_refuses_it_as_well(opened: TestClient) -> None:
    """And says what could be done instead."""
    saved(opened, ADA, "hers")
    etag = asked(opened, BOB, "GET", "/v1/workflows/hers").headers["ETag"].strip('"')
    form = {"plan": json.dumps(PLAN), "id": "hers", "etag": etag, "name": "hers", "action": "save"}

    def saved_by(name: str) -> Any:
        entry = CALLERS.named(name)
        assert entry is not None
        cookie = f"{COOKIE}={SIGNED_IN.cookie(entry.caller())}"
        headers = {"Sec-Fetch-Site": "same-origin", "Cookie": cookie}
        return opened.post("/ui/plan/edit", data=form, headers=headers, follow_redirects=False)

    refused = saved_by("bob")
    assert "belongs to another caller" in refused.text
    assert "adelheid" not in refused.text
    assert saved_by("adelheid").headers["location"] == "/ui/workflows/hers"
    assert "caller:adelheid" in asked(opened, ADA, "GET", "/v1/workflows/hers").text
