"""The rules over HTTP, which are public."""

from typing import Any

import pytest

import ledger
from ledger.games.kernel import rulebook
from ledger.text.lists import rules_facts
from tests.web.serving import NOBODY, Served, encoded, links_of, pages_of


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
    expected = {
        "/KOP-2.2?lang=ja": "en",
        "/OMB-2.2?lang=ja": "ja",
        "?lang=ja&limit=999": "ja, en",
        "?lang=ja&q=xyzzy": "ja",
    }
    for path, languages in expected.items():
        assert served.get(f"/rules{path}", who=NOBODY).headers["content-language"] == languages, path
    known = served.get("/rules/KOP-2.2?lang=ja", who=NOBODY).headers["etag"]
    again = served.get("/rules/KOP-2.2?lang=ja", who=NOBODY, headers={"if-none-match": known})
    assert (again.status_code, "content-language" in again.headers) == (304, False)


def test_rules_are_searched_in_the_language_of_the_reader(served: Served) -> None:
    expected = encoded(rules_facts(ledger.rules("ombre", search="マタドール", lang="ja")))
    assert expected and all_of(served, "/rules?game=ombre&q=マタドール&lang=ja&limit=50") == expected
    assert all_of(served, "/rules?game=ombre&q=matador&lang=ja") == []
