"""`bench callers`: the files that its service is given."""

from pathlib import Path

from app.adapters.access_files.callers import read_callers
from app.adapters.access_files.policies import read_policies
from app.domain.access.callers import CameBy, digest_of
from bench.served.callers import Team


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
