"""A report as one HTML page that loads nothing: styles and plots are inside, and it has no script."""

import re
from collections.abc import Iterator, Sequence
from html import escape

from bench.commands.table_data import TableData
from bench.report.section import Section

_NUMBER = re.compile(r"^[-+]?[\d.,]+( ?%| \(\d+\))?(-?\*{1,3})?$|^$|^DNF$|^-$")
_MARKED = re.compile(r"^(.*?)(-?\*{1,3})$", re.DOTALL)
_OURS = "auto"
_STYLE = """
:root{color-scheme:light dark;--ink:#1d232b;--soft:#5b6673;--paper:#fff;--band:#f4f6f8;--rule:#d9dfe5;--ours:#e8f1fb;
--good:#17713f;--bad:#b3261e;--p0:#0b62b8;--p1:#d9730d;--p2:#2b8a57;--p3:#a8326d;--p4:#7a5cc2;--p5:#8c6d1f;
--p6:#1f8a9b;--p7:#b3542e;--p8:#6b7683;--p9:#4a7a1f}
@media(prefers-color-scheme:dark){:root{--ink:#e4e8ec;--soft:#9aa6b2;--paper:#14181d;--band:#1b2128;--rule:#303943;
--ours:#17293d;--good:#5fd08f;--bad:#ff8a80;--p0:#5aa9f5;--p1:#f5a353;--p2:#5fd08f;--p3:#ee7fb2;--p4:#b39cf0;
--p5:#d9bb62;--p6:#5fd0e0;--p7:#f09a76;--p8:#a3afbb;--p9:#9fd065}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1120px;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.35rem;margin:3rem 0 .75rem;padding-top:.75rem;border-top:1px solid var(--rule)}
p{max-width:46rem;margin:.5rem 0}
.lead{color:var(--soft)}
nav{display:flex;flex-wrap:wrap;gap:.35rem 1rem;margin:1.25rem 0 0;padding:0;list-style:none}
a{color:var(--p0);text-decoration:none}
a:hover{text-decoration:underline}
.scroll{overflow-x:auto;margin:1rem 0 .25rem;border:1px solid var(--rule);border-radius:8px}
table{border-collapse:collapse;width:100%;font-size:.875rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.6rem .75rem;caption-side:top}
th,td{padding:.3rem .75rem;text-align:left;vertical-align:top}
th.n,td.n{text-align:right;white-space:nowrap}
thead th{color:var(--soft);font-weight:600;border-bottom:1px solid var(--rule);background:var(--band);
vertical-align:bottom}
tbody tr:nth-child(even){background:var(--band)}
tbody tr.ours{background:var(--ours);font-weight:600}
tbody th{font-weight:inherit;white-space:nowrap}
td sup{font-weight:400;line-height:0;display:inline-block;min-width:1.6em;text-align:left;color:var(--soft)}
td sup.ahead{color:var(--good)}
td sup.behind{color:var(--bad)}
.note{font-size:.82rem;color:var(--soft);margin:.15rem 0 0}
details{margin:1rem 0}
summary{cursor:pointer;color:var(--p0);font-weight:600}
figure{margin:1.25rem 0;padding:.75rem;border:1px solid var(--rule);border-radius:8px}
figcaption{font-weight:600;font-size:.875rem;margin-bottom:.4rem}
svg{display:block;width:100%;height:auto;min-width:0}
svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
svg text:not([class]){fill:var(--soft)}
svg .grid{stroke:var(--rule);stroke-width:1}
svg polyline{fill:none!important;stroke-width:2}
code,pre{font:.85em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{background:var(--band);padding:.75rem;border-radius:8px;overflow-x:auto}
@media(max-width:640px){main{padding:1.25rem .75rem 3rem}th,td{padding:.25rem .5rem}figure{overflow-x:auto}
svg{min-width:560px}}
@media print{details>*{display:block}.scroll{overflow:visible}}
"""


def page(title: str, lead: Sequence[str], sections: Sequence[Section]) -> str:
    """The whole page."""
    body = "".join(_section(number, section) for number, section in enumerate(sections, start=1))
    links = "".join(
        f'<a href="#s{number}">{escape(section.title)}</a>'
        for number, section in enumerate(sections, start=1)
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}{_palette()}</style></head><body><main>"
        f"<header><h1>{escape(title)}</h1>{''.join(_paragraph(text, of='lead') for text in lead)}"
        f"<nav>{links}</nav></header>{body}</main></body></html>\n"
    )


def _section(number: int, section: Section) -> str:
    parts = [f'<section id="s{number}"><h2>{escape(section.title)}</h2>']
    parts += [_paragraph(text) for text in section.paragraphs]
    parts += section.plots
    parts += [_table(table) for table in section.tables]
    parts += [
        f"<details><summary>{escape(table.title)}</summary>{_table(table)}</details>"
        for table in section.folded
    ]
    return "".join((*parts, "</section>"))


def _paragraph(text: str, *, of: str = "") -> str:
    named = f' class="{of}"' if of else ""
    return f"<p{named}>{escape(text)}</p>"


def _table(table: TableData) -> str:
    numeric = [
        bool(table.rows) and place > 0 and all(_NUMBER.match(row[place]) for row in table.rows)
        for place in range(len(table.columns))
    ]
    head = "".join(
        f'<th scope="col"{_number_class(right)}>{escape(column)}</th>'
        for column, right in zip(table.columns, numeric, strict=True)
    )
    marked = [
        right and any(row[place].endswith("*") for row in table.rows) for place, right in enumerate(numeric)
    ]
    rows = "".join(_row(row, numeric, marked) for row in table.rows)
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in table.notes)
    return (
        f'<div class="scroll"><table><caption>{escape(table.title)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{notes}"
    )


def _row(row: Sequence[str], numeric: Sequence[bool], marked: Sequence[bool]) -> str:
    ours = ' class="ours"' if row and row[0] == _OURS else ""
    return f"<tr{ours}>{''.join(_cells(row, numeric, marked))}</tr>"


def _cells(row: Sequence[str], numeric: Sequence[bool], marked: Sequence[bool]) -> Iterator[str]:
    for place, text in enumerate(row):
        if place == 0:
            yield f'<th scope="row">{escape(text)}</th>'
            continue
        shown = _with_mark(text) if marked[place] else escape(text)
        yield f"<td{_number_class(numeric[place])}>{shown}</td>"


def _with_mark(text: str) -> str:
    """A figure and room for its mark, so that the decimals of a column stay below each other."""
    found = _MARKED.match(text)
    if not found:
        return f"{escape(text)}<sup></sup>"
    direction = "behind" if found[2].startswith("-") else "ahead"
    return f'{escape(found[1])}<sup class="{direction}">{escape(found[2])}</sup>'


def _number_class(right: bool) -> str:
    return ' class="n"' if right else ""


def _palette() -> str:
    return "".join(f"svg .c{n}{{fill:var(--p{n});stroke:var(--p{n})}}" for n in range(10)) + (
        "svg rect,svg text{stroke:none!important}"
    )
