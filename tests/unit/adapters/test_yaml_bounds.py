"""How much YAML is read, and what that costs at most."""

import subprocess
import sys
from pathlib import Path

import pytest

from app.adapters.documents.structured_text import MAX_YAML_BYTES, MAX_YAML_VALUES, parse_text
from app.errors import SourceRefusedError

ROOT = Path(__file__).resolve().parents[3]

# 1 GB for all that the process ever maps, libraries included; 60 s of CPU on a slow machine.
READ = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1_000_000_000, 1_000_000_000))
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
from app.errors import SourceRefusedError
from app.adapters.documents.structured_text import parse_text
data = {document}
try:
    parse_text(data, name="x.yaml")
    outcome = "read"
except SourceRefusedError as error:
    outcome = str(error)[:80]
print(outcome)
print(resource.getrusage(resource.RUSAGE_SELF).ru_utime)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a process as Linux has them")
@pytest.mark.parametrize(
    ("document", "outcome"),
    [
        ("b'[' + b'1,' * 7_999_990 + b'1] #'", "x.yaml:1:2000000: more than 1,000,000 values"),
        ("b'- a\\n' * 3_999_990", "x.yaml:1000000:3: more than 1,000,000 values"),
        ("b'a: |\\n' + b'  some text, again and again\\n' * 551_000", "read"),
        # 1 MB, and as many values as that can have.
        ("b'x: [' + b'1,' * 499_990 + b'1]'", "read"),
    ],
    ids=["16 MB of numbers", "16 MB of lines", "16 MB of text", "1 MB of numbers"],
)
def test_16_mb_of_yaml_are_read_or_refused_within_1_gb(document: str, outcome: str) -> None:
    """The process has no more, so that a reader that takes more fails with a MemoryError."""
    ran = subprocess.run(
        [sys.executable, "-c", READ.format(document=document)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert ran.stderr == ""
    said, seconds = ran.stdout.splitlines()
    assert said.startswith(outcome)
    assert float(seconds) < 30


def test_longer_texts_are_not_looked_at() -> None:
    """One byte over the bound is named, with what to do."""
    data = b"#" * MAX_YAML_BYTES

    with pytest.raises(
        SourceRefusedError, match=r"x\.yaml: 16,000,001 bytes of YAML; .*16,000,000, or .*JSON"
    ):
        parse_text(data + b"\n", name="x.yaml")


def test_json_of_the_same_size_is_read() -> None:
    """Its reader takes a tenth of the memory, so the size of files is its only bound."""
    data = b"[" + b"1," * MAX_YAML_VALUES + b"1]"

    assert len(parse_text(data, name="x.json")) == MAX_YAML_VALUES + 1
