"""Searching for a deal, and the first page: each client sees what it may, and no more."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.text.site.listing import matches_query, normalised
from tests.web.attacking import Attacked, attacked
from tests.web.club import REPLAYS
from tests.web.serving import OMBRE, ledger_of, ledger_with

KOP = {"type": "table_opened", "game": "kop", "players": ["Ann", "Ben", "Cleo", "Dan"]}
TYPED = {"lucia": "Lucía", "LUCÍA": "Lucía", "lodz": "Łódź", "ａｎｎ": "Ann", "ス": "ス", "smith ann": "Ann  Smith"}


@pytest.mark.parametrize("query", TYPED)
def test_a_name_matches_however_it_is_typed(query: str) -> None:
    assert matches_query(query, [TYPED[query]])


def test_every_word_must_be_there() -> None:
    assert not matches_query("ann ben", ["Ann", "Cleo"])
    assert matches_query("ann cleo", ["Ann", "Cleo"])
    assert normalised("  Straße ") == "strasse"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Attacked]:
    many = {f"t-{number}": [{**OMBRE[0], "players": ["Ann", "Ben", f"Player {number}"]}] for number in range(60)}
    with attacked(ledger_with(tmp_path, {**many, "kop": [KOP], "open": OMBRE})) as one:
        yield one


def page_at(service: Attacked, at: str, **who: str) -> str:
    reply = service.browse(at, **(who or {"token": service.token(f"v-{abs(hash(at))}")}))
    assert reply.status == 200
    return reply.body.decode()


def test_the_newest_tables_stand_first_and_the_others_on_later_pages(service: Attacked) -> None:
    first, last = page_at(service, "/tables"), page_at(service, "/tables?page=3")
    assert 'href="/t/open"' in first and 'href="/t/t-0"' not in first
    assert 'href="/t/t-0"' in last and 'href="?page=2"' in last


def test_a_filter_stays_on_the_next_page(service: Attacked) -> None:
    page = page_at(service, "/tables?q=player&game=ombre")
    assert 'href="?q=player&amp;game=ombre&amp;page=2"' in page and "/t/kop" not in page


def test_search_matches_the_name_that_is_shown(service: Attacked) -> None:
    admin = service.token("admin", "admin")
    put = service.ask(
        "PUT", "/players/Cleo/name", ("content-type", "application/json"), content=b'{"name": "Anonymous"}', token=admin
    )
    assert put.status in (200, 204), put.body
    assert "/t/kop" in page_at(service, "/tables?q=anonymous", token=admin)
    page = page_at(service, "/tables?q=cleo", token=admin)
    assert "/t/kop" not in page


def test_the_first_page_shows_no_deal_that_is_still_played(service: Attacked) -> None:
    page = page_at(service, "/")
    assert "<svg" not in page and "No deal is finished yet" in page


def test_the_first_page_shows_the_last_deal_that_is_over(tmp_path: Path) -> None:
    with attacked(ledger_of(tmp_path, REPLAYS / "ombre/revoke.toml")) as service:
        page = page_at(service, "/")
    assert 'href="/t/ombre-revoke/1/1"' in page and "<svg" in page


def test_a_table_links_to_its_evening_for_readers_of_all_tables(tmp_path: Path) -> None:
    streams = {
        "session/friday": [{"type": "session_opened", "title": "Friday", "date": "2026-01-02"}],
        "of-friday": [{**KOP, "session": "friday"}],
        "of-nothing": [{**KOP, "session": "never-opened"}],
    }
    with attacked(ledger_with(tmp_path, streams)) as service:
        assert 'href="/sessions/friday"' in page_at(service, "/t/of-friday")
        assert "never-opened" in (page := page_at(service, "/t/of-nothing")) and "/sessions/" not in page
        bound = service.token("bound", tables=("of-friday",))
        assert "Friday</p>" in (page := page_at(service, "/t/of-friday", token=bound)) and "/sessions/" not in page


def test_a_table_matches_by_the_title_of_its_evening(tmp_path: Path) -> None:
    streams = {
        "session/2026-01-02": [{"type": "session_opened", "title": "木曜会", "date": "2026-01-02"}],
        "2026-01-02-1": [{**KOP, "session": "2026-01-02"}],
        "other": [KOP],
    }
    with attacked(ledger_with(tmp_path, streams)) as service:
        page = page_at(service, "/tables?q=%E6%9C%A8%E6%9B%9C")
    assert "/t/2026-01-02-1" in page and "/t/other" not in page


def test_an_empty_ledger_says_what_to_do_first(tmp_path: Path) -> None:
    with attacked(ledger_of(tmp_path)) as service:
        director, viewer = service.token("d", "director"), service.token("v")
        for at in ("/", "/tables"):
            assert 'href="/record/new"' in service.browse(at, token=director).body.decode()
            assert 'href="/record/new"' not in service.browse(at, token=viewer).body.decode()
