"""The token file: permissions, contents, and failures."""

import os
import shutil
import sqlite3
import stat
import threading
from contextlib import closing
from datetime import datetime
from pathlib import Path
from zlib import crc32

import pytest

from ledger.access.base import Issued, NewCode, NewToken
from ledger.access.grants import Grant
from ledger.access.service import AccessStore
from ledger.access.sqlite import SqliteRepository
from ledger.access.stores import open_access
from ledger.access.tokens import digest_of
from ledger.errors import ConflictError, UnreadableError
from ledger.log import create_store
from ledger.log.backup import back_up, restore
from ledger.log.paths import access_of
from tests.contracts.access_store import HandClock, moment, signed_in
from tests.contracts.log_builders import RECORDER, batch, play
from tests.web.lists import lines_in


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "club.ledger.access"


def opened(path: Path, clock: HandClock, ledger_id: str = "a-ledger") -> AccessStore:
    return AccessStore(SqliteRepository(path, ledger_id), clock=clock, elapsed_s=clock.elapsed_s)


def connection_of(access: AccessStore) -> sqlite3.Connection:
    """Return the connection of the store; it is open from the first call on."""
    connection = access._repository._open  # type: ignore[attr-defined]
    assert isinstance(connection, sqlite3.Connection)
    return connection


def with_token(path: Path, clock: HandClock) -> Issued:
    with opened(path, clock) as access:
        return access.add_token(NewToken(id="ann", role="viewer"))


def test_the_file_is_made_when_something_is_given_out_and_not_before(path: Path, clock: HandClock) -> None:
    with opened(path, clock) as access:
        assert access.tokens() == []
        assert access.grant_of(with_token(path.with_name("other"), clock).secret) == "unknown"
        assert not path.exists()
        access.add_token(NewToken(id="ann", role="viewer"))
        assert path.exists()


def test_nobody_else_may_read_it_at_any_moment(path: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is created so whatever the umask, and not restricted afterwards."""

    def refuse(path: Path, mode: int) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "chmod", refuse)
    before = os.umask(0)
    try:
        with_token(path, clock)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_others_could_read_is_closed_to_them(path: Path, clock: HandClock) -> None:
    with_token(path, clock)
    path.chmod(0o644)
    with opened(path, clock) as access:
        access.tokens()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_no_secret_and_no_csrf_token_is_in_any_byte(path: Path, clock: HandClock) -> None:
    with opened(path, clock) as access:
        token = access.add_token(NewToken(id="ann", role="viewer"))
        session = signed_in(access.open_session(Grant(token="ann", role="viewer", name="Zoë")))
        content = path.read_bytes()
    for secret in (token.secret, token.secret[4:47], session.secret, session.session.csrf):
        assert secret.encode() not in content
    assert "Zoë".encode() in content


@pytest.mark.parametrize("end", ["signed out", "forgotten when somebody signs in"])
def test_the_name_of_a_session_that_has_ended_is_in_no_byte(path: Path, clock: HandClock, end: str) -> None:
    with_token(path, clock)
    with opened(path, clock) as access:
        session = signed_in(access.open_session(Grant(token="ann", role="viewer", name="Wisława Szymborska")))
        if end == "signed out":
            access.close_session(session.secret)
        else:
            clock.let_pass(days=31)
            access.open_session(Grant(token="ann", role="viewer", name="Ben"))
    assert "Wisława".encode() not in path.read_bytes()


class RevokingClock(HandClock):
    """A clock at whose reading another process revokes a token."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.is_armed = False

    def __call__(self) -> datetime:
        if self.is_armed:
            self.is_armed = False
            with opened(self.path, HandClock()) as other:
                other.revoke("ann")
        return super().__call__()


def test_to_note_a_use_takes_no_revocation_back(path: Path) -> None:
    clock = RevokingClock(path)
    token = with_token(path, clock).secret
    with opened(path, clock) as access:
        clock.is_armed = True
        access.grant_of(token)
        assert access.grant_of(token) == "revoked"


def test_the_newest_moment_is_shared_between_stores(path: Path, clock: HandClock) -> None:
    with_token(path, clock)
    ahead = HandClock()
    ahead.let_pass(hours=5)
    with opened(path, clock) as access, opened(path, ahead) as other:
        access.tokens()
        other.add_token(NewToken(id="ben", role="viewer"))
        assert access.add_token(NewToken(id="cleo", role="viewer")).token.created_at == moment(ahead)
    with opened(path, clock) as access:
        assert access.add_token(NewToken(id="dan", role="viewer")).token.created_at == moment(ahead)


def test_nothing_lives_longer_after_the_clock_is_set_back_and_a_restart(path: Path, clock: HandClock) -> None:
    with_token(path, clock)
    with opened(path, clock) as access:
        session = signed_in(access.open_session(Grant(token="ann", role="viewer")))
        ends = access.add_token(NewToken(id="ben", role="viewer", expires_at=moment(clock, days=28))).secret
        clock.let_pass(days=29)
        assert access.session_of(session.secret) == session.session
    clock.set_back(days=29)
    with opened(path, clock) as access:
        assert access.grant_of(ends) == "expired"
        assert access.session_of(session.secret) == session.session
        clock.let_pass(days=1)
        assert access.session_of(session.secret) == "expired"


def test_a_request_writes_nothing_but_the_day_and_now_and_then_the_moment(path: Path, clock: HandClock) -> None:
    token = with_token(path, clock).secret
    with opened(path, clock) as access:
        access.grant_of(token)
        written = path.read_bytes()
        for _ in range(59):
            clock.let_pass(seconds=1)
            access.grant_of(token)
        assert path.read_bytes() == written
        clock.let_pass(seconds=1)
        access.grant_of(token)
        assert path.read_bytes() != written


@pytest.mark.parametrize("is_made", [True, False])
def test_who_gives_out_waits_for_his_turn(path: Path, clock: HandClock, is_made: bool) -> None:
    if is_made:
        with_token(path, clock)
    else:
        path.touch(mode=0o600)
    with opened(path, clock) as access:
        other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        letting_go = threading.Timer(0.1, other.execute, ("COMMIT",))
        letting_go.start()
        access.add_token(NewToken(id="ben", role="viewer"))
        letting_go.join()
        other.close()


def test_who_asks_is_answered_while_somebody_else_writes(path: Path, clock: HandClock) -> None:
    token = with_token(path, clock).secret
    with opened(path, clock) as access, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert isinstance(access.grant_of(token), Grant)
    with opened(path, clock) as access:
        assert access.tokens()[0].last_used_on is None


def test_who_asks_is_answered_where_nothing_can_be_written(path: Path, clock: HandClock) -> None:
    token = with_token(path, clock).secret
    with opened(path, clock) as access:
        assert access.tokens()[0].last_used_on is None
        connection_of(access).execute("PRAGMA query_only = ON")
        assert isinstance(access.grant_of(token), Grant)
        with pytest.raises(ConflictError) as refused:
            access.revoke("ann")
        assert refused.value.code == "read_only"
        assert access.tokens()[0].last_used_on is None


def test_where_nothing_can_be_written_it_is_tried_once_a_minute(path: Path, clock: HandClock) -> None:
    token = with_token(path, clock).secret
    with opened(path, clock) as access:
        access.tokens()
        connection = connection_of(access)
        connection.execute("PRAGMA query_only = ON")
        tried: list[str] = []
        connection.set_trace_callback(lambda sql: tried.append(sql) if sql.startswith("BEGIN") else None)
        for _ in range(90):
            access.grant_of(token)
            clock.let_pass(seconds=1)
        assert len(tried) == 2


def test_a_full_disk_changes_nothing_and_is_reported_as_such(path: Path, clock: HandClock) -> None:
    with_token(path, clock)
    with opened(path, clock) as access:
        before = access.tokens()
        connection_of(access).execute("PRAGMA max_page_count = 1")
        with pytest.raises(UnreadableError) as refused:
            for number in range(200):
                access.add_token(NewToken(id=f"t-{number}", role="viewer"))
        assert refused.value.code == "no_space"
        given_out = access.tokens()
        assert before[0] == given_out[0]
        connection_of(access).execute("PRAGMA max_page_count = 1000")
        access.add_token(NewToken(id=f"t-{len(given_out) - 1}", role="viewer"))
        assert len(access.tokens()) == len(given_out) + 1


def test_what_was_begun_when_the_program_was_killed_is_undone(path: Path, clock: HandClock, tmp_path: Path) -> None:
    token = with_token(path, clock).secret
    killed = tmp_path / "killed"
    killed.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA cache_size = 1")
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE tokens SET facts = replace(facts, 'viewer', 'admin')")
        other.execute("CREATE TABLE filling (content)")
        other.executemany("INSERT INTO filling VALUES (zeroblob(4000))", [()] * 100)
        for file in path.parent.glob(f"{path.name}*"):
            if file.is_file():
                assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
                shutil.copy(file, killed)
    assert (killed / f"{path.name}-journal").stat().st_size > 0
    assert (killed / path.name).read_bytes() != path.read_bytes()
    with opened(killed / path.name, clock) as access:
        granted = access.grant_of(token)
        assert isinstance(granted, Grant)
        assert granted.role == "viewer"


@pytest.mark.parametrize(
    "content", [b"this is no database, whatever else it may be" * 100, b"SQLite format 3\0" + b"\xff" * 4_080]
)
def test_another_file_is_no_file_of_tokens(path: Path, clock: HandClock, content: bytes) -> None:
    path.write_bytes(content)
    with opened(path, clock) as access:
        for ask in (access.tokens, lambda: access.add_token(NewToken(id="ann", role="viewer"))):
            with pytest.raises(UnreadableError, match="is damaged: ") as refused:
                ask()
            assert refused.value.code == "damaged"
            assert str(path) in str(refused.value)
            assert "file is not a database" in str(refused.value)
    assert path.read_bytes() == content


def test_a_database_of_somebody_else_is_left_as_it_is(path: Path, clock: HandClock) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE tokens (id)")
    content = path.read_bytes()
    with opened(path, clock) as access, pytest.raises(UnreadableError, match="it has other contents"):
        access.add_token(NewToken(id="ann", role="viewer"))
    assert path.read_bytes() == content


@pytest.mark.parametrize("text", ["", "{}", '{"id":"ann","kind":"token","role":"boss"}', "\0"])
def test_what_says_nothing_of_a_token_grants_nothing(path: Path, clock: HandClock, text: str) -> None:
    token = with_token(path, clock).secret
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE tokens SET facts = ?", (text,))
    with opened(path, clock) as access, pytest.raises(UnreadableError, match="the facts of a token are unreadable"):
        access.grant_of(token)


@pytest.mark.parametrize(
    ("share", "overwritten"), [(0.1, 0), (0.5, 0), (0.9, 0), *((page / 10, 1) for page in range(10))]
)
def test_a_cut_or_overwritten_file_grants_nothing(path: Path, clock: HandClock, share: float, overwritten: int) -> None:
    """`share`: of the file that is left; `overwritten`: the number of overwritten pages in a complete file."""
    token = with_token(path, clock).secret
    content = path.read_bytes()
    assert len(content) == 10 * 4096
    at = round(len(content) * share)
    path.write_bytes(content[:at] + (b"\xff" * 4096 + content[at + 4096 :]) * overwritten)
    with opened(path, clock) as access:
        for ask in (access.tokens, lambda: access.grant_of(token)):
            with pytest.raises(UnreadableError) as refused:
                ask()
            assert refused.value.code == "damaged"


def test_a_newer_format_is_reported_as_such(path: Path, clock: HandClock) -> None:
    with_token(path, clock)
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 3")
    with (
        opened(path, clock) as access,
        pytest.raises(UnreadableError, match="has format 3, but this program reads formats up to 2"),
    ):
        access.tokens()


# Rows that this program did not write

PLANTED = dict(line.split(": ", 1) for line in lines_in(Path(__file__).with_name("planted.txt")))


@pytest.mark.parametrize("sql", PLANTED.values(), ids=PLANTED)
def test_a_row_of_another_program_is_noticed_when_the_file_is_opened(path: Path, clock: HandClock, sql: str) -> None:
    with_token(path, clock)
    with opened(path, clock) as access:
        access.open_session(Grant(token="ann", role="viewer", name="Zoë"))
    with closing(sqlite3.connect(path)) as other, other:
        other.execute(sql)
    with (
        opened(path, clock) as access,
        pytest.raises(UnreadableError, match=r"was not written by this program|key of its seals is missing") as e,
    ):
        access.tokens()
    assert e.value.code == "damaged"


def test_a_row_that_is_written_while_the_file_is_open_grants_nothing(path: Path, clock: HandClock) -> None:
    with_token(path, clock)
    secret = "trk_" + "0" * 43 + f"_{crc32(b'0' * 43):08x}"
    with opened(path, clock) as access, closing(sqlite3.connect(path)) as other:
        assert access.grant_of(secret) == "unknown"
        with other:
            other.execute(
                "INSERT INTO tokens SELECT 'ben', ?, replace(facts, 'ann', 'ben'), seal FROM tokens",
                (digest_of(secret),),
            )
        with pytest.raises(UnreadableError, match="the row of the token ben was not written by this program"):
            access.grant_of(secret)


# Older formats


def test_tokens_and_sessions_of_format_1_go_on(path: Path, clock: HandClock) -> None:
    token = with_token(path, clock).secret
    with opened(path, clock) as access:
        code = access.add_code(NewCode(tables=("t",), role="recorder", until=moment(clock, hours=1))).secret
        named, nameless = (signed_in(access.redeem(code, name)) for name in ("Ada", None))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("ALTER TABLE tokens DROP COLUMN seal")
        connection.execute("ALTER TABLE sessions DROP COLUMN seal")
        connection.execute("DROP TABLE names")
        connection.execute("DELETE FROM meta WHERE key = 'key'")
        connection.execute("PRAGMA user_version = 1")
    with opened(path, clock) as access:
        assert isinstance(access.grant_of(token), Grant)
        assert access.session_of(named.secret) == named.session
        assert access.session_of(nameless.secret) == nameless.session
        later = [signed_in(access.redeem(code, name)).session.grant.recorded_by for name in ("Ada", None, "Ben")]
        assert later == ["code-1/Ada 2", "code-1/code-1 2", "code-1/Ben"]


def test_a_reset_of_the_clock_is_taken_over_by_who_has_the_file_open(path: Path, clock: HandClock) -> None:
    with opened(path, clock) as access, opened(path, clock) as other:
        ends = access.add_token(NewToken(id="ann", role="viewer", expires_at=moment(clock, hours=5))).secret
        clock.let_pass(days=365)
        assert access.grant_of(ends) == "expired"
        access.add_token(NewToken(id="ben", role="viewer"))
        clock.set_back(days=365)
        assert access.grant_of(ends) == "expired"
        other.reset_clock()
        assert isinstance(access.grant_of(ends), Grant)
        assert access.clock_ahead() is None


def test_tokens_left_of_another_ledger_open_nothing(path: Path, clock: HandClock) -> None:
    token = with_token(path, clock).secret
    with opened(path, clock, "another-ledger") as access:
        for ask in (access.tokens, lambda: access.grant_of(token), lambda: access.revoke("ann")):
            with pytest.raises(ConflictError, match="belongs to another ledger"):
                ask()


def test_a_file_put_in_the_place_of_the_open_one_is_read_from_then_on(path: Path, clock: HandClock) -> None:
    token = with_token(path, clock).secret
    older = path.with_name("older")
    shutil.copy(path, older)
    with opened(path, clock) as access:
        access.revoke("ann")
        assert access.grant_of(token) == "revoked"
        older.replace(path)
        assert isinstance(access.grant_of(token), Grant)
        path.unlink()
        assert access.grant_of(token) == "unknown"


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = tmp_path / "club" / "club.ledger"
    path.parent.mkdir()
    with create_store(path) as store:
        store.append(batch(play()), recorded_by=RECORDER)
    return path


def test_there_are_no_tokens_of_a_ledger_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="there is no ledger"):
        open_access(tmp_path / "nothing.ledger")


def test_no_token_is_part_of_a_backup(ledger: Path, tmp_path: Path) -> None:
    with open_access(ledger) as access:
        access.add_token(NewToken(id="ann-of-the-club", role="viewer"))
    copy = tmp_path / "backup.ledger"
    back_up(ledger, copy)
    assert access_of(ledger) == ledger.with_name("club.ledger.access")
    assert (access_of(ledger).exists(), access_of(copy).exists()) == (True, False)
    assert b"ann-of-the-club" not in copy.read_bytes()
    with open_access(copy) as access:
        assert access.tokens() == []


def test_a_restore_revives_no_revoked_token(ledger: Path, tmp_path: Path) -> None:
    with open_access(ledger) as access:
        token = access.add_token(NewToken(id="ann", role="viewer")).secret
        back_up(ledger, tmp_path / "backup.ledger")
        access.revoke("ann")
    restore(tmp_path / "backup.ledger", ledger, overwrite=True)
    with open_access(ledger) as access:
        assert access.grant_of(token) == "revoked"
    restore(tmp_path / "backup.ledger", tmp_path / "elsewhere.ledger")
    with open_access(tmp_path / "elsewhere.ledger") as access:
        assert access.grant_of(token) == "unknown"
