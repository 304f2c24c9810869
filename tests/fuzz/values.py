"""Hostile values, as texts of JSON: some are no JSON at all."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

T = TypeVar("T")
JsonText: TypeAlias = str
"""Characters of a document, or of a part of one; lone surrogates in it become broken UTF-8."""
Fields: TypeAlias = Mapping[str, Callable[[], JsonText]]

WORDS = (
    *(
        "order",
        "refund a payment",
        "cancel my order and refund the payment",
        "give the customer the money back",
    ),
    *(
        "show order A-10482 of ann@example.org",
        'find "red shoes"',
        "주문을 취소해 줘",
        "orders/get_order",
        "order_id",
    ),
)
_RUNS = (
    *(
        " ",
        "\t",
        "\n",
        "\xa0",
        "\u3000",
        "\u200b",
        "A",
        "a",
        "Aa",
        "1",
        "_",
        "-",
        ".",
        ",",
        ";",
        ":",
        "/",
        "\\",
    ),
    *(
        "<",
        ">",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        '"',
        "'",
        "`",
        "“",
        "@",
        "a@",
        "=",
        "%",
        "#",
        "*",
        "+",
        "?",
        "|",
        "$",
    ),
    *(
        "\0",
        "\x1b[",
        "\x85",
        "\u0301",
        "\u202e",
        "\u2028",
        "\ufeff",
        "\U000e0041",
        "\U0001f600",
        "주문",
        "é",
        "İ",
    ),
    *("order ", "and then ", "of the ", "A-1 ", "a.b/", "(http ", "{x}", "<b>", "x, ", "not "),
)
_BROKEN = ("\ud800", "\udfff", "\udc80x", "\ud800\ud800", "a\udcff")
_NUMBERS = (
    *(
        "0",
        "-0",
        "-0.0",
        "1",
        "-1",
        "5",
        "100",
        "101",
        "1e2",
        "5.0",
        "1.5",
        "1e999",
        "-1e999",
        "1e-999",
        "0.1e1",
    ),
    *(
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775809",
        "1" * 400,
        "1" * 5000,
        "1e400000",
    ),
    *("1e308", "-1e-7", "3.0000000000000000000001", "123456789012345678", "0." + "3" * 400),
)
_NO_NUMBERS = ("NaN", "Infinity", "-Infinity", "01", "+1", "1.", ".5", "0x10", "1_000")
_CONSTANTS = (
    "null",
    "true",
    "false",
    "[]",
    "{}",
    '""',
    "[[]]",
    "[null]",
    '{"":null}',
    "undefined",
    "'x'",
    "",
)
_DEPTHS = (2, 60, 101, 130, 180, 250, 900, 945, 20_000)
"""Around what parsers and writers bound: 100 levels here, 128, 200 and 255 in pydantic, 1,000 in Python."""
_LONG = 50_000
"""Repetitions in a text that is longer than any limit of texts, but fits into a body."""
_BODY_BYTES = 900_000
"""Below the limit of bodies: over it the service answers before it has read, and the answer may get lost."""
_LONG_KEY = "k" * 10_000


@dataclass(frozen=True, slots=True)
class Values:
    """Draws values; the same ones from the same seed."""

    random: random.Random
    longest_run: int
    """Characters of the longest run of one character, or of a few."""
    hostile: float = 0.03
    """Share of the fields: at twenty fields about half of the requests are as they should be, and go all the way."""

    def one_of(self, values: Sequence[T]) -> T:
        """One of these."""
        return self.random.choice(values)

    def now_and_then(self, share: float) -> bool:
        """True in this share of the cases."""
        return self.random.random() < share

    def text(self) -> str:
        """Words of the catalogue, with a run of something around or between them, or nonsense."""
        how = self.random.random()
        if how < 0.35:
            return self.one_of(WORDS)
        if how < 0.9:
            length = self.one_of((1, 2, 20, self.longest_run // 2, self.longest_run - 20, self.longest_run))
            pump = self.one_of(_RUNS)
            run = (pump * (length // len(pump) + 1))[:length]
            return self.one_of(("", *WORDS)) + run + self.one_of(("", "x", *WORDS))
        if how < 0.96:
            return "".join(chr(self._code_point()) for _ in range(self.random.randrange(40)))
        if how < 0.97:
            return self.one_of(_RUNS) * _LONG
        return self.one_of(_BROKEN)

    def json_text(self) -> JsonText:
        """A text as a string of JSON, escaped or as it is."""
        return json.dumps(self.text(), ensure_ascii=self.now_and_then(0.5))

    def number(self) -> JsonText:
        """A number of JSON at the edge of some type, or beyond."""
        return self.one_of(_NUMBERS)

    def constant(self, *values: object) -> JsonText:
        """One of these values, as JSON."""
        return json.dumps(self.one_of(values))

    def anything(self) -> JsonText:
        """A value of any type, nested deeply, or no JSON."""
        how = self.random.randrange(7)
        if how == 0:
            return self.number()
        if how == 1:
            return self.one_of(_NO_NUMBERS)
        if how == 2:
            return self.one_of(_CONSTANTS)
        if how == 3:
            return self.json_text()
        if how == 4:
            depth = self.one_of(_DEPTHS)
            opened, closed = self.one_of((("[", "]"), ('{"a":', "}"), ('{"$ref":', "}")))
            return opened * depth + "1" + closed * depth
        if how == 5:
            return self.list_of(self.anything, up_to=3)
        members = (
            (self.one_of((self.json_text(), '""', f'"{_LONG_KEY}"')), self.anything()) for _ in range(2)
        )
        return "{" + ",".join(f"{name}:{value}" for name, value in members) + "}"

    def list_of(self, item: Callable[[], JsonText], *, up_to: int) -> JsonText:
        """A list."""
        return f"[{','.join(item() for _ in range(self.random.randint(0, up_to)))}]"

    def object_of(self, fields: Fields) -> JsonText:
        """An object with these fields, mostly as they should be: some hostile, left out, said twice or unknown."""
        members = []
        for name, sound in fields.items():
            how = self.random.random() / self.hostile
            if how < 1:
                members.append((name, self.anything()))
            elif how < 1.5:
                members += [(name, sound()), (name, sound())]
            elif how > 2.5:
                members.append((name, sound()))
        if self.now_and_then(self.hostile):
            members.append((self.one_of(("", "\0", "__class__", _LONG_KEY)), self.anything()))
        return "{" + ",".join(f"{json.dumps(name)}:{value}" for name, value in members) + "}"

    def encoded(self, document: JsonText) -> bytes:
        """The document, mostly whole and in UTF-8; else cut off, with something behind, in another encoding."""
        plain = document.encode("utf-8", "surrogatepass")[:_BODY_BYTES]
        if not self.now_and_then(2 * self.hostile):
            return plain
        cut = self.random.randint(0, len(plain))
        return self.one_of(
            (
                *(
                    plain[:cut],
                    plain + b" {}",
                    b"\xef\xbb\xbf" + plain,
                    plain[:cut] + b"\xc0\xaf\xff" + plain[cut:],
                ),
                *(document.encode("utf-16", "surrogatepass"), b"", plain.replace(b'"', b"'"), plain + b"\0"),
            )
        )

    def _code_point(self) -> int:
        return self.random.randrange(0x110000) if self.now_and_then(0.3) else self.random.randrange(0x250)
