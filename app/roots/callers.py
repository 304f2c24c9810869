"""Who may ask and what they may see, as the files of the settings say."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from app.adapters.access_files.callers import read_callers
from app.adapters.access_files.followed import FollowedFile
from app.adapters.access_files.policies import read_policies
from app.domain.access.callers import Caller, CallerList, CameBy, operator
from app.domain.access.rules import RuleBook
from app.errors import InvalidInputError, ServeRefusedError
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class AccessFiles:
    """The files, read; None where a setting names none."""

    callers: FollowedFile[CallerList] | None
    policies: FollowedFile[RuleBook] | None

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Read them again when they change."""
        files = [one for one in (self.callers, self.policies) if one is not None]
        for one in files:
            one.start()
        try:
            yield
        finally:
            for one in files:
                one.stop()


NO_FILES: Final = AccessFiles(None, None)


def read_access_files(settings: Settings) -> AccessFiles:
    """The files of the settings.

    Raises:
        ServeRefusedError: one of them is broken, or there are policies and nobody whom they are about.
    """
    if settings.policies is not None and settings.callers is None:
        raise ServeRefusedError(
            "OUTFITTER_POLICIES is set and OUTFITTER_CALLERS is not: policies are about callers; set it to a file of"
            " them (`outfitter token new NAME` writes one)"
        )
    try:
        callers = FollowedFile(settings.callers, read_callers) if settings.callers else None
        policies = FollowedFile(settings.policies, read_policies) if settings.policies else None
    except InvalidInputError as error:
        raise ServeRefusedError(str(error)) from error
    return AccessFiles(callers, policies)


def stdio_caller(settings: Settings, files: AccessFiles) -> Caller:
    """Who asks over stdin: MCP takes the identity from the environment there.

    Raises:
        ServeRefusedError: the setting names nobody.
    """
    name = settings.stdio_caller
    if not name:
        return operator(CameBy.STDIO)
    if files.callers is None:
        raise ServeRefusedError(
            "OUTFITTER_STDIO_CALLER is set and OUTFITTER_CALLERS is not: set it to the file of callers"
        )
    entry = files.callers.current().named(name)
    if entry is None:
        raise ServeRefusedError(
            f"OUTFITTER_STDIO_CALLER: no caller {name!r} in {settings.callers}; accepted: a name of that file"
        )
    return entry.caller(CameBy.STDIO)
