"""`python -m tools.release FOLDER`: wheel, source archive, bill of materials and checksums, the same bytes each time."""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from tools.lock import read_lock
from tools.sbom import sbom

_EPOCH = 1_580_601_600
"""2020-02-02, hatchling's own time for files where no commit says another."""
CHECKSUMS = "SHA256SUMS"


def release(root: Path, folder: Path, *, made_at: int) -> list[Path]:
    """Build everything into `folder`, which is emptied before; what it has then, by name.

    Args:
        root: The folder of pyproject.toml and the lock.
        folder: Where to.
        made_at: Seconds since 1970 that files and documents say they are from.

    Raises:
        CalledProcessError: the build failed.
    """
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # Not isolated: the build's own packages are those of the development environment, none is fetched.
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(root)],
        env={**os.environ, "SOURCE_DATE_EPOCH": str(made_at)},  # noqa: TID251 - the build's, not a setting
        stdout=subprocess.DEVNULL,
        check=True,
    )
    document = sbom(
        read_lock(root / "requirements.lock"),
        version=project["version"],
        licence=project["license"],
        made_at=made_at,
    )
    bill = folder / f"outfitter-{project['version']}.cdx.json"
    bill.write_text(document, encoding="utf-8", newline="\n")
    made = sorted(folder.iterdir())
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8", newline="\n")
    return sorted(folder.iterdir())


def commit_time(root: Path) -> int:
    """When the last commit was made, in seconds since 1970."""
    git = shutil.which("git")
    if git is None:
        return _EPOCH
    done = subprocess.run(
        [git, "-C", str(root), "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False
    )
    return int(done.stdout) if done.returncode == 0 and done.stdout.strip() else _EPOCH


def main() -> None:
    """Build this repository."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description=__doc__)
    parser.add_argument("folder", type=Path)
    root = Path(__file__).resolve().parents[1]
    for path in release(root, parser.parse_args().folder, made_at=commit_time(root)):
        print(f"{path.stat().st_size:>9}  {path}")


if __name__ == "__main__":
    main()
