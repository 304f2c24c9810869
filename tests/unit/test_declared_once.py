"""What has the same fields is one thing, declared once."""

import dataclasses
import importlib
import pkgutil
from collections import defaultdict
from collections.abc import Iterator

from pydantic import BaseModel

import app

FEWEST = 3
"""Fields that two declarations may share by chance when there are fewer."""
EXCEPTIONS: set[frozenset[str]] = set()
"""Names of declarations that may have the same fields, and why."""


def test_no_two_declarations_have_the_same_fields() -> None:
    """A second model of an answer, or of a question, would have to be kept equal by hand."""
    found: defaultdict[frozenset[str], set[str]] = defaultdict(set)
    for name, fields in _declarations():
        if len(fields) >= FEWEST:
            found[fields].add(name)

    twice = {frozenset(names) for names in found.values() if len(names) > 1}

    assert twice == EXCEPTIONS


def _declarations() -> Iterator[tuple[str, frozenset[str]]]:
    """Name and fields of each model and dataclass of `app`; a model that only narrows what it inherits is left out."""
    for module in pkgutil.walk_packages(app.__path__, "app."):
        for name, kind in vars(importlib.import_module(module.name)).items():
            if not isinstance(kind, type) or kind.__module__ != module.name:
                continue
            if issubclass(kind, BaseModel):
                fields = frozenset(kind.model_fields)
                if all(fields != getattr(base, "model_fields", {}).keys() for base in kind.__bases__):
                    yield name, fields
            elif dataclasses.is_dataclass(kind):
                yield name, frozenset(field.name for field in dataclasses.fields(kind))
