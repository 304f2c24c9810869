"""What the engine's process gets of the environment: what a program needs to run, and no secrets of ours."""

from collections.abc import Mapping

_NAMES = frozenset(
    # Where programs, libraries, temporary files and time zones are; and what Windows' own libraries ask for.
    """PATH HOME LANG LANGUAGE TZ TZDIR TMPDIR TEMP TMP LD_LIBRARY_PATH LD_PRELOAD DYLD_LIBRARY_PATH
    DYLD_FALLBACK_LIBRARY_PATH __PYVENV_LAUNCHER__ VIRTUAL_ENV SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT
    USERPROFILE LOCALAPPDATA APPDATA PROGRAMDATA NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE""".split()
)
_PREFIXES = ("LC_", "PYTHON", "MALLOC_", "ARCADEDB_")


def engine_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables of `environ` that the engine's process needs; Windows' names may have any case."""
    return {
        name: value
        for name, value in environ.items()
        if name.upper() in _NAMES or name.upper().startswith(_PREFIXES)
    }
