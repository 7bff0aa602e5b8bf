"""`import`: its inputs and its answers, whole files or nothing, and lines that come one by one."""

import json
import signal
import subprocess
from typing import Any

import pytest

from tests.cli.commands import FIRST_DEAL, OPENED, REVOKE, CommandLine, lines
from tests.schemas.checks import assert_fits

HAND_RECORD = REVOKE.read_bytes()
BARE = lines(OPENED, FIRST_DEAL)


def forms(cli: CommandLine) -> list[str]:
    return [report["form"] for report in cli.json("import", *sorted(cli.folder.glob("*.in")))]


def test_the_three_forms_are_recognised_by_their_content(cli: CommandLine) -> None:
    other = cli.elsewhere()
    other.record(OPENED)
    cli.file("1.in", other.ok("export").encode())  # first, because an export can only continue its own ledger
    cli.file("2.in", HAND_RECORD)
    cli.file("3.in", lines(OPENED, FIRST_DEAL, table="u"))
    assert forms(cli) == ["export", "hand record", "bare events"]
    changed = cli.file("2.in", HAND_RECORD.replace(b"DQ CA H2", b"DQ CA H3"))
    reports = cli.json("import", "--dry-run", changed)
    assert reports[0]["corrected"]
    assert_fits("import", reports)


@pytest.mark.parametrize(
    ("content", "form"), [(HAND_RECORD, "hand record"), (BARE, "bare events")], ids=["hand record", "bare"]
)
@pytest.mark.parametrize("dressed", [
    lambda content: b"\xef\xbb\xbf" + content,
    lambda content: content.replace(b"\n", b"\r\n"),
    lambda content: b"\n\n" + content,
    lambda content: content.rstrip(b"\n"),
], ids=["byte order mark", "Windows lines", "blank lines", "no last line feed"])  # fmt: skip
def test_editors_leave_their_marks(cli: CommandLine, content: bytes, form: str, dressed) -> None:
    answered = cli.run("import", "-", "--format", "json", stdin=dressed(content))
    assert json.loads(answered.stdout)[0]["form"] == form


@pytest.mark.parametrize(("exported_part", "complaint"), [
    (slice(5, None), "line 1: the ledger continues at position 1, not at 6"),
    (slice(0, None, 2), "line 2: the ledger continues at position 2, not at 3"),
    (slice(None, None, -1), "line 1: the ledger continues at position 1, not at 42"),
], ids=["without its beginning", "with gaps", "in the wrong order"])  # fmt: skip
def test_an_export_with_entries_missing_is_a_conflict(club: CommandLine, exported_part: slice, complaint: str) -> None:
    other, lines = club.elsewhere(), club.ok("export").encode().splitlines(keepends=True)
    assert complaint in other.refused(4, "import", "-", stdin=b"".join(lines[exported_part]))
    assert other.json("verify")["entries"] == 0


def answers(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_refused_line_is_answered_and_the_first_one_decides_the_exit_status(cli: CommandLine) -> None:
    taken = json.dumps(
        {"stream": "table/t", "event": {"type": "noted", "text": "a"}, "id": "0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23"}
    )
    sent = [lines(OPENED), lines(OPENED), taken.encode(), taken.replace('"a"', '"b"').encode(), lines(FIRST_DEAL)]
    followed = cli.run("import", "--follow", "-", stdin=b"\n".join(part.rstrip() for part in sent))
    assert followed.exit_code == 3
    assert followed.stderr == ""
    output_lines = answers(followed.stdout)
    assert [one.get("error", {}).get("code") for one in output_lines] == [None, "malformed", None, "id_used", None]
    for one in output_lines:
        assert_fits("import-line", one)
    assert cli.run("import", "--follow", "-", stdin=taken.replace('"a"', '"b"').encode()).exit_code == 4


def sent(program: subprocess.Popen[bytes], line: bytes) -> dict[str, Any]:
    """Send a line and return the answer, which comes before the next line is sent."""
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write(line)
    program.stdin.flush()
    return dict(json.loads(program.stdout.readline()))


def test_an_answer_comes_before_the_next_line_and_is_in_the_ledger(cli: CommandLine) -> None:
    with cli.started("import", "--follow", "-") as program:
        assert sent(program, lines(OPENED))["position"] == 1
        assert cli.json("verify")["entries"] == 1
        assert sent(program, lines(FIRST_DEAL))["position"] == 2
        assert cli.json("verify")["entries"] == 2
        program.stdin.close()  # type: ignore[union-attr]
        assert program.wait(30) == 0


def test_ctrl_c_ends_it_without_a_word_and_loses_nothing(cli: CommandLine) -> None:
    with cli.started("import", "--follow", "-") as program:
        assert sent(program, lines(OPENED))["position"] == 1
        program.send_signal(signal.SIGINT)
        assert program.wait(30) == 130
        assert program.stderr.read() == b""  # type: ignore[union-attr]
    assert cli.json("verify")["entries"] == 1
