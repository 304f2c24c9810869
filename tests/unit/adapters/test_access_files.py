"""callers.yaml and policies.yaml: what is read, what is refused, and what is written."""

import stat
from pathlib import Path

import numpy as np
import pytest

from app.adapters.access_files.callers import add_caller, end_of, parse_callers, read_callers, remove_caller
from app.adapters.access_files.followed import FollowedFile
from app.adapters.access_files.policies import parse_policies
from app.domain.access.buckets import CallerBounds, GroupBounds
from app.domain.access.callers import USUAL_SCOPES, CallerEntry, CallerScope
from app.domain.access.rules import Act, Selectable, TrustFloor, unknown_names
from app.errors import InvalidInputError, NotFoundError
from tests.service import wait_until

PLACE = Path("callers.yaml")
DIGEST = "0f" * 32
FILE = f"""# who may ask
callers:
  # the helpdesk
  - {{name: helpdesk-bot, sha256: {DIGEST}, groups: [support], expires: 2027-02-20}}  # until spring
"""


def test_an_entry_is_read() -> None:
    (one,) = parse_callers(FILE.encode(), path=PLACE).entries

    assert (one.name, one.sha256, one.groups, one.scopes) == (
        "helpdesk-bot",
        DIGEST,
        {"support"},
        USUAL_SCOPES,
    )
    assert CallerScope.ADMIN not in one.scopes
    assert one.expires_at == end_of("2027-02-21T00:00:00Z")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("callers: 3", "callers is a number"),
        ("people: []", "unknown field 'people'"),
        ("callers: [{name: a}]", "has no 'sha256'"),
        (f"callers: [{{name: a b, sha256: {DIGEST}}}]", "accepted: 1 to 80 letters"),
        ("callers: [{name: a, sha256: oft_secret}]", "this is no SHA-256"),
        (f"callers: [{{name: a, sha256: {DIGEST}, scopes: [tools:fly]}}]", "accepted: tools:find"),
        (f"callers: [{{name: a, sha256: {DIGEST}, expires: soon}}]", "a day or a time"),
        (f"callers: [{{name: a, sha256: {DIGEST}, token: x}}]", "unknown field 'token'"),
        (
            f"callers: [{{name: a, sha256: {DIGEST}}}, {{name: a, sha256: {'ab' * 32}}}]",
            "there is a caller 'a' already",
        ),
        (f"callers: [{{name: a, sha256: {DIGEST}}}, {{name: b, sha256: {DIGEST}}}]", "has the token of 'a'"),
        ("callers: [", "callers.yaml"),
    ],
)
def test_what_is_wrong_is_named_and_a_token_is_never_shown(text: str, said: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        parse_callers(text.encode(), path=PLACE)

    assert said in str(refused.value)
    assert "oft_secret" not in str(refused.value)


def test_writing_keeps_comments_and_rights(tmp_path: Path) -> None:
    path = tmp_path / "callers.yaml"
    path.write_text(FILE)
    path.chmod(0o640)

    add_caller(path, CallerEntry("new-bot", "1" * 64, frozenset({"a"}), frozenset({CallerScope.FIND})))

    assert path.read_text().startswith(FILE.rstrip().rpartition("  #")[0])
    assert "# until spring" in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [one.name for one in read_callers(path).entries] == ["helpdesk-bot", "new-bot"]
    remove_caller(path, "helpdesk-bot")
    (left,) = read_callers(path).entries
    assert (left.name, left.groups, left.scopes) == ("new-bot", {"a"}, {CallerScope.FIND})
    assert [one.name for one in tmp_path.iterdir()] == ["callers.yaml"]


def test_a_new_file_is_the_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "callers.yaml"

    add_caller(path, CallerEntry("a", DIGEST))

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(InvalidInputError, match="there is a caller 'a' already"):
        add_caller(path, CallerEntry("a", "1" * 64))
    with pytest.raises(NotFoundError, match="no caller 'b'; there are: a"):
        remove_caller(path, "b")


def test_rules_are_read() -> None:
    text = """
    groups: {support: {oidc: ["https://idp.example|helpdesk"]}}
    policies:
      - {id: support, to: [support], may: [find, plan], sources: ["mcp:orders", "taxonomy:*"]}
      - {id: no-exports, to: ["*"], deny: [find], tools: ["*/export_*"], only: {read_only: false}}
      - {id: safe, to: ["*"], may: [call], only: {trust: reviewed, flows: below_high}, call: {after_untrusted: deny}}
    """
    book = parse_policies(text.encode(), path=PLACE)

    assert [rule.id for rule in book.rules] == ["support", "no-exports", "safe"]
    assert book.rules[0].granted == {Act.FIND, Act.PLAN}
    assert book.rules[1].denied == set(Act)
    assert book.rules[1].read_only is False
    assert (book.rules[1].trust, book.rules[1].refuses_high_flows, book.rules[1].guards_flows) == (
        None,
        False,
        False,
    )
    assert book.rules[2].trust is TrustFloor.REVIEWED
    assert (book.rules[2].refuses_high_flows, book.rules[2].guards_flows) == (True, True)
    assert book.oidc_groups == {"support": {"https://idp.example|helpdesk"}}


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("{id: a, to: [b], may: [find]}", "selects nothing"),
        ("{id: a, to: [b], tools: ['*']}", "one of 'may' and 'deny'"),
        ("{id: a, to: [b], may: [find], deny: [call], tools: ['*']}", "one of 'may' and 'deny'"),
        ("{id: a, to: [], may: [find], tools: ['*']}", "'to' is empty"),
        ("{id: a, to: [b], may: [see], tools: ['*']}", "accepted: find, plan, call"),
        ("{id: a, to: [b], may: [find], sources: [orders]}", "a source such as"),
        ("{id: a, to: [b], may: [find], labels: [sink]}", "accepted: untrusted_content, private_data"),
        ("{id: a, to: [b], may: [find], only: {owner: full}}", "unknown field 'owner'"),
        ("{id: a, to: [b], may: [find], only: {trust: baseline}}", "accepted: full, reviewed"),
        ("{id: a, to: [b], may: [plan], only: {flows: below_high}}", "selects nothing"),
        ("{id: a, to: [b], may: [plan], tools: ['*'], only: {flows: high}}", "accepted: below_high"),
        ("{id: a, to: [b], may: [find], tools: ['*'], only: {flows: below_high}}", "with 'may: [plan]'"),
        ("{id: a, to: [b], may: [plan], tools: ['*'], call: {after_untrusted: deny}}", "with 'may: [call]'"),
        (
            "{id: a, to: [b], may: [call], tools: ['*'], call: {after_untrusted: [1]}}",
            "accepted: allow, deny",
        ),
    ],
)
def test_a_rule_that_cannot_be_decided_is_refused(rule: str, said: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        parse_policies(f"policies:\n  - {rule}\n".encode(), path=PLACE)

    assert said in str(refused.value)


def test_groups_may_say_what_their_callers_may_ask_for() -> None:
    """A group that nobody is in is a warning."""
    text = """
    groups:
      batch: {limits: {requests_s: 200, burst: 400, calls_s: 0.5}}
      support: {oidc: ["https://idp.example|helpdesk"]}
    policies: []
    """
    book = parse_policies(text.encode(), path=PLACE)
    usual = CallerBounds(requests_s=50.0, burst=100, calls_s=10.0, at_once=8)
    ada = CallerEntry("ada", "0" * 64, frozenset({"batch", "support"})).caller()
    eve = CallerEntry("eve", "1" * 64, frozenset({"support"})).caller()

    assert book.bounds == {"batch": GroupBounds(requests_s=200.0, burst=400, calls_s=0.5)}
    assert book.bounds_of(ada, usual).requests_s == 200.0
    assert (book.bounds_of(ada, usual).calls_s, book.bounds_of(ada, usual).at_once) == (0.5, 8)
    assert book.bounds_of(eve, usual) == usual
    nothing = Selectable((), {}, {}, np.zeros(0, np.bool_), frozenset())
    warned = unknown_names(book, nothing, groups=("support",), callers=())
    assert warned == ["limits of group 'batch': nobody is in it"]
    assert unknown_names(book, nothing, groups=("batch",), callers=()) == []


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ("{requests_s: 0}", "accepted: a number above 0"),
        ("{requests_s: .inf}", "accepted: a number above 0"),
        ("{calls_s: true}", "accepted: a number above 0"),
        ("{burst: 1.5}", "accepted: a whole number from 1 on"),
        ("{at_once: 0}", "accepted: a whole number from 1 on"),
        ("{tokens: 5}", "accepted: an object with any of requests_s, burst"),
        ("{}", "accepted: an object with"),
        ("50", "accepted: an object with"),
    ],
)
def test_limits_that_are_none_are_refused(limits: str, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said) as refused:
        parse_policies(f"groups: {{batch: {{limits: {limits}}}}}".encode(), path=PLACE)

    assert "groups.batch" in str(refused.value)


def test_a_file_is_read_again_and_the_last_good_one_counts(tmp_path: Path) -> None:
    path = tmp_path / "callers.yaml"
    path.write_text(FILE)
    followed = FollowedFile(path, read_callers, look_s=0.01)
    followed.start()
    try:
        path.write_text("callers: [broken")
        path.write_text(f"callers: [{{name: other, sha256: {DIGEST}}}]")
        wait_until(lambda: followed.current().named("other"))
        path.write_text("callers: 3")
        followed.look()
        assert followed.current().named("other")
        path.unlink()
        followed.look()
        assert followed.current().named("other")
    finally:
        followed.stop()
    with pytest.raises(InvalidInputError, match="cannot be read"):
        FollowedFile(path, read_callers)
