"""`bench callers`: the files that its service is given, and what it asks in process."""

from pathlib import Path

from app.adapters.access_files.callers import read_callers
from app.adapters.access_files.policies import read_policies
from app.domain.access.callers import CameBy, digest_of
from app.domain.access.claims import ALGORITHMS
from bench.served.against import same_answer
from bench.served.callers import Team
from bench.served.issued import measure_issued


def test_a_thousand_callers_in_a_hundred_sets_of_two_rules(tmp_path: Path) -> None:
    """Callers of one set have the same rules, those of different sets others; a change replaces the files."""
    team = Team(tmp_path, [f"s{at}" for at in range(30)], 100)
    callers, rules = (
        read_callers(Path(team.environment["OUTFITTER_CALLERS"])),
        read_policies(Path(team.environment["OUTFITTER_POLICIES"])),
    )

    entries = [callers.by_digest[digest_of(one)] for one in team.tokens]
    sets = {rules.of(one.caller(CameBy.TOKEN)) for one in entries}

    assert (len(entries), len(rules.rules), len(sets)) == (1_000, 200, 100)
    assert {len(one) for one in sets} == {2}
    team.let_in(team.tokens[1:])
    assert len(read_callers(Path(team.environment["OUTFITTER_CALLERS"])).entries) == 999


def test_tokens_of_every_algorithm_are_checked_once() -> None:
    """A known one is looked up, which is far less than to check a signature."""
    found = measure_issued()

    assert set(found) == set(ALGORITHMS)
    assert all(0 < one.known_us < one.new_us for one in found.values())


def test_answers_of_two_checkouts_are_the_same_but_for_times_and_generations() -> None:
    """Over REST, and in the text of an MCP message; a status, or anything else that is not the same, counts."""
    rest = b'{"tools":[{"id":"a"}],"generation":3,"took_ms":1.5}'
    message = b'{"structuredContent":{"generation":3},"text":"{\\"generation\\":3,\\"took_ms\\":1.5}"}'
    for body in (rest, message):
        later = body.replace(b":3", b":14").replace(b"1.5", b"2e-05")

        assert same_answer((200, body), (200, later))
        assert not same_answer((200, body), (422, body))
    assert not same_answer((200, rest), (200, rest.replace(b'"a"', b'"b"')))
