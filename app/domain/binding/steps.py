"""The steps of a draft with their inputs bound: what each takes from the goal, and from which earlier step."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from app.domain.binding.bindings import BindingSource, OpenInputs, bind
from app.domain.binding.selection import is_opaque, named_field, select_of
from app.domain.binding.ways import fill_ways, phrases, without_values
from app.domain.filling.assigned import Assignment
from app.domain.filling.filters import fill_by_names
from app.domain.filling.fit import own_noun
from app.domain.filling.forms import Form, OperationForm, is_shaping, stems
from app.domain.filling.said import SaidValue
from app.domain.filling.states.remarks import set_explained, spare_kept
from app.domain.filling.states.setting import use_states
from app.domain.filling.typed import MISSING
from app.domain.language.identifiers import pieces, singular, words
from app.domain.language.operation_words import LISTING_KINDS, OperationKind
from app.domain.language.text import stem
from app.domain.nodes.dependencies import Requirement
from app.domain.planning.closure import SURE
from app.domain.planning.draft import PlanDraft
from app.domain.planning.index import PlanIndex
from app.domain.reading.clauses.phrases import FIRST_OR_LAST
from app.domain.reading.models import GoalCondition, Quantity, ValueKind
from app.domain.reading.tokens import value_words
from app.domain.restricting.checks import Check, is_alike
from app.domain.restricting.whens import whens_of
from app.domain.schemas.tool_schemas import ITEM
from app.domain.tasks.which import ordered_noun
from app.domain.workflows.plans import Binding, PlanInput, Select, StepBinding, When, binding_parts
from app.lexicon.lists import table

_BY_OTHER = re.compile(
    r"\b(?:those|ones?)\s++(?:[a-z]{2,20}(?:ed|en)\s++)?(?:of|from|by|in|on|at|with|for|before|after|since)\b",
    re.IGNORECASE,
)
"""How an exclusion says what it leaves out by something else: `those of customer 77`."""
_FEW = 8
"""An operation with at most that number of inputs shows in them what it needs."""


@dataclass(frozen=True, slots=True)
class BoundStep:
    """A call with its inputs bound."""

    at: int
    position: int
    bindings: Mapping[str, Binding]
    when: tuple[When, ...]
    unchecked: GoalCondition | None
    """A condition that nothing in an answer tells."""


def bound_steps(
    index: PlanIndex, draft: PlanDraft
) -> tuple[list[BoundStep], tuple[PlanInput, ...], frozenset[int]]:
    """The steps in order, the inputs that stay open, and the positions of the values that are used."""
    binder = _Binder(index, draft)
    return binder.run()


_OWN_FIELD = 2
"""Members of a JSON pointer to a field of a thing itself, in an envelope or not: `/data/id`."""


def _put_for_turn(found: Assignment, pointer: tuple[str, ...], turn: int, value: object) -> None:
    """What an input has in one of the later turns of a step, from 0; before that what it has in the first, if anything."""
    more = found.more.setdefault(pointer, [])
    before = found.known.get(pointer, MISSING)
    more += [before] * (turn - len(more))  # type: ignore[list-item]
    more.append(value)  # type: ignore[arg-type]


class _Binder:
    def __init__(self, index: PlanIndex, draft: PlanDraft) -> None:
        self._index = index
        self._draft = draft
        self._context = draft.context
        self._opened = OpenInputs()
        self._used: set[int] = set()
        self._selects: dict[tuple[int, int, str], Select] = {}
        self._taken: set[tuple[int, str]] = set()
        self._assignments = {at: self._assignment(at) for at in draft.order}
        for at, found in self._assignments.items():
            self._fill_ways(at, found)
            self._used.update(found.used)
        # A step that several literals ask for stands as often in the plan.
        self._count = {
            at: 1 + max((len(more) for more in found.more.values()), default=0)
            for at, found in self._assignments.items()
        }
        self._position: dict[int, int] = {}
        number = 1
        for at in draft.order:
            self._count[at] = max(self._count[at], self._looked_up(at))
            self._position[at] = number
            number += self._count[at]

    def run(self) -> tuple[list[BoundStep], tuple[PlanInput, ...], frozenset[int]]:
        steps = self._steps()
        if self._name_unnamed():
            self._opened, self._taken = OpenInputs(), set()
            steps = self._steps()
        selects = [
            part.select
            for step in steps
            for binding in step.bindings.values()
            for part in binding_parts(binding)
            if isinstance(part, StepBinding) and part.select is not None
        ]
        self._used |= {at for at in self._context.spared if self._is_spared(at, selects)}
        return steps, self._opened.inputs, frozenset(self._used)

    def _name_unnamed(self) -> bool:
        """Take from a list that a task does not speak of what the only name says that nothing else takes: `move deal 5 to Negotiation`.

        Whether there was one. Not where two such lists, or two such names, are left.
        """
        asked: dict[int, list[tuple[int, int, str]]] = {}
        for same, select in self._selects.items():
            if select == Select(by="ask"):
                asked.setdefault(same[1], []).append(same)
        found = False
        for number, lists in asked.items():
            left = [one for one in self._context.said_for(number) if self._is_left_name(one)]
            if len(lists) != 1 or len(left) != 1:
                continue
            (same,), (one,) = lists, left
            resource = self._index.traits[same[0]].resource
            if not resource.isdisjoint(self._context.words[number].stems):
                continue
            fields = [
                edge.field.removeprefix(f"{same[2]}/{ITEM}/")
                for producer, edge in self._draft.closure.filled.values()
                if producer == same[0]
            ]
            codes = [field for field in fields if "/" not in field and not is_opaque(field)]
            is_code = one.value.kind is ValueKind.ID and codes
            field = codes[0] if is_code else named_field(self._index.operation(same[0]), same[2])
            if field:
                self._selects[same] = Select(by="match", field=field, value=one.value.value)
                self._used.add(one.at)
                found = True
        return found

    def _is_left_name(self, one: SaidValue) -> bool:
        """Whether a value of a task may be what a thing is called, and stands behind no noun of another, and nothing takes it."""
        is_name = one.value.kind in (ValueKind.NAME, ValueKind.ID, ValueKind.QUOTED) and not one.is_sentence
        is_free = one.local and one.at not in self._used and one.at not in self._context.spared
        noun, text = own_noun(one), one.value.text
        # `m_5` is an id, as a computer writes it.
        is_name = is_name and not ("_" in text and any(map(str.isdigit, text)))
        return (
            is_name
            and is_free
            and not (one.value.weak or one.is_letter or one.is_denied or one.implied)
            and not (noun and self._context.is_thing(noun))
        )

    def _steps(self) -> list[BoundStep]:
        steps = []
        for at in self._draft.order:
            form = self._index.form(at)
            base = self._assignments[at]
            sources = self._sources(at)
            for turn in range(self._count[at]):
                assignment, given = base, sources
                if turn:
                    given = {name: self._turned(at, source, turn) for name, source in sources.items()}
                    known = dict(base.known)
                    known.update(
                        {pointer: more[turn - 1] for pointer, more in base.more.items() if turn <= len(more)}
                    )
                    known = {pointer: value for pointer, value in known.items() if value is not MISSING}
                    assignment = replace(base, known=known)
                position = self._position[at] + turn
                when, unchecked = self._when(at)
                steps.append(
                    BoundStep(
                        at,
                        position,
                        bind(
                            form,
                            step=position,
                            sources=given,
                            assignment=assignment,
                            opened=self._opened,
                            suggested=self._suggested(at, form, assignment),
                        ),
                        when,
                        unchecked,
                    )
                )
        return steps

    def _looked_up(self, at: int) -> int:
        """How often a step stands in the plan for what is looked up for it: twice, to archive "A" and "B"."""
        if self._count[at] > 1:
            return 1
        return max(
            (
                self._count[producer]
                for (consumer, parameter), (producer, edge) in self._draft.closure.filled.items()
                if consumer == at and self._is_item(at, producer, parameter, edge)
            ),
            default=1,
        )

    def _is_item(self, at: int, producer: int, parameter: str, edge: Requirement) -> bool:
        """Whether a step takes one item of a list that was looked up for it, or for what it is looked up for itself.

        Who merges two things takes both at once.
        """
        closure = self._draft.closure
        inputs = self._index.operation(at).inputs
        takes_one = not any(item.parameter == parameter and item.is_list for item in inputs)
        filled = [name for (of, name), (by, _) in closure.filled.items() if (of, by) == (at, producer)]
        is_for_it = producer in closure.added_for and self._target(producer) == self._target(at)
        return is_for_it and takes_one and len(filled) <= 1 and ITEM in edge.field.split("/")

    def _target(self, at: int) -> int:
        """The call of a task for which a step is in the plan; itself where it is one."""
        while (consumer := self._draft.closure.added_for.get(at)) is not None and consumer != at:
            at = consumer
        return at

    def _turned(self, at: int, source: BindingSource, turn: int) -> BindingSource:
        """What fills an input of a step that stands several times in the plan, in one of its later turns."""
        producer = self._index.position[source.edge.producer]
        if self._count[producer] != self._count[at]:
            return source
        if not self._is_item(at, producer, source.edge.parameter, source.edge):
            return source
        select, known = source.select, self._assignments[producer].known
        said = {
            str(known.get(pointer)): values[turn - 1]
            for pointer, values in self._assignments[producer].more.items()
            if turn <= len(values)
        }
        if select is not None and str(select.value) in said:
            select = select.model_copy(update={"value": said[str(select.value)]})
        return replace(source, step=source.step + turn, select=select)

    def _is_spared(self, at: int, selects: Sequence[Select]) -> bool:
        """Whether a selection leaves out what a value of an exclusion names."""
        value = self._context.values[at]
        said = stems(value.text)
        return any(
            value.value in select.except_
            or any(
                value.text == one.value or (one.op == "ne" and said and stems(str(one.value)) <= said)
                for one in select.where
            )
            for select in selects
        )

    def _assignment(self, at: int) -> Assignment:
        """What the tasks of a step give it."""
        draft, context = self._draft, self._context
        form = self._index.form(at)
        target = next((one for one in draft.targets if one.at == at), None)
        if target is None:
            consumer = draft.closure.added_for.get(at)
            if consumer is None:
                check = next(check for check in draft.checks if check.at == at)
                return self._asked_by_condition(check, at, form)
            number, of_consumer = draft.closure.tasks[at], self._index.form(consumer)
            found = context.assigned_to_added(number, consumer, at, form, of_consumer)
            context.fill_places(form, found, [(of_consumer, context.assigned(number, consumer, of_consumer))])
            return found
        found, turns = context.assigned(target.number, at, form), 0
        for number in target.also:
            other = context.assigned(number, at, form)
            taken = {pointer for pointer in other.used.values() if pointer in other.known}
            is_another = any(found.known.get(one, other.known[one]) != other.known[one] for one in taken)
            for pointer, value in other.known.items():
                if is_another and pointer in other.states:
                    # `close 5 and reopen 6`, and `delete comment 7 and erase comment 8 for good`: each as it is said of it.
                    if pointer not in found.known or found.known[pointer] != value:
                        _put_for_turn(found, pointer, turns, value)
                elif pointer not in found.known:
                    found.known[pointer] = value
                elif is_another and pointer in taken:
                    # A step of its own has all that its task says, though some of it be said before.
                    found.more.setdefault(pointer, []).append(value)
            acts = {context.words[number].verb, context.words[target.number].verb} - {""}
            # How one is deleted says nothing of another, and what is only named goes on with the act before: `close 5 and 6`.
            says_else = bool(other.states) or len(acts) > 1 or form.operation.kind is OperationKind.DELETE
            for pointer in found.states if is_another and says_else else ():
                if pointer not in other.known:
                    _put_for_turn(found, pointer, turns, MISSING)
            turns += is_another
            for pointer, text in other.asked.items():
                if pointer not in found.known:
                    found.asked.setdefault(pointer, text)
            # What is asked for once is said of one value.
            found.used.update(
                (value, pointer)
                for value, pointer in other.used.items()
                if found.asked.get(pointer) == other.asked.get(pointer) or pointer not in other.asked
            )
        return found

    def _fill_ways(self, at: int, found: Assignment) -> None:
        """Fill what the tasks of a step say in other words than the document; what looks things up is not narrowed so."""
        target = next((one for one in self._draft.targets if one.at == at), None)
        form = self._index.form(at)
        for number in (target.number, *target.also) if target else ():
            task, said = self._context.tasks[number], self._context.words[number]
            mutating = form.operation.mutating
            texts = [without_values(task), *(task.background if mutating else ())]
            fill_ways(form, found, texts, besides=said.denied | (said.narrowing if mutating else frozenset()))
            for part in () if mutating else phrases(texts[0]):
                things = {stem(word) for word in pieces(part) if self._is_listed(word, form)}
                set_explained(form, found, part, beside={said.verb, *things})
            use_states(found, self._context.said_for(number))
        changes = [one for one in self._draft.targets if self._index.form(one.at).operation.mutating]
        # Of several changes, or several alike, an exclusion says something of one.
        is_only = changes == [target] and not found.more
        for exclusion in self._context.reading.exclusions if is_only else ():
            if exclusion.values:
                continue
            if exclusion.keeps:
                spare_kept(form, found, stems(*pieces(exclusion.words)))
            else:
                set_explained(form, found, exclusion.text)

    def _is_listed(self, word: str, form: OperationForm) -> bool:
        """Whether a word is what the catalogue calls the things that a call lists: `bills`, of invoices."""
        return stem(singular(self._context.called(word))) in form.resource | form.noun_stems

    def _asked_by_condition(self, check: Check, at: int, form: OperationForm) -> Assignment:
        """What a read is given that tells whether a condition holds: what the condition says, and what tells which thing is meant."""
        number = next(one.number for one in self._draft.targets if one.at == check.target)
        of_target = self._index.form(check.target)
        found = self._context.assigned_to_added(number, check.target, at, form, of_target)
        changed = self._context.assigned(number, check.target, of_target)
        self._context.fill_places(form, found, [(of_target, changed)])
        if is_alike(self._index, at, check.target):
            # What is retweeted is what is shown: the parameters of both paths are of the same thing.
            places = {one.item.pointer for one in form.forms if one.item.location == "path"}
            found.known.update({one: changed.known[one] for one in places & changed.known.keys()})
        if check.asked is not None:
            said = check.asked.context.assigned(0, at, form)
            own = {one.at for one in check.asked.context.said_for(0) if one.local}
            states = {} if check.of_many else said.states
            asked = {
                one: value for one, value in said.known.items() if one in states or one not in said.states
            }
            sure = {*states, *(pointer for at, pointer in said.used.items() if at in own)}
            found = replace(
                found,
                known={
                    **asked,
                    **found.known,
                    **{one: said.known[one] for one in sure if one in said.known},
                },
                used={**said.used, **found.used},
                states={**found.states, **states},
            )
        if check.is_membership:
            fill_by_names(form, found, of_target, changed)
        return found

    def _sources(self, at: int) -> dict[str, BindingSource]:
        """What fills the inputs of a step: the closure's choice, and earlier steps for optional inputs."""
        draft, index = self._draft, self._index
        # What is given needs none: no value says which item it would be.
        given = {
            item.parameter
            for item in index.operation(at).inputs
            if item.pointer in self._assignments[at].known
        }
        settled = given | {parameter for consumer, parameter in draft.closure.filled if consumer == at}
        found: dict[str, BindingSource] = {}
        for edge in sorted(draft.needs.get(index.traits[at].tool.id, ()), key=lambda edge: edge.rank):
            producer = index.position.get(edge.producer)
            if producer is None or producer not in self._position:
                continue
            if self._position[producer] >= self._position[at] or edge.parameter in settled:
                continue
            if edge.required or edge.confidence < SURE or edge.parameter in found:
                continue
            # Who is looked up as somebody has teams, and the call is about none of them.
            is_aside = producer in draft.closure.added and edge.field.split("/").count(ITEM) > 1
            if not (
                is_aside
                or self._is_same_thing(at, producer, edge)
                or self._is_put_into(at, producer)
                or self._is_of_other_task(at, producer, edge)
            ):
                found[edge.parameter] = self._source(at, producer, edge)
        for (consumer, parameter), (producer, edge) in draft.closure.filled.items():
            if consumer == at and parameter not in given:
                found[parameter] = self._source(at, producer, edge)
        return found

    def _is_put_into(self, at: int, producer: int) -> bool:
        """Whether a list is read for a change that puts an item of it into what another step finds: it is not there yet."""
        closure = self._draft.closure
        consumer = closure.added_for.get(at, at)
        inputs = self._index.operation(consumer).inputs
        in_body = {item.parameter for item in inputs if item.location == "body"}
        return consumer != at and any(
            filled == consumer and filler == producer and parameter in in_body
            for (filled, parameter), (filler, _) in closure.filled.items()
        )

    def _is_of_other_task(self, at: int, producer: int, edge: Requirement) -> bool:
        """Whether an answer is that of an earlier task of which a later one does not speak, and one of both only looks.

        `list the orders at location 9; change the price of item 8`: the item gets no taxes of an order.
        """
        draft, context = self._draft, self._context
        target = next((one for one in draft.targets if one.at == self._target(at)), None)
        other = next((one for one in draft.targets if one.at == self._target(producer)), None)
        if target is None or other is None or target is other:
            return False
        if not (self._index.traits[at].safe or self._index.traits[producer].safe):
            return False
        named = {number + 1 for number in other.numbers}
        names = frozenset().union(
            *(one.names for one in self._index.form(at).forms if one.item.parameter == edge.parameter)
        )
        is_own = edge.field.count("/") - edge.field.count(f"/{ITEM}") <= _OWN_FIELD
        return (
            named.isdisjoint(context.tasks[target.number].after)
            and not any(context.speaks_of(number, names) for number in target.numbers)
            and not (is_own and any(context.deals_with_one(number, names) for number in other.numbers))
        )

    def _is_same_thing(self, at: int, producer: int, edge: Requirement) -> bool:
        """Whether a change would give a thing what the thing has already: the assignee of a ticket, from the list of tickets."""
        traits, other = self._index.traits[at], self._index.traits[producer]
        changes = traits.kind in (OperationKind.UPDATE, OperationKind.ACTION)
        if not changes or traits.resource != other.resource:
            return False
        inputs = self._index.operation(at).inputs
        return not any(item.location == "path" and item.parameter == edge.parameter for item in inputs)

    def _source(self, at: int, producer: int, edge: Requirement) -> BindingSource:
        operation = self._index.operation(producer)
        select: Select | None = None
        if ITEM in edge.field.split("/"):
            same_as = self._draft.closure.like.get((at, edge.parameter), at)
            number = self._draft.closure.tasks.get(same_as, 0)
            task = self._context.tasks[number]
            left = [one for one in self._context.said_for(number) if one.local and one.at not in self._used]
            made = self._draft.closure.tasks.get(producer, number)
            if made != number:
                left += [
                    one for one in self._context.said_for(made) if one.local and one.at not in self._used
                ]
            if edge.field.split("/")[-2] == ITEM:
                # What a list is searched for is what is taken of it.
                left = [*self._searched(producer, made), *left]
            quantity = task.quantity
            earlier = self._context.tasks[made]
            if quantity.value == "unsaid":
                quantity = earlier.quantity
            narrows = self._narrows_list(at, producer)
            if quantity.is_of_many and (
                narrows or self._is_one_place(number, at, edge, left) or self._is_one_person(number, producer)
            ):
                quantity = Quantity.UNSAID
            if quantity.is_of_many and self._is_of_others(number, producer):
                quantity = Quantity.UNSAID
            if quantity in (Quantity.FIRST, Quantity.LAST, Quantity.SEVERAL) and self._is_of_other_list(
                number, producer
            ):
                quantity = Quantity.UNSAID
            # Of what narrows a list, nothing is spared that the list holds.
            exclusions = () if narrows else self._context.reading.exclusions
            spared = [value for one in exclusions for value in one.values]
            # Whatever a task takes of one list is of one item: the values that tell which one are used once.
            # Two inputs that take the same of it take it of two items.
            same = (producer, number, edge.field[: edge.field.rindex(f"/{ITEM}")])
            if same not in self._selects or (at, edge.field) in self._taken:
                task_words, known_by = self._context.words[number], self._states_of(producer)
                kind = self._kind_meant(number, producer)
                self._selects[same], used = select_of(
                    operation,
                    edge,
                    quantity=quantity,
                    left=left,
                    spared=spared,
                    narrowed=self._is_narrowed(producer),
                    leads_to_change=self._leads_to_change(producer),
                    narrowing=task_words.narrowing.union(kind) - known_by,
                    denied=(task_words.denied | self._context.left_out(number)) - known_by,
                    unsaid=self._unsaid(number, producer, kind),
                    open_values=self._open_values(number),
                    spares_by_other=any(
                        (_BY_OTHER.search(one.text) or FIRST_OR_LAST.search(one.text)) is not None
                        for one in exclusions
                        if one.keeps
                    ),
                    is_plural=self._context.speaks_of_several(number, operation.resource),
                    is_thing=self._context.is_thing,
                )
                self._used.update(used)
            self._taken.add((at, edge.field))
            select = self._selects[same]
        return BindingSource(self._position[producer], operation, edge, select)

    def _states_of(self, at: int) -> frozenset[str]:
        """Stems of the words that set states of a step."""
        return frozenset().union(*self._assignments[at].states.values())

    def _unsaid(self, number: int, producer: int, kind: AbstractSet[str]) -> frozenset[str]:
        """Stems by which a task tells some things from others, and that none of its calls is called by: (purpl) of `all purple tickets`."""
        task_words = self._context.words[number]
        if task_words.many and not kind and task_words.many not in self._index.traits[producer].resource:
            # The agents to whom all open tickets go are no tickets.
            return frozenset()
        called = frozenset().union(
            *(
                self._index.traits[at].path_words | self._index.traits[at].resource
                for at in self._draft.order
                if at == producer or self._draft.closure.tasks.get(at) == number
            )
        )
        known_by = called | self._states_of(producer)
        unsaid = task_words.qualifying | self._context.left_out(number) | kind
        asked = {producer, *(at for (of, _), (at, _) in self._draft.closure.filled.items() if of == producer)}
        taken = frozenset().union(*(self._assignments[at].used for at in asked))
        if not self._context.is_known_by_value(number, taken):
            unsaid |= task_words.denied
            if task_words.described_by.isdisjoint(known_by | task_words.denied):
                unsaid |= task_words.described_by
        return unsaid - known_by

    def _kind_meant(self, number: int, producer: int) -> frozenset[str]:
        """Stem of what a task calls the things of a list, where that is a state of some of them: (draft) of `approve all drafts`.

        Or where the catalogue knows no such word: a name that tells which of them are meant.
        """
        many = self._context.words[number].many
        # `e-mail each one`
        is_pronoun = many in table("values")["numbers"] or many in value_words().function
        if many and not (is_pronoun or self._index.is_word(many)):
            return frozenset({many})
        states = (form for form in self._index.form(producer).forms if form.is_state)
        named = {member.stems for form in states for member in form.members}
        held = (one for field in self._index.operation(producer).answer.fields for one in field.enum)
        named.update(tuple(map(stem, words(one))) for one in held if isinstance(one, str))
        return frozenset({many}) if (many,) in named else frozenset()

    def _open_values(self, number: int) -> frozenset[int]:
        """Positions of the values that say which of many a task means, or does not mean, and that no call takes."""
        return frozenset(
            one.at
            for one in self._context.said
            if self._context.narrows(number, one)
            and one.at not in self._used
            and one.at not in self._context.spared
            and (one.is_denied or not one.value.weak)
        )

    def _is_of_others(self, number: int, producer: int) -> bool:
        """Whether a task means all of another list in the plan: `assign all open tickets to Ann Lee`, of the agents."""
        many = self._context.words[number].many
        lists = [self._index.traits[at] for at in self._draft.order if at != producer]
        is_listed = any(many in one.resource for one in lists if one.kind in LISTING_KINDS)
        return bool(many) and many not in self._index.traits[producer].resource and is_listed

    def _is_of_other_list(self, number: int, producer: int) -> bool:
        """Whether a task means the first or last of another list in the plan: `roll the database back to its latest backup`."""
        noun = ordered_noun(self._context.tasks[number].do, is_thing=self._context.is_thing)
        lists = [self._index.traits[at].resource for at in self._draft.order]
        is_of_this = noun in self._index.traits[producer].resource
        return bool(noun) and not is_of_this and any(noun in resource for resource in lists)

    def _is_one_place(self, number: int, at: int, edge: Requirement, left: Sequence[SaidValue]) -> bool:
        """Whether an input is of a thing that the task names, and not of those of which it means all: `all messages of app 3`."""
        names = frozenset().union(
            *(one.names for one in self._index.form(at).forms if one.item.parameter == edge.parameter)
        )
        return self._context.words[number].object not in names and any(own_noun(one) in names for one in left)

    def _narrows_list(self, at: int, producer: int) -> bool:
        """Whether a thing is looked up to narrow a list: the category, of `all articles in the category "Travel"`."""
        traits, closure = self._index.traits[at], self._draft.closure
        is_list = traits.safe and traits.kind in LISTING_KINDS
        is_apart = traits.resource.isdisjoint(self._index.traits[producer].resource)
        return is_list and is_apart and closure.added_for.get(producer) == at

    def _is_one_person(self, number: int, producer: int) -> bool:
        """Whether a list is asked for somebody by an address, where the task means all of other things: `all tickets of a@b.c`."""
        many, resource = self._context.words[number].many, self._index.traits[producer].resource
        used = self._assignments[producer].used
        by_address = any(self._context.values[at].kind is ValueKind.EMAIL for at in used)
        return by_address and many not in resource

    def _searched(self, producer: int, number: int) -> list[SaidValue]:
        """What a thing is called by which a list is searched: the search may find others beside it."""
        found, form = self._assignments[producer], self._index.form(producer)
        searches = {one.item.pointer for one in form.forms if one.filters_by in table("inputs")["searches"]}
        resource = self._index.traits[producer].resource
        return [
            one
            for one in self._context.said_for(number)
            if found.used.get(one.at) in searches and own_noun(one) in {"", *resource}
        ]

    def _is_narrowed(self, producer: int) -> bool:
        """Whether a list is asked for one thing by its own name or address."""
        found = self._assignments[producer]
        form = self._index.form(producer)
        strong = {
            pointer
            for at, pointer in found.used.items()
            if self._context.values[at].kind
            in (ValueKind.EMAIL, ValueKind.QUOTED, ValueKind.NAME, ValueKind.URL, ValueKind.MENTION)
            or self._is_number(at, form.forms[form.by_pointer[pointer]])
        }
        resource = self._index.traits[producer].resource
        return any(
            one.item.location != "path"
            # Records of one type are many.
            and not one.item.enum
            # `zones?zone=a.com` is one zone.
            and (
                one.item.pointer in strong
                or (one.item.pointer in found.used.values() and one.own == resource)
            )
            for one in form.forms
        )

    def _is_number(self, at: int, one: Form) -> bool:
        """Whether a value is what things are numbered with, as a document shows: the article number TW-118, but no customer."""
        numbers = self._context.said[at].implied & one.own
        return bool(numbers) and not any(map(self._context.is_thing, numbers))

    def _leads_to_change(self, producer: int) -> bool:
        return any(
            self._index.traits[at].mutating and self._draft.closure.depends_on(at, producer)
            for at in self._draft.order
            if at != producer
        )

    def _suggested(
        self, at: int, form: OperationForm, assignment: Assignment
    ) -> AbstractSet[tuple[str, ...]]:
        """Optional inputs without which a call that changes something would say nothing."""
        if not self._index.traits[at].mutating:
            return frozenset()
        named: set[tuple[str, ...]] = set()
        said = frozenset(self._context.words[self._draft.closure.tasks.get(at, 0)].stems)
        for one in form.forms:
            # An object that the task names needs what it requires.
            if one.item.is_container and not one.item.required and one.own and one.own <= said:
                depth = len(one.item.pointer)
                named |= {
                    other.item.pointer
                    for other in form.forms
                    if other.item.pointer[:depth] == one.item.pointer
                    and len(other.item.pointer) == depth + 1
                    and other.item.enum
                    and not is_shaping(other.item)
                    and not any(pointer[:depth] == one.item.pointer for pointer in assignment.known)
                }
        named |= self._named_alone(at, form, assignment)
        if any(one.item.required for one in form.forms) or len(form.forms) > _FEW:
            return frozenset(named)
        found = {
            one.item.pointer
            for one in form.forms
            if len(one.item.pointer) == 1
            and one.item.type in ("string", "")
            and not one.item.enum
            and not one.item.is_list
            and not is_shaping(one.item)
            and "optional" not in one.item.description.lower()
        }
        return frozenset(found | named)

    def _named_alone(
        self, at: int, form: OperationForm, assignment: Assignment
    ) -> AbstractSet[tuple[str, ...]]:
        """What a task wants changed without saying to what, where it says nothing else: `change her phone number`."""
        body = [one for one in form.forms if one.item.location == "body" and not one.item.is_container]
        if form.operation.kind is not OperationKind.UPDATE or any(
            assignment.has(one.item.pointer) for one in body
        ):
            return frozenset()
        number = self._draft.closure.tasks.get(at, 0)
        about = [*self._context.tasks[number].background] if self._context.words[number].has_pronoun else []
        said = {*self._context.words[number].stems, *(stem(word) for text in about for word in pieces(text))}
        return {
            one.item.pointer
            for one in body
            if one.own and one.own <= said and not one.own <= form.resource | form.noun_stems
        }

    def _when(self, at: int) -> tuple[tuple[When, ...], GoalCondition | None]:
        for check in self._draft.checks:
            if check.target != at:
                continue
            if check.condition.when is not None:
                # The caller counts tasks; a plan counts steps.
                asked = check.condition.when
                teller = next(
                    (
                        one.at
                        for one in (*self._draft.targets, *self._draft.met)
                        if asked.step - 1 in one.numbers
                    ),
                    None,
                )
                if teller is None or teller not in self._position or teller == at:
                    return (), check.condition
                return (asked.model_copy(update={"step": self._position[teller]}),), None
            if check.at is None or check.at not in self._position:
                return (), check.condition
            read, changed = self._assignments[check.at], self._assignments[at]
            found, is_whole = whens_of(
                self._index,
                check,
                step=self._position[check.at],
                read=read.known,
                changed=changed.known,
                taken=[self._context.values[one] for one in {*read.used, *changed.used}],
            )
            self._used |= {
                number
                for number, value in enumerate(self._context.values)
                if any(told.said_by is not None and told.said_by.start == value.start for told in check.told)
            }
            return found, None if is_whole else check.condition
        return (), None
