"""What a search answers, over small catalogues, with the graph's scores computed or faked."""

import dataclasses
import math
import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.answers.search import NearReason, QueryAnswer, ReasonKind
from app.domain.catalogue import Catalogue
from app.domain.nodes.models import Category, GraphState
from app.errors import InvalidInputError
from app.ports.ranking import GraphScores, RankedGraph
from app.usecases.index.changed import changed_index
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import Filters, SearchMethod, SearchRequest
from app.usecases.rankings.channels import query_terms
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from tests.calls import call
from tests.unit.catalogues import catalogue, concept, generator, method, part_between, template, tool

METHODS = list(SearchMethod)
DESIGN = catalogue(
    [
        tool("draw", declared=True),
        tool("paint", declared=True),
        tool("files/export_picture", "Exports the canvas as a picture.", read_only=True),
        tool("files/list_files", "Lists files.", read_only=True, categories=["storage"]),
        tool("mail/send_email", "Sends an email.", read_only=False),
        tool("mail/search_email", "Searches the mailbox.", read_only=True),
        tool("cloud/create_bucket", "Creates a bucket.", categories=["storage"]),
    ],
    methods=[
        method(
            "shape.circle",
            ["draw"],
            name="Draw Circle",
            description="A round shape.",
            category="shapes",
            tags=["ring", "disc"],
            examples=["Put a dot in the middle"],
            similar=[("style.color", 1.0)],
        ),
        method(
            "style.color", ["paint"], name="Color", description="Fills a shape with paint.", category="style"
        ),
        method("export.png", ["files/export_picture"], name="Export PNG", category="export"),
    ],
    templates=[template("logo", ["draw", "paint", "files/export_picture"], surface="A mark for a company")],
    concepts=[concept("calm", ["style.color", "shape.circle"], description="Quiet and soft")],
    generators=[generator("sunburst", "draw", description="Rays from a centre, retro background")],
    categories=[Category(id="empty", name="Empty", description="")],
)


def index_of(given: Catalogue) -> SearchIndex:
    return SearchIndex.build(given)


INDEX = index_of(DESIGN)


def ask(
    query: str, *, index: SearchIndex = INDEX, graph: RankedGraph | None = None, **request: object
) -> QueryAnswer:
    # No interface takes an empty query; a blank one is searched for as an empty one.
    asked = SearchRequest.model_validate({"query": query or " ", **request})
    return search(asked, ConsistentGraph(index, graph))


def ids(answer: QueryAnswer) -> list[str]:
    return [match.id for match in answer.tools]


@pytest.mark.parametrize("ranking", METHODS)
def test_a_tool_is_found_by_the_words_of_its_methods(ranking):
    assert ids(ask("a ring please", method=ranking))[0] == "draw"


@pytest.mark.parametrize("ranking", METHODS)
def test_a_generators_text_counts_for_the_tool_that_it_uses(ranking):
    assert ids(ask("retro rays", method=ranking))[:1] == ["draw"]


@pytest.mark.parametrize("ranking", [SearchMethod.AUTO, SearchMethod.KG_HYBRID])
def test_a_template_brings_the_tools_that_it_uses(ranking):
    assert set(ids(ask("mark for my company", method=ranking))) == {"draw", "paint", "files/export_picture"}


def test_a_concept_brings_tools_in_auto():
    assert ids(ask("something soft", method="auto")) == ["paint", "draw"]


def test_a_neighbour_brings_its_tools_in_kg_hybrid():
    assert "paint" in ids(ask("ring disc", method="kg_hybrid"))


@pytest.mark.parametrize("ranking", METHODS)
@pytest.mark.parametrize(
    "query", ["send an email", "ring", "picture of a shape", "list the files", "soft ring"]
)
def test_reasons_add_up_to_the_score(ranking, query):
    for match in ask(query, method=ranking, explain=True, top_k=100).tools:
        assert sum(reason.contribution for reason in match.why) == pytest.approx(match.score, rel=1e-6)


def test_reasons_add_up_where_feedback_ranks_the_tail():
    tools = [
        tool(f"s{number % 4}/read_mail_{number}", f"Reads mail of box {number} fast") for number in range(12)
    ]
    tools.append(tool("s9/boxes", "box fast"))
    index = index_of(catalogue(tools))

    answer = ask("read mail", index=index, explain=True, top_k=100)

    kinds = {match.id: {reason.kind for reason in match.why} for match in answer.tools}
    assert kinds["s9/boxes"] == {ReasonKind.FEEDBACK}, "no word of the query names it"
    assert ReasonKind.FEEDBACK not in kinds[answer.tools[0].id]
    for match in answer.tools:
        assert sum(reason.contribution for reason in match.why) == pytest.approx(match.score, rel=1e-6)
    scores = [match.score for match in answer.tools]
    assert scores == sorted(scores, reverse=True)


def test_reasons_name_words_fields_and_paths():
    match = ask("rings in a quiet color", explain=True).tools[0]

    words = {reason.word: reason for reason in match.why if reason.kind is ReasonKind.WORD}
    paths = {tuple((step.id, step.edge) for step in reason.path) for reason in match.why if reason.path}
    assert match.id == "paint"
    assert words["color"].fields[0] == "method_name"
    assert (("style.color", "IMPLEMENTS"),) in paths
    assert (("calm", "RELATED_TO"), ("style.color", "IMPLEMENTS")) in paths


def test_who_names_a_country_asks_for_what_is_told_by_country():
    tools = [tool(f"s/rate_by_{place}", f"Unemployment rate of a {place}") for place in ("city", "country")]
    index = index_of(catalogue(tools))

    found = ask("unemployment rate in Japan", index=index, explain=True).tools

    assert [match.id for match in found] == ["s/rate_by_country", "s/rate_by_city"]
    assert "Japan" in {reason.word for reason in found[0].why}
    for match in found:
        assert sum(reason.contribution for reason in match.why) == pytest.approx(match.score, rel=1e-6)
    assert ids(ask("unemployment rate in Tokyo", index=index)) == ["s/rate_by_city", "s/rate_by_country"]


def test_words_that_stand_together_in_an_example_count_more_than_apart():
    """Bags of words cannot tell whose trade is whose; ids would put the wrong pairs first."""
    names = ["Alder Foods", "Alder Motors", "Birch Foods", "Birch Motors"]
    made = [name.replace(" ", "_") for name in names]
    index = index_of(
        catalogue(
            [tool(f"s/{name}", f"Quotes {name.split('_')[0]}.") for name in made],
            methods=[
                method(
                    f"ask.{at}", [f"s/{name}"], name="quote", examples=[f"price of {name.replace('_', ' ')}"]
                )
                for at, name in enumerate(made)
            ],
        )
    )

    for query, expected in (
        ("Alder Motors or Birch Foods", {"s/Alder_Motors", "s/Birch_Foods"}),
        ("Alder Foods or Birch Motors", {"s/Alder_Foods", "s/Birch_Motors"}),
    ):
        found = ask(query, index=index, explain=True).tools
        assert {match.id for match in found[:2]} == expected
        assert found[0].score > found[2].score
        for match in found:
            assert sum(reason.contribution for reason in match.why) == pytest.approx(match.score, rel=1e-6)
        named = {reason.word: reason.fields for reason in found[0].why if reason.kind is ReasonKind.WORD}
        assert named[" ".join(found[0].id[2:].split("_"))] == ("method_pairs",)


@pytest.mark.parametrize(
    ("query", "weights"),
    [
        ("get all open issues", {"get": 0.3, "open": 1.0, "issu": 1.0}),
        ("open an issue", {"open": 0.3, "issu": 1.0}),
        ("show issue and show issue", {"issu": 1.0 + math.log(2)}),
    ],
)
def test_words_that_say_little_weigh_little(query, weights):
    """`all` is no word; `open` says little where it means that there is none yet."""
    index = index_of(catalogue([tool("s/get_all_issues", "Gets open or closed ones")]))

    found = query_terms(query, index, index.whole.known)

    assert {
        index.analyses.vocabulary.term(number): weight for number, weight in found.items()
    } == pytest.approx(weights)


def test_why_and_schemas_come_only_when_asked_for():
    taking = '{"type": "object"}'
    index = index_of(
        catalogue([tool("s/ring", "Rings.", input_schema=taking), tool("s/ring_twice", "Rings.")])
    )
    plain, full = ask("ring", index=index), ask("ring", index=index, explain=True, schemas=True)

    assert [(match.why, match.input_schema) for match in plain.tools] == [(None, None)] * len(plain.tools)
    assert all(match.why for match in full.tools)
    assert [match.input_schema for match in full.tools] == [{"type": "object"}, None]


@pytest.mark.parametrize("ranking", METHODS)
def test_filters_are_applied_before_the_cut(ranking):
    """The two best tools are no help when they are not allowed: the third comes up."""
    everything = ids(ask("picture canvas email files bucket", method=ranking, top_k=100))

    filtered = ids(
        ask("picture canvas email files bucket", method=ranking, top_k=1, filters={"servers": ["cloud"]})
    )

    assert everything[0] != "cloud/create_bucket"
    assert filtered == ["cloud/create_bucket"]


@pytest.mark.parametrize("ranking", METHODS)
def test_kg_hybrids_window_holds_allowed_tools(ranking):
    tools = [tool(f"big/mail_{number}", "mail mail") for number in range(40)] + [
        tool("small/mail", "my mail box")
    ]
    index = index_of(catalogue(tools))

    assert ids(ask("mail", index=index, method=ranking, filters={"servers": ["small"]})) == ["small/mail"]


def test_a_filter_takes_away_and_never_reorders():
    everything = ids(ask("email picture files bucket", top_k=100))

    for filters in ({"servers": ["files", "mail"]}, {"read_only": True}, {"read_only": False}):
        kept = ids(ask("email picture files bucket", top_k=100, filters=filters))
        assert kept == [name for name in everything if name in kept]


def test_a_category_holds_its_own_tools_and_those_of_its_methods():
    query = "ring files bucket email"

    assert set(ids(ask(query, filters={"categories": ["storage"]}))) == {
        "files/list_files",
        "cloud/create_bucket",
    }
    assert ids(ask(query, filters={"categories": ["shapes"]})) == ["draw"]


def test_read_only_means_that_the_tool_says_so():
    query = "email bucket files"

    assert "mail/send_email" not in ids(ask(query, filters={"read_only": True}))
    assert set(ids(ask(query, filters={"read_only": False}))) == {"mail/send_email", "cloud/create_bucket"}


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"servers": ["mial"]}, "no server 'mial' in the catalogue; near ones are 'mail'"),
        ({"categories": ["xyz"]}, "no category 'xyz' in the catalogue; there are 5, among them"),
    ],
)
def test_an_unknown_filter_value_is_refused_with_what_is_accepted(filters, message):
    with pytest.raises(InvalidInputError, match=message):
        ask("ring", filters=filters)


@pytest.mark.parametrize("ranking", METHODS)
@pytest.mark.parametrize("query", ["zzzz qqqq", "", "?!", "日本"])
def test_a_query_without_a_known_word_is_abstained_from(ranking, query):
    answer = ask(query, method=ranking, explain=True)

    assert answer.abstained
    assert answer.tools == ()
    assert answer.tokens.returned == 1


def test_what_is_near_is_offered_when_nothing_fits():
    answer = ask("serch emial")

    assert answer.abstained
    assert [near.id for near in answer.nearest][:1] == ["mail/search_email"]
    assert answer.nearest[0].reason is NearReason.SIMILAR_NAME


def test_what_the_filters_keep_out_is_offered_when_nothing_else_fits():
    answer = ask("bucket", filters={"servers": ["mail"]})

    assert answer.abstained
    assert [(near.id, near.reason) for near in answer.nearest] == [
        ("cloud/create_bucket", NearReason.OUTSIDE_FILTERS)
    ]


FLOODED = index_of(
    catalogue(
        [
            *(tool(f"flood{at}/read_my_mail", "Read my mail.", reviewed=False) for at in range(6)),
            tool("mail/read", "Read a mail."),
            tool("post/read", "Read a letter or a mail.", reviewed=True),
            tool("disk/read", "Read a file."),
        ]
    )
)


@pytest.mark.parametrize("top_k", [1, 3, 4, 5, 9])
@pytest.mark.parametrize("ranking", METHODS)
def test_of_the_first_places_three_are_for_what_nobody_reviewed_however_many_servers_it_has(ranking, top_k):
    answer = ask("read my mail", index=FLOODED, method=ranking, top_k=top_k)

    flooded = [found.id.startswith("flood") for found in answer.tools]
    assert flooded == [True, True, True, False, False, True, True, True, False][:top_k]


def test_whoever_names_the_servers_gets_them():
    servers = [f"flood{at}" for at in range(6)]
    answer = ask("read my mail", index=FLOODED, filters={"servers": [*servers, "mail"]}, top_k=5)

    assert all(found.id.startswith("flood") for found in answer.tools)


def test_nobody_is_offered_what_they_left_out_because_nobody_reviewed_it():
    only = index_of(
        catalogue([tool("flood/mail", "mail", reviewed=False), tool("disk/read", "Read a file.")])
    )

    assert ask("mail", index=only, filters={"reviewed": True}).nearest == ()
    (near,) = ask("mail", index=only, filters={"servers": ["disk"]}).nearest
    assert near.id == "flood/mail"


def test_tokens_compare_the_catalogue_with_the_answer():
    answer = ask("email", top_k=1)

    tokens = answer.tokens
    assert 0 < tokens.returned < tokens.catalogue
    assert tokens.saved == tokens.catalogue - tokens.returned


@pytest.mark.parametrize("ranking", METHODS)
def test_an_empty_catalogue_answers_nothing(ranking):
    answer = ask("ring", index=index_of(catalogue([])), method=ranking, explain=True)

    assert answer.abstained
    assert answer.nearest == ()


@dataclasses.dataclass
class Graph:
    """A graph that stands elsewhere than the snapshot, and what it was asked."""

    generation: int = 1
    consistent: bool = True
    extra: dict[str, float] = dataclasses.field(default_factory=dict)
    asked: int = 0

    def _answer(self, channels: tuple[str, ...]) -> GraphScores:
        self.asked += 1
        return GraphScores(
            self.generation, self.consistent, {channel: dict(self.extra) for channel in channels}
        )

    def kg_hybrid_scores(self, *, methods, templates):
        return self._answer(("graph",))

    def auto_scores(self, *, methods, templates, concepts):
        return self._answer(("power", "sum", "template", "concept"))

    def state(self):
        self.asked += 1
        return GraphState(generation=self.generation, writing=not self.consistent, schema_version=1)


@pytest.mark.parametrize("ranking", METHODS)
@pytest.mark.parametrize(("generation", "consistent"), [(2, True), (1, False)])
def test_a_graph_of_another_generation_or_being_written_is_not_believed(ranking, generation, consistent):
    graph = Graph(generation=generation, consistent=consistent, extra={"mail/send_email": 99.0})

    answer = ask("ring soft company", method=ranking, graph=graph)

    expected = ask("ring soft company", method=ranking)
    assert answer.tools == expected.tools
    assert answer.generation == 1
    assert not answer.from_graph


@pytest.mark.parametrize("ranking", [SearchMethod.AUTO, SearchMethod.KG_HYBRID])
def test_the_graphs_scores_are_used_and_its_unknown_tools_dropped(ranking):
    graph = Graph(extra={"draw": 1.0, "gone/tool": 50.0})

    answer = ask("company", method=ranking, graph=graph)

    assert ids(answer) == ["draw"]
    assert answer.from_graph
    assert answer.tools[0].score > 0.3, "the unknown tool's score did not become the maximum"


@pytest.mark.parametrize("ranking", METHODS)
def test_the_graph_is_asked_once(ranking):
    graph = Graph()

    ask("ring", method=ranking, graph=graph, explain=True)

    assert graph.asked == 1


names = st.sampled_from(["draw", "mail", "ring", "paint", "bucket", "file", "send", "list", "circle", "soft"])
texts = st.lists(names, max_size=5).map(" ".join)


@settings(max_examples=25)
@example(
    before={"a": "", "d": "draw draw draw draw send", "e": ""},
    after={"e": "draw draw draw draw draw", "d": "draw draw mail"},
    query="mail send",
)
@given(
    before=st.dictionaries(st.sampled_from("abcdefgh"), texts, max_size=8),
    after=st.dictionaries(st.sampled_from("abcdefgh"), texts, max_size=8),
    query=texts,
)
def test_an_index_that_took_in_changes_and_counted_again_answers_as_one_built_from_the_whole(
    before, after, query
):
    def made(descriptions: dict[str, str], generation: int) -> Catalogue:
        return catalogue(
            [tool(f"s{name}/{name}", text) for name, text in descriptions.items()],
            methods=[
                method(f"m{name}", [f"s{name}/{name}"], description=text)
                for name, text in descriptions.items()
                if name < "d"
            ],
            generation=generation,
        )

    old = index_of(made(before, 1))
    new = made(after, 2)

    changed = changed_index(old, part_between(old.catalogue, new)) or index_of(new)
    reused = changed.settled()

    for ranking in METHODS:
        assert ask(query, index=reused, method=ranking, explain=True) == ask(
            query, index=index_of(new), method=ranking, explain=True
        )
    assert ask(query, index=old) == ask(query, index=index_of(made(before, 1))), "the old index is as it was"


def test_equal_tools_are_ordered_by_id():
    tools = [tool(f"s/{name}", "reads mail") for name in "dbca"]
    random.Random(7).shuffle(tools)

    for ranking in METHODS:
        found = ids(ask("mail", index=index_of(catalogue(tools)), method=ranking))
        assert found == ["s/a", "s/b", "s/c", "s/d"]


def test_scores_are_finite_and_descending():
    for ranking in METHODS:
        scores = [match.score for match in ask("draw a ring and send files", method=ranking, top_k=100).tools]
        assert np.isfinite(scores).all()
        assert scores == sorted(scores, reverse=True)


def test_filters_that_name_nothing_do_not_restrict():
    assert ask("ring", filters={}) == ask("ring")
    assert Filters() == Filters(servers=(), categories=(), read_only=None)


CARDS = index_of(
    catalogue(
        [
            call(
                "PATCH /cards/{card}",
                "updateCard",
                "Update a card",
                optional={"private": {"type": "boolean"}},
            ),
            call("POST /private-cards", "createPrivateCard", "Create a private card", body=["title"]),
            call("GET /cards/private", "listPrivateCards", "List private cards"),
            call("GET /people/{person}", "getPerson", "Get a person by email", query=["email"]),
            call("GET /people", "listPeople", "List people and more people"),
            call("POST /cards/{card}/transfer", "transferCard", "Transfer a card"),
        ]
    )
)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("which cards are private", "shop/listPrivateCards"),
        ("who is bob@example.com", "shop/getPerson"),
        ("hand the card over to bob", "shop/transferCard"),
    ],
)
def test_requests_are_read_as_goals_are(query, first):
    """Kinds of values and turns of phrase find tools whose texts do not say the words."""
    assert ids(ask(query, index=CARDS))[0] == first


def test_what_a_path_adds_is_said_and_adds_up():
    best = ask("make the card private", index=CARDS, explain=True).tools[0]

    assert ReasonKind.RESOURCE in {reason.kind for reason in best.why}
    assert sum(reason.contribution for reason in best.why) == pytest.approx(best.score)
