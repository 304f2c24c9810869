"""A real Neo4j Community, assembled from Maven Central and run by this machine's Java.

Neo4j Community is GPL-3: a process of its own for tests, never a part of the package.
"""

import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.ports import free_ports
from tests.prepared import MissingError, fetch, made_once, tail

VERSION = "5.26.30"
BROWSER_VERSION = "5.24.0"
JAVA_VERSIONS = (17, 21)
START_S = 90

_HERE = Path(__file__).parent
_POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>outfitter</groupId><artifactId>neo4j-for-tests</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{VERSION}</version></dependency>
    <dependency><groupId>org.neo4j.client</groupId><artifactId>neo4j-browser</artifactId><version>{BROWSER_VERSION}</version></dependency>
  </dependencies>
</project>
"""
_OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")


@dataclass(frozen=True, slots=True)
class Neo4jServer:
    """A running server."""

    uri: str
    http_url: str
    password: str


def assembled() -> Path:
    """The folder with the server's jars, downloaded by Maven when it is not there yet (120 MB).

    Raises:
        MissingError: no Maven, or it failed.
    """
    return made_once(f"neo4j-{VERSION}", _assemble) / "lib"


def _assemble(folder: Path) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise MissingError("no Neo4j for tests: install Maven (mvn) or Docker, or set NEO4J_TEST_URI")
    folder.mkdir()
    pom = folder / "pom.xml"
    pom.write_text(_POM, encoding="utf-8")
    command = [maven, "-q", "-B", "dependency:copy-dependencies", "-DincludeScope=runtime"]
    fetch([*command, f"-DoutputDirectory={folder}/lib"], f"Neo4j {VERSION}", cwd=folder)
    pom.unlink()


def java() -> str:
    """The Java that runs this version: of `JAVA_HOME`, else of the path.

    Raises:
        MissingError: none, or of another version.
    """
    wanted = " or ".join(map(str, JAVA_VERSIONS))
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=str(Path(home, "bin"))) if home else shutil.which("java")
    if found is None:
        raise MissingError(f"no Neo4j for tests: install Java {wanted} or Docker, or set NEO4J_TEST_URI")
    said = subprocess.run([found, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', said)
    if version is None or int(version[1]) not in JAVA_VERSIONS:
        raise MissingError(
            f"no Neo4j for tests: {found} is Java {version[1] if version else 'of an unknown version'},"
            f" Neo4j {VERSION} needs {wanted}; set JAVA_HOME, install Docker, or set NEO4J_TEST_URI"
        )
    return found


@contextmanager
def running_neo4j() -> Iterator[Neo4jServer]:
    """A server with a fresh home folder on free ports, stopped and removed at the end.

    Raises:
        MissingError: it cannot be had here.
        RuntimeError: it does not start.
    """
    program, lib = java(), assembled()
    password = secrets.token_hex(12)
    with tempfile.TemporaryDirectory(prefix="outfitter-neo4j-", ignore_cleanup_errors=True) as name:
        home = Path(name)
        bolt_port, http_port = free_ports(2)
        _configure(home, bolt_port=bolt_port, http_port=http_port)
        _set_password(program, lib, home, password)
        with (home / "console.log").open("wb") as console:
            server = subprocess.Popen(
                [sys.executable, str(_HERE / "until_stdin_closes.py"), name, *_command(program, lib, home)],
                stdin=subprocess.PIPE,
                stdout=console,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            _wait_until_up(server, home, bolt_port)
            yield Neo4jServer(f"bolt://127.0.0.1:{bolt_port}", f"http://127.0.0.1:{http_port}", password)
        finally:
            # Closing its standard input is the order to stop.
            server.communicate(timeout=START_S)


def _configure(home: Path, *, bolt_port: int, http_port: int) -> None:
    (home / "conf").mkdir()
    (home / "conf" / "neo4j.conf").write_text(
        f"""server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{bolt_port}
server.bolt.advertised_address=127.0.0.1:{bolt_port}
server.http.listen_address=127.0.0.1:{http_port}
server.https.enabled=false
dbms.usage_report.enabled=false
server.memory.heap.initial_size=512m
server.memory.heap.max_size=1g
server.memory.pagecache.size=512m
db.tx_log.preallocate=false
""",
        encoding="utf-8",
    )


def _set_password(program: str, lib: Path, home: Path, password: str) -> None:
    done = subprocess.run(
        [
            *(program, "-XX:TieredStopAtLevel=1", "-cp", f"{lib}/*"),
            *("org.neo4j.server.startup.Neo4jAdminCommand", "dbms", "set-initial-password", password),
        ],
        env={**os.environ, "NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"Neo4j {VERSION} refused its first password: {tail(done.stdout)}")


def _command(program: str, lib: Path, home: Path) -> list[str]:
    with zipfile.ZipFile(lib / f"neo4j-{VERSION}.jar") as jar:
        entry_point = jar.read("META-INF/services/org.neo4j.server.startup.EntryPoint").decode().strip()
    return [
        *(program, "-Xms512m", "-Xmx1g", "-XX:+UseG1GC"),
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED),
        *("-cp", f"{lib}/*", entry_point, f"--home-dir={home}", f"--config-dir={home}/conf"),
    ]


def _wait_until_up(server: "subprocess.Popen[bytes]", home: Path, bolt_port: int) -> None:
    """Neo4j logs `Started.` when Bolt and HTTP both answer."""
    deadline = time.monotonic() + START_S
    log = home / "logs" / "neo4j.log"
    while time.monotonic() < deadline and server.poll() is None:
        if log.exists() and "Started." in log.read_text(encoding="utf-8", errors="replace"):
            with socket.create_connection(("127.0.0.1", bolt_port), timeout=5):
                return
        time.sleep(0.1)
    said = "".join(path.read_text(errors="replace") for path in (home / "console.log", log) if path.exists())
    raise RuntimeError(f"Neo4j {VERSION} did not start: {tail(said)}")
