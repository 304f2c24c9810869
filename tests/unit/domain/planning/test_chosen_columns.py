"""What the planner looks up of some tools is what it looks up of a catalogue that has no others, count by count."""

import json
from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.nodes.models import Tool
from app.domain.packed.sequences import new_places
from app.domain.planning.index import PlanIndex
from app.domain.planning.indexed.columns import PlanColumns
from app.domain.planning.indexed.facts import FIELDS, Fact
from app.domain.ranking.views import DocumentView
from tests.unit.catalogues import tool

NAMES = ("worklog", "work_get", "log_list", "get_worklogs", "workload", "load_put", "workbook", "book_work")
PATHS = ("/worklogs/{id}", "/work/{id}/logs", "/loads/{id}", "")
CATEGORIES = ("zebra", "worklog", "lion")


@st.composite
def tools(draw: st.DrawFn) -> Tool:
    """Of one of two servers; names are written together of words that others may have."""
    name = draw(st.sampled_from(NAMES)) + draw(st.sampled_from(("", "_2", "_3")))
    path = draw(st.sampled_from(PATHS))
    method = draw(st.sampled_from(("GET", "PUT", "PATCH", "POST"))) if path else ""
    body = {"status": {"type": "string", "enum": draw(st.sampled_from((["open"], ["shut", "open"])))}}
    properties = draw(st.sampled_from(({}, body, {"workbook": {"type": "string"}}, {"anything": {}})))
    return tool(
        f"{draw(st.sampled_from('ab'))}/{name}",
        draw(st.sampled_from(("", "Gets the log of a book"))),
        title=draw(st.sampled_from(("", "Book work"))),
        input_schema=json.dumps({"type": "object", "properties": properties}) if properties else "",
        method=method,
        path=path,
        categories=tuple(draw(st.lists(st.sampled_from(CATEGORIES), unique=True, max_size=2))),
    )


def held(view: DocumentView, words: Sequence[str], fields: Sequence[str]) -> dict[tuple[int, str, str], int]:
    """How often which term stands in which field of which document."""
    return {
        (document, name, words[term]): count
        for field, name in enumerate(fields)
        for entries in [view.entries(field)]
        for term, document, count in zip(
            *(one.tolist() for one in (entries.terms, entries.documents, entries.counts)),
            strict=True,
        )
    }


def told(columns: PlanColumns) -> dict[str, object]:
    """All that columns say, by words."""
    words, written = list(columns.words), list(columns.written)
    return {
        "texts": held(columns.texts, words, columns.texts.fields),
        "lengths": {name: round(mean, 9) for name, mean in columns.texts.mean_lengths.items()},
        "facts": held(columns.facts, words, [one.name for one in Fact]),
        "naming": held(columns.naming, written, columns.naming.fields),
        "servers": [columns.servers[code] for code in columns.server_codes.tolist()],
        "all servers": columns.servers,
        "kinds": columns.kinds.tolist(),
        "mutating": columns.mutating.tolist(),
        "lends": columns.lends.tolist(),
        "categories": [columns.category_lists[one] for one in columns.listed.tolist()],
    }


@settings(max_examples=300)
@given(
    st.lists(tools(), min_size=1, max_size=9, unique_by=lambda one: one.id),
    st.lists(st.booleans(), min_size=9, max_size=9),
    st.sets(st.sampled_from(CATEGORIES)),
    st.booleans(),
)
def test_nothing_is_left_of_the_others(
    every: list[Tool], seen: list[bool], categories: set[str], changes: bool
) -> None:
    """Words that only hidden tools had join no others; what they lent on their paths is gone; so are hidden categories."""
    every.sort(key=lambda one: one.id)
    index = PlanIndex(every)
    if changes:
        # Counted in two parts: the last one came later.
        before = PlanIndex(every[:-1])
        origin = np.array([*range(len(every) - 1), -1], np.intp)
        index = before.changed(every, {str(one.id): at for at, one in enumerate(every)}, origin) or index
    at = np.flatnonzero(seen[: len(every)])
    left = [
        every[one].model_copy(
            update={"categories": tuple(c for c in every[one].categories if c in categories)}
        )
        for one in at.tolist()
    ]
    position = {str(one.id): place for place, one in enumerate(left)}

    seen_as = {one.id: one for one in left}
    chosen = index.chosen(
        left,
        position,
        at,
        new_places(len(every), at),
        categories=categories,
        as_seen=lambda one: one if one == seen_as[one.id] else seen_as[one.id],
    ).columns
    built = PlanIndex(left).columns

    found, expected = told(chosen), told(built)
    # No other columns are made of a view: lists of categories and what is lent are not looked up in it.
    assert {**found, "categories": None, "lends": None} == {**expected, "categories": None, "lends": None}
    assert chosen.idf("work") == built.idf("work")
    assert [round(one, 6) for one in chosen.scores(["work", "log"]).scores.tolist()] == [
        round(one, 6) for one in built.scores(["work", "log"]).scores.tolist()
    ]
    assert set(FIELDS) == set(chosen.texts.fields)
