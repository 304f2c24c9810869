"""The weights by which the calls of a plan are chosen: one frozen value, each with where it comes from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True)
class SurenessRecipe:
    """How sure it is that a call does what a task asks for, where tools are compared with the task in meaning.

    The weights are those of a conditional logistic regression over the candidates of each task; what makes a probability
    of them, of a logistic regression over the calls that rules choose. Source: `python -m tools.fit_sureness DATA`, over the
    development sets of goals, their questions, and the same questions asked of documents that do not answer them.
    """

    weights: Mapping[str, float]
    """By the names of `evidence_for`."""
    of_worth: float
    of_share: float
    constant: float
    least_read: float
    """From when on a read that rules choose is called. Source: `bench plans` on TMDB, path recall .429 with 0, .422 with
    this and .358 with .15: what nobody asks for does no harm."""
    least_change: float
    """Likewise a change. Source: `bench goals`: of 1,099 changes that rules choose for the goals of the development sets and of trades,
    1 of the 962 right ones is less sure, and 14 of the 137 wrong ones."""
    least_called_so: float
    """Likewise a change that is called after the verb of the task: `play me some quiet songs`, by `/me/player/play`. Source: `bench
    plans` on Spotify, path recall .550 with this and .541 with the number above."""
    gives_way: float
    """Up to when what rules choose gives way to another call that fits and is likely, ..."""
    takes_its_place: float
    """... from this on. Source: in the development sets and the sets of trades there is one for 11 tasks; it is right in 7 where
    the rules are not, and wrong in one where they are. From .5 on it is right in 13 and wrong in 5, and control sets lose."""
    instead_read: float
    """From when on a read takes the place of what rules choose and is not sure enough, or of nothing."""
    instead_change: float
    """Likewise a change. Source of both: `bench goals` on the visible set, `development` and `development_4`, calls found
    .782, .891 and .502 without, .818, .891 and .549 with; 30 and 33 plans with a change that nobody asked for."""
    without_a_word: float
    """From when on a change is called that has no word of the task and takes no value for sure. Source: the visible set,
    `development_3` to `_5` and the sets of trades, of changes that nothing else was chosen for: 9 right of 9 from here on,
    and 8 of 14 from .3 to here."""
    by_another_noun: float
    """From when on a call is made that makes a thing by another noun, and takes all that the task says. Source: the same
    sets, where two of two are right from here on, and three of five from .75 to here."""


@dataclass(frozen=True)
class WholeGoalRecipe:
    """How likely a change is right that is found first for a whole goal, where no task of it has led to any.

    Of a logistic regression. Source: `python -m tools.fit_whole_goal DATA`, over the visible goals, the development sets and
    those of trades, each asked of its own document and of another one.
    """

    of_sureness: float
    """Weight of the log odds of `sureness`."""
    of_next: float
    """Of `FoundFirst.next`."""
    of_confidence: float
    """Of the log odds of `FoundFirst.confidence`."""
    constant: float
    least: float
    """From when on it is called. Source: the command above, by weights of other documents: of 859 goals 14 get the right change
    and 4 a wrong one; asked of another document 5 get one."""
    least_final: float
    """How sure what cannot be undone has to be besides. Source: what keeps a thing is about what deletes it (`keep file 7 forever, it must
    not get cleaned up`)."""


@dataclass(frozen=True)
class PlanningRecipe:
    """What counts how much, where the best text score of a task counts 1.

    Unless a line says something else, a weight is ours: rounded, chosen on the development sets of goals and
    workflows (`bench plans`, `bench goals`), and looked at on sets that it was not made on.
    """

    # Words.
    fields: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {
                "name": 2.0,
                "path": 2.0,
                "title": 2.0,
                "categories": 1.0,
                "description": 0.5,
                "parameters": 0.5,
                "outputs": 0.15,
                "values": 0.3,
            }
        )
    )
    """Of BM25F. Source: ablation on Jentic's workflows, round weights."""
    whole_goal: float = 0.3
    """The text of the whole goal, beside that of a task."""
    kind: float = 0.5
    """That a call is of the kind that the verb asks for."""
    same_verb: float = 0.25
    """That its verb means the same."""
    resource: float = 0.4
    """Share of its resource's words that are said."""
    state: float = 0.6
    """That it sets a state that is said."""

    # Meaning. Cosines are those of the encoder that comes with Outfitter.
    meaning: float = 1.0
    """How close it is to the task, beside the closest. From 1.5 on, words that name a call are outdone by it (`bench goals`)."""
    suggested: float = 0.2
    """That a common method that the task's words find suggests it."""
    near: float = 0.5
    """Cosine from which on the closest tool counts in full: of the right changes of 234 goals half are this near."""
    not_far: float = 0.2
    """Cosine of a tool that may be a candidate by meaning alone, and of a change that no word speaks for: of 95 in 100 right ones."""
    clearly_near: float = 0.4
    """Cosine of a change where neither its verb nor its nouns say what it does: all such changes below it were wrong."""
    among_closest: float = 0.8
    """Share of the best cosine that such a change has."""
    closest: float = 0.85
    """Share of the best cosine of a call that is called after another act than the task's."""
    half_as_near: float = 0.5
    """Share of the best cosine that any other change has which no word speaks for."""
    clearly_suggested: float = 0.35
    """From when on a common method's suggestion speaks for a call as a word does."""

    # Calls beside it in the plan.
    coherence: float = 0.3
    """That it takes data from an earlier call."""
    same_resource: float = 0.5
    """Share of that for a call on the same resource."""
    made: float = 0.8
    """Share of that for an input that is called after what an earlier call makes, though no edge says so."""

    # Values.
    values: float = 0.45
    """That it takes all values of its task."""
    weight: float = 0.06
    """How well each of up to four of them fits."""
    ranked: float = 0.6
    """Share of a text that no word leads to its input."""
    unfilled: float = 0.04
    """Against each of up to three required inputs that stay open."""
    of_many: float = 0.15
    """Against a call on a list of things, where a caller's task names a single one."""
    cannot_take: float = 0.3
    """Against a call that cannot be pointed at the thing that is named."""

    # What it is about, and what it does.
    unsaid: float = 0.08
    """Against each word of its path that nobody said."""
    object: float = 0.15
    """That it is about the object of the task, or about where the object goes."""
    ends_with_verb: float = 0.25
    """That its path ends with the verb."""
    narrow: float = 0.2
    """Share of its inputs that are filled, of a change that sets a state."""
    spoken_of: float = 0.05
    """That its path leads through the thing that a pronoun stands for."""
    sets_verb: float = 0.15
    """That it sets the state that the verb names, of the object of the task."""
    people: float = 0.6
    """That it lists people, where it is asked who."""
    other_head: float = 0.25
    """Against a change of what only has the object in its name, or stands beside it."""
    narrowed: float = 0.3
    """That its path says which of many are meant: `/merged_branches`."""
    makes_the_place: float = 0.4
    """Against making the thing into which something is put."""
    changes_nothing: float = 0.2
    """Against a change without anything to change."""
    only_reads: float = 0.4
    """Against a read where something is to be done."""
    unasked_delete: float = 0.8
    """Against a deletion that no verb asks for."""
    replaces_whole: float = 0.15
    """Against PUT where PATCH changes a part."""
    outdated: float = 0.1
    """Against a call that is deprecated."""

    sureness: SurenessRecipe = SurenessRecipe(
        MappingProxyType(
            {
                "words": 1.47,
                "inputs": 2.91,
                "coherence": 2.92,
                "meaning": 12.57,
                "suggested": 1.23,
                "nouns": 1.88,
                "changes": 1.3,
                "kind": 1.1,
                "verb": 0.58,
                "states": 2.04,
                "takes_all": 1.74,
            }
        ),
        of_worth=0.46,
        of_share=2.49,
        constant=-5.92,
        least_read=0.05,
        least_change=0.2,
        least_called_so=0.1,
        gives_way=0.4,
        takes_its_place=0.65,
        instead_read=0.3,
        instead_change=0.5,
        without_a_word=0.6,
        by_another_noun=0.85,
    )

    whole_goal_first: WholeGoalRecipe = WholeGoalRecipe(
        of_sureness=0.25, of_next=-1.0, of_confidence=1.0, constant=-1.11, least=0.5, least_final=0.3
    )

    # From when on there is a call at all.
    near_enough: float = 0.75
    """Share of the best candidate's worth that another needs to take its place because that does not fit."""
    as_good: float = 0.92
    """The same for a call that changes something."""
    next: float = 0.6
    """The same where the best is the call of another task of the caller's."""
    coverage: float = 0.1
    """Share of a task's nouns, by rarity, that a call has to know."""


RECIPE = PlanningRecipe()
"""The recipe of the planner."""
