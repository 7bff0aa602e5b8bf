"""The SQL console: answers, files, parameters, saved questions, and hostile statements."""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.history.questions.named_parameters import parameters_in, with_values
from ledger.service.running import Settings
from tests.cli.commands import REVOKE
from tests.covering import sample
from tests.web.pages.forms import answer_to, sent, shown, text_of
from tests.web.serving import DIRECTOR, VIEWER, Served, ledger_of, serving

HOSTILE = tomllib.loads(Path("tests/history/refused_questions.toml").read_text(encoding="utf-8"))
KINDS = ("reading_files", "not_reading", "telling_of_the_machine", "many_at_once")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(ledger_of(tmp_path_factory.mktemp("sql"), REVOKE)) as served:
        served.level()
        yield served


def ask(served: Served, sql: str, status: int = 200, do: str = "run", **fields: str) -> str:
    return html.unescape(sent(served, "/sql", {"sql": sql, "do": do, **fields}, status, who=DIRECTOR).text)


def test_a_question_is_answered_as_a_table_and_as_files(club: Served) -> None:
    question = "SELECT player, NULL AS nothing, 'a<b' AS text FROM seats ORDER BY player LIMIT 2"
    page = text_of(ask(club, question).replace("a<b", "a&lt;b"))
    assert "2 rows. As of entry" in page and "NULL a<b" in page
    csv = answer_to(club, "POST", "/sql", DIRECTOR, data={"sql": question, "do": "csv"})
    assert csv.headers["content-type"].startswith("text/csv") and csv.text.startswith("player,nothing,text\n")
    parquet = answer_to(club, "POST", "/sql", DIRECTOR, data={"sql": question, "do": "parquet"})
    assert parquet.content.startswith(b"PAR1")
    assert len(answer_to(club, "POST", "/sql", DIRECTOR, data={"sql": question, "do": "json"}).json()) == 2


def test_an_address_fills_in_a_question_and_runs_nothing(club: Served) -> None:
    page = shown(club, "/sql?sql=SELECT+1+AS+one", who=DIRECTOR)
    assert "SELECT 1 AS one</textarea>" in page and "As of entry" not in page


def test_long_answers_are_cut_with_a_word_about_it(club: Served) -> None:
    page = text_of(ask(club, "FROM range(5000)"))
    assert "5,000 rows" in page or "5000 rows" in page
    assert "The first 200 are shown" in page


@pytest.mark.parametrize("statement", [one for kind in KINDS for one in sample(HOSTILE[kind], 4)])
def test_a_hostile_statement_is_refused_with_what_is_allowed(club: Served, statement: str) -> None:
    page = ask(club, statement, 422)
    assert "Error: " in page and 'id="errors"' in page and statement.strip() in page
    assert str(club.ledger.parent) not in page and "/tmp/" not in page.replace(statement, "")


def test_an_endless_question_ends(club: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.web.pages.sql._SECONDS", 0.5)
    (endless,) = (one for one in HOSTILE["taking_time"] if "RECURSIVE" in one)
    assert "0.5 seconds" in ask(club, endless, 422)


def test_faulty_sql_is_refused_at_its_place(club: Served) -> None:
    page = text_of(ask(club, "SELECT player\nFROM dealz", 422))
    assert "Line 2, character 6:" in page and "dealz does not exist" in page


def test_named_parameters_become_fields_and_stay_texts(club: Served) -> None:
    sql = "SELECT $who AS who, $none AS none, '$no' AS word -- $neither"
    assert 'name="p-who"' in ask(club, sql)
    page = text_of(ask(club, sql, **{"p-who": "x'; DROP TABLE deals --"}))
    assert "x'; DROP TABLE deals -- NULL $no" in page
    assert parameters_in(sql) == ["who", "none"]
    assert with_values("$a $$ $b $$ $a", {"a": "1"}) == "'1' $$ $b $$ '1'"


def test_questions_are_saved_replaced_by_a_button_of_its_own_and_removed(club: Served) -> None:
    ask(club, "FROM deals", 303, "save", name="all-deals")
    assert "FROM deals</textarea>" in shown(club, "/sql?question=all-deals", who=DIRECTOR)
    assert "already" in ask(club, "FROM plays", 422, "save", name="all-deals")
    ask(club, "FROM plays", 303, "replace", name="all-deals")
    assert club.ok("/queries/all-deals", who=DIRECTOR)["sql"].strip() == "FROM plays"
    ask(club, "FROM plays", 422, "save", name="../x")
    assert "FROM plays</textarea>" in ask(club, "FROM plays", 200, "remove", name="all-deals")
    assert club.ok("/queries", who=DIRECTOR) == []
    assert str(club.ledger.parent) not in shown(club, "/sql?question=all-deals", 404, who=DIRECTOR)


def test_viewers_ask_where_the_service_lets_them_and_save_nothing(tmp_path: Path) -> None:
    settings = Settings(loopback=False, viewers_query=True)
    with serving(ledger_of(tmp_path, REVOKE), settings) as served:
        page = shown(served, "/sql", who=VIEWER)
        assert re.search('href="/sql"', page) and 'value="save"' not in page
        sent(served, "/sql", {"sql": "FROM deals", "do": "save", "name": "x"}, 422, who=VIEWER)
        assert "1 row" in text_of(sent(served, "/sql", {"sql": "SELECT 1", "do": "run"}, 200, who=VIEWER).text)
