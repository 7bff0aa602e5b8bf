"""A PostgreSQL server of one test run, with Debian's programs: started at its first use, stopped at the end."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
AS_POSTGRES = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
"""The server refuses to run as root."""

USER = "postgres"


class PostgresServer:
    """A server with a folder of its own; `settings` are those of postgresql.conf."""

    def __init__(self, folder: Path, programs: Path, **settings: str) -> None:
        self.folder = folder
        self.data = folder / "data"
        self._programs = programs
        self._settings = {"listen_addresses": "", "unix_socket_directories": str(folder), **settings}
        self._numbers = count(1)

    def make(self) -> None:
        """Make the files of a server in an empty folder."""
        if AS_POSTGRES:
            shutil.chown(self.folder, USER, USER)
        self.run("initdb", "-D", str(self.data), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")

    def start(self) -> None:
        """Start it, and return when it takes connections."""
        words = " ".join(f"-c {name}='{value}'" for name, value in self._settings.items())
        self.run("pg_ctl", "-D", str(self.data), "-w", "-l", str(self.folder / "log"), "-o", words, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it and return when it has ended."""
        self.run("pg_ctl", "-D", str(self.data), "-w", "-m", mode, "stop")

    def kill(self) -> None:
        """Kill the server and all its processes, as a power failure would, and return when they have ended."""
        lock = self.data / "postmaster.pid"
        master = int(lock.read_text().split()[0])
        os.kill(master, signal.SIGSTOP)  # it starts no further process
        children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
        for pid in (master, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        while any(map(_is_running, (master, *map(int, children)))):
            time.sleep(0.01)
        # A process that nobody has waited for counts as running to the next server.
        lock.unlink()
        for socket in self.folder.glob(".s.PGSQL.*"):
            socket.unlink()

    def run(self, program: str, *words: str) -> str:
        """Run one of PostgreSQL's programs, as its user, and return what it prints."""
        ended = subprocess.run(
            [*AS_POSTGRES, str(self._programs / program), *words],
            cwd="/", capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert ended.returncode == 0, (program, words, ended.stdout, ended.stderr)
        return ended.stdout

    def sql(self, statement: str) -> list[str]:
        """Run a statement as the owner of everything, and return its rows, each as text."""
        words = ["-h", str(self.folder), "-U", USER, "-d", "postgres", "-XAtqc", statement]
        return self.run("psql", *words).splitlines()

    def address(self, name: str | None = None, user: str = USER) -> str:
        """Return the address of a ledger, by default of one that nobody uses yet."""
        return f"postgresql://{user}@/postgres?host={self.folder}#{name or f'ledger-{next(self._numbers)}'}"


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def postgres_server(ci_requires: Callable[..., str], **settings: str) -> Iterator[PostgresServer]:
    """Yield a running server; without its programs the test is skipped, and fails in CI."""
    ci_requires("pg_ctlcluster")  # Debian keeps the others out of the path
    folder = Path(tempfile.mkdtemp(prefix="trickledger-postgres-"))
    server = PostgresServer(folder, PROGRAMS[-1], **settings)
    try:
        server.make()
        server.start()
        yield server
    finally:
        if (server.data / "postmaster.pid").exists():
            server.stop("immediate")
        shutil.rmtree(folder)
