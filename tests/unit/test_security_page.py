"""docs/security.md against the code: limits, settings and targets of make that it names are there."""

import re
from pathlib import Path

from app.adapters.oidc.tokens import KEPT_S, MAX_TOKEN_CHARS, MOST_KEPT
from app.mcp.tools.served_tools import MAX_DEPTH
from app.settings import Settings
from app.usecases.bounds import MAX_STEPS, MAX_TOP_K

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def row(what: str) -> list[str]:
    """The cells of a row of the table of limits, by its first words."""
    (line,) = re.findall(rf"(?m)^\| {re.escape(what)}.*$", PAGE)
    return [cell.strip() for cell in line.split("|")[1:-1]]


def test_the_defaults_of_the_table_are_those_of_the_settings() -> None:
    """Numbers in the second column, in the order of the settings in the third."""
    fields = Settings.model_fields
    said = {
        "body": f"{fields['max_body_bytes'].default // 1_000_000} MB",
        "query or goal": f"{fields['max_query_chars'].default:,} characters",
        "time for a query": f"{fields['query_timeout_s'].default:g} s",
        "tools in an answer": f"{MAX_TOP_K}; {MAX_STEPS}",
        "token of an identity": f"{MAX_TOKEN_CHARS:,} characters; {KEPT_S:g} s; {MOST_KEPT:,}",
        "arguments of an MCP tool": f"{MAX_DEPTH} levels",
        "document, page": f"{fields['max_file_bytes'].default // 1_000_000} MB",
        "description": (
            f"{fields['max_description_bytes'].default // 1000} kB; {fields['max_schema_bytes'].default // 1_000_000} MB"
        ),
        "tools of an MCP server": f"{fields['mcp_max_tools'].default:,}; {fields['mcp_server_s'].default:g} s",
        "a call; its answer": (
            f"{fields['proxy_timeout_s'].default:g} s; {fields['proxy_max_answer_bytes'].default // 1_000_000} MB;"
            f" {fields['proxy_at_once'].default}"
        ),
    }

    assert {what: row(what)[1] for what in said} == said


def test_every_target_of_make_that_is_named_exists() -> None:
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8")))

    named = set(re.findall(r"`make ([a-z-]+)`", PAGE))

    assert {"audit", "dist", "fuzz", "lock"} <= named <= targets


def test_both_pages_say_how_to_report() -> None:
    report = (ROOT / "SECURITY.md").read_text(encoding="utf-8")

    assert "Report a vulnerability" in report
    assert "(docs/security.md)" in report
    assert "(../SECURITY.md)" in PAGE
