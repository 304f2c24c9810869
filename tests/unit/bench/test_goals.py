"""Plans judged by the labels of their goals; the command that does it."""

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.errors import InvalidInputError
from app.usecases.questions import SearchRequest
from app.usecases.search import search
from bench.commands.cli import app
from bench.judged.elsewhere import answered_elsewhere
from bench.judged.figures import goal_facts
from bench.judged.goals import catalogue_of_goals, goals_fingerprint, measure_goals
from bench.judged.judge import GoalVerdict, judge, match_calls
from bench.measure.planner import PlanCatalogue
from bench.sets.goals import GoldStep, QuestionItem, document_of, read_goals
from tests.unit.bench.data import write_lines
from tests.unit.bench.goal_samples import (
    CANCEL,
    DOCUMENT,
    GOALS,
    LIST,
    MAKE,
    QUESTIONS,
    SEND,
    goal,
    plan_of,
    shop,
    write_goals,
)

GOALS_OF_TRADES = Path(__file__).resolve().parents[3] / "bench" / "goals"

Judge = Callable[..., GoalVerdict]
EACH = {"step": 1, "path": "/*/id", "select": {"by": "each"}}
FIRST = {"step": 1, "path": "/*/id"}
LATE = {"known": "Your order is late."}


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> PlanCatalogue:
    return shop(tmp_path_factory.mktemp("shop"))


@pytest.fixture(scope="module")
def judged(catalogue: PlanCatalogue) -> Judge:
    """The verdict on a plan for the goal to mail about every order."""
    tools = {tool.id: tool for tool in catalogue.tools}

    def verdict(
        *steps: tuple[str, dict[str, Any]], of: int = 0, labels: dict[str, Any] | None = None, **more: Any
    ):  # type: ignore[no-untyped-def]
        return judge(goal(of, **(labels or {})), plan_of(catalogue, *steps, **more), tools.__getitem__)

    return verdict


def test_a_right_plan_is_signable(judged: Judge) -> None:
    """Case, quotation marks and the full stop of a value do not count."""
    found = judged((LIST, {}), (SEND, {"id": EACH, "text": LATE}))

    assert (found.signable, found.exact, found.order, found.bound, found.asked) == (True, True, True, 2, 2)
    assert (found.recall, found.precision, found.lost) == (1.0, 1.0, ())


@pytest.mark.parametrize(
    ("steps", "field"),
    [
        pytest.param([(SEND, {"id": {"input": "id"}, "text": LATE})], "missing", id="a call is missing"),
        pytest.param([(LIST, {}), (SEND, {"id": FIRST, "text": LATE})], "wrong", id="the first, not every"),
        pytest.param([(LIST, {}), (SEND, {"id": EACH})], "lost", id="the text is not bound"),
        pytest.param(
            [(LIST, {}), (SEND, {"id": EACH, "text": LATE}), (MAKE, {})], "other_changes", id="another change"
        ),
        pytest.param(
            [(LIST, {}), (SEND, {"id": EACH, "text": LATE}), (CANCEL, {"id": EACH})],
            "forbidden",
            id="forbidden",
        ),
        pytest.param([(SEND, {"id": {"input": "id"}, "text": LATE}), (LIST, {})], "misplaced", id="order"),
        pytest.param(
            [(LIST, {}), (SEND, {"id": {"input": "a"}}), (SEND, {"id": {"input": "b"}})],
            "twice",
            id="asked twice",
        ),
    ],
)
def test_what_is_wrong_is_named(judged: Judge, steps: list[Any], field: str) -> None:
    """Each fault has its own list, and is enough to refuse the plan."""
    found = judged(*steps)

    assert getattr(found, field)
    assert found.signable is False


def test_a_value_that_is_named_as_unused_is_not_lost(judged: Judge) -> None:
    """The caller sees it."""
    found = judged((LIST, {}), (SEND, {"id": EACH}), unused=[{"value": "your order is late"}])

    assert (found.lost, len(found.wrong)) == ((), 1)


def test_an_item_that_the_caller_chooses_is_right(judged: Judge) -> None:
    """A plan that asks takes nothing that is not meant."""
    asked = {**EACH, "select": {"by": "ask"}}

    assert judged((LIST, {}), (SEND, {"id": asked, "text": LATE})).signable


@pytest.mark.parametrize(
    ("select", "label", "right"),
    [
        ({"by": "match", "field": "buyer", "value": "Ann"}, {"where": "ann"}, True),
        (
            {"by": "first", "where": [{"field": "buyer", "value": "ann"}]},
            {"where": "ann", "not_first": True},
            True,
        ),
        ({"by": "match", "field": "buyer", "value": "bob"}, {"where": "ann"}, False),
        ({"by": "each", "except": ["o-1"]}, {"except": ["o-1"]}, True),
        ({"by": "each", "where": [{"field": "id", "op": "ne", "value": "o-1"}]}, {"except": ["o-1"]}, True),
        ({"by": "each"}, {"except": ["o-1"]}, False),
    ],
)
def test_the_items_that_are_meant(
    judged: Judge, select: dict[str, Any], label: dict[str, Any], right: bool
) -> None:
    """Conditions on items, and items that are spared, in both of their forms."""
    wanted = {"op": SEND, "step": 1, "param": "id", "from_op": LIST, "path_suffix": "/id", **label}

    found = judged(
        (LIST, {}), (SEND, {"id": {"step": 1, "path": "/0/id", "select": select}}), labels={"bind": [wanted]}
    )

    assert found.signable is right


@pytest.mark.parametrize(
    ("more", "unchecked"),
    [
        ({}, (SEND,)),
        ({"when": [{"step": 1, "path": "/0/state", "value": "late"}]}, ()),
        ({"warnings": [{"code": "condition_not_checked", "message": "", "step": 2}]}, ()),
    ],
)
def test_a_condition_is_kept_or_said(judged: Judge, more: dict[str, Any], unchecked: tuple[str, ...]) -> None:
    """A change without it is none that a person would sign."""
    found = judged((LIST, {}), (SEND, {"id": EACH, "text": LATE}), labels={"conditional": [1]}, **more)

    assert (found.unchecked, found.signable) == (unchecked, not unchecked)


@pytest.mark.parametrize(
    ("body", "bound"),
    [
        ({"count": {"known": "3"}, "article": {"input": "article"}}, 2),
        ({"count": {"compose": "{n}", "parts": {"n": {"input": "count"}}}, "article": {"known": "lamps"}}, 1),
        ({"count": {"known": 4}}, 0),
    ],
)
def test_values_in_a_body(judged: Judge, body: dict[str, Any], bound: int) -> None:
    """A number as text is that number; a value may be asked for where the label says so."""
    assert judged((MAKE, body), of=1).bound == bound


def test_parts_of_a_composed_value(judged: Judge) -> None:
    """A pointer leads into it; a string that is one reference is the reference."""
    labels = {
        "steps": [{"op": LIST}, {"op": MAKE}],
        "bind": [
            {"op": MAKE, "step": 1, "param": "/tags/0", "from_op": LIST, "path_suffix": "/buyer"},
            {"op": MAKE, "step": 1, "param": "/tags/1", "contains": "gift"},
        ],
    }
    tags = {"compose": ["{who}", "A  gift"], "parts": {"who": {"step": 1, "path": "/0/buyer"}}}

    assert judged((LIST, {}), (MAKE, {"tags": tags}), of=1, labels=labels).bound == 2


def test_what_must_not_be_bound(judged: Judge) -> None:
    """A value that is dangerous."""
    labels = {"must_not": [{"op": MAKE, "step": 0, "param": "/count", "value": 3}]}

    assert judged((MAKE, {"count": {"known": 3}}), of=1, labels=labels).forbidden


def test_equal_calls_are_paired_as_they_fit_best(judged: Judge) -> None:
    """Two calls of one operation: the labels do not say which the plan makes first."""
    labels = {
        "goal": "",
        "steps": [{"op": CANCEL}, {"op": CANCEL}],
        "bind": [
            {"op": CANCEL, "step": at, "param": "id", "value": value} for at, value in enumerate(("a", "b"))
        ],
    }

    assert judged(*((CANCEL, {"id": {"known": value}}) for value in ("b", "a")), of=1, labels=labels).signable


def test_optional_calls_and_those_that_are_as_right() -> None:
    """A required call takes an operation before an optional one does."""
    gold = [GoldStep(op="a", optional=True), GoldStep(op="b", any_of=("a",))]

    assert match_calls(gold, ["a"]) == {1: 0}
    assert match_calls(gold, ["a", "b"]) == {0: 0, 1: 1}


def test_a_document_is_found_by_its_name(tmp_path: Path) -> None:
    """Whatever its version; a name that only begins alike is another one."""
    write_goals(tmp_path)
    (tmp_path / "openapi" / "specs" / "shop-extra-1.0.json").write_text("{}")

    assert document_of(tmp_path, "shop").name == "shop-1.0.json"
    with pytest.raises(InvalidInputError, match="no document named 'sho'"):
        document_of(tmp_path, "sho")


def test_a_document_beside_the_goals_comes_first(tmp_path: Path) -> None:
    write_goals(tmp_path)
    beside = tmp_path / "documents"
    beside.mkdir()
    (beside / "shop.json").write_text("{}")

    assert document_of(tmp_path, "shop", beside=beside) == beside / "shop.json"
    assert document_of(tmp_path, "shop", beside=tmp_path / "elsewhere").name == "shop-1.0.json"


@pytest.mark.parametrize("name", ["trades", "trades_2"])
def test_goals_that_come_with_their_documents_need_no_data(tmp_path: Path, name: str) -> None:
    found = read_goals(tmp_path, goals=GOALS_OF_TRADES / f"{name}.jsonl")

    assert len(found.goals) == 216
    assert all(path.parent.name == "documents" for path in found.documents.values())


@pytest.mark.parametrize(
    ("server", "path"),
    [("ride.example", "ride.example/main/1.0"), ("desk.example-crm", "desk.example/crm/10.1")],
)
def test_a_document_of_the_collection_is_found_by_its_vendor(tmp_path: Path, server: str, path: str) -> None:
    """And by its name, where a vendor has several."""
    write_goals(tmp_path)
    folder = tmp_path / "bench" / "jentic_arazzo_dev" / "raw" / "apis" / "openapi" / path
    folder.mkdir(parents=True)
    (folder / "openapi.json").write_text("{}")

    assert document_of(tmp_path, server) == folder / "openapi.json"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": "x"}, "goals.jsonl:1: server"),
        ({**GOALS[0], "conditional": [7]}, "no step 7"),
    ],
)
def test_a_file_of_another_form_is_refused(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    """With its line."""
    path = write_goals(tmp_path) / "goals.jsonl"
    write_lines(path, [row])

    with pytest.raises(InvalidInputError, match=said):
        read_goals(tmp_path, goals=path)


def test_tasks_are_of_goals_that_are_there(tmp_path: Path) -> None:
    """Else a misspelt id would measure nothing."""
    path = write_goals(tmp_path) / "tasks.json"
    path.write_text(json.dumps({"mail-all": [{"do": "list the orders"}]}))
    assert read_goals(tmp_path, tasks=path).tasks["mail-all"][0].do == "list the orders"

    path.write_text(json.dumps({"nobody": []}))
    with pytest.raises(InvalidInputError, match="no goal 'nobody'"):
        read_goals(tmp_path, tasks=path)


def test_the_command_says_how_good_plans_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables within 80 columns, every row whole; the same as JSON."""
    monkeypatch.setenv("COLUMNS", "80")
    words = ["goals", "--data", str(write_goals(tmp_path))]

    shown = CliRunner().invoke(app, [*words, "--verbose"])
    values = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)

    assert shown.exit_code == 0, shown.output
    rows = {line.split()[0]: line for line in shown.output.splitlines() if line.strip()}
    assert len(rows["shop"]) <= 80
    assert "The same as goals: no call for 1 of 1." in shown.output
    assert [row["id"] for row in values["goals"]] == ["mail-all", "make"]
    assert [row["name"] for row in values["figures"]["goals"]] == ["all goals", "1 call", "2 calls", "shop"]
    assert values["questions"][0]["rank"] == 1


def test_questions_are_asked_of_documents_that_cannot_answer_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But not of one that is named as able to, and none of those that nothing answers; and of all together."""
    data = write_goals(tmp_path)
    post = {**DOCUMENT, "paths": {"/letters": DOCUMENT["paths"]["/orders"]}}
    (data / "openapi" / "specs" / "post-1.0.json").write_text(json.dumps(post))
    asked = [*QUESTIONS, {**QUESTIONS[0], "id": "q3", "server": "post", "gold": ["GET /letters"]}]
    write_lines(data / "goals" / "visible" / "questions.jsonl", asked)
    monkeypatch.setattr("bench.judged.elsewhere.answered_elsewhere", lambda: {"q3": frozenset(["shop"])})
    found = read_goals(data)

    results = measure_goals(found, catalogue_of_goals(found))

    assert [(row.id, row.own, row.server) for row in results.pairs] == [("q1", "shop", "post")]
    assert [row.rank_of_all > 0 for row in results.questions] == [True, False, True]
    assert any("of 1 pairs" in fact for fact in goal_facts(results))


def test_only_what_is_about_a_document(tmp_path: Path) -> None:
    """The other documents stay in the catalogue, as their words weigh on its ranking; an unknown name is refused."""
    path = write_goals(tmp_path) / "goals.jsonl"
    (tmp_path / "openapi" / "specs" / "post.json").write_text("{}")
    write_lines(path, [*GOALS, {**GOALS[0], "id": "other", "server": "post"}])

    found = read_goals(tmp_path, goals=path, servers=["shop"])

    assert [item.id for item in found.goals] == ["mail-all", "make"]
    assert list(found.documents) == ["post", "shop"]
    with pytest.raises(InvalidInputError, match="accepted: post, shop"):
        read_goals(tmp_path, goals=path, servers=["mail"])


def test_requests_of_a_file_are_words_of_operations(tmp_path: Path) -> None:
    """As the service has them once they are kept; what cannot be kept is refused, with its place."""
    path = write_goals(tmp_path) / "said.jsonl"
    found = read_goals(tmp_path, requests=path)
    plain = catalogue_of_goals(read_goals(tmp_path))
    tool = plain.tools[0]
    write_lines(path, [{"tool": tool.id, "requests": {"en": "zebra crossing"}}])

    enriched = catalogue_of_goals(found)
    asked = SearchRequest(query="zebra", prerequisites=0)

    assert search(asked, plain.graph).tools == ()
    assert search(asked, enriched.graph).tools[0].id == tool.id
    assert goals_fingerprint(found) != goals_fingerprint(read_goals(tmp_path))
    write_lines(path, [{"tool": "shop/none", "requests": {"en": "x"}}])
    with pytest.raises(InvalidInputError, match="no tool has this id"):
        catalogue_of_goals(found)


def test_a_file_of_goals_may_have_questions_of_its_own(tmp_path: Path) -> None:
    """Those of the folder are for the others."""
    data = write_goals(tmp_path)
    folder = data / "goals" / "visible"
    other = folder / "other.jsonl"
    other.write_text((folder / "goals.jsonl").read_text())
    asked = [one.id for one in read_goals(data, goals=other).questions]
    mine = folder / "other_questions.jsonl"
    mine.write_text((folder / "questions.jsonl").read_text().splitlines()[0] + "\n")

    assert asked == [one.id for one in read_goals(data).questions]
    assert [one.id for one in read_goals(data, goals=other).questions] == asked[:1]


@pytest.mark.parametrize("name", ["development_questions", "plain_questions"])
def test_questions_are_of_their_documents(name: str) -> None:
    """Each id once; what answers a question elsewhere is another document of the same questions."""
    lines = files("bench").joinpath("goals", f"{name}.jsonl").read_text().splitlines()
    questions = [QuestionItem.model_validate_json(line) for line in lines]
    servers = {item.id: item.server for item in questions}

    assert len(servers) == len(questions)
    assert all((item.kind == "unanswerable") == (not item.gold) for item in questions)
    for id_, others in answered_elsewhere().items():
        if id_ in servers:
            assert others <= set(servers.values()) - {servers[id_]}
