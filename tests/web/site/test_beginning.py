"""Opening a table, how they sit, a result alone, a paper sheet, and closing: by the forms of the pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ledger
from ledger.access.base import Session
from ledger.access.grants import Grant
from ledger.events import (
    DealStarted,
    DisputeRaised,
    Event,
    PlayerSeated,
    ResultRecorded,
    ScoreClaimed,
    SessionClosed,
    SessionOpened,
    TableClosed,
    TableOpened,
)
from ledger.games import registered_games
from ledger.recording.table_forms import table_forms
from tests.covering import covering
from tests.web.club import MATCH, OPEN, REVOKE, club_of
from tests.web.serving import DIRECTOR, RECORDER, VIEWER, Access, Served, serving
from tests.web.site.forms import asked, hidden_in, led_to, sent, shown, text_of

OPENER = Grant(token="opener", role="recorder", may_open=True)
THREE = {"game": "ombre", "seats": "3", "p0": "Ada", "p1": "Ben", "p2": "Cleo"}
CODILLE = {"ombre": "0", "contract": "entrada", "trump": "S", "tricks.0": "3", "tricks.1": "2"}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Served]:
    with serving(club_of(tmp_path)) as served:
        yield served


def events_of(club: Served, stream: str) -> list[Event]:
    with ledger.open(club.ledger) as store:
        return [row.event() for row in store.read_stream(stream)]


def opened(club: Served, **fields: str) -> str:
    """A new table, by its slug."""
    path = led_to(sent(club, "/record/new", {**THREE, **fields}, who=OPENER))
    return path.removeprefix("/record/").removesuffix("/start")


def test_the_recorder_says_where_no_script_runs_what_can_be_recorded_without(club: Served) -> None:
    """A browser reads this in place of scripts."""
    found = re.search(r"<noscript>(.*?)</noscript>", shown(club, f"/record/{OPEN}"), re.DOTALL)
    assert found is not None and f'href="/record/{OPEN}/result"' in found[1]


# --- which table ------------------------------------------------------------------------------------------------------


def test_the_tables_that_are_open_stand_first(club: Served) -> None:
    text = text_of(shown(club, "/record"))
    assert text.index(OPEN) < text.index("Closed tables") < text.index(MATCH)
    assert "Open a table" not in text


def test_who_records_one_table_goes_straight_to_it(club: Served) -> None:
    bound = Grant(token="bound", role="recorder", tables=(REVOKE,))
    assert led_to(asked(club, "GET", "/record", bound)) == f"/record/{REVOKE}"


def test_who_records_several_tables_sees_those_alone(club: Served) -> None:
    text = text_of(shown(club, "/record", who=Grant(token="bound", role="recorder", tables=(REVOKE, OPEN))))
    assert REVOKE in text and OPEN in text and MATCH not in text


@pytest.mark.parametrize(
    ("who", "says"),
    [
        (OPENER, "No table is open. Open one, and the first deal can begin."),
        (RECORDER, "No table is open. Whoever directs the evening opens one."),
        (Grant(token="bound", role="recorder", tables=("t",)), "Your table is not open yet."),
    ],
)
def test_where_no_table_is_the_page_says_what_to_do(tmp_path: Path, who: Grant, says: str) -> None:
    with ledger.create(tmp_path / "new.ledger"):
        pass
    with serving(tmp_path / "new.ledger") as served:
        assert says in text_of(shown(served, "/record", who=who))


# --- a new table ------------------------------------------------------------------------------------------------------


def test_an_evening_is_opened_with_its_first_table(club: Served) -> None:
    fields = {"session": "new", "title": "Friday evening", "date": "2026-11-20", "place": "Leiden"}
    assert opened(club, **fields, zone="Europe/Amsterdam") == "friday-evening-1"
    assert events_of(club, "session/friday-evening") == [
        SessionOpened(title="Friday evening", date="2026-11-20", place="Leiden", zone="Europe/Amsterdam")
    ]
    assert events_of(club, "table/friday-evening-1") == [
        TableOpened(game="ombre", players=("Ada", "Ben", "Cleo"), session="friday-evening", options={})
    ]


def test_the_next_table_of_an_evening_is_numbered(club: Served) -> None:
    opened(club, session="new", title="Friday")
    page = shown(club, "/record/new?session=friday", who=OPENER)
    assert 'href="/record/new?game=kop&amp;seats=4&amp;session=friday"' in page
    assert '<option value="friday" selected>' in shown(club, "/record/new?game=kop&seats=4&session=friday", who=OPENER)
    assert opened(club, session="friday", p0="Dan") == "friday-2"


@pytest.mark.parametrize(
    "form",
    [one for game in registered_games().values() for one in table_forms(game)],
    ids=lambda one: str(one.form or one.game),
)
def test_each_form_of_each_game_is_offered_and_opened(club: Served, form: Any) -> None:
    page = shown(club, "/record/new", who=OPENER)
    assert f"game={form.game}&amp;seats={form.seats}" in page
    fields = {"game": form.game, "seats": str(form.seats), "table": "t"}
    fields |= {} if form.form is None else {"form": form.form}
    address = "/record/new?" + "&".join(f"{name}={value}" for name, value in fields.items() if name != "table")
    for lang in ("en", "ja"):
        assert shown(club, f"{address}&lang={lang}", who=OPENER).count('list="known"') == form.seats
    names = {f"p{seat}": f"Player {seat}" for seat in range(form.seats)}
    sent(club, "/record/new", fields | names, who=OPENER)
    (event,) = events_of(club, "table/t")
    assert isinstance(event, TableOpened)
    assert (event.game, len(event.players), event.options) == (form.game, form.seats, form.options)


def test_what_is_agreed_is_recorded_where_the_rulebook_has_it_otherwise(club: Served) -> None:
    opened(
        club,
        table="t",
        **{"o-ante": "3", "o-all_pass": "spadille_forced", "o-codille_takes_pool": "true", "o-vuelta_points": "2"},
    )
    (event,) = events_of(club, "table/t")
    assert isinstance(event, TableOpened)
    assert event.options == {"ante": 3, "all_pass": "spadille_forced", "codille_takes_pool": True}


@pytest.mark.parametrize(
    ("wrong", "field", "says"),
    [
        ({"p2": ""}, "p2", "Who sits here?"),
        ({"p2": "ada"}, "p2", "This name stands there twice."),
        ({"p2": "x" * 300}, "p2", "Player 3:"),
        ({"session": "nowhere"}, "session", "There is no such evening."),
        ({"session": "new", "date": "tomorrow"}, "date", "Date:"),
        ({"session": "new", "zone": "Leiden"}, "zone", "Time zone:"),
        ({"table": "A B"}, "table", "Name of the table:"),
        ({"table": "new"}, "table", "Take another name"),
        ({"table": REVOKE}, "table", "There is a table ombre-revoke already."),
        ({"o-ante": "many"}, "o-ante", "ante:"),
        ({"o-ante": "-1"}, "o-ante", "ante:"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_typed_is_lost(
    club: Served, wrong: dict[str, str], field: str, says: str
) -> None:
    typed = {**THREE, "session": "new", "title": "My <evening>", "place": "Gent", **wrong}
    page = sent(club, "/record/new", typed, 422, OPENER).text
    assert f'href="#{field}"' in page and f'id="e-{field}"' in page and 'aria-invalid="true"' in page
    assert says in text_of(page)
    assert 'value="My &lt;evening&gt;"' in page and 'value="Gent"' in page and 'value="Ben"' in page
    with ledger.open(club.ledger) as store:
        assert not any(head.stream.startswith("session/my") for head in store.streams())


def test_a_form_sent_twice_opens_one_table(club: Served) -> None:
    ids = hidden_in(shown(club, "/record/new?game=ombre&seats=3", who=OPENER), "ids")
    first = sent(club, "/record/new", {**THREE, "table": "t", "ids": ids}, who=OPENER)
    again = sent(club, "/record/new", {**THREE, "table": "t", "ids": ids}, 422, OPENER)
    assert led_to(first) == "/record/t/start" and "There is a table t already." in text_of(again.text)
    assert len(events_of(club, "table/t")) == 1


@pytest.mark.parametrize("who", [RECORDER, VIEWER])
def test_who_may_not_open_tables_opens_none(club: Served, who: Grant) -> None:
    shown(club, "/record/new", 403, who)
    sent(club, "/record/new", {**THREE, "table": "t"}, 403, who)
    assert events_of(club, "table/t") == []


# --- how they sit -----------------------------------------------------------------------------------------------------


def test_the_next_is_named_in_the_direction_of_the_game(club: Served) -> None:
    table = opened(club)
    assert "Ombre goes counter-clockwise. From Ada the next is Ben, on the right." in text_of(
        shown(club, f"/record/{table}/start")
    )


def test_the_picture_is_turned_on_this_device_alone(club: Served) -> None:
    table = opened(club)
    answer = sent(club, f"/record/{table}/start", {"below": "1"})
    cookie = answer.headers["set-cookie"].partition(";")[0]
    assert cookie == f"below-{table}=1"
    assert "From Ben the next is Cleo" in text_of(shown(club, f"/record/{table}/start", headers={"cookie": cookie}))
    club.client.cookies.clear()
    assert "From Ada the next is Ben" in text_of(shown(club, f"/record/{table}/start"))
    assert "From Ada" in text_of(shown(club, f"/record/{table}/start", headers={"cookie": f"below-{table}=<9>"}))


def test_the_first_deal_begins(club: Served) -> None:
    table = opened(club)
    assert led_to(sent(club, f"/record/{table}/start", {"do": "begin"})) == f"/record/{table}"
    assert events_of(club, f"table/{table}")[1:] == [DealStarted(deal=1, dealer=2)]


@pytest.mark.parametrize(
    ("fields", "who"),
    [
        ({"game": "kop", "seats": "4", "p3": "Dan"}, "Deals Dan Cuts Cleo Leads Ada"),
        (
            {"game": "kop", "seats": "4", "p3": "Dan", "o-auction_first": "after_leader"},
            "Cuts Cleo Leads Ada Begins Ben",
        ),
        ({"game": "ombre", "seats": "3"}, "Deals Cleo Leads Ada"),
    ],
    ids=["cut", "other begins", "silent"],
)
def test_who_deals_cuts_and_leads_is_said_as_far_as_the_rulebook_does(
    club: Served, fields: dict[str, str], who: str
) -> None:
    table = opened(club, **fields)
    assert who in text_of(shown(club, f"/record/{table}/start"))


def test_who_leads_next_is_said_between_deals(club: Served) -> None:
    table = opened(club)
    sent(club, f"/record/{table}/result", {**CODILLE, "do": "record"})
    assert "Ada deals next Ben leads" in text_of(shown(club, f"/record/{table}"))


def test_somebody_else_deals_though_he_is_not_due(club: Served) -> None:
    table = opened(club)
    path = f"/record/{table}/start"
    sent(club, f"/record/{table}/result", {**CODILLE, "do": "record"})
    assert led_to(sent(club, path, {"do": "dealer", "dealer": "1"})) == f"{path}?dealer=1"
    assert hidden_in(shown(club, f"{path}?dealer=1"), "dealer") == "1"
    sent(club, path, {"do": "begin", "dealer": "1"})
    assert events_of(club, f"table/{table}")[-1] == DealStarted(deal=2, dealer=1)


def test_two_change_places_and_somebody_sits_down(club: Served) -> None:
    table = opened(club)
    sent(club, f"/record/{table}/start", {"do": "swap", "one": "0", "other": "2"})
    sent(club, f"/record/{table}/start", {"do": "seat", "seat": "1", "name": "Dan"})
    assert events_of(club, f"table/{table}")[1:] == [
        PlayerSeated(seat=0, player="Cleo"),
        PlayerSeated(seat=2, player="Ada"),
        PlayerSeated(seat=1, player="Dan"),
    ]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"do": "swap", "one": "0"}, "Say which two change places."),
        ({"do": "swap", "one": "0", "other": "0"}, "Say which two change places."),
        ({"do": "seat", "seat": "0"}, "Say in whose place, and who sits down."),
        ({"do": "seat", "seat": "9", "name": "Dan"}, "Say in whose place, and who sits down."),
        ({"do": "seat", "seat": "0", "name": "Ben"}, "This player sits at the table already."),
        ({"do": "whatever"}, "Nothing was chosen."),
        ({"x": "y"}, "Nothing was chosen."),
    ],
)
def test_what_is_not_said_is_asked_for(club: Served, fields: dict[str, str], says: str) -> None:
    table = opened(club)
    assert says in text_of(sent(club, f"/record/{table}/start", fields, 422).text)
    assert len(events_of(club, f"table/{table}")) == 1


@pytest.mark.parametrize(
    ("fields", "place"),
    [({"do": "swap", "one": "0"}, "swap"), ({"do": "seat", "name": "Dan"}, "seat")],
)
def test_what_is_wrong_stands_where_it_was_told_and_what_was_told_stays(
    club: Served, fields: dict[str, str], place: str
) -> None:
    page = sent(club, f"/record/{opened(club)}/start", fields, 422).text
    part = page.partition(f'<details id="{place}" open>')[2].partition("</details>")[0]
    assert 'id="refusal"' in part and page.count('id="refusal"') == 1
    assert 'value="0" checked' in part if place == "swap" else 'value="Dan"' in part
    assert "<title>Error:" in page


# --- a result alone ---------------------------------------------------------------------------------------------------


def test_the_score_stands_there_before_it_is_recorded(club: Served) -> None:
    table = opened(club)
    page = text_of(sent(club, f"/record/{table}/result", CODILLE, 200).text)
    assert "Cleo has the other 4." in page
    assert "Ada −20 −20 Ben 0 0 Cleo +15 +15 The pool after it: 5" in page
    assert len(events_of(club, f"table/{table}")) == 1


def test_a_result_is_recorded_with_the_deal_that_it_is_of(club: Served) -> None:
    table = opened(club)
    done = led_to(sent(club, f"/record/{table}/result", {**CODILLE, "do": "record"}))
    assert "Deal 1 is recorded" in text_of(shown(club, done))
    started, result = events_of(club, f"table/{table}")[1:]
    assert started == DealStarted(deal=1, dealer=2)
    assert isinstance(result, ResultRecorded) and result.outcome["tricks"] == [3, 2, 4]


def test_what_a_result_lacks_stands_at_its_question_once_it_is_to_be_recorded(club: Served) -> None:
    table = opened(club)
    told = {"ombre": "0", "contract": "entrada", "trump": "S"}
    assert "Choose one." not in text_of(sent(club, f"/record/{table}/result", told, 200).text)
    page = sent(club, f"/record/{table}/result", {**told, "do": "record"}, 422).text
    question = page.partition('<fieldset id="q-tricks.0" aria-describedby="e-tricks.0">')[2].partition("</fieldset>")[0]
    assert '<span class="wrong-text" id="e-tricks.0">Choose one.</span>' in question
    assert "e-contract" not in page and 'value="entrada" checked' in page and "<title>Error:" in page


def test_a_number_out_of_bounds_is_told_at_its_field_and_stays(club: Served) -> None:
    table = opened(club, game="kop", seats="4", p3="Dan")
    told = {"contract": "zolo", "who_played": "0", "declarers.0": "0", "tricks.0": "3", "card_points.0": "999"}
    page = sent(club, f"/record/{table}/result", {**told, "do": "record"}, 422).text
    assert "Write a whole number within these bounds." in text_of(page) and 'aria-invalid="true"' in page
    assert 'value="999"' in page


def test_a_result_of_a_deal_that_has_begun_starts_no_other(club: Served) -> None:
    table = opened(club)
    sent(club, f"/record/{table}/start", {"do": "begin"})
    sent(club, f"/record/{table}/result", {**CODILLE, "do": "record"})
    assert [type(event) for event in events_of(club, f"table/{table}")] == [TableOpened, DealStarted, ResultRecorded]


def test_a_form_with_answers_missing_records_nothing(club: Served) -> None:
    table = opened(club)
    page = sent(club, f"/record/{table}/result", {"do": "record", "ombre": "0"}, 422).text
    assert "The score stands here as soon as all is answered." in text_of(page)
    assert '<input type="radio" id="a-ombre-0" name="ombre" value="0" checked>' in page


def test_what_cannot_have_been_is_said(club: Served) -> None:
    table = opened(club, game="kop", seats="4", p3="Dan")
    told = {"contract": "zolo", "declarers.0": "0", "tricks.0": "0", "card_points.0": "53"}
    page = sent(club, f"/record/{table}/result", {**told, "do": "record"}, 422).text
    assert 'role="alert"' in page and "53" in text_of(page)
    assert len(events_of(club, f"table/{table}")) == 1


def test_a_deal_that_is_played_has_no_result_beside_it(club: Served) -> None:
    assert "Deal 1 is being written down card by card." in text_of(shown(club, f"/record/{OPEN}/result"))
    sent(club, f"/record/{OPEN}/result", {**CODILLE, "do": "record"}, 422)


def test_somebody_who_was_faster_is_not_overlooked(club: Served) -> None:
    table = opened(club)
    version = hidden_in(shown(club, f"/record/{table}/result"), "version")
    sent(club, f"/record/{table}/result", {**CODILLE, "do": "record", "version": version})
    page = sent(club, f"/record/{table}/result", {**CODILLE, "do": "record", "version": version}, 422).text
    assert "Somebody else has recorded something at this table meanwhile." in text_of(page)
    assert len(events_of(club, f"table/{table}")) == 3


# --- the paper sheet --------------------------------------------------------------------------------------------------


def with_a_deal(club: Served) -> str:
    table = opened(club)
    sent(club, f"/record/{table}/result", {**CODILLE, "do": "record"})
    return f"/record/{table}/sheet"


def test_a_sheet_stands_beside_the_rules(club: Served) -> None:
    path = with_a_deal(club)
    page = text_of(sent(club, path, {"s0": "−40", "s1": "0", "s2": "＋30"}, 200).text)
    assert "Ada −20 20 less" in page and "Cleo +15 15 more" in page and "Ben 0 ✓ the same" in page
    assert "Your sheet has 2 times as much for everybody" in page
    assert "OMB-7.23" in page


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (("20", "0", "-15"), "every sign the other way round"),
        (("-20", "15", "0"), "The same numbers stand at other players."),
        (("-20", "0", "15"), "The sheet and the rules agree."),
        (("x", "0", "15"), "no number"),
        (("99999999999999999999", "0", "15"), "no number"),
    ],
)
def test_what_a_sheet_shows_is_said(club: Served, typed: tuple[str, ...], says: str) -> None:
    fields = {f"s{seat}": text for seat, text in enumerate(typed)}
    assert says in text_of(sent(club, with_a_deal(club), fields, 200).text)


@pytest.mark.parametrize(
    ("do", "recorded"),
    [
        ("right", [ScoreClaimed(deltas=(-20, 0, 15))]),
        ("keep", [ScoreClaimed(deltas=(-40, 0, 30))]),
        (
            "call",
            [
                ScoreClaimed(deltas=(-40, 0, 30)),
                DisputeRaised(
                    deal=1, text="The sheet says Ada -40, Ben 0, Cleo +30; the rules say Ada -20, Ben 0, Cleo +15."
                ),
            ],
        ),
    ],
)
def test_what_the_table_makes_of_its_sheet_is_recorded(club: Served, do: str, recorded: list[Event]) -> None:
    path = with_a_deal(club)
    answer = sent(club, path, {"s0": "-40", "s1": "0", "s2": "30", "do": do})
    assert led_to(answer) == path.removesuffix("/sheet")
    assert events_of(club, "table/" + path.split("/")[2])[3:] == recorded


def test_a_sheet_with_a_number_missing_is_not_kept(club: Served) -> None:
    page = sent(club, with_a_deal(club), {"s0": "-40", "do": "keep"}, 422).text
    assert "Write a number for each player first." in text_of(page) and 'value="-40"' in page
    assert "no number" in page.partition('id="d-s1"')[2].partition("</td>")[0]
    assert "no number" not in page.partition('id="d-s0"')[2].partition("</td>")[0]


def test_what_was_told_to_the_director_stays_when_the_sheet_is_wrong(club: Served) -> None:
    told = {"s0": "x", "text": "Ann says so", "seat": "1", "do": "call"}
    page = sent(club, with_a_deal(club), told, 422).text
    assert '<details id="calling" open>' in page and "Ann says so</textarea>" in page
    assert '<option value="1" selected>' in page


def test_before_a_deal_is_over_there_is_nothing_to_compare(club: Served) -> None:
    assert "A sheet is compared after a deal" in text_of(shown(club, f"/record/{OPEN}/sheet"))
    sent(club, f"/record/{OPEN}/sheet", {"s0": "1", "do": "keep"}, 422)


# --- closing ----------------------------------------------------------------------------------------------------------


def test_what_is_open_is_said_before_a_table_is_closed(club: Served) -> None:
    assert "Deal 1 is not over." in text_of(shown(club, f"/record/{OPEN}/close"))
    assert "Disputes without a ruling: 1." in text_of(shown(club, f"/record/{REVOKE}/close"))
    assert led_to(sent(club, f"/record/{REVOKE}/close", {"do": "close"})) == "/record"
    assert isinstance(events_of(club, f"table/{REVOKE}")[-1], TableClosed)
    assert "is closed." in text_of(shown(club, f"/record/{REVOKE}/close"))


def test_a_director_closes_an_evening(club: Served) -> None:
    table = opened(club, session="new", title="Friday")
    path = "/record/sessions/friday/close"
    shown(club, path, 403)
    assert table in text_of(shown(club, path, who=DIRECTOR))
    sent(club, path, {"do": "close"}, who=DIRECTOR)
    assert isinstance(events_of(club, "session/friday")[-1], SessionClosed)
    shown(club, "/record/sessions/nowhere/close", 404, DIRECTOR)


BOUND_DIRECTOR = Grant(token="bound", role="director", tables=(OPEN, "friday-1"))


@pytest.mark.parametrize(("who", "is_led"), [(DIRECTOR, True), (OPENER, False), (BOUND_DIRECTOR, False)])
def test_closing_an_evening_is_offered_where_a_director_looks_for_it_until_it_is_closed(
    club: Served, who: Grant, is_led: bool
) -> None:
    opened(club, session="new", title="Friday")
    link = 'href="/record/sessions/friday/close"'
    assert (link in shown(club, "/record", who=who)) == is_led
    if who.tables is None:
        assert (link in shown(club, "/sessions/friday", who=who)) == is_led
    sent(club, "/record/sessions/friday/close", {"do": "close"}, who=DIRECTOR)
    assert link not in shown(club, "/record", who=who)
    assert link not in shown(club, "/sessions/friday", who=DIRECTOR)


# --- who may ----------------------------------------------------------------------------------------------------------

OF_A_TABLE = ("start", "result", "sheet", "close")


@pytest.mark.parametrize(
    ("page", "refused"),
    covering(
        OF_A_TABLE, ((None, 401), (VIEWER, 403), (Grant(token="other", role="recorder", tables=("another",)), 404))
    ),
)
def test_who_may_not_record_a_table_neither_sees_nor_sends_its_forms(
    club: Served, page: str, refused: tuple[Grant | None, int]
) -> None:
    who, status = refused
    before = events_of(club, f"table/{OPEN}")
    shown(club, f"/record/{OPEN}/{page}", status, who)
    sent(club, f"/record/{OPEN}/{page}", {"do": "close", "below": "x"}, status, who)
    assert events_of(club, f"table/{OPEN}") == before


@pytest.mark.parametrize("page", OF_A_TABLE)
def test_a_table_that_there_is_not_is_told_so(club: Served, page: str) -> None:
    shown(club, f"/record/nowhere/{page}", 404)
    sent(club, f"/record/nowhere/{page}", {"do": "begin"}, 404)


@pytest.mark.parametrize("page", ["new", f"{OPEN}/start", f"{OPEN}/result", f"{REVOKE}/sheet", f"{OPEN}/close"])
@pytest.mark.parametrize(
    "fields",
    [
        {
            "game": "<script>alert(1)</script>",
            "name": "<b>",
            "text": "'\"><img src=x>",
            "ids": "x" * 9000,
            "version": "²",
        },
        {"do": "record", "ombre": "99", "tricks.0": "-5", "dealer": "١", "version": "9" * 400, "s0": "NaN"},
        {"do": "seat", "seat": "-1", "name": "a\u0000b", "p0": "\u202e", "o-form": "x", "seats": "ten"},
    ],
)
def test_nothing_that_is_sent_breaks_a_form_or_stands_in_it_as_it_is(
    club: Served, page: str, fields: dict[str, str]
) -> None:
    answer = asked(club, "POST", f"/record/{page}", DIRECTOR, data=fields)
    assert answer.status_code in (200, 303, 404, 422), answer.text
    assert "<script>alert" not in answer.text and "<img src=x" not in answer.text


class Signed(Access):
    """A browser that is signed in as a recorder, by its cookie."""

    def session_of(self, secret: str) -> Session | str:
        return (
            Session(grant=OPENER, csrf="ours", ends_at="2099-01-01T00:00:00.000000Z")
            if secret == "cookie"
            else "unknown"
        )


@pytest.mark.parametrize(
    ("told", "origin", "status"),
    [
        ("ours", "http://127.0.0.1", 303),
        ("guessed", "http://127.0.0.1", 403),
        (None, "http://127.0.0.1", 403),
        ("ours", None, 403),
        ("ours", "http://evil.example", 403),
    ],
)
def test_only_our_own_pages_send_forms_for_a_browser_that_is_signed_in(
    tmp_path: Path, told: str | None, origin: str | None, status: int
) -> None:
    with serving(club_of(tmp_path), access=Signed()) as club:
        headers = {"cookie": "trickledger=cookie", **({} if origin is None else {"origin": origin})}
        fields = {"do": "close", **({} if told is None else {"csrf": told})}
        page = shown(club, f"/record/{REVOKE}/close", who=None, headers={"cookie": "trickledger=cookie"})
        assert hidden_in(page, "csrf") == "ours"
        answer = asked(club, "POST", f"/record/{REVOKE}/close", None, data=fields, headers=headers)
        assert answer.status_code == status
        assert isinstance(events_of(club, f"table/{REVOKE}")[-1], TableClosed) == (status == 303)


def test_the_recorder_leads_to_how_they_sit_before_the_first_deal_and_after_somebody_sat_down(club: Served) -> None:
    table = opened(club)
    link = f'<a class="btn main wide" href="/record/{table}/start"'
    assert link in shown(club, f"/record/{table}")
    sent(club, f"/record/{table}/result", {**CODILLE, "do": "record"})
    assert link not in shown(club, f"/record/{table}")
    sent(club, f"/record/{table}/start", {"do": "seat", "seat": "1", "name": "Dan"})
    assert link in shown(club, f"/record/{table}")
