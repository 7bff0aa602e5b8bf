"""The prompt of `query --shell`, from a pipe and on a screen."""

import os
import pty
import select
import signal
import subprocess
import sys
import tomllib
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from ledger.cli import main
from ledger.cli.query_shell import words_to_complete
from ledger.history import catch_up, default_history_path, open_history, split_statements
from ledger.log import SqliteStore
from tests.history.helpers import ledger_at, record, table_events
from tests.patience import PATIENCE_S, wait_until

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("quick_sandbox")


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ledger_at(tmp_path_factory.mktemp("club") / "club.ledger", "t", has_model=True)


def test_a_question_ends_with_a_semicolon_that_is_not_in_quotes() -> None:
    cases = tomllib.loads(Path(__file__).with_name("typed_questions.toml").read_text(encoding="utf-8"))["ended"]
    assert [[text, *split_statements(text)] for text, *_ in cases] == cases


def test_between_two_questions_the_ledger_grows_and_the_next_one_knows(tmp_path: Path) -> None:
    question = b"SELECT count(*) AS tables\nFROM tables;\n"
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        record(store, "table/one", *table_events("one"))

        class Typed(BytesIO):
            """Questions from a pipe; once the first one is answered, the ledger grows."""

            def readline(self, size: int | None = -1) -> bytes:
                printed = sys.stdout.buffer.getvalue()  # type: ignore[attr-defined]
                if printed == b"tables\n1\n" and len(store.streams()) == 1:
                    record(store, "table/two", *table_events("two"))
                    catch_up(store, default_history_path(store.path), wait_s=0)  # the shell does not hold the file
                    record(store, "table/three", *table_events("three"))
                return super().readline(size)

        words = ["--ledger", str(store.path), "query", "--shell", "--format", "csv"]
        answered = CliRunner().invoke(main, words, input=Typed(question * 2))
    assert (answered.exit_code, answered.stdout) == (0, "tables\n1\ntables\n3\n")


def test_bytes_that_are_no_text_are_no_reason_to_end(ledger: Path) -> None:
    words = ["--ledger", str(ledger), "query", "--shell", "--format", "csv"]
    answered = CliRunner().invoke(main, words, input=b"\xff\x00;\nSELECT '\xff' AS x;\nSELECT 1 AS one;\n")
    assert (answered.exit_code, answered.stdout) == (2, "x\n\ufffd\none\n1\n")


def test_what_is_completed_are_tables_columns_and_the_words_of_sql(ledger: Path) -> None:
    with open_history(default_history_path(ledger)) as history:
        words, meanings = words_to_complete(history.tables(), ["how-many"])
    assert {"how-many", "plays", "trick_winner", "deal_scores", "SELECT", "wilson_low"} <= set(words)
    assert meanings["plays"] == "One row for each card played"
    assert meanings["card_count"] == "a column of several tables"


def test_on_a_screen_queries_take_lines_tab_completes_ctrl_c_stops_ctrl_d_leaves(ledger: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    shell = subprocess.Popen(
        [sys.executable, "-m", "ledger", "--ledger", ledger, "query", "--shell"],
        stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, start_new_session=True,
        env={**os.environ, "HOME": str(tmp_path), "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"},
    )  # fmt: skip
    os.close(theirs)
    screen = ""

    def press(keys: str, *expected: str) -> None:
        """Type, and read until all expected words have appeared in this order."""
        nonlocal screen
        os.write(ours, keys.encode())
        screen = ""
        for words in expected:
            while words not in screen:
                assert select.select([ours], [], [], PATIENCE_S)[0], (words, screen)
                screen += os.read(ours, 4096).decode(errors="replace")
            screen = screen.partition(words)[2]

    children = Path(f"/proc/{shell.pid}/task/{shell.pid}/children")
    try:
        press("", "sql>")
        press("FROM nothing;\r", "nothing does not exist", "sql>")
        press("SELECT 4040 + 2 AS\r", "...>")
        press("answer;\r", "4042", "sql>")
        press("DESCRIBE deal_sc\t", "ores")  # the rest of deal_scores
        press(";\r", "delta", "sql>")
        press("SELECT thrown away\x03", "sql>")
        press("SELECT count(*) FROM plays a, plays b, plays c, plays d, plays e;\r")
        wait_until(children.read_text)
        shell.send_signal(signal.SIGINT)
        press("", "Stopped.", "sql>")
        assert not children.read_text()
        os.write(ours, b"\x04")
        assert shell.wait(PATIENCE_S) == 0
    finally:
        shell.kill()
        shell.wait()
        os.close(ours)
    past_queries = next(path for path in tmp_path.rglob("questions"))
    assert "+answer;" in past_queries.read_text(encoding="utf-8")
