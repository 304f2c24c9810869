"""The composition root of the audit: its file, its heads, and what is written down of files of callers and policies."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.adapters.access_files.followed import FollowedFile
from app.adapters.audit_file import AuditFile
from app.domain.access.callers import Caller, CallerEntry, CallerList, CallerScope
from app.domain.access.rules import RuleBook, name_of_view
from app.domain.audit.events import AccessEvent, AccessStep, SearchEvent
from app.domain.audit.uses import SHOWN
from app.domain.review.records import Decision, Verdict
from app.errors import AuditError
from app.ports.servers import Audit, AuditHeads
from app.settings import Settings
from app.usecases.anchoring import AuditAnchor

_log = logging.getLogger(__name__)


def audit_path(settings: Settings) -> Path:
    """Where the audit of this replica lies."""
    return settings.audit_file or settings.data_dir / "calls.jsonl"


def audit_file(settings: Settings) -> AuditFile:
    """The audit of this replica."""
    return AuditFile(audit_path(settings), max_bytes=settings.audit_max_bytes, files=settings.audit_files)


@contextmanager
def anchored(audit: AuditFile, heads: AuditHeads) -> Iterator[None]:
    """Keep the heads of an audit elsewhere while it is written."""
    anchor = AuditAnchor(lambda: audit.end, heads)
    anchor.start()
    try:
        yield
    finally:
        anchor.stop()


def write_down(
    audit: Audit, *, callers: FollowedFile[CallerList] | None, policies: FollowedFile[RuleBook] | None
) -> None:
    """Note which policies count now; from here on, what changes in either file."""
    if policies is not None:
        _note(audit, _policies(policies.current()))
        policies.on_change = lambda _, now: _note(audit, _policies(now))
    if callers is not None:
        callers.on_change = lambda before, now: _note(audit, *_tokens(before, now))


def used(audit: Audit, entry: CallerEntry) -> None:
    """Note that a token of the file was used."""
    _note(audit, _of_token(AccessStep.TOKEN_USED, entry))


def denied(audit: Audit, caller: Caller, what: str, needed: Iterable[CallerScope]) -> None:
    """Note that a call or a write was refused for the scopes that it takes."""
    reason = f"scope {' '.join(sorted(needed))}"
    groups = tuple(sorted(caller.groups))
    _note(audit, AccessEvent(AccessStep.DENIED, who=caller.id, groups=groups, what=what, reason=reason))


def reviewed(audit: Audit, decisions: Iterable[Decision]) -> None:
    """Note what was decided of definitions."""
    steps = {Verdict.APPROVE: AccessStep.APPROVED, Verdict.BLOCK: AccessStep.BLOCKED}
    _note(
        audit,
        *(
            AccessEvent(steps[one.verdict], who=one.by, what=one.id, reason=one.hash[:SHOWN])
            for one in decisions
        ),
    )


def given(audit: Audit, event: SearchEvent) -> None:
    """Note what somebody was given."""
    _note(audit, event)


def _note(audit: Audit, *events: AccessEvent | SearchEvent) -> None:
    """What cannot be written down is in the log: files are followed, and refused is refused, all the same."""
    for event in events:
        try:
            audit.record(event)
        except AuditError as error:
            _log.error("not in the audit", extra={"step": event.event, "problem": str(error)})


def _policies(book: RuleBook) -> AccessEvent:
    return AccessEvent(
        AccessStep.POLICIES_READ, what=name_of_view(book.rules), reason=f"{len(book.rules)} rules"
    )


def _tokens(before: CallerList, now: CallerList) -> Iterator[AccessEvent]:
    """One for each credential that came or went; another token of a caller is both. Then whoever is blocked, or no longer."""
    for step, here, there in ((AccessStep.TOKEN_GONE, before, now), (AccessStep.TOKEN_MADE, now, before)):
        for digest in sorted(here.by_digest.keys() - there.by_digest.keys()):
            yield _of_token(step, here.by_digest[digest])
    for subject in sorted(now.blocked - before.blocked):
        yield AccessEvent(AccessStep.SUBJECT_BLOCKED, who=subject)
    for subject in sorted(before.blocked - now.blocked):
        yield AccessEvent(AccessStep.SUBJECT_UNBLOCKED, who=subject)


def _of_token(step: AccessStep, entry: CallerEntry) -> AccessEvent:
    return AccessEvent(
        step, who=entry.caller().id, groups=tuple(sorted(entry.groups)), what=entry.sha256[:SHOWN]
    )
