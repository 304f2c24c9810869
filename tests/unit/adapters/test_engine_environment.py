"""What the engine's process gets of the environment."""

from app.adapters.engine.embedded import engine_environment


def test_the_engine_gets_what_a_program_needs_and_nothing_else() -> None:
    """Names that are not known to be harmless stay here, whatever they are called."""
    needed = {
        "PATH": "/bin",
        "HOME": "/home/a",
        "LC_CTYPE": "C.UTF-8",
        "PYTHONPATH": "x",
        "ARCADEDB_LOG_DIR": "l",
    }
    windows = {"SystemRoot": "C:\\Windows", "Temp": "C:\\t"}
    ours = {
        "OUTFITTER_API_TOKEN": "s",
        "NEO4J_PASSWORD": "s",
        "GITHUB_AUTH": "s",
        "MY_PATH": "s",
        "HOMEBREW_TOKEN": "s",
    }

    assert engine_environment(needed | windows | ours) == needed | windows
