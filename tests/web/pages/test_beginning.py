"""Opening a table, seats, a result alone, a paper sheet, and closing: by the forms of the pages."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from ledger.access.grants import Grant
from ledger.events import BidMade, CardTurned, DealStarted, SessionClosed, SessionOpened, TableClosed, TableOpened
from ledger.games import registered_games
from ledger.recording.forms import table_forms
from tests.text.reading import PageReader
from tests.web.club import MATCH, OPEN, REVOKE
from tests.web.pages.forms import answer_to, hidden_in, led_to, sent, shown, text_of
from tests.web.serving import DIRECTOR, RECORDER, Served, encoded, ledger_of, serving, stored_events

OPENER = Grant(token="opener", role="recorder", may_open=True)
THREE = {"game": "ombre", "seats": "3", "p0": "Ada", "p1": "Ben", "p2": "Cleo"}
HEAD, *SCRIPTS = Path(__file__).with_name("table_forms.txt").read_text(encoding="utf-8").split("\n## ")
NAMED = dict(line[1:].split(" ", 1) for line in HEAD.splitlines() if line.startswith(":"))
"""Fields and acts that a script names together."""


@pytest.fixture
def shared(served: Served) -> Served:
    """A club in which each test opens a table of its own."""
    served.client.cookies.clear()
    return served


def opened(own: Served, **fields: str) -> str:
    """Open a table and return its slug."""
    path = led_to(sent(own, "/record/new", {**THREE, **fields}, who=OPENER))
    return path.removeprefix("/record/").removesuffix("/start")


def test_the_recorder_says_where_no_script_runs_what_can_be_recorded_without(own: Served) -> None:
    """A browser reads this in place of scripts."""
    match = re.search(r"<noscript>(.*?)</noscript>", shown(own, f"/record/{OPEN}"), re.DOTALL)
    assert match is not None and f'href="/record/{OPEN}/result"' in match[1]


def test_the_tables_that_are_open_stand_first(own: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.web.pages.choose_table._CLOSED", 1)
    text = text_of(shown(own, "/record"))
    assert text.index(OPEN) < text.index("Closed tables") < text.index(MATCH)
    assert "Open a table" not in text
    own_alone = text_of(shown(own, "/record", who=Grant(token="bound", role="recorder", tables=(REVOKE, OPEN))))
    assert REVOKE in own_alone and OPEN in own_alone and MATCH not in own_alone


def test_who_records_one_table_goes_straight_to_it(own: Served) -> None:
    bound = Grant(token="bound", role="recorder", tables=(REVOKE,))
    assert led_to(answer_to(own, "GET", "/record", bound)) == f"/record/{REVOKE}"


def test_who_records_from_a_seat_sits_below_until_they_turn_the_table(own: Served) -> None:
    seated = Grant(token="seated", role="recorder", tables=(OPEN,), seat=1)
    for path in (f"/record/{OPEN}", f"/record/{OPEN}/now"):
        assert 'class="seat at-bottom" id="seat-1"' in shown(own, path, who=seated)
        assert 'class="seat at-bottom" id="seat-0"' in shown(own, path), "and nobody else does"
    turned = {"cookie": f"below-{OPEN}=2"}
    assert 'class="seat at-bottom" id="seat-2"' in shown(own, f"/record/{OPEN}", who=seated, headers=turned)


@pytest.mark.parametrize(("who", "says"), [
    (OPENER, "No table is open. Open one, and the first deal can begin."),
    (RECORDER, "No table is open. Ask the director to open one."),
    (Grant(token="bound", role="recorder", tables=("t",)), "Your table is not open yet."),
])  # fmt: skip
def test_where_no_table_is_the_page_says_what_to_do(tmp_path: Path, who: Grant, says: str) -> None:
    with serving(ledger_of(tmp_path)) as served:
        assert says in text_of(shown(served, "/record", who=who))


def test_an_evening_is_opened_with_its_first_table(own: Served) -> None:
    fields = {"session": "new", "title": "Friday evening", "date": "2026-11-20", "place": "Leiden"}
    assert opened(own, **fields, zone="Europe/Amsterdam") == "friday-evening-1"
    assert stored_events(own.ledger, "session/friday-evening") == [
        SessionOpened(title="Friday evening", date="2026-11-20", place="Leiden", zone="Europe/Amsterdam")
    ]
    assert stored_events(own.ledger, "table/friday-evening-1") == [
        TableOpened(game="ombre", players=("Ada", "Ben", "Cleo"), session="friday-evening", options={})
    ]


def test_the_next_table_of_an_evening_is_numbered(own: Served) -> None:
    first = opened(own, session="new", title="Friday")
    assert 'href="/record/new?session=friday"' in shown(own, f"/record/{first}/start", who=OPENER)
    page = shown(own, "/record/new?session=friday", who=OPENER)
    assert 'href="/record/new?game=kop&amp;seats=4&amp;session=friday"' in page
    form = shown(own, "/record/new?game=kop&seats=4&session=friday", who=OPENER)
    assert '<option value="friday" selected>' in form
    assert '<option value="Ada">' in form.partition('<datalist id="known">')[2].partition("</datalist>")[0]
    assert opened(own, session="friday", p0="Dan") == "friday-2"


@pytest.mark.parametrize(
    "form",
    [one for game in registered_games().values() for one in table_forms(game)],
    ids=lambda one: str(one.form or one.game),
)
def test_each_form_of_each_game_is_offered_and_opened(shared: Served, form: Any) -> None:
    page = shown(shared, "/record/new", who=OPENER)
    assert f"game={form.game}&amp;seats={form.seats}" in page
    fields = {"game": form.game, "seats": str(form.seats), "table": f"of-{form.form or form.game}-{form.seats}"}
    fields |= {} if form.form is None else {"form": form.form}
    address = "/record/new?" + "&".join(f"{name}={value}" for name, value in fields.items() if name != "table")
    for lang in ("en", "ja"):
        assert shown(shared, f"{address}&lang={lang}", who=OPENER).count('list="known"') == form.seats
    names = {f"p{seat}": f"Player {seat}" for seat in range(form.seats)}
    sent(shared, "/record/new", fields | names, who=OPENER)
    (event,) = stored_events(shared.ledger, f"table/{fields['table']}")
    assert isinstance(event, TableOpened)
    assert (event.game, len(event.players), event.options) == (form.game, form.seats, form.options)


def test_what_is_agreed_is_recorded_where_the_rulebook_has_it_otherwise(own: Served) -> None:
    agreed = {"o-ante": "3", "o-all_pass": "spadille_forced", "o-codille_takes_pool": "true", "o-vuelta_points": "2"}
    opened(own, table="t", **agreed)
    (event,) = stored_events(own.ledger, "table/t")
    assert isinstance(event, TableOpened)
    assert event.options == {"ante": 3, "all_pass": "spadille_forced", "codille_takes_pool": True}


def test_a_form_sent_twice_is_recorded_once(own: Served) -> None:
    for at, fields, to in (
        ("new?game=ombre&seats=3", {**THREE, "session": "new", "title": "Friday"}, "friday-1/start"),
        ("friday-1/start", {"do": "swap", "one": "0", "other": "1"}, "friday-1/start"),
        ("friday-1/result", fields_in("codille do=record"), "friday-1/result?done=1"),
        ("friday-1/start", {"do": "begin"}, "friday-1"),
    ):
        path, ids = f"/record/{at.partition('?')[0]}", hidden_in(shown(own, f"/record/{at}", who=OPENER), "ids")
        form = {**fields, "ids": ids}
        assert {led_to(sent(own, path, form, who=OPENER)) for _ in range(2)} == {f"/record/{to}"}
    assert len(stored_events(own.ledger, "table/friday-1")) == 6
    changed = sent(own, path, {**form, "dealer": "1"}, 422, OPENER)
    assert "This form was recorded when it was sent first." in text_of(changed.text)


def fields_in(text: str) -> dict[str, str]:
    """Return the fields of a form; the last of several with one name counts."""
    words = " ".join(NAMED.get(one, shlex.quote(one)) for one in shlex.split(text))
    return dict(one.split("=", 1) for one in shlex.split(words))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.partition("\n")[0])
def test_a_form_of_a_table_shows_and_records(shared: Served, script: str) -> None:
    """See `table_forms.txt`."""
    _, *lines = filter(None, script.splitlines())
    table = f"t-{SCRIPTS.index(script)}"
    is_opened_so = lines[0].startswith("opened: ")
    opened(shared, table=table, **fields_in(lines.pop(0).removeprefix("opened: ") if is_opened_so else ""))
    page, part, recorded = "", "", []
    for place, line in enumerate(lines):
        sign, _, expected = line.replace("{t}", table).partition(" ")
        match sign:
            case "GET" | "POST":
                path, _, fields = expected.partition(" ")
                path = path if path.startswith("/") else f"/record/{table}/{path}".rstrip("/")
                is_form = sign == "POST"
                who = OPENER if path.startswith("/record/new") else RECORDER
                answer = answer_to(shared, sign, path, who, **({"data": fields_in(fields)} if is_form else {}))
                if not lines[place + 1 : place + 2] or not lines[place + 1].startswith("->"):
                    assert answer.status_code == (303 if is_form else 200), (line, answer.text)
                page = part = answer.text
                if answer.status_code != 303:
                    PageReader(page)
            case "->":
                status, _, address = expected.partition(" ")
                assert answer.status_code == int(status), (line, page)
                assert not address or led_to(answer) == address
            case "in":
                match = re.search(rf"<(\w+)[^>]*{re.escape(expected)}[^>]*>(.*?)</\1>", page, re.DOTALL)
                assert match is not None, (line, page)
                part = match[2]
            case "wrong":
                field, _, text = expected.partition(": ")
                assert text in text_of(page) and "<title>Error:" in page and 'aria-invalid="true"' in page, (line, page)
                assert f'href="#{field}"' in page and f'id="{field}"' in page and f'id="e-{field}"' in page, line
            case "|" | "!":
                assert (expected in text_of(part)) == (sign == "|"), (line, text_of(part))
            case "<" | "!<":
                assert (expected in part) == (sign == "<"), (line, part)
            case "=":
                recorded += json.loads(NAMED.get(f"acts-{expected}", f"[{expected}]"))
            case _:
                raise AssertionError(line)
    if any(line.startswith("=") for line in lines):
        assert [encoded(event) for event in stored_events(shared.ledger, f"table/{table}")[1:]] == recorded


def test_the_picture_is_turned_on_this_device_alone(own: Served) -> None:
    table = opened(own)
    answer = sent(own, f"/record/{table}/start", {"below": "1"})
    cookie = answer.headers["set-cookie"].partition(";")[0]
    assert cookie == f"below-{table}=1"
    assert "From Ben the next is Cleo" in text_of(shown(own, f"/record/{table}/start", headers={"cookie": cookie}))
    own.client.cookies.clear()
    assert "From Ada the next is Ben" in text_of(shown(own, f"/record/{table}/start"))
    assert "From Ada" in text_of(shown(own, f"/record/{table}/start", headers={"cookie": f"below-{table}=<9>"}))


@pytest.mark.parametrize(("lang", "name"), [("en", "7 of hearts turned up"), ("ja", "めくられたハートの7")])
def test_the_card_turned_up_lies_on_the_table_under_its_name(own: Served, lang: str, name: str) -> None:
    table = opened(own, table="t", game="ombre")
    calls = [BidMade(seat=seat, call=call) for seat, call in enumerate(("vuelta", "pass", "pass"))]
    own.record(f"table/{table}", DealStarted(deal=1, dealer=2), *calls, CardTurned(card="H7"))
    page = shown(own, f"/record/{table}/now?lang={lang}")
    assert re.search(rf'class="lay turned-up"><svg [^>]*aria-label="{name}"', page)


def test_what_is_open_is_said_before_a_table_is_closed(own: Served) -> None:
    page = shown(own, f"/record/{OPEN}/close")
    assert "Deal 1 is not over." in text_of(page) and 'name="do" value="close"' in page
    cost = "The deal will then have no score; missing: the rest of the deal."
    assert cost in text_of(page)
    leave = text_of(shown(own, f"/record/{OPEN}/now")).partition("Leave this deal and begin the next")[2]
    assert leave.lstrip().startswith(cost)
    assert "Disputes without a ruling: 1." in text_of(shown(own, f"/record/{REVOKE}/close"))
    assert led_to(sent(own, f"/record/{REVOKE}/close", {"do": "close"})) == f"/record/{REVOKE}/close"
    assert isinstance(stored_events(own.ledger, f"table/{REVOKE}")[-1], TableClosed)
    assert "is closed." in text_of(shown(own, f"/record/{REVOKE}/close"))


def of_the_evening(own: Served, *tables: str) -> None:
    """Return an evening with these tables, at each of which Ada lost to Cleo, and 5 are left in the pool."""
    for place, table in enumerate(tables):
        evening = {"session": "friday"} if place else {"session": "new", "title": "Friday"}
        opened(own, table=table, **evening)
        sent(own, f"/record/{table}/result", {**fields_in("codille"), "do": "record"})


def closed(own: Served, path: str, who: Grant) -> str:
    """Return the page after closing a table or an evening, from a read model that has it."""
    address = led_to(sent(own, path, {"do": "close"}, who=who))
    own.level()
    return shown(own, address, who=who)


@pytest.mark.parametrize("who", [RECORDER, OPENER, DIRECTOR])
def test_a_table_that_is_closed_ends_on_its_final_score_and_leads_on(own: Served, who: Grant) -> None:
    of_the_evening(own, "a", "b", "c")
    page = closed(own, "/record/b/close", who)
    assert "first: Cleo. Final score player at the end in all Cleo +1 +16 Ben +2 +2 Ada +2 −18" in text_of(page)
    assert 'href="/t/b"' in page and 'href="/record/a">Next table of this evening: Friday · a' in page
    assert ('href="/record/new?session=friday"' in page) == (who is not RECORDER)
    assert 'href="/record/c">Next' in closed(own, "/record/a/close", who)
    last = closed(own, "/record/c/close", who)
    assert "Next table" not in last and "Ranking so far" in last  # the page of the evening
    assert ('href="/record/sessions/friday/close"' in last) == (who is DIRECTOR)


def test_a_table_without_a_deal_ends_without_a_score(own: Served) -> None:
    page = closed(own, f"/record/{opened(own)}/close", RECORDER)
    assert "No deal was scored." in text_of(page) and "Final score" not in page


def test_an_evening_that_is_closed_ends_on_its_result(own: Served) -> None:
    of_the_evening(own, "a", "b")
    opened(own, table="elsewhere")
    for table in ("a", "b"):
        sent(own, f"/record/{table}/close", {"do": "close"})
    page = closed(own, "/record/sessions/friday/close", DIRECTOR)
    for table in ("a", "b"):
        assert f"{table} Ombre Cleo +16 , Ben +2 , Ada −18" in text_of(page)
    assert "The winner is Cleo, with 32 points." in text_of(page) and "elsewhere" not in text_of(page)


def test_a_director_closes_an_evening(own: Served) -> None:
    table = opened(own, session="new", title="Friday")
    path = "/record/sessions/friday/close"
    page = shown(own, path, who=DIRECTOR)
    assert f'<a href="/record/{table}">Friday · table 1</a>' in page
    refused = sent(own, path, {"do": "close"}, 422, DIRECTOR)
    assert "Some tables of this evening are still open." in text_of(refused.text)
    assert not isinstance(stored_events(own.ledger, "session/friday")[-1], SessionClosed)
    assert led_to(sent(own, path, {"do": "close", "confirm": "yes"}, who=DIRECTOR)) == "/sessions/friday"
    assert isinstance(stored_events(own.ledger, "session/friday")[-1], SessionClosed)
    shown(own, "/record/sessions/nowhere/close", 404, DIRECTOR)


BOUND_DIRECTOR = Grant(token="bound", role="director", tables=(OPEN, "friday-1"))


@pytest.mark.parametrize(("who", "is_led"), [(DIRECTOR, True), (OPENER, False), (BOUND_DIRECTOR, False)])
def test_closing_an_evening_is_offered_to_a_director_until_it_is_closed(own: Served, who: Grant, is_led: bool) -> None:
    opened(own, session="new", title="Friday")
    link = 'href="/record/sessions/friday/close"'
    assert (link in shown(own, "/record", who=who)) == is_led
    if who.tables is None:
        assert (link in shown(own, "/sessions/friday", who=who)) == is_led
    sent(own, "/record/sessions/friday/close", {"do": "close", "confirm": "yes"}, who=DIRECTOR)
    assert link not in shown(own, "/record", who=who)
    assert link not in shown(own, "/sessions/friday", who=DIRECTOR)


# Who may


@pytest.mark.parametrize("page", ["start", "result", "sheet", "close"])
def test_a_missing_table_is_reported(shared: Served, page: str) -> None:
    shown(shared, f"/record/nowhere/{page}", 404)
    sent(shared, f"/record/nowhere/{page}", {"do": "begin"}, 404)


@pytest.mark.parametrize("page", ["new", f"{OPEN}/start", f"{OPEN}/result", f"{REVOKE}/sheet", f"{OPEN}/close"])
@pytest.mark.parametrize("fields", [
    {
        "game": "<script>alert(1)</script>",
        "name": "<b>",
        "text": "'\"><img src=x>",
        "ids": "x" * 9000,
        "version": "²",
    },
    {"do": "record", "ombre": "99", "tricks.0": "-5", "dealer": "١", "version": "9" * 400, "s0": "NaN"},
    {"do": "seat", "seat": "-1", "name": "a\u0000b", "p0": "\u202e", "o-form": "x", "seats": "ten"},
])  # fmt: skip
def test_nothing_sent_breaks_a_form_or_is_in_it_unescaped(own: Served, page: str, fields: dict[str, str]) -> None:
    answer = answer_to(own, "POST", f"/record/{page}", DIRECTOR, data=fields)
    assert answer.status_code in (200, 303, 404, 422), answer.text
    assert "<script>alert" not in answer.text and "<img src=x" not in answer.text
