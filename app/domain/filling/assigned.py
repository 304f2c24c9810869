"""What fills the inputs of one call."""

from dataclasses import dataclass, field

from pydantic import JsonValue

from app.domain.filling.forms import Form, OperationForm
from app.domain.filling.said import SaidValue
from app.domain.filling.typed import MISSING, typed


@dataclass(slots=True)
class Assignment:
    """What fills the inputs of one call."""

    known: dict[tuple[str, ...], JsonValue] = field(default_factory=dict)
    """By the input's pointer."""
    used: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Position of a value among those of the goal -> pointer of the input that takes it."""
    more: dict[tuple[str, ...], list[JsonValue]] = field(default_factory=dict)
    """Further values for an input that takes one: each makes a step of its own."""
    asked: dict[tuple[str, ...], str] = field(default_factory=dict)
    """Inputs that a value is meant for and that cannot take it as it is: what to ask, in words."""
    states: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict)
    """Inputs that words of the task set, with the stems of these words."""
    by_rank: set[int] = field(default_factory=set)
    """Of the used values, those that went to the likeliest input for texts."""
    guessed: set[int] = field(default_factory=set)
    """Of the used values, names and numbers that went to the only input left."""
    weight: float = 0.0
    """Sum of how well the used values fit."""

    def has(self, pointer: tuple[str, ...]) -> bool:
        """Whether an input is filled, or asked for."""
        return pointer in self.known or pointer in self.asked


def put(found: Assignment, form: Form, said: SaidValue, value: JsonValue, fit: float) -> None:
    """Let a value fill an input; a further one goes on with a list, or makes a step of its own."""
    pointer = form.item.pointer
    if pointer in found.known:
        previous = found.known[pointer]
        if form.is_joined and isinstance(previous, str):
            found.known[pointer] = f"{previous},{value}"
        elif isinstance(previous, list):
            found.known[pointer] = [*previous, *(value if isinstance(value, list) else [value])]
        else:
            found.more.setdefault(pointer, []).append(value)
    else:
        found.known[pointer] = value
    found.used[said.at] = pointer
    found.weight += fit if said.local else fit / 2 if form.item.location == "path" else 0.0


def put_or_ask(found: Assignment, form: OperationForm, target: Form, said: SaidValue, fit: float) -> None:
    """Fill an input, or have it asked for where the document does not say how it counts what the goal says."""
    value = typed(target, said.value, siblings=form.forms)
    if value is MISSING:
        return
    if value is None:
        found.asked[target.item.pointer] = said.value.text
        found.used[said.at] = target.item.pointer
    else:
        put(found, target, said, value, fit)  # type: ignore[arg-type]


def joins(found: Assignment, target: Form, one: SaidValue) -> bool:
    """Whether a further value of a list of values goes to the same input: `invite bob and carol`."""
    if target.item.pointer not in found.used.values():
        return False
    return one.local and (target.item.is_list or target.is_joined or one.listed)
