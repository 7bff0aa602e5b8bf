"""Tokens in the database of their ledger, and the privileges of those who use it."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

import pytest

import ledger
from ledger.access.base import NewToken, Session
from ledger.access.grants import Grant
from ledger.access.service import AccessStore
from ledger.access.stores import open_access
from ledger.errors import ConflictError, UnreadableError
from ledger.log import create_store, open_store
from ledger.log.base import LogStore
from ledger.log.postgres_roles import DATABASE_ROLES, DatabaseRole, grants
from ledger.log.verify import verify
from tests.cli.commands import REVOKE, CommandLine
from tests.contracts.access_store import (
    CodeContract,
    CountedRandomness,
    HandClock,
    SessionContract,
    TokenContract,
    signed_in,
)
from tests.contracts.log_builders import RECORDER, batch, play
from tests.postgres import PostgresServer
from tests.web.lists import lines_in


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRICKLEDGER_HOME", str(tmp_path / "home"))


@pytest.fixture
def address(postgres: PostgresServer) -> str:
    address = postgres.address()
    create_store(address).close()
    return address


class TestPostgres(TokenContract, SessionContract, CodeContract):
    @pytest.fixture(autouse=True)
    def _opened(self, address: str) -> Iterator[None]:
        with open_access(address) as self.opened:
            yield

    def new_access(self, folder: Path, clock: HandClock) -> AccessStore:
        return AccessStore(
            self.opened._repository, clock=clock, randomness=CountedRandomness(), elapsed_s=clock.elapsed_s
        )


def add(address: str, id: str = "ann") -> str:
    with open_access(address) as access:
        return access.add_token(NewToken(id=id, role="viewer")).secret


REVOKE_ANN = "import sys; from ledger.access.stores import open_access; open_access(sys.argv[1]).revoke('ann')"


def test_a_change_in_another_process_counts_at_once(address: str) -> None:
    with open_access(address) as service:
        assert service.grant_of("trk_" + "0" * 43 + "_d82f69e3") == "unknown"
        token = add(address)  # the first one, and with it the key of the seals
        assert isinstance(service.grant_of(token), Grant)
        session = signed_in(service.open_session(Grant(token="ann", role="viewer")))
        with open_access(address) as other:
            assert isinstance(other.session_of(session.secret), Session)
        subprocess.run([sys.executable, "-c", REVOKE_ANN, address], check=True)
        assert service.grant_of(token) == service.session_of(session.secret) == "revoked"


def test_each_ledger_of_a_database_has_tokens_of_its_own(postgres: PostgresServer, address: str) -> None:
    token = add(address)
    create_store(other := postgres.address()).close()
    with open_access(other) as access:
        assert access.grant_of(token) == "unknown"
        assert access.tokens() == []


ACCESS = ("access", "tokens", "sessions", "used_names")


def rows_of_access(postgres: PostgresServer) -> str:
    return "".join("".join(postgres.sql(f"SELECT * FROM trickledger.{table}")) for table in ACCESS)


def test_no_secret_is_in_any_row(postgres: PostgresServer, address: str) -> None:
    with open_access(address) as access:
        token = access.add_token(NewToken(id="ann", role="viewer"))
        session = signed_in(access.open_session(Grant(token="ann", role="viewer", name="Wisława")))
        rows = rows_of_access(postgres)
        access.close_session(session.secret)
    for secret in (token.secret, token.secret[4:47], session.secret, session.session.csrf):
        assert secret not in rows
    assert "Wisława" in rows
    assert "Wisława" not in rows_of_access(postgres)


def disconnect_all(postgres: PostgresServer) -> None:
    postgres.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'trickledger'")


def test_a_lost_connection_is_replaced(postgres: PostgresServer, address: str) -> None:
    with open_access(address) as access:
        token = access.add_token(NewToken(id="ann", role="viewer")).secret
        disconnect_all(postgres)
        assert isinstance(access.grant_of(token), Grant)
        disconnect_all(postgres)
        access.revoke("ann")
        assert access.grant_of(token) == "revoked"


def test_a_connection_lost_within_a_change_leaves_nothing_of_it(postgres: PostgresServer, address: str) -> None:
    with open_access(address) as access:
        before = add(address)
        with pytest.raises(UnreadableError, match="cannot be used"), access._changing():
            disconnect_all(postgres)
            access._issued(access.tokens()[0], lambda _: "another secret")
        assert isinstance(access.grant_of(before), Grant)
        assert len(access.tokens()) == 1


def test_a_change_that_waits_too_long_is_given_up(address: str) -> None:
    token = add(address)
    with open_access(address) as access, open_access(address) as other, other._repository.changing(1.0):
        assert isinstance(access.grant_of(token), Grant)  # nobody waits to be let in
        with pytest.raises(ConflictError, match="is locked"), access._changing(0.01):
            pass


def test_a_row_of_another_program_grants_nothing(postgres: PostgresServer, address: str) -> None:
    token = add(address)
    with open_access(address) as access:
        assert isinstance(access.grant_of(token), Grant)
        name = address.partition("#")[2]
        only = f"WHERE ledger = (SELECT ledger FROM trickledger.ledgers WHERE name = '{name}')"
        postgres.sql(f"UPDATE trickledger.tokens SET facts = replace(facts, 'viewer', 'admin') {only}")
        for _ in range(2):
            with pytest.raises(UnreadableError, match="the row of the token ann was not written by this program"):
                access.grant_of(token)
        postgres.sql(f"UPDATE trickledger.tokens SET facts = replace(facts, 'admin', 'viewer') {only}")
        assert isinstance(access.grant_of(token), Grant)


@pytest.fixture
def as_role(postgres: PostgresServer, address: str) -> Callable[[DatabaseRole], str]:
    """Return how to make a user with a role, and the address of the ledger for this user."""
    name = address.partition("#")[2]

    def made(role: DatabaseRole) -> str:
        for statement in (f"""CREATE USER "{role} '{name}'" """, *grants(role, f"{role} '{name}'")):
            postgres.sql(statement)
        return postgres.address(name, quote(f"{role} '{name}'"))

    return made


FORBIDDEN = lines_in(Path(__file__).with_name("forbidden.txt"))
SECRET = tuple(f"SELECT * FROM trickledger.{table}" for table in ACCESS)


def assert_refuses(store: LogStore, statements: Sequence[str]) -> None:
    for sql in statements:
        with pytest.raises(Exception, match=r"permission denied|must be owner"):
            store._connection().execute(sql)  # type: ignore[attr-defined]


def lacks_privilege() -> "pytest.RaisesExc[ConflictError]":
    return pytest.raises(ConflictError, match=r"this user lacks a privilege on .* permission denied")


def test_a_recorder_appends_and_names_players_and_changes_nothing_else(as_role: Callable[[DatabaseRole], str]) -> None:
    recorder = as_role("recorder")
    with open_store(recorder) as store:
        store.append(batch(play()), recorded_by=RECORDER)
        store.set_display_name("Zoë", "Zoë W.")
        assert store.head().position == 1
        assert_refuses(store, (*FORBIDDEN, *SECRET))
    with lacks_privilege(), open_access(recorder) as access:
        access.tokens()
    with lacks_privilege():
        create_store(f"{recorder}-2")


def test_a_viewer_reads_verifies_and_asks_and_records_nothing(
    as_role: Callable[[DatabaseRole], str], address: str
) -> None:
    with ledger.open(address) as store:
        ledger.import_file(store, REVOKE, ledger.Recording(by=RECORDER))
    viewer = as_role("viewer")
    assert verify(viewer).damage is None
    assert ledger.query(viewer, "SELECT count(*) FROM tables").rows == [(1,)]
    with open_store(viewer) as store:
        with lacks_privilege():
            store.append(batch(play()), recorded_by=RECORDER)
        with lacks_privilege():
            store.set_display_name("Zoë", "Zoë W.")
        assert_refuses(store, (*FORBIDDEN, *SECRET))
    with lacks_privilege(), open_access(viewer) as access:
        access.grant_of(add(address))


def test_a_service_records_and_issues_tokens_and_removes_none(as_role: Callable[[DatabaseRole], str]) -> None:
    token = add(service := as_role("service"))
    with open_access(service) as access, open_store(service) as store:
        session = signed_in(access.open_session(Grant(token="ann", role="viewer", name="Zoë")))
        access.close_session(session.secret)
        access.revoke("ann")
        assert access.grant_of(token) == "revoked"
        access.reset_clock()
        assert_refuses(store, FORBIDDEN)


def test_init_shows_what_to_grant(postgres: PostgresServer, tmp_path: Path) -> None:
    club = CommandLine(tmp_path)
    club.ledger = postgres.address()  # type: ignore[assignment]
    shown = club.ok("init")
    assert all(f"\n{line};\n" in shown for role in DATABASE_ROLES for line in grants(role, role))
