"""Tables and rules over HTTP: lists, single ones, and every reading, with the same answers as the commands."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ledger
from ledger.access.grants import Grant
from ledger.events import Corrected, DealStarted, DisputeRaised, Noted, PlayerSeated, TableClosed, TableOpened
from ledger.games.kernel import rulebook
from ledger.table.repository import fold_table
from ledger.text.lists import rules_facts
from tests.covering import IS_SOAK, wider_in_soak
from tests.web.club import MATCH, OPEN, REPLAYS, REVOKE, club_of
from tests.web.lists import rows_of
from tests.web.roles import DIRECTOR, NOBODY, RECORDER, SEER, VIEWER
from tests.web.serving import Served, encoded, ledger_with, links_of, pages_of, serving


@pytest.fixture(scope="module")
def corrected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(club_of(tmp_path_factory.mktemp("corrected"))) as one:
        one.record(REVOKE, Corrected(version=20, action="strike", reason="nobody saw it"))
        yield one


def test_the_tables_are_listed_as_they_were_opened(served: Served) -> None:
    listed = served.ok("/tables")
    assert [row["table"] for row in listed] == [REVOKE, MATCH, OPEN]
    assert listed[2] == {
        "table": OPEN,
        "game": "ombre",
        "players": ["Ann", "Ben", "Cleo"],
        "session": None,
        "version": 4,
        "deals": 1,
        "status": "open",
    }


@wider_in_soak
def test_every_recorded_table_is_listed_as_it_is_folded(tmp_path: Path) -> None:
    """The list is made without playing the deals; its closed, seated and corrected tables must match."""
    moved = [
        TableOpened(game="ombre", players=("Ann", "Ben", "Cleo"), session="spring"),
        PlayerSeated(seat=1, player="Dan"),
        DealStarted(deal=1, dealer=2),
        TableClosed(),
        Corrected(version=4, action="strike", reason="too early"),
    ]
    records = sorted(REPLAYS.glob("*/*.toml"))
    path = ledger_with(tmp_path, {"moved": moved}, *(records if IS_SOAK else records[::3]))
    with ledger.open(path) as store:
        folds = {row.table: fold_table(store, row.table) for row in ledger.tables(store)}
        rows = {row.table: row for row in ledger.tables(store)}
    with serving(path) as served:
        listed = served.ok("/tables?limit=1000")
    assert len(listed) == len(rows) > 50
    for one in listed:
        row, fold = rows[one["table"]], folds[one["table"]]
        assert (one["players"], one["deals"], one["status"] == "closed") == (row.players, row.deals, row.closed)
        assert (one["game"], one["session"], one["version"]) == (row.game, row.session, fold.recorded[-1][0])


@pytest.mark.parametrize(("path", "limit", "count"), [
    ("/tables?", 2, 3), ("/tables?open=true&", 1, 2), ("/streams?prefix=table/o&", 1, 2),
    (f"/streams/table/{REVOKE}/entries?", 7, 39), ("/players?", 2, 8),
])  # fmt: skip
def test_a_list_comes_by_the_page_and_keeps_to_its_search(served: Served, path: str, limit: int, count: int) -> None:
    *pages, last = pages_of(served, f"{path}limit={limit}")
    assert {len(page) for page in pages} == {limit} and 0 < len(last) <= limit
    whole = served.ok(path.rstrip("?&"))
    assert [one for page in (*pages, last) for one in page] == whole and len(whole) == count


def test_a_table_names_its_players_and_links_to_more(served: Served) -> None:
    body = served.ok(f"/tables/{REVOKE}")
    assert body["seats"][1] == {"seat": 1, "player": "Baron"}
    assert (body["version"], body["status"], body["options"]) == (39, "open", {})
    (deal,) = body["deals"]
    assert (deal["deal"], deal["dealer"], deal["status"], deal["version"]) == (1, 2, "complete", 2)
    assert deal["steps"] == served.ok(f"/tables/{REVOKE}/deals/1/steps/last")["step"]


def test_every_link_of_a_table_leads_somewhere(served: Served) -> None:
    body = served.ok(f"/tables/{REVOKE}")
    assert set(body["links"]) == {"audit", "disputes", "entries", "live", "now", "score"}
    of_table = [path for name, path in body["links"].items() if name != "live"]
    for path in [*of_table, *body["deals"][0]["links"].values()]:
        assert served.get(path.removeprefix("/api/v1")).status_code == 200, path


def test_a_table_as_of_an_entry_has_the_version_that_it_had(served: Served) -> None:
    with ledger.open(served.ledger) as store:
        until = list(store.read_stream(f"table/{REVOKE}"))[19].position
    assert served.ok(f"/tables/{REVOKE}?as_of={until}")["version"] == 20


def test_options_are_those_that_differ(served: Served) -> None:
    with ledger.open(served.ledger) as store:
        options = fold_table(store, MATCH).opened.options
    assert served.ok(f"/tables/{MATCH}")["options"] == options


def answers(store: Any, table: str, **reading: Any) -> dict[str, Any]:
    read = next(ledger.read_tables(store, table, **reading))
    return {
        "score": ledger.score(store, read),
        "audit": ledger.audit(store, read),
        "disputes": ledger.disputes(store, read),
        "deals/1/readings": ledger.readings(store, read, 1),
    }


@pytest.mark.parametrize("table", [REVOKE, MATCH])
@pytest.mark.parametrize(("query", "reading"), rows_of("readings"))
def test_every_reading_equals_the_commands(corrected: Served, table: str, query: str, reading: dict[str, Any]) -> None:
    with ledger.open(corrected.ledger) as store:
        if table == MATCH and "as_of" in reading:
            reading = {"as_of": store.streams("table/")[1].last_position - 3} if reading["as_of"] == 30 else reading
            query = f"as_of={reading['as_of']}"
        expected = encoded(answers(store, table, **reading))
    assert {name: corrected.ok(f"/tables/{table}/{name}?{query}") for name in expected} == expected


def test_where_a_moment_lies_is_looked_for_once_and_stays_there(own: Served) -> None:
    with ledger.open(own.ledger) as store:
        moment = next(store.read(9, 10)).recorded_at
        expected = encoded(ledger.score(store, REVOKE, as_of=moment))
    path, future = f"/tables/{REVOKE}/score?as_of={moment}", f"/tables/{REVOKE}/disputes?as_of=2999-01-01"
    assert (own.ok(path), len(own.ok(future))) == (expected, 1)
    own.record(REVOKE, DisputeRaised(deal=1, text="and once more"))
    assert (own.ok(path), len(own.ok(future))) == (expected, 2)


@pytest.mark.parametrize("what", ["score", "audit"])
def test_sentences_come_in_the_requested_language(served: Served, what: str) -> None:
    with ledger.open(served.ledger) as store:
        expected = encoded(getattr(ledger, what)(store, REVOKE, lang="ja"))
    path = f"/tables/{REVOKE}/{what}"
    assert served.ok(f"{path}?lang=ja") == served.ok(path, headers={"accept-language": "ja-JP,en;q=0.5"}) == expected
    assert served.ok(path) != expected


READS = (
    "/tables", "/streams", f"/tables/{REVOKE}", f"/tables/{REVOKE}/score", f"/tables/{REVOKE}/audit",
    f"/tables/{REVOKE}/disputes", f"/tables/{REVOKE}/deals/1/readings", f"/tables/{REVOKE}/deals/1/steps",
    f"/tables/{REVOKE}/deals/1/steps/3", f"/tables/{REVOKE}/deals/1/steps/last", f"/tables/{REVOKE}/now",
    f"/tables/{REVOKE}/deals/1.toml", f"/tables/{REVOKE}/deals/1/steps/3.svg", f"/streams/table/{REVOKE}/entries",
    "/rules", "/rules/OMB-6.8", f"/tables/{REVOKE}/disputes/39/case",
)  # fmt: skip


@pytest.mark.parametrize("path", READS)
def test_a_read_has_the_headers_of_all_and_is_not_sent_twice(served: Served, path: str) -> None:
    answer = served.get(path)
    again = served.get(path, headers={"if-none-match": f'"0.0", {answer.headers["etag"]}'})
    assert (answer.status_code, again.status_code) == (200, 304)
    assert again.headers["etag"] == answer.headers["etag"]
    assert answer.headers["cache-control"] == "private, no-cache"
    assert answer.headers["trickledger-position"] == str(served.service.visible.head.position)
    head, links = served.head(path), links_of(answer)
    assert (head.status_code, dict(head.headers)) == (200, dict(answer.headers))
    assert (links["self"], links["describedby"]) == (f"/api/v1{path}", "/api/v1/openapi.json")


def test_the_tag_changes_with_the_table_and_no_other(own: Served) -> None:
    of_revoke, of_match = f"/tables/{REVOKE}/score", f"/tables/{MATCH}/score"
    before = [own.get(path).headers["etag"] for path in (of_revoke, of_match)]
    own.record(REVOKE, Noted(text="a cup was spilled"))
    after = [own.get(path).headers["etag"] for path in (of_revoke, of_match)]
    assert (before[0] == after[0], before[1] == after[1]) == (False, True)


def test_the_tag_consists_of_counts_and_words_alone(served: Served) -> None:
    names = served.service.visible.names
    tag = served.get(f"/tables/{REVOKE}/score?reading=recorded&lang=ja").headers["etag"]
    assert tag == f'"39-0.{names}.recorded.all.ja.{ledger.__version__.replace(".", "-")}"'


def test_an_answer_cached_for_one_reader_is_not_sent_to_another(served: Served) -> None:
    path = f"/tables/{OPEN}/deals/1/steps/last"
    for _ in range(2):
        hands = [served.ok(path, who=who)["hands"][0][0] for who in (SEER, VIEWER, RECORDER, DIRECTOR)]
        assert hands == ["SA", "??", "??", "??"]
    assert len({served.get(path, who=who).headers["etag"] for who in (SEER, VIEWER)}) == 2


def test_one_answer_serves_all_while_nothing_is_hidden(served: Served) -> None:
    path = f"/tables/{REVOKE}/deals/1/steps/7"
    assert served.get(path).headers["etag"] == served.get(path, who=SEER).headers["etag"]
    answers = len(served.service.answers._answers)
    served.get(path, who=Grant(token="viewer-2", role="viewer"))
    assert len(served.service.answers._answers) == answers


def all_of(served: Served, path: str) -> list[dict[str, str]]:
    return [rule for page in pages_of(served, path, who=NOBODY) for rule in page]


def test_a_rule_is_public_and_names_its_neighbours(served: Served) -> None:
    body = served.ok("/rules/OMB-6.8", who=NOBODY)
    assert (body["rule"], body["previous"], body["next"]) == ("OMB-6.8", "OMB-6.7", "OMB-6.9")
    assert body["text"] == ledger.rule("OMB-6.8").text
    links = links_of(served.get("/rules/OMB-6.8", who=NOBODY))
    assert (links["prev"], links["next"]) == ("/api/v1/rules/OMB-6.7", "/api/v1/rules/OMB-6.9")


def test_every_rule_is_reached_from_the_first_one(served: Served) -> None:
    book = ledger.rulebooks()["quadrille"].rules
    rules = [page["rule"] for page in pages_of(served, f"/rules/{book[0].id}", who=NOBODY)]
    assert rules == [rule.id for rule in book]


@pytest.mark.parametrize(
    ("search", "what", "words"),
    [("game=ombre", "ombre", None), ("q=surrender", None, "surrender"), ("game=kop&q=kontra", "kop", "kontra")],
)
def test_rules_are_searched_as_by_the_command(served: Served, search: str, what: str | None, words: str | None) -> None:
    expected = encoded(rules_facts(ledger.rules(what, search=words)))
    rules = all_of(served, f"/rules?{search}&limit=50")
    assert rules == list({rule["rule"]: rule for rule in expected}.values())


def test_the_rules_of_all_games_are_listed_once(served: Served) -> None:
    rules = [rule["rule"] for rule in all_of(served, "/rules?limit=1000")]
    assert len(rules) == len(set(rules)) == len({rule.id for rule in ledger.rules()})


@pytest.mark.parametrize("how", [{"path": "?lang=ja"}, {"path": "", "headers": {"accept-language": "ja"}}])
def test_a_rule_is_in_the_language_of_the_reader(served: Served, how: dict[str, Any]) -> None:
    answer = served.get(f"/rules/OMB-6.8{how.pop('path')}", who=NOBODY, **how)
    assert answer.headers["content-language"] == "ja"
    assert answer.json()["text"] == ledger.rule("OMB-6.8", "ja").text != ledger.rule("OMB-6.8").text
    assert (answer.json()["previous"], answer.json()["next"]) == ("OMB-6.7", "OMB-6.9")


def test_rules_without_a_translation_say_that_they_are_english(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    translated = rulebook._load
    monkeypatch.setattr(
        rulebook, "_load", lambda package, lang: translated(package, "en" if package.endswith("kop") else lang)
    )
    expected = {"/KOP-2.2": "en", "/OMB-2.2": "ja", "?limit=999": "ja, en", "?q=xyzzy": "ja"}
    for path, languages in expected.items():
        read = served.get(f"/rules{path}", who=NOBODY, headers={"accept-language": "ja"})
        assert read.headers["content-language"] == languages, path
    known = served.get("/rules/KOP-2.2?lang=ja", who=NOBODY).headers["etag"]
    again = served.get("/rules/KOP-2.2?lang=ja", who=NOBODY, headers={"if-none-match": known})
    assert (again.status_code, "content-language" in again.headers) == (304, False)


def test_rules_are_searched_in_the_language_of_the_reader(served: Served) -> None:
    expected = encoded(rules_facts(ledger.rules("ombre", search="マタドール", lang="ja")))
    assert expected and all_of(served, "/rules?game=ombre&q=マタドール&lang=ja&limit=50") == expected
    assert all_of(served, "/rules?game=ombre&q=matador&lang=ja") == []
