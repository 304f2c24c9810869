"""Values that are known before a plan runs: what the caller gave, and what the goal itself says."""

from collections.abc import Mapping

from pydantic import JsonValue

from app.domain.language.identifiers import ID_WORDS, id_family, words
from app.domain.language.operation_words import SEARCH_PARAMETERS, OperationKind
from app.domain.planning.operations import Operation
from app.domain.planning.stated_values import first_email, quoted_names, stated_value
from app.domain.schemas.tool_schemas import Input
from app.domain.workflows.plans import KnownBinding

_NAME_WORDS = frozenset(("name", "title"))


class KnownValues:
    """Values by the words of their names; `order_id`, `orderId` and `order-ids` are one name."""

    def __init__(self, goal: str, known: Mapping[str, JsonValue]) -> None:
        self.goal = goal
        self._exact = dict(known)
        self._by_words = {_normal(words(name)): value for name, value in known.items()}
        self.names = quoted_names(goal)

    @property
    def email(self) -> str | None:
        """The first e-mail address in the goal."""
        return first_email(self.goal)

    def given(self, slot: tuple[str, ...]) -> JsonValue:
        """The caller's value under a name of these words; None when there is no such value."""
        return self._by_words.get(_normal(slot))

    def __contains__(self, slot: tuple[str, ...]) -> bool:
        return _normal(slot) in self._by_words

    @property
    def slots(self) -> frozenset[tuple[str, ...]]:
        """Words of the names of all given values."""
        return frozenset(self._by_words)

    def binding(self, operation: Operation, item: Input) -> KnownBinding | None:
        """The value of an input, from `known` first, else from the goal's text; None when neither has it.

        A bare `id` is that of the noun before it in the path, or of the call's resource. A required input takes
        a value that the text ties to its noun (`order 123`); a search also takes what is quoted as its query.
        """
        if item.parameter in self._exact:
            return KnownBinding(known=self._exact[item.parameter])
        for slot in slots_of(operation, item):
            if _normal(slot) in self._by_words:
                return KnownBinding(known=self._by_words[_normal(slot)])
        value: JsonValue = None
        if item.required or operation.kind is OperationKind.SEARCH:
            value = stated_value(item, words(item.name), operation.place(item).noun, self.goal)
        if value is None and operation.kind is OperationKind.SEARCH and self.names and _takes_name(item):
            value = self.names[0]
        return None if value is None else KnownBinding(known=value)


def slots_of(operation: Operation, item: Input) -> tuple[tuple[str, ...], ...]:
    """Names under which a caller may know an input's value, the plainest first."""
    name = words(item.name)
    if len(name) == 1 and name[0] in ID_WORDS:
        entity = operation.place(item).noun or operation.resource
        return ((*entity, *name), (*entity[-1:], *name)) if entity else (name,)
    place = operation.place(item).noun
    if item.location == "path" and place and name == place:
        return (name, (*name, "id"))
    return (name,)


def _normal(name: tuple[str, ...]) -> tuple[str, ...]:
    return (*name[:-1], id_family(name[-1])) if name else name


def _takes_name(item: Input) -> bool:
    name = words(item.name)
    is_query = item.name.lower() in SEARCH_PARAMETERS or (bool(name) and name[-1] in _NAME_WORDS)
    return is_query and item.type in ("string", "") and not item.has_enum
