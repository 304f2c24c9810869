"""`outfitter token` and `outfitter policy`: who may ask, and what they may see."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.options import DataDir
from app.commands.terminal import open_console, plain_text, write_text
from app.errors import InvalidInputError

if TYPE_CHECKING:
    from app.domain.access.callers import Caller, CallerList
    from app.domain.access.rules import RuleBook, Selectable
    from app.settings import Settings

token_app = typer.Typer(
    name="token",
    help="Who may ask the service: entries of the file that OUTFITTER_CALLERS names, and the token of loopback.",
    no_args_is_help=True,
)
policy_app = typer.Typer(
    name="policy",
    help="What callers may see: the file that OUTFITTER_POLICIES names.",
    no_args_is_help=True,
)
_NAMED = 3
"""Tools of each label that `policy check` names."""
CallersFile = Annotated[
    Path | None,
    typer.Option("--file", help="File of callers (default: OUTFITTER_CALLERS).", show_default=False),
]
Listed = Annotated[int, typer.Option(min=1, help="Tools of a caller that are named at most.")]


@token_app.command("new")
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the caller.")],
    *,
    group: Annotated[
        list[str] | None, typer.Option(help="A group of the caller; may be given again.")
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(help="A scope of the caller; may be given again. All but catalogue:admin unless given."),
    ] = None,
    days: Annotated[
        int | None, typer.Option(min=1, max=36_500, help="Good for these days; for ever unless given.")
    ] = None,
    only_print: Annotated[
        bool,
        typer.Option("--print", help="Print the entry instead of writing it: for a file that is not here."),
    ] = False,
    file: CallersFile = None,
) -> None:
    """Make a token, and print it once: the file keeps its SHA-256 alone.

    Example: outfitter token new helpdesk-bot --group support --days 90
    """
    import json
    from datetime import UTC, datetime, timedelta

    from app.adapters.access_files.callers import add_caller, check_name, check_scope, end_of, entry_document
    from app.domain.access.callers import USUAL_SCOPES, CallerEntry, digest_of, new_token

    try:
        check_name(name)
        groups = frozenset(map(check_name, group or ()))
        scopes = frozenset(map(check_scope, scope)) if scope else USUAL_SCOPES
    except ValueError as error:
        raise InvalidInputError(str(error)) from error
    token = new_token()
    expires = (datetime.now(UTC).date() + timedelta(days=days)).isoformat() if days else ""
    entry = CallerEntry(name, digest_of(token), groups, scopes, end_of(expires), expires)
    if only_print:
        write_text(json.dumps(entry_document(entry), ensure_ascii=False), stderr=True)
    else:
        place = _callers_file(file)
        add_caller(place, entry)
        write_text(f"Caller {name} is in {place}. The token is shown this once:", stderr=True)
    write_text(token)


@token_app.command("list")
def list_(file: CallersFile = None, *, data_dir: DataDir = None) -> None:
    """List callers with their groups, scopes, end, and the day when their token was used last.

    That day is in UTC, and comes from the audit of this replica, as far back as its files go.
    """
    import time

    from app.adapters.access_files.callers import read_callers
    from app.domain.audit.uses import SHOWN

    found = read_callers(_callers_file(file)).entries
    days = _last_uses(data_dir) if found else {}
    if not found:
        write_text("The file has no callers.")
    console = open_console()
    for one in sorted(found, key=lambda one: one.name):
        ended = one.expires_at is not None and one.expires_at <= time.time()
        until = f"{'ended' if ended else 'until'} {one.expires}" if one.expires else "no end"
        groups = ", ".join(sorted(one.groups)) or "no group"
        scopes = ", ".join(sorted(one.scopes)) or "no scope"
        day = days.get(one.sha256[:SHOWN])
        use = f"used last on {day}" if day else "no use noted"
        console.print(plain_text(f"{one.name}: {groups}; {scopes}; {until}; {use}"))


@token_app.command("revoke")
def revoke(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the caller.")], file: CallersFile = None
) -> None:
    """Take a caller out of the file: a running service lets the token in no more, 2 s later at the latest."""
    from app.adapters.access_files.callers import remove_caller

    place = _callers_file(file)
    remove_caller(place, name)
    write_text(f"Caller {name} is no longer in {place}.")


@token_app.command("local")
def local(*, data_dir: DataDir = None) -> None:
    """Print the token of a service on this machine that was started with OUTFITTER_LOCAL_TOKEN=true.

    Example: curl -H "Authorization: Bearer $(outfitter token local)" http://127.0.0.1:8000/v1/tools
    """
    from app.adapters.access_files.local_token import read_local_token
    from app.roots.callers import local_token_path
    from app.roots.graph import read_settings

    write_text(read_local_token(local_token_path(read_settings(data_dir=data_dir))))


@policy_app.command("check")
def check(
    policies: Annotated[
        Path | None, typer.Argument(help="The file (default: OUTFITTER_POLICIES).", show_default=False)
    ] = None,
    *,
    data_dir: DataDir = None,
) -> None:
    """Is the file right, and which of its names mean nothing now?

    What cannot be decided is an error (exit status 2); a name that fits nothing is a warning, as it may come later. Also says
    whom the rules let call tools that hold what others wrote, tools that hold what is private, and tools that send out.
    """
    from app.domain.access.asked_for import with_groups
    from app.domain.access.rules import unknown_names
    from app.domain.access.trifecta import trifectas

    with _compared(data_dir) as (settings, world, callers):
        book = _rules(settings, policies)
        warnings = unknown_names(
            book, world, groups=callers.groups(), callers=[one.name for one in callers.entries]
        )
        found = trifectas(book, world, with_groups(callers))
    for one in warnings:
        write_text(f"warning: {one}")
    for who in found:
        write_text(f"{who.who} may call all three:")
        for label, tools in who.tools.items():
            write_text(f"  {label.value}: {_named(tools)}")
    write_text(f"{len(book.rules)} rules, {len(warnings)} warnings.")


@policy_app.command("diff")
def diff(
    new_file: Annotated[
        Path, typer.Argument(metavar="NEW", help="The file that is to take the place of the other.")
    ],
    *,
    old: Annotated[
        Path | None, typer.Option(help="The other (default: OUTFITTER_POLICIES).", show_default=False)
    ] = None,
    limit: Listed = 20,
    data_dir: DataDir = None,
) -> None:
    """Who would gain or lose which tools?

    Of an identity provider's callers, whoever is in one group that the file gives a meaning (`oidc`) and in no other.
    """
    from app.domain.access.asked_for import with_groups
    from app.domain.access.rules import Act

    with _compared(data_dir) as (settings, world, callers):
        before, after = _rules(settings, old), _rules(settings, new_file)
        console, changed = open_console(), 0
        for caller in with_groups(callers, before, after):
            had, has = _reach(before, caller, world), _reach(after, caller, world)
            for act in Act:
                for sign, some in (("+", has[act] - had[act]), ("-", had[act] - has[act])):
                    changed += len(some)
                    for one in sorted(some)[:limit]:
                        console.print(plain_text(f"{sign} {caller.name} {act} {one}"))
                    if len(some) > limit:
                        console.print(
                            plain_text(f"{sign} {caller.name} {act} {len(some) - limit} more: --limit")
                        )
    write_text(f"{changed} changes.")


@policy_app.command("matrix")
def matrix(
    policies: Annotated[
        Path | None, typer.Argument(help="The file (default: OUTFITTER_POLICIES).", show_default=False)
    ] = None,
    *,
    data_dir: DataDir = None,
) -> None:
    """Every caller with every tool, as CSV on stdout: find, plan, call, or nothing.

    Of an identity provider's callers, whoever is in one group that the file gives a meaning (`oidc`) and in no other.
    """
    import csv
    import io

    from app.domain.access.asked_for import with_groups
    from app.domain.access.rules import Act

    with _compared(data_dir) as (settings, world, callers):
        book, text = _rules(settings, policies), io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        listed = with_groups(callers, book)
        rows.writerow(["tool", *(one.name for one in listed)])
        reaches = [_reach(book, one, world) for one in listed]
        for tool in world.ids:
            cells = [
                next((act.value for act in reversed(Act) if tool in reach[act]), "") for reach in reaches
            ]
            rows.writerow([_cell(tool), *cells])
    write_text(text.getvalue(), end="")


def _last_uses(data_dir: Path | None) -> Mapping[str, str]:
    """Days by the first digits of a token's SHA-256; none where there is no audit."""
    from app.adapters.audit_file import audit_files, read_audit
    from app.domain.audit.uses import last_uses
    from app.errors import AuditError
    from app.roots.audit import audit_path
    from app.roots.graph import read_settings

    path = audit_path(read_settings(data_dir=data_dir))
    if not audit_files(path):
        return {}
    try:
        return last_uses(line for _, lines in read_audit(path) for line in lines)
    except AuditError as error:
        write_text(f"warning: when tokens were used last is not known: {error}", stderr=True)
        return {}


def _named(tools: Sequence[str]) -> str:
    """A few of them, and how many there are."""
    more = len(tools) - _NAMED
    return ", ".join(tools[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


@contextmanager
def _compared(data_dir: Path | None) -> Iterator[tuple["Settings", "Selectable", "CallerList"]]:
    from app.adapters.access_files.callers import read_callers
    from app.domain.access.callers import CallerList
    from app.roots.callers import read_world
    from app.roots.graph import open_index, read_settings

    settings = read_settings(data_dir=data_dir)
    callers = read_callers(settings.callers) if settings.callers else CallerList.of([])
    # Nothing is ranked, so no vector is looked for.
    with open_index(settings.model_copy(update={"encoder": "none"})) as (graph, index):
        yield settings, read_world(graph, index)[1], callers


def _rules(settings: "Settings", given: Path | None) -> "RuleBook":
    from app.adapters.access_files.policies import read_policies

    path = given or settings.policies
    if path is None:
        raise InvalidInputError("no file of policies; accepted: its name, or OUTFITTER_POLICIES")
    return read_policies(path)


def _reach(book: "RuleBook", caller: "Caller", world: "Selectable") -> dict[str, set[str]]:
    """What a caller may do, with which tools; scopes narrow it."""
    import numpy as np

    from app.domain.access.callers import CallerScope
    from app.domain.access.rules import Act, compiled

    granted = compiled(book.of(caller), world)
    masks = {Act.FIND: granted.find, Act.PLAN: granted.plan, Act.CALL: granted.call}
    scopes = {Act.FIND: CallerScope.FIND, Act.PLAN: CallerScope.PLAN, Act.CALL: CallerScope.CALL}
    return {
        act: {world.ids[at] for at in np.flatnonzero(mask).tolist()}
        if scopes[act] in caller.scopes
        else set()
        for act, mask in masks.items()
    }


def _callers_file(given: Path | None) -> Path:
    from app.roots.graph import read_settings

    path = given or read_settings().callers
    if path is None:
        raise InvalidInputError("no file of callers; accepted: --file, or OUTFITTER_CALLERS")
    return path
