"""`record`: a table at the terminal or through a pipe, act by act, according to docs/how-to/recording.md."""

import re
from pathlib import Path

from ledger.events import CardPlayed, Event
from ledger.log import Batch, NewEntry, SqliteStore
from ledger.recording.typed.choices import LETTERS
from tests.cli.commands import ROOT, CommandLine
from tests.cli.terminal import Terminal

KOP = ("--game", "kop", "--player", "Ada", "--player", "Ben", "--player", "Cleo", "--player", "Dan", "--defaults")
PAGE = (ROOT / "docs" / "how-to" / "recording.md").read_text(encoding="utf-8")


def typed(cli: CommandLine, *lines: str, words: tuple[str, ...], status: int = 0) -> str:
    """Return what is shown for these lines through a pipe, errors included."""
    answered = cli.run("record", "t", *words, stdin="".join(f"{line}\n" for line in lines).encode())
    assert answered.exit_code == status, answered.output
    return answered.output


def events(cli: CommandLine) -> list[Event]:
    with SqliteStore(cli.ledger, access="read") as store:
        return [row.event() for row in store.read_stream("table/t")]


def test_a_name_that_no_table_can_have_is_refused_before_any_question(cli: CommandLine) -> None:
    answered = cli.run("record", "Friday 1")
    assert answered.exit_code == 3
    assert "not a valid slug" in answered.stderr
    assert "game (" not in answered.stdout


def test_hands_of_others_stay_hidden(cli: CommandLine) -> None:
    hands = "h Ada: sqcjdtca / Ben: dqhjdjst / Cleo: hthqsjda / Dan: hacqctsa"
    shown = typed(cli, "", hands, "pppp", "ht", "/", words=(*KOP, "--hidden"), status=3)
    assert "against KOP-" in shown
    assert "♠Q ♣A ♣J ♦10" not in shown
    before, _, after = shown.partition("may come next:")
    assert "♣J" not in before
    assert {"♣J", "♥A"} <= set(after.splitlines()[0].split())  # by public knowledge, any card may be Ada's


def test_at_a_terminal_the_table_is_in_view_and_what_others_record_is_shown(cli: CommandLine, tmp_path: Path) -> None:
    cli.ok("record", "t", *KOP)
    words = ("--ledger", cli.ledger, "record", "t", "--by", "Ann")
    with Terminal(*words, folder=tmp_path, reports_cursor=True) as terminal:
        assert terminal.wait_for_prompt()
        for line in ("", "pppp"):
            assert terminal.enter(line)
        with SqliteStore(cli.ledger) as store:
            other = NewEntry(CardPlayed(seat=0, card="DT"))
            store.append(Batch("table/t", 7, (other,)), recorded_by="Bob")
        terminal.wait_for("recorded by Bob meanwhile:")  # below the prompt, before anything is typed
        terminal.wait_for("trick 1: Ada ♦10")
        before = len(terminal.text())
        assert terminal.enter("sq")
        shown = terminal.text()[before:]
        assert "recorded by Bob meanwhile:" in shown
        assert "8  Ada ♦10" in shown
        assert "not recorded: Bob has already recorded ♦10" in shown
        assert terminal.enter("dq")
        terminal.wait_for("trick 1: Ada ♦10, Ben ♦Q")
        assert terminal.leave() == 0
    assert events(cli)[-2:] == [CardPlayed(seat=0, card="DT"), CardPlayed(seat=1, card="DQ")]


def test_pasted_lines_are_read_one_by_one_up_to_the_first_that_is_refused(cli: CommandLine, tmp_path: Path) -> None:
    cli.ok("record", "t", *KOP)
    with Terminal("--ledger", cli.ledger, "record", "t", folder=tmp_path) as terminal:
        assert terminal.wait_for_prompt()
        terminal.enter("\x1b[200~\rpppp\rdtdqhtha\rsa wurst\rdacqsqhj\rctcadjsj\x1b[201~")
        terminal.wait_for("not recorded: dacqsqhj / ctcadjsj")
        assert "'wurst'" in terminal.text()
        assert terminal.leave() == 0
    assert events(cli)[-1] == CardPlayed(seat=3, card="SA")


def block(name: str) -> str:
    return PAGE.split(f"<!-- {name} -->\n```text\n")[1].split("```")[0]


def test_the_deal_of_the_page_is_shown_as_the_page_says(cli: CommandLine) -> None:
    shown = typed(cli, *block("typed").splitlines(), words=KOP)
    assert block("shown") in shown


def test_the_page_counts_its_keys() -> None:
    assert f"{len(block('typed'))} keys" in PAGE


def test_each_command_has_its_row() -> None:
    table = PAGE.split("## Commands")[1].split("##")[0]
    assert set(re.findall(r"^\| `([a-z#!/])` ", table, re.MULTILINE)) == {*LETTERS, "#", "!", "/"}
