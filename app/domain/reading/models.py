"""The reading of a goal, as values."""

from enum import StrEnum
from typing import Annotated

from pydantic import ConfigDict, Field

from app.domain.nodes.models import Value
from app.domain.workflows.plans import FiniteJson, When


class ValueKind(StrEnum):
    """What a value of a goal looks like."""

    QUOTED = "quoted"
    NUMBER = "number"
    MEASURE = "measure"
    """A number with its unit: `480 minutes`, `30 percent`."""
    AMOUNT = "amount"
    """Money: `15.00 EUR`."""
    DURATION = "duration"
    """As trackers write it: `2h 30m`."""
    ID = "id"
    """Letters with digits or marks, as no word has them: `cus_123`, `ABC-42`, `v1.4.0`."""
    SLUG = "slug"
    """Parts with slashes between them: `octocat/hello-world`, `release/2.0`."""
    URL = "url"
    EMAIL = "email"
    CHANNEL = "channel"
    MENTION = "mention"
    DATE = "date"
    PAIR = "pair"
    """`key=value`, or `image:tag`."""
    NAME = "name"
    """Capitalised words inside a sentence, or a word behind its noun: `namespace prod`."""
    ADDRESS = "address"
    """A postal address: `Hafenweg 8, 48155 Münster, DE`."""
    SAID = "said"
    """Free text behind a word that announces it: `with a comment saying fixed`."""


THING_NAMES = (ValueKind.QUOTED, ValueKind.NAME, ValueKind.ID, ValueKind.SLUG)
"""Kinds of values that things are called by."""


class StatedValue(Value):
    """A value that a goal states."""

    text: str
    """As it stands in the goal, without quotation marks."""
    kind: ValueKind
    value: FiniteJson
    """With its type: a number for numbers, ISO 8601 for dates."""
    start: int
    """First character in the goal."""
    end: int
    """Behind its last character."""
    unit: str = ""
    """Of a measure, in the singular; the currency of an amount by its ISO 4217 code, in capitals."""
    nouns: tuple[str, ...] = ()
    """Lower-case words directly before it that may name it, nearest last: (cron, job) in `the cron job nightly`."""
    noun_after: str = ""
    """The word directly behind it: `replicas` in `5 replicas`."""
    by_name: bool = False
    """Whether the caller gave it by the name that `nouns` are."""
    preposition: str = ""
    """The preposition that leads to it, such as `to`, `in`, `from`, `as`, `called`; empty without one."""
    weak: bool = False
    """It may be an ordinary word: it stands where a name would, and that is all that speaks for it."""


class Quantity(StrEnum):
    """How many of a list are meant."""

    UNSAID = "unsaid"
    ONE = "one"
    FIRST = "first"
    LAST = "last"
    SEVERAL = "several"
    """More than one, and not all: `the last two`."""
    EACH = "each"
    ALL_BUT = "all_but"

    @property
    def is_of_many(self) -> bool:
        """Whether all are meant, but for those that are spared."""
        return self in (Quantity.EACH, Quantity.ALL_BUT)


class GoalCondition(Value):
    """What has to hold before something is done."""

    text: str
    negated: bool = False
    """`unless`."""
    values: tuple[StatedValue, ...] = ()
    when: When | None = None
    """As the caller gave it."""


class Exclusion(Value):
    """What must not be done, or must stay as it is."""

    text: str
    words: str = ""
    """What is behind the word that excludes it, without values."""
    keeps: bool = False
    """Whether things stay as they are (`but keep the account`), rather than an action being forbidden."""
    values: tuple[StatedValue, ...] = ()
    """What `except we_prod1` names."""
    denied: tuple[StatedValue, ...] = Field(default=(), exclude=True)
    """To what something must not be done: 7 of `don't archive 7`. No other call takes it, unless its task says it as well."""


class GoalTask(Value):
    """One thing that a goal asks for."""

    do: str
    """The words of the goal, without conditions, exclusions and what only introduces them."""
    words: str = ""
    """The same without values."""
    outline: tuple[str, ...] = Field(default=(), exclude=True)
    """The words around its values and, at odd positions, the values; empty where the words are put in another order."""
    values: tuple[StatedValue, ...] = ()
    quantity: Quantity = Quantity.UNSAID
    condition: GoalCondition | None = None
    after: tuple[int, ...] = ()
    """Positions, from 1, of tasks that come before."""
    background: tuple[str, ...] = ()
    """What is said around it and asks for nothing: it may say why."""


class Reading(Value):
    """How a goal was understood."""

    tasks: tuple[GoalTask, ...]
    exclusions: tuple[Exclusion, ...] = ()
    unsure: tuple[str, ...] = ()
    """Where the reading could be another, in sentences."""


class AskedTask(Value):
    """A task that the caller has cut out of the goal."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)

    do: Annotated[str, Field(min_length=1, description="One thing to do, in plain words: `close the issue`.")]
    values: dict[str, FiniteJson] = Field(
        default_factory=dict,
        max_length=100,
        description='What is known for it, by name: `{"issue number": 12}`.',
    )
    if_: Annotated[
        str | When | None,
        Field(alias="if", description="What has to hold first: in words, or as an item of `when`."),
    ] = None
    after: Annotated[
        tuple[int, ...], Field(max_length=50, description="Positions, from 1, of tasks that come before.")
    ] = ()
