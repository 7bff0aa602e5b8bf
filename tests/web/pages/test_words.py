"""The words on every page about tables of all games and forms: words of people, and rules as links to their books."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Final

import pytest
from msgspec import structs

import ledger
from ledger.access.grants import Grant
from ledger.events import Corrected, DisputeRaised, RulingGiven
from ledger.games import registered_games
from ledger.i18n import LANGUAGES, catalogue
from ledger.log.base import LogStore
from ledger.recording.forms import table_forms
from ledger.table.repository import table_slugs
from ledger.text.catalogue import LOOPBACK
from ledger.web import handlers  # noqa: F401 - each module declares its pages
from ledger.web.http.problems import STATUSES
from ledger.web.http.routing import HTML, PAGES
from tests.covering import IS_SOAK
from tests.web.club import REPLAYS, REVOKE
from tests.web.pages.forms import answer_to
from tests.web.serving import Served, copy_of, record, serving

ALL: Final = Grant(token="all", role="admin", hands=True)
RECORDS: Final = (
    "couillon/05*", "couillon/07*", "couillon/14*", "couillon/23a*", "couillon/25*", "couillon/3*-match-*",
    "kop/12*", "kop/17*", "kop/19*", "kop/20*", "kop/22*", "kop/match-new-trumps*",
    "ombre/03*", "ombre/05b*", "ombre/13a*", "ombre/23*", "ombre/revoke.toml",
    "quadrille/04*", "quadrille/08*", "quadrille/22b*", "quadrille/23a*", "quadrille/25*", "quadrille/27*",
    "session/*",
)  # fmt: skip
"""Tables of every game and form, with most options, results and findings."""
DISPUTE: Final = 39
"""The version of the dispute at the table of the revoke."""

SPANISH: Final = "ombre-spanish"
OPEN: Final = "ombre-spanish-open"
"""The table of the revoke with a Spanish pack, and the beginning of it."""

FOR_PROGRAMS: Final = ("/problems/{code}", "/sql")
RULEBOOKS: Final = ("/rules", "/rules/{game}", "/rules/{game}/{rule}")
OF_TOKENS: Final = ("/tokens", "/tokens/{id}/revoke")
"""Pages of the token file, which this service lacks."""
CODE: Final = re.compile(r"_|[a-z]\d|^[A-Z]{3,}$")
"""Text that looks like no word of a language."""
AMOUNTS: Final = re.compile(r"\[[\d, ]*\]")
RULE: Final = re.compile(r"(?a:\b(?:KOP|OMB|QUA|COU)-\d+\.\d+)")
SHOWN: Final = re.compile(r'\s(?:alt|aria-label|data-told|data-why|placeholder|title)="([^"]*)"')

pytestmark = [pytest.mark.soak] if IS_SOAK else []
"""A soak run reads every table in every language."""

Pages = Mapping[str, str]
"""The source of each page, by its address."""


def code_names() -> set[str]:
    """Return the programs' names of calls, results, options, fields of events and problems."""
    names = set(STATUSES)
    for game in registered_games().values():
        texts = catalogue(game.package, "en").items()
        names |= {text for key, text in texts if key.startswith(("words.", "options."))}
    tables = [key.partition(".") for key in catalogue("ledger.text", "en")]
    names |= {name for table, _, name in tables if table in ("field", "place")}
    return {name for name in names if CODE.search(name)} | {LOOPBACK, "deltas", "True", "False"}


def _judge(store: LogStore) -> None:
    dispute = DisputeRaised(deal=1, version=20, text="by OMB-6.5 this was a revoke")
    ruling = RulingGiven(deal=1, kind="adjust", deltas=(5, 0, -5), text="see OMB-6.5 and OMB-6.6", rule="OMB-6.5")
    mended = RulingGiven(deal=1, kind="adjust", deltas=(3, 0, -3), text="see OMB-6.6", rule="OMB-6.6")
    replaced = Corrected(version=DISPUTE + 1, action="replace", reason="mistyped", events=(mended,))
    record(store, REVOKE, dispute, ruling, replaced, by=LOOPBACK)
    opened, *others = (row.event() for row in store.read_stream(f"table/{REVOKE}"))
    for table, events in ((SPANISH, others), (OPEN, others[:14])):
        record(store, table, structs.replace(opened, options={"pack_names": "spanish"}), *events)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    paths = [path for pattern in RECORDS for path in sorted(REPLAYS.glob(pattern))]
    with serving(copy_of(tmp_path_factory.mktemp("words"), _judge, *paths)) as served:
        yield served


def addresses(tables: list[str], statistics: list[str]) -> Iterator[str]:
    """Return every page except rulebooks, tokens and those for programs; a page of a table for each table."""
    paths = {one.path for one in PAGES if one.method == "GET" and HTML in one.media}
    for path in sorted(paths - {*FOR_PROGRAMS, *RULEBOOKS, *OF_TOKENS}):
        for table in tables if "{table}" in path else [""]:
            for step in ("1", "last") if "{step}" in path else [""]:
                at = {"table": REVOKE if "{dispute}" in path else table, "deal": "1", "step": step, "version": "4"}
                name = {"statistics": "findings", "plots": "deal-points"}.get(path.split("/")[1], "Aiko")
                yield path.format(**at, session="opening-night", dispute=DISPUTE, player="Aiko", name=name)
    yield from (f"/statistics/{name}" for name in statistics)
    yield f"/t/{REVOKE}/1/readings?all=true"
    yield f"/record/{REVOKE}/deal/25?card=C3"
    yield f"/t/{REVOKE}/disputes/{DISPUTE}"
    yield f"/api/v1/tables/{REVOKE}/disputes/{DISPUTE}/case"
    for game in registered_games().values():
        for form in table_forms(game):
            named = "" if form.form is None else f"&form={form.form}"
            yield f"/record/new?game={form.game}&seats={form.seats}{named}"


@pytest.fixture(scope="module", params=LANGUAGES)
def pages(request: pytest.FixtureRequest, club: Served) -> Pages:
    """Return every eighteenth table and fifth statistic in each language, others in the other; in a soak run all."""
    with ledger.open(club.ledger, access="read") as store:
        tables = sorted(table_slugs(store))
    looked_at, statistics = tables, [name for name in ledger.statistics() if name != "league"]
    if not IS_SOAK:
        place = list(LANGUAGES).index(request.param)
        looked_at, statistics = sorted({*tables[place::18], REVOKE, SPANISH, OPEN}), statistics[place::5]
    headers = {"accept-language": request.param}
    answers = {path: answer_to(club, "GET", path, ALL, headers=headers) for path in addresses(looked_at, statistics)}
    assert {answer.status_code for answer in answers.values()} <= {200, 303, 404}
    assert f"/record/{REVOKE}/deal" in answers and answers[f"/t/{REVOKE}/1/last"].status_code == 200
    return {path: _without_slugs(answer.text, tables) for path, answer in answers.items()}


def _without_slugs(page: str, tables: list[str]) -> str:
    """Return the text without the names that people gave to tables, words to type, and SQL with its columns."""
    page = re.sub(r'(?s)<textarea id="(?:sql|words)".*?</textarea>|<dl class="meanings">.*?</dl>', "", page)
    return re.sub("|".join(map(re.escape, sorted(tables, key=len, reverse=True))), "…", page)


def with_aria_text(page: str) -> str:
    """Return the text of a page and its ARIA labels, without quotations of rulebooks and persons."""
    page = re.sub(r"(?s)<(script|style|template|code|blockquote)\b.*?</\1>", " ", page)
    return html.unescape(" ".join([re.sub(r"<[^>]*>", " ", page), *SHOWN.findall(page)]))


def test_no_page_shows_a_name_that_programs_use(pages: Pages) -> None:
    names = code_names()
    assert {"basic4", "SACADA_VOLE", "failed_vole_keeps_pool", "wrong_version", "vole_pool", "card_points"} <= names
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
    matches = {(word, path) for path, page in pages.items() for word in pattern.findall(with_aria_text(page))}
    assert matches == set()


def test_amounts_stand_with_names_and_not_in_brackets(pages: Pages) -> None:
    matches = {(word, path) for path, page in pages.items() for word in AMOUNTS.findall(with_aria_text(page))}
    assert matches == set()


def test_a_rule_is_a_link_to_its_book_wherever_it_is_named(pages: Pages) -> None:
    texts = {path: page for path, page in pages.items() if "/case" not in path}
    unlinked = {path: re.sub(r"(?s)<(a|blockquote|button|script)\b.*?</\1>", "", page) for path, page in texts.items()}
    matches = {(rule, path) for path, page in unlinked.items() for rule in RULE.findall(re.sub(r"<[^>]*>", " ", page))}
    assert matches == set()
    page = pages[f"/t/{REVOKE}/1/last"]
    assert page.count('<a href="/rules/ombre#OMB-6.6">') >= 2  # of the ruling, and in its text


def test_a_page_holds_the_shapes_that_it_draws(pages: Pages) -> None:
    whole = {path: page for path, page in pages.items() if "<html" in page}
    drawn = {(path, shape) for path, page in whole.items() for shape in re.findall(r'<use href="#(\w+)"', page)}
    assert {(path, shape) for path, shape in drawn if f'id="{shape}"' not in whole[path]} == set()
    assert any("/deal/25" in path for path, _ in drawn)


def test_a_finding_leads_to_the_moment_at_which_it_arose(club: Served) -> None:
    page = answer_to(club, "GET", f"/t/{REVOKE}", ALL).text
    assert re.search(rf'<a class="small" href="/t/{REVOKE}/1/\d+">findings 1</a>', page)


def test_a_sheet_names_the_players_of_its_amounts(club: Served) -> None:
    page = with_aria_text(answer_to(club, "GET", f"/record/{REVOKE}/deal", ALL).text)
    assert "the score sheet says Belinda -20, Baron 0, Clarissa +15; pool 5; outcome codille" in page
    assert "tricks Belinda 3, Baron 2, Clarissa 4" in page


def test_somebody_at_the_machine_is_named_in_words(club: Served) -> None:
    page = answer_to(club, "GET", f"/record/{REVOKE}/deal", ALL).text
    assert "someone at this computer" in page and LOOPBACK not in page


def test_pages_of_a_table_with_a_spanish_pack_show_no_french_card(pages: Pages) -> None:
    texts = {path: with_aria_text(page) for path, page in pages.items() if SPANISH in path}
    matches = {word for page in texts.values() for word in re.findall("[♠♥♦♣]\\S*", page)}
    assert matches == set()
    assert any(name in texts[f"/t/{SPANISH}/1/last"] for name in ("Espadas Rey", "ソードのレイ"))
