"""`record`: a table at the terminal or through a pipe, act by act."""

from __future__ import annotations

import json
from pathlib import Path

from ledger.events import BidMade, CardPlayed, DisputeRaised, Event, Noted, SessionOpened, TableOpened
from ledger.log import Batch, NewEntry, SqliteStore
from tests.cli.commands import CommandLine
from tests.cli.terminal import Terminal

KOP = ("--game", "kop", "--player", "Ada", "--player", "Ben", "--player", "Cleo", "--player", "Dan", "--defaults")
DEAL = ("", "pppp", "dtdqhtha", "sacjsthq", "dacqsqhj", "ctcadjsj")
"""The first example of the Kop rulebook, as it is typed."""


def typed(cli: CommandLine, *lines: str, words: tuple[str, ...] = (), status: int = 0, lang: str = "en") -> str:
    """What is shown where these lines come through a pipe, refusals too."""
    answered = cli.run("record", "t", *words, stdin="".join(f"{line}\n" for line in lines).encode(), lang=lang)
    assert answered.exit_code == status, answered.output
    return answered.output


def events(cli: CommandLine, stream: str = "table/t") -> list[Event]:
    with SqliteStore.open(cli.ledger, access="read") as store:
        return [row.event() for row in store.read_stream(stream)]


# --- a new table ------------------------------------------------------------------------------------------------------


def test_a_new_table_is_opened_by_questions(cli: CommandLine) -> None:
    shown = typed(cli, "kop", "", "Ada, Ben, Cleo, Dan", "friday", "Friday in May", "2026-05-08")
    assert events(cli) == [TableOpened(game="kop", players=("Ada", "Ben", "Cleo", "Dan"), session="friday")]
    assert events(cli, "session/friday") == [SessionOpened(title="Friday in May", date="2026-05-08")]
    assert "t is new." in shown


def test_enter_means_the_table_before_and_its_session(cli: CommandLine) -> None:
    typed(cli, "kop", "match_deals=8", "Ada, Ben, Cleo, Dan", "friday", "", "")
    cli.run("record", "t-2", stdin=b"\n\n\n\n")
    expected = TableOpened(game="kop", players=("Ada", "Ben", "Cleo", "Dan"), session="friday")
    assert events(cli, "table/t-2") == [expected]


def test_a_beginning_of_a_name_means_the_player_that_is_known(cli: CommandLine) -> None:
    typed(cli, "kop", "", "Ada Lovelace, Ben, Cleo, Dan", "-")
    cli.run("record", "t-2", stdin=b"kop\n\nEve, ada, ben, cleo\n-\n")
    assert events(cli, "table/t-2") == [TableOpened(game="kop", players=("Eve", "Ada Lovelace", "Ben", "Cleo"))]


def test_a_wrong_answer_is_told_and_asked_again(cli: CommandLine) -> None:
    shown = typed(cli, "whist", "kop", "", "Ada, Ben", "Ada, Ben, Cleo, Dan", "-")
    assert [event.players for event in events(cli) if isinstance(event, TableOpened)] == [("Ada", "Ben", "Cleo", "Dan")]
    assert shown.count("players by seat") == 2


def test_options_are_listed_and_taken(cli: CommandLine) -> None:
    shown = typed(cli, "couillon", "mit4", "?", "start_points=9", "Ada, Ben, Cleo, Dan", "-")
    assert "concession=none (none|rest)" in shown
    opened = events(cli)[0]
    assert isinstance(opened, TableOpened)
    assert opened.options == {"form": "mit4", "start_points": 9}


def test_what_options_say_is_not_asked(cli: CommandLine) -> None:
    typed(cli, words=KOP)
    assert events(cli) == [TableOpened(game="kop", players=("Ada", "Ben", "Cleo", "Dan"))]


def test_nothing_is_opened_where_questions_stay_without_an_answer(cli: CommandLine) -> None:
    assert "t was not opened." in typed(cli, "kop", "", status=2)
    assert events(cli) == []


def test_a_name_that_no_table_can_have_is_refused_before_anything_is_asked(cli: CommandLine) -> None:
    answered = cli.run("record", "Friday 1")
    assert answered.exit_code == 3
    assert "not a slug" in answered.stderr
    assert "game (" not in answered.stdout


def test_the_end_of_a_match_is_told(cli: CommandLine) -> None:
    assert "The match is over; first: Ada and Dan." in typed(cli, *DEAL, words=(*KOP, "--option", "match_deals=1"))


# --- acts -------------------------------------------------------------------------------------------------------------


def test_a_deal_is_recorded_and_its_score_told(cli: CommandLine) -> None:
    shown = typed(cli, *DEAL, words=KOP)
    assert "trick 4 to Cleo (highest trump)" in shown
    assert "KOP-7.13" in shown
    assert "standings: Ada +1, Ben -1, Cleo -1, Dan +1" in shown
    assert cli.json("score", "t")["totals"] == [1, -1, -1, 1]


def test_a_table_goes_on_where_it_was(cli: CommandLine) -> None:
    typed(cli, *DEAL[:3], words=KOP)
    shown = typed(cli, *DEAL[3:])
    assert "t: 11 entries, the last Dan ♥A" in shown
    assert cli.json("score", "t")["totals"] == [1, -1, -1, 1]


def test_what_breaks_a_rule_is_refused_and_recorded_only_as_it_was_played(cli: CommandLine) -> None:
    hands = "h Ada: sqcjdtca / Ben: dqhjdjst / Cleo: hthqsjda / Dan: hacqctsa"
    shown = typed(cli, "", hands, "pppp", "dt st", words=KOP, status=3)
    assert "KOP-6.6" in shown
    assert "! records it as it was played" in shown
    assert events(cli)[-1] == CardPlayed(seat=0, card="DT")
    shown = typed(cli, "st ht", "!", status=3)
    assert "not read any more: ht" in shown
    assert events(cli)[-2:] == [CardPlayed(seat=1, card="ST"), CardPlayed(seat=2, card="HT")]


def test_the_score_sheet_is_compared_at_once(cli: CommandLine) -> None:
    assert "the score sheet agrees" in typed(cli, *DEAL, "s 1 -1 -1 1", words=KOP)
    assert "KOP-11.61" in typed(cli, "u", "s 2 -1 -1 1")


def test_of_a_deal_only_the_result_may_be_known(cli: CommandLine) -> None:
    typed(cli, "r", "normal", "ada dan", "", "53 51", "2 2", "", "", words=KOP)
    assert cli.json("score", "t")["totals"] == [1, -1, -1, 1]


def test_notes_disputes_and_unknown_cards_stand_where_they_were_typed(cli: CommandLine) -> None:
    typed(cli, "", "pppp", "dt?", "# Ben dropped a card", "d ben: it was a heart", words=KOP)
    assert events(cli)[-3:] == [
        CardPlayed(seat=1, card="??"),
        Noted(text="Ben dropped a card"),
        DisputeRaised(deal=1, text="it was a heart", seat=1),
    ]


def test_another_dealer_is_recorded_with_the_rule(cli: CommandLine) -> None:
    shown = typed(cli, *DEAL, "x cleo", words=KOP)
    assert "against KOP-" in shown.partition("Cleo deals")[2]


def test_hands_of_others_stay_hidden(cli: CommandLine) -> None:
    hands = "h Ada: sqcjdtca / Ben: dqhjdjst / Cleo: hthqsjda / Dan: hacqctsa"
    shown = typed(cli, "", hands, "pppp", "ht", "/", words=(*KOP, "--hidden"), status=3)
    assert "against KOP-" in shown
    assert "♠Q ♣A ♣J ♦10" not in shown
    before, _, after = shown.partition("may come:")
    assert "♣J" not in before
    assert {"♣J", "♥A"} <= set(after.splitlines()[0].split())  # any card may be Ada's, for all that everybody knows


def test_in_japanese_the_words_of_the_clubs_are_read_and_told(cli: CommandLine) -> None:
    shown = typed(cli, "", "パス パス ｐｐ", "ＤＴｄｑ", words=KOP, lang="ja")
    assert "Adaパス" in shown or "Ada パス" in shown
    assert [type(event) for event in events(cli)[3:]] == [BidMade] * 4 + [CardPlayed] * 2


def test_what_may_come_is_told_in_the_language(cli: CommandLine) -> None:
    shown = typed(cli, "", "/", words=KOP, lang="ja")
    assert "次に来るもの:コントラ  パス  ベセレ  ゾロ  ゾロ・ドゥ" in shown


# --- several recorders ------------------------------------------------------------------------------------------------


def test_at_a_terminal_the_table_is_in_view_and_what_others_record_is_shown(cli: CommandLine, tmp_path: Path) -> None:
    cli.ok("record", "t", *KOP)
    words = ("--ledger", cli.ledger, "record", "t", "--by", "Ann")
    with Terminal(*words, folder=tmp_path, tells_place=True) as terminal:
        assert terminal.wait_for_prompt()
        for line in DEAL[:2]:
            assert terminal.enter(line)
        with SqliteStore.open(cli.ledger) as store:
            other = NewEntry(CardPlayed(seat=0, card="DT"))
            store.append(Batch("table/t", 7, (other,)), recorded_by="Bob")
        before = len(terminal.text())
        assert terminal.enter("sq")
        shown = terminal.text()[before:]
        assert "recorded by Bob meanwhile:" in shown
        assert "8  Ada ♦10" in shown
        assert "table/t is at version 8, not at 7 as expected" in shown
        assert terminal.enter("dq")
        terminal.wait_for("trick 1: Ada ♦10, Ben ♦Q")
        assert terminal.leave() == 0
    assert events(cli)[-2:] == [CardPlayed(seat=0, card="DT"), CardPlayed(seat=1, card="DQ")]


def test_a_file_that_is_imported_meanwhile_loses_nothing(cli: CommandLine, tmp_path: Path) -> None:
    cli.ok("record", "t", *KOP)
    note = {"stream": "table/t", "event": {"type": "noted", "text": "from a file"}}
    with Terminal("--ledger", cli.ledger, "record", "t", folder=tmp_path) as terminal:
        assert terminal.wait_for_prompt()
        for line in DEAL[:3]:
            assert terminal.enter(line)
            cli.ok("import", "-", stdin=json.dumps(note).encode())
        assert terminal.enter("")
        terminal.leave()
    told = events(cli)
    assert sum(isinstance(event, Noted) for event in told) == 3
    assert sum(isinstance(event, BidMade | CardPlayed) for event in told) == 0
    assert terminal.text().count("meanwhile") == 3
