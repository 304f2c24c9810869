"""Finds regular expressions that take more than linear time: all of them, on texts that repeat one thing.

A text is a beginning that the expression accepts, a pump many times over, and an end that it may not accept.
"""

import ast
import importlib
import pkgutil
import re
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from itertools import zip_longest
from operator import or_
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from types import FrameType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("app", "ingest")

CHARACTERS = 4_000
"""The longest query or goal that the service accepts by default."""
MAX_S = 0.05
"""CPU time for that many characters."""
MAX_RATIO = 3.0
"""For twice the characters: 2 is linear, 4 quadratic."""
WORTH_MEASURING_S = 0.001
"""Below it a clock says little about how time grows."""
GIVEN_UP_S = 0.5
ROUNDS = 3

PUMPS = (
    *(" ", "\n", "\t", "A", "a", "1", "é", "中", "_", "-", ".", ",", ":", ";", "/"),
    *("<", "(", "[", "{", "$", "'", '"', "“"),
    *("a ", "a,", "a.", "A1", "Aa", "1.", " (", "<a", '"a', "'a ", "“a", "a@", ", ", ". ", "x=;", "{a"),
)
END = "\x01"
"""Few expressions accept it: those that fail at the end try everything else first."""
_USES = frozenset({"search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn"})
_ALL_USES = ("search", "findall", "fullmatch")
"""How an expression is tried whose use does not stand beside its name."""
_BEGINNINGS = 6
"""How many beginnings of an expression are tried at most; a list of 200 names has 200."""


@dataclass(frozen=True)
class Expression:
    """A regular expression of the product, and how it is used there."""

    place: str
    pattern: re.Pattern[Any]
    uses: tuple[str, ...] = _ALL_USES


@dataclass(frozen=True)
class Finding:
    """An expression and a text on which it takes too long."""

    place: str
    use: str
    beginning: str
    pump: str
    seconds: float
    ratio: float
    """Time for the text to that for half of it; infinite where it was given up."""


# Which expressions there are


def attributes(modules: list[ModuleType]) -> list[Expression]:
    """Compiled expressions that modules and their classes hold, also inside containers; each once."""
    found: dict[tuple[str, int], Expression] = {}
    for module in modules:
        uses = _uses_by_name(_tree(module))
        for name, value in vars(module).items():
            if name.startswith("__"):
                continue
            own_class = isinstance(value, type) and value.__module__ == module.__name__
            for inner, held in vars(value).items() if own_class else [(name, value)]:
                for pattern in _held(held, depth=0):
                    place = f"{module.__name__}.{name}" + (f".{inner}" if own_class else "")
                    key = (repr(pattern.pattern), pattern.flags)
                    found.setdefault(key, Expression(place, pattern, uses.get(inner, _ALL_USES)))
    return list(found.values())


def product_modules() -> list[ModuleType]:
    """Every module of the product but those that run when they are imported."""
    return [
        importlib.import_module(found.name)
        for package in PACKAGES
        for found in pkgutil.walk_packages([str(ROOT / package)], f"{package}.")
        if not found.name.endswith("__main__")
    ]


def literals(modules: list[ModuleType]) -> tuple[list[Expression], set[str]]:
    """Expressions that are texts in calls of `re`, and the functions that build theirs at run time."""
    found: list[Expression] = []
    builders: set[str] = set()
    for module in modules:
        for function, call in _calls_of_re(_tree(module)):
            place = f"{module.__name__}.{function}" if function else module.__name__
            use = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            try:
                text = ast.literal_eval(call.args[0])
            except ValueError:
                # At the top of a module what is built is kept, and found there.
                builders |= {place} if function else set()
                continue
            uses = _ALL_USES if use == "compile" else (use,)
            if function or use != "compile":
                found.append(Expression(f"{place}: {text!r}", re.compile(text, _flags(call)), uses))
    return found, builders


def _tree(module: ModuleType) -> ast.Module:
    """What a module says; nothing where it does not import `re`."""
    assert module.__file__ is not None
    text = Path(module.__file__).read_text(encoding="utf-8")
    return ast.parse(text if "import re\n" in text else "")


def _held(value: object, *, depth: int) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 4 and isinstance(value, Mapping):
        for item in value.values():
            yield from _held(item, depth=depth + 1)
    elif depth < 4 and isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from _held(item, depth=depth + 1)


def _uses_by_name(tree: ast.Module) -> dict[str, tuple[str, ...]]:
    uses: dict[str, dict[str, None]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in _USES:
            uses.setdefault(node.value.id, {})[node.attr] = None
    return {name: tuple(found) for name, found in uses.items()}


def _calls_of_re(node: ast.AST, function: str = "") -> Iterator[tuple[str, ast.Call]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Attribute):
            named = child.func.value
            if isinstance(named, ast.Name) and named.id == "re" and child.func.attr in {*_USES, "compile"}:
                yield function, child
        inside = child.name if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) else function
        yield from _calls_of_re(child, inside)


def _flags(call: ast.Call) -> int:
    names = [node.attr for node in ast.walk(call) if isinstance(node, ast.Attribute)]
    return int(reduce(or_, (re.RegexFlag[name] for name in names if name.isupper()), re.NOFLAG))


# What they are tried on


def beginnings(pattern: re.Pattern[Any]) -> list[str]:
    """Texts that lead into the expression: for each of its parts, something that all before it accept."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    parsed = sre_parser.parse(text, pattern.flags & ~re.UNICODE)
    found = dict.fromkeys(("", *_prefixes(parsed, "")))
    return list(found)[:_BEGINNINGS]


def _prefixes(items: Any, before: str) -> Iterator[str]:
    for (kind, value), (following, _) in zip_longest(items, items[1:], fillvalue=(None, None)):
        if kind is sre.BRANCH:
            for branch in value[1]:
                yield from _prefixes(branch, before)
        elif kind is sre.SUBPATTERN:
            yield from _prefixes(value[3], before)
        elif kind in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            yield from _prefixes(value[2], before)
        elif kind is sre.ATOMIC_GROUP:
            yield from _prefixes(value, before)
        before += _sample([(kind, value)])
        if following is not sre.LITERAL:
            yield before


def _sample(items: Any) -> str:
    """A text that the parts may accept; which one matters little."""
    text = ""
    for kind, value in items:
        if kind is sre.LITERAL:
            text += chr(value)
        elif kind is sre.NOT_LITERAL:
            text += "a" if value != ord("a") else "b"
        elif kind is sre.ANY:
            text += "a"
        elif kind is sre.IN:
            text += _member(value)
        elif kind is sre.BRANCH:
            text += _sample(value[1][0])
        elif kind is sre.SUBPATTERN:
            text += _sample(value[3])
        elif kind is sre.ATOMIC_GROUP:
            text += _sample(value)
        elif kind in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            text += _sample(value[2]) * min(value[0], 3)
        elif kind is sre.ASSERT and value[0] < 0:
            text += _sample(value[1])
    return text


def _member(members: Any) -> str:
    if members[0][0] is sre.NEGATE:
        refused = re.compile("[^" + "".join(_as_written(item) for item in members[1:]) + "]")
        return next((character for character in "a1 -" if refused.match(character)), "")
    kind, value = members[0]
    if kind is sre.LITERAL:
        return chr(value)
    if kind is sre.RANGE:
        return chr(value[0])
    return next(
        (character for character in "a1 -" if re.match(f"[{_as_written(members[0])}]", character)), ""
    )


def _as_written(member: tuple[Any, Any]) -> str:
    kind, value = member
    if kind is sre.LITERAL:
        return re.escape(chr(value))
    if kind is sre.RANGE:
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    names = {
        sre.CATEGORY_DIGIT: r"\d",
        sre.CATEGORY_NOT_DIGIT: r"\D",
        sre.CATEGORY_SPACE: r"\s",
        sre.CATEGORY_NOT_SPACE: r"\S",
        sre.CATEGORY_WORD: r"\w",
        sre.CATEGORY_NOT_WORD: r"\W",
    }
    return names[value]


# How long they take


def findings(expression: Expression) -> list[Finding]:
    """Texts on which an expression takes too long: the first for each way in which it is used."""
    found: list[Finding] = []
    starts = beginnings(expression.pattern)
    pumps = dict.fromkeys((*PUMPS, *(start for start in starts if start)))
    for use in expression.uses:
        tried = (_tried(expression, use, start, pump) for start in starts for pump in pumps)
        first = next((one for one in tried if one is not None), None)
        found += [first] if first else []
    return found


def _tried(expression: Expression, use: str, start: str, pump: str) -> Finding | None:
    def cpu(characters: int) -> float:
        text = (start + pump * (characters // len(pump)))[:characters] + END
        encoded = isinstance(expression.pattern.pattern, bytes)
        return _cpu(_run(expression.pattern, use, text.encode() if encoded else text))

    def finding(seconds: float, ratio: float) -> Finding:
        return Finding(expression.place, use, start, pump, seconds, ratio)

    def best(characters: int) -> float:
        return min(cpu(characters) for _ in range(ROUNDS))

    try:
        with _at_most(GIVEN_UP_S):
            # Shorter ones first, so that what grows fast is seen before it takes a minute.
            for characters in (CHARACTERS // 20, CHARACTERS // 4, CHARACTERS):
                whole = cpu(characters)
                # Once may be the collector of memory.
                if whole > MAX_S and (whole := best(characters)) > MAX_S:
                    return finding(whole, whole / cpu(characters // 2))
                # Even what grows with the third power stays below what is worth measuring.
                if whole <= WORTH_MEASURING_S * (characters / CHARACTERS) ** 3:
                    return None
            # Said of none that a busy machine disturbed: what grows does so each time.
            for _ in range(ROUNDS):
                whole, half = best(CHARACTERS), best(CHARACTERS // 2)
                if whole <= WORTH_MEASURING_S or whole <= MAX_RATIO * half:
                    return None
    except _TooLongError:
        return finding(GIVEN_UP_S, float("inf"))
    return finding(whole, whole / half)


def _run(pattern: re.Pattern[Any], use: str, text: str | bytes) -> Callable[[], object]:
    if use in ("sub", "subn"):
        empty = b"" if isinstance(text, bytes) else ""
        return lambda: pattern.sub(empty, text)
    if use == "finditer":
        # What it finds is not kept: then the collector of memory would be measured, too.
        return lambda: deque(pattern.finditer(text), maxlen=0)
    method = getattr(pattern, use)
    return lambda: method(text)


def _cpu(work: Callable[[], object]) -> float:
    begin = time.thread_time()
    work()
    return time.thread_time() - begin


class _TooLongError(Exception):
    """The time is over."""


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Ends what takes longer; `re` looks for signals while it works, in the main thread."""

    def over(_signal: int, _frame: FrameType | None) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
