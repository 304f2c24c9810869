"""Why something is done: a goal says it behind `because`, or in a few words behind the order, `reject 7: too expensive`."""

import re
from dataclasses import replace

from app.domain.choosing.targets import UNFIT
from app.domain.filling.assigned import Assignment
from app.domain.filling.forms import Form, OperationForm
from app.domain.language.identifiers import pieces, words
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.planning.context import GoalContext
from app.domain.planning.draft import PlanDraft
from app.domain.planning.index import PlanIndex
from app.domain.reading.clauses.orders import is_order
from app.domain.reading.clauses.questions import is_question
from app.domain.reading.clauses.words import is_participle
from app.domain.reading.models import ValueKind
from app.domain.workflows.plans import UnmetTask
from app.lexicon.lists import table

_BECAUSE = re.compile(
    r"\b(?:because(?:\s++of)?|due\s++to)\s++([^.,;:!?\n]{2,200}?)(?=\s*+(?:\Z|[.,;:!?\n]|\b(?:and|then)\s++(?:then|please|also)\b))"
)
_NO_REASON = "and|but|then|not|by|with|from|to|at|in|on|for|as|before|after|until|once|when|cc|asap|sorry|please|thanks|rest"
"""A piece that begins with one of them says something else: where, when, or what else there is."""
_LAST_PIECE = re.compile(
    rf"(?:[,;:]|\s[-\u2013\u2014])\s++((?!(?:{_NO_REASON})\b)[a-z][^,;:\n\d]{{3,120}})\Z"
)
_SAYS_ELSE = re.compile(rf"(?:{_NO_REASON})\b", re.IGNORECASE)
_MOST_WORDS = 6
"""Of what gives a reason without saying so."""


def with_reasons(index: PlanIndex, draft: PlanDraft) -> PlanDraft:
    """The draft whose changes say why they are made, where they take a reason that nothing has filled.

    What no tool fits and asks for nothing is such a reason, of the change right before it: then it is met.

    Args:
        index: The catalogue.
        draft: Whose calls take the reasons.
    """
    unmet = list(draft.unmet)
    context = draft.context
    for target in draft.targets:
        form = index.form(target.at)
        if not form.operation.mutating:
            continue
        found = context.assigned(target.number, target.at, form)
        taking = _taking_reasons(form, found)
        if found.more or target.also:
            # Of several it says something of one.
            continue
        if taking is None:
            piece = _last_piece(context, target.number, found)
            if piece is not None and is_participle(piece[0]) and not piece[1]:
                unmet.append(UnmetTask(task=piece[0], reason=UNFIT))
            continue
        remark = _remark_behind(context, target.number)
        said = next((one for one in unmet if remark and one.task == remark and one.fits is None), None)
        text = _reason_within(context, target.number) or (said.task if said else "")
        if not text and (piece := _last_piece(context, target.number, found)) is not None:
            text, spoken = piece
            found.used.update(dict.fromkeys(spoken, taking.item.pointer))
        stems = frozenset(map(stem, pieces(text)))
        if not text or stems <= frozenset[str]().union(*found.states.values()):
            # `because of illness` is said by ILLNESS already.
            continue
        if said is not None:
            unmet.remove(said)
        found.known[taking.item.pointer] = text
        found.states[taking.item.pointer] = stems
    return replace(draft, unmet=tuple(unmet)) if len(unmet) != len(draft.unmet) else draft


def _taking_reasons(form: OperationForm, found: Assignment) -> Form | None:
    """The only open input that takes why a call is made; where none is called so, what is noted beside a change."""
    open_texts = [
        one
        for one in form.forms
        if one.is_free_text
        and one.item.location == "body"
        and len(one.item.pointer) == 1
        and not found.has(one.item.pointer)
    ]
    inputs = table("inputs")
    names = [inputs["reasons"]]
    if form.operation.kind is not OperationKind.CREATE:
        names.append(inputs["noted"])
    for some in names:
        taking = [one for one in open_texts if "".join(words(one.item.name)[-1:]) in some]
        if taking:
            return taking[0] if len(taking) == 1 else None
    return None


def _reason_within(context: GoalContext, number: int) -> str:
    """What stands behind `because` in a task or in what belongs to it; empty where that only refers to something."""
    task = context.tasks[number]
    begin = max(context.goal.find(task.do), 0)
    following = context.tasks[number + 1].do if number + 1 < len(context.tasks) else ""
    end = context.goal.find(following, begin) if following else -1
    for text in (task.do, *task.background, context.goal[begin : end if end > begin else None]):
        if found := _BECAUSE.search(text):
            said = found[1].strip()
            return "" if said.lower() in table("reading")["pronouns"] else said
    return ""


def _remark_behind(context: GoalContext, number: int) -> str:
    """The task right behind another that is a few words without a verb or a value: `too expensive`; empty where it is no such task."""
    task = context.tasks[number + 1] if number + 1 < len(context.tasks) else None
    if task is None or task.values:
        return ""
    before = context.goal[: max(context.goal.find(task.do), 0)].rstrip()
    says_why = _may_say_why(task.do) and _SAYS_ELSE.match(task.do) is None
    return task.do if says_why and before.endswith((",", ";", ":", "-", "\u2013", "\u2014")) else ""


def _may_say_why(text: str) -> bool:
    """Whether a piece is a few words that neither ask nor order."""
    is_short = 1 < len(text.split()) <= _MOST_WORDS
    return is_short and not is_order(text, lambda _: False) and not is_question(text)


def _last_piece(context: GoalContext, number: int, found: Assignment) -> tuple[str, list[int]] | None:
    """What ends a task behind a mark, of which nothing is used yet, and positions of the names in it: `entered twice`."""
    task = context.tasks[number]
    piece = _LAST_PIECE.search(task.do)
    text = piece[1].strip() if piece else ""
    if not _may_say_why(text):
        return None
    begin = context.goal.rfind(text)
    stems = set(map(stem, pieces(text)))
    is_set = any(not stems.isdisjoint(of) for of in found.states.values())
    if begin < 0 or is_set:
        return None
    within = [at for at, value in enumerate(context.values) if begin <= value.start < begin + len(text)]
    names = all(
        context.values[at].kind is ValueKind.NAME and context.values[at].text.islower() for at in within
    )
    return (text, within) if names and found.used.keys().isdisjoint(within) else None
