"""Reading hand records: what somebody may leave out or write differently, and which events come of it."""

from __future__ import annotations

import tomllib

import pytest

from ledger.errors import MalformedError
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    DealStarted,
    DealVoided,
    Noted,
    PlayerSeated,
    ResultRecorded,
    ScoreClaimed,
    SessionOpened,
    TableClosed,
    TableOpened,
    TrickGathered,
    TrumpNamed,
)
from ledger.recording.hand.page import Page
from ledger.recording.hand.record import HandRecord, is_hand_record, read_hand_record
from ledger.table.audit import deal_findings
from tests.hand_records import RECORDS, fold_of, some_records

TABLE = """
game = "ombre"
table = "evening"
players = ["Belinda", "the Baron", "Sir Plume"]
"""
AUCTION = """
[[deal]]
dealer = "Sir Plume"
calls = "entrada pass pass"
trump = "S"
"""
EXCHANGE = 'exchange = "3 3 4"\n'
HANDS = """
[deal.hands]
Belinda = "SA S2 SK CK HK HQ D7 D6 H3"
"the Baron" = "SQ SJ S7 DK DQ DJ C7 C3 H2"
"Sir Plume" = "S6 CJ C4 H7 H5 D5 D4 D2 C2"
"""


def read(*parts: str) -> HandRecord:
    return read_hand_record(TABLE + "".join(parts), "evening.toml")


def events_of(kind: type, *parts: str) -> list:
    return [event for _, event, _ in read(*parts).events if type(event) is kind]


def play(lines: str, *before: str) -> list:
    record = read(*(before or (AUCTION, EXCHANGE)), f'play = """\n{lines}\n"""\n')
    kinds = (CardPlayed, TrickGathered, Announced)
    return [
        (event.seat, getattr(event, "card", getattr(event, "what", ">")))
        for _, event, _ in record.events
        if isinstance(event, kinds)
    ]


# --- the file ---------------------------------------------------------------------------------------------------------


def test_a_table_alone_is_a_record():
    assert read().events == [
        ("table/evening", TableOpened(game="ombre", players=("Belinda", "the Baron", "Sir Plume")), None)
    ]


def test_source_and_comment_are_kept_as_notes():
    assert events_of(Noted, 'source = "sheet 12"\ncomment = "hard to read"\n') == [
        Noted(text="sheet 12"),
        Noted(text="hard to read"),
    ]


def test_a_session_with_title_and_date_is_opened_on_its_own_stream():
    record = read('[session]\nslug = "spring"\ntitle = "Spring evening"\ndate = 2026-03-20\nclub = "Reading room"\n')
    opened = SessionOpened(title="Spring evening", date="2026-03-20", club="Reading room")
    assert record.events[0] == ("session/spring", opened, None)
    assert record.events[1][1].session == "spring"


@pytest.mark.parametrize(
    ("told", "zone"),
    [
        ('zone = "Asia/Tokyo"\n', "Asia/Tokyo"),
        ("", "Etc/GMT-1"),  # what utc_offset names: one hour ahead
    ],
)
def test_a_session_is_in_the_zone_that_it_names_else_in_that_of_the_offset(told, zone):
    session = f'[session]\nslug = "spring"\ntitle = "Spring evening"\ndate = 2026-03-20\n{told}'
    assert [event.zone for event in events_of(SessionOpened, f'utc_offset = "+01:00"\n{session}')] == [zone]


def test_a_zone_that_there_is_not_is_refused_at_its_line():
    with pytest.raises(MalformedError, match=r"line \d+: zone: 'Mars/Olympus'; expected the IANA name"):
        read('[session]\nslug = "spring"\ntitle = "Spring"\ndate = 2026-03-20\nzone = "Mars/Olympus"\n')


def test_a_session_with_a_slug_alone_is_only_named():
    assert [event.session for event in events_of(TableOpened, '[session]\nslug = "spring"\n')] == ["spring"]
    assert not events_of(SessionOpened, '[session]\nslug = "spring"\n')


def test_a_table_is_closed_with_or_without_a_reason():
    assert events_of(TableClosed, "closed = true\n") == [TableClosed()]
    assert events_of(TableClosed, 'closed = "last train"\n') == [TableClosed(reason="last train")]
    assert events_of(TableClosed, "closed = false\n") == []


def test_names_are_stored_composed():
    record = read_hand_record(TABLE.replace("Belinda", "Lucı́a".replace("ı́", "i\u0301")), "evening.toml")
    assert record.events[0][1].players[0] == "Luc\u00eda"


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm():
    text = "\ufeff" + (TABLE + AUCTION).replace("\n", "\r\n")
    assert read_hand_record(text, "evening.toml").events == read(AUCTION).events


def test_a_hand_record_is_told_from_lines_of_json():
    assert [path for path in RECORDS if not is_hand_record(path.read_text(encoding="utf-8"))] == []


def test_what_is_no_toml_is_no_hand_record():
    others = ["", "\n", '{"stream": "table/a"}', "[1, 2]", "hello", '["deal"]', "\ufeff{}", "#" * 60 + "\n{}"]
    assert list(filter(is_hand_record, others)) == []


def test_the_beginning_of_toml_is_recognised():
    plain = ["game = 1", "  # note\n\ngame=1", "[session]", "[[deal]]", '"game" = 1', "\ufeffa.b = 1", "\n# note"]
    assert [text for text in (*plain, "#" * 60 + "\n[[deal]]") if not is_hand_record(text)] == []


# --- deals ------------------------------------------------------------------------------------------------------------


def test_deal_numbers_and_dealers_follow_from_the_order():
    passed = '[[deal]]\ncalls = "pass pass pass"\n'
    started = events_of(DealStarted, passed.replace("calls", 'dealer = "Sir Plume"\ncalls'), passed, passed)
    assert started == [DealStarted(deal=1, dealer=2), DealStarted(deal=2, dealer=0), DealStarted(deal=3, dealer=1)]


def test_after_a_voided_deal_the_same_dealer_deals_again():
    voided = '[[deal]]\ndealer = "Sir Plume"\ncalls = "pass pass"\nvoided = "a card lay face up"\n'
    record = read(voided, '[[deal]]\ncalls = "pass pass pass"\n')
    assert [event.dealer for _, event, _ in record.events if isinstance(event, DealStarted)] == [2, 2]
    assert DealVoided(reason="a card lay face up") in [event for _, event, _ in record.events]


def test_a_hand_that_is_not_given_is_not_known_and_a_dash_sits_out():
    dealt = events_of(
        CardsDealt, '[[deal]]\ndealer = "Bel"\nhands = { Baron = "??  ?? ♠10" , Sir = "-" }\n'.replace("♠10", "♠A")
    )
    assert dealt == [CardsDealt(hands=(None, ("??", "??", "SA"), ()))]


def test_a_deal_with_nothing_but_calls_was_dealt_all_the_same():
    assert events_of(CardsDealt, AUCTION) == [CardsDealt(hands=(None, None, None))]


def test_deck_and_cutter_are_recorded():
    dealt = events_of(CardsDealt, '[[deal]]\ndealer = "Bel"\ndeck = "SA, S2; S3"\ncut_by = "Sir"\n')
    assert dealt == [CardsDealt(hands=(None, None, None), deck=("SA", "S2", "S3"), cut_by=2)]


@pytest.mark.parametrize("name", ["the Baron", "Baron", "THE BARON", "bar", "The", " the  baron "])
def test_a_player_is_found_by_any_beginning_that_fits_no_other(name):
    assert events_of(DealStarted, f'[[deal]]\ndealer = "{name}"\n') == [DealStarted(deal=1, dealer=1)]


def test_a_substitute_sits_down_before_the_deal():
    parts = AUCTION, '[[deal]]\nseated = { Sir = "Clarissa" }\ndealer = "Clarissa"\n'
    assert events_of(PlayerSeated, *parts) == [PlayerSeated(seat=2, player="Clarissa")]
    assert events_of(DealStarted, *parts)[-1] == DealStarted(deal=2, dealer=2)


def test_a_moment_is_that_of_all_events_of_its_deal():
    record = read(
        'utc_offset = "+09:00"\n', '[[deal]]\ndealer = "Bel"\nwhen = 2026-01-09T19:30:00\ncalls = "pass pass"\n'
    )
    moments = {type(event): moment for _, event, moment in record.events}
    assert moments == {
        TableOpened: None,
        DealStarted: "2026-01-09T10:30:00.000000Z",
        CardsDealt: "2026-01-09T10:30:00.000000Z",
        BidMade: "2026-01-09T10:30:00.000000Z",
    }


def test_a_moment_may_be_a_text_with_its_own_offset():
    record = read('[[deal]]\ndealer = "Bel"\nwhen = "2026-01-09 19:30:00.5-01:00"\n')
    assert record.events[-1][2] == "2026-01-09T20:30:00.500000Z"


# --- calls and trumps -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "calls",
    [
        '"entrada vuelta pass pass"',
        '"Entrada V p P"',
        '"entrada, vuelta; pass / pass"',
        '["entrada vuelta", "pass pass"]',
        '"""\nentrada vuelta  # and then\npass pass\n"""',
        '"Belinda: entrada Baron: vuelta Sir Plume: pass Belinda: pass"',
        '["Belinda: entrada", "the Baron: vuelta", "Plume: pass", "Bel: pass"]',
    ],
)
def test_calls_in_turn_order_may_be_written_in_many_ways(calls):
    made = events_of(BidMade, f'[[deal]]\ndealer = "Sir"\ncalls = {calls.replace("Entrada", "entrada")}\n')
    assert [(event.seat, event.call) for event in made] == [(0, "entrada"), (1, "vuelta"), (2, "pass"), (0, "pass")]


def test_a_call_of_two_words_is_one_call():
    options = '[options]\nfavourite_suit = "S"\n'
    made = events_of(BidMade, options, '[[deal]]\ndealer = "Sir"\ncalls = "entrada favour pass solo-favour"\n')
    assert [event.call for event in made] == ["entrada_favour", "pass", "solo_favour"]


def test_a_forbidden_call_is_recorded_and_the_next_one_needs_a_name():
    record = read('[[deal]]\ndealer = "Sir"\ncalls = "vuelta entrada Baron: pass pass"\n')
    findings = deal_findings(fold_of(record), fold_of(record).deal(1))
    assert [(finding.code, finding.seat) for finding in findings] == [("OMB-11.16", 1)]
    with pytest.raises(MalformedError, match="the Baron could not call entrada, so it is not clear who speaks next"):
        read('[[deal]]\ndealer = "Sir"\ncalls = "vuelta entrada pass pass"\n')


@pytest.mark.parametrize("trump", ["S", "s", "♠", "spades", "Belinda: S", "bel: spades"])
def test_trumps_are_named_by_whoever_is_declarer(trump):
    assert events_of(TrumpNamed, AUCTION.replace('trump = "S"', f'trump = "{trump}"')) == [TrumpNamed(seat=0, suit="S")]


def test_trumps_named_by_another_are_recorded_so():
    named = events_of(TrumpNamed, AUCTION.replace('trump = "S"', 'trump = "Baron: S"'))
    assert named == [TrumpNamed(seat=1, suit="S")]


def test_a_turned_card_follows_the_calls():
    record = read('[[deal]]\ndealer = "Sir"\nturned = "d4"\ncalls = "pass vuelta pass"\n')
    assert record.events[-1][1] == CardTurned(card="D4")


# --- exchange ---------------------------------------------------------------------------------------------------------


def exchanges(lines: str) -> list:
    return events_of(CardsExchanged, AUCTION, f'exchange = """\n{lines}\n"""\n')


def test_an_exchange_is_cards_or_their_number():
    assert exchanges("D7 D6 > SA D3\n3\nnone") == [
        CardsExchanged(seat=0, count=2, discarded=("D7", "D6"), drawn=("SA", "D3")),
        CardsExchanged(seat=1, count=3),
        CardsExchanged(seat=2, count=0, discarded=()),
    ]


def test_numbers_may_stand_in_one_line_and_draws_after_a_number():
    assert exchanges("3 0 2 > SA ??") == [
        CardsExchanged(seat=0, count=3),
        CardsExchanged(seat=1, count=0, discarded=()),
        CardsExchanged(seat=2, count=2, drawn=("SA", "??")),
    ]


def test_who_yields_is_said_among_the_exchanges():
    record = read(AUCTION, 'exchange = "3 / Baron: yield / 2 / 1"\n')
    told = [event for _, event, _ in record.events if isinstance(event, Announced | CardsExchanged)]
    assert [event.seat for event in told] == [0, 1, 2, 1]
    assert told[1] == Announced(seat=1, what="yield_exchange")


def test_an_exchange_out_of_order_is_written_with_its_name():
    assert [event.seat for event in exchanges("Sir: 3\n2\n1")] == [2, 0, 1]


# --- play -------------------------------------------------------------------------------------------------------------


def test_forehand_leads_first_and_then_the_winner():
    assert [seat for seat, _ in play("S3 S7 S5\nDK D3 D2")] == [0, 1, 2, 1, 2, 0]


@pytest.mark.parametrize(
    "line", ["SA S4 S3", "sa s4 s3", "♠A 4♠ S3", "AS, 4S, 3S", "S A".replace(" ", "") + " S4 · S3"]
)
def test_cards_are_read_leniently(line):
    assert play(line) == [(0, "SA"), (1, "S4"), (2, "S3")]


def test_tricks_may_stand_in_one_line_with_strokes_between():
    assert play("SA S4 S3 / S2 S5 S6") == play("SA S4 S3\nS2 S5 S6")


def test_a_name_before_the_line_is_the_leader_and_before_a_card_its_player():
    assert [seat for seat, _ in play("Baron: DK C5 D3")] == [1, 2, 0]
    assert [seat for seat, _ in play("Baron: DK, Belinda: D3, Sir Plume: C5")] == [1, 0, 2]


def test_unknown_cards_need_the_winner_only_where_it_does_not_follow():
    assert [seat for seat, _ in play("SA ?? ??\n?? ?? ?? > Sir Plume\n?? ?? ??")] == [0, 1, 2, 0, 1, 2, 2, 2, 0, 1]
    assert [seat for seat, _ in play("?? ?? ??\nBaron: DK ?? ??")] == [0, 1, 2, 1, 2, 0]


def test_forehand_leads_though_the_exchange_was_not_written_down():
    assert [seat for seat, _ in play("SA S4 S3", AUCTION.replace('"Sir Plume"', '"Belinda"'))] == [1, 2, 0]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("Belinda: surrender", "surrender"),
        ("surrender", "surrender"),
        ("bel: surr", "surrender"),
        ("Baron: throw in", "throw_in"),
        ("Baron: throw-in", "throw_in"),
    ],
)
def test_announcements_are_lines_of_their_own(line, word):
    assert play(line)[0][1] == word


def test_whoever_alone_may_say_a_word_needs_no_name():
    said = play("S3 S7 S5\nsurrender\ndecline\ndefend")
    assert said[3:] == [(0, "surrender"), (1, "decline_defence"), (2, "defend")]


def test_a_word_that_nobody_may_say_needs_a_name():
    with pytest.raises(MalformedError, match="who does this does not follow from the rules: 'stop'"):
        play("SA S4 S3\nstop")


def test_a_card_after_the_end_is_recorded_with_its_name():
    record = read(AUCTION.replace("entrada", "vuelta").replace('trump = "S"', 'turned = "S4"'), EXCHANGE)
    parts = AUCTION.replace("entrada", "vuelta").replace('trump = "S"', 'turned = "S4"'), EXCHANGE
    assert record.events
    told = play("surrender\nBaron: SK", *parts)
    assert told == [(0, "surrender"), (1, "SK")]


def test_a_wrong_gatherer_is_recorded():
    record = read(AUCTION, EXCHANGE, 'play = "SA S4 S3 > Baron"\n')
    fold = fold_of(record)
    assert [(finding.code, finding.seat) for finding in deal_findings(fold, fold.deal(1))] == [("OMB-11.38", 1)]


# --- results and sheets -----------------------------------------------------------------------------------------------


def test_a_result_has_names_for_seats_and_zeros_left_out():
    result = 'result = { ombre = "Bel", contract = "entrada", trump = "S", tricks = { Bel = 5, Baron = 4 } }\n'
    recorded = events_of(ResultRecorded, '[[deal]]\ndealer = "Sir"\n', result)
    outcome = {"ombre": 0, "contract": "entrada", "trump": "S", "tricks": [5, 4, 0]}
    assert recorded == [ResultRecorded(outcome=outcome)]


def test_a_sheet_is_what_was_written():
    sheet = "sheet = { deltas = { Bel = -5, Baron = 0, Sir = 0 }, pool = 5, tricks = { Bel = 9 }, bonuses = [] }\n"
    claimed = events_of(ScoreClaimed, AUCTION, sheet)
    assert claimed == [ScoreClaimed(deltas=(-5, 0, 0), pool=5, sheet={"tricks": [9, 0, 0], "bonuses": []})]


def test_notes_may_be_one_or_several():
    assert events_of(Noted, AUCTION, 'notes = "a draught"\n') == [Noted(text="a draught")]
    assert events_of(Noted, AUCTION, 'notes = ["one", "two"]\n') == [Noted(text="one"), Noted(text="two")]


# --- places -----------------------------------------------------------------------------------------------------------


def values_in(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], object]]:
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in values_in(item, (*path, key))]
    if isinstance(value, list):
        return [found for place, item in enumerate(value) for found in values_in(item, (*path, place))]
    return [(path, value)]


@pytest.mark.parametrize("path", some_records(3))
def test_every_value_of_a_record_is_found_in_its_line(path):
    text = path.read_text(encoding="utf-8")
    page, lines = Page(text, "evening.toml"), text.split("\n")
    for place, value in values_in(tomllib.loads(text)):
        line = lines[page.line_of(*place) - 1]
        first = str(value).strip().split("\n")[0]
        assert first[:20] in line or str(place[-1]) in line, (place, value, line)


def test_each_line_of_a_long_text_is_found():
    text = 'a = 1\nplay = """\nSA\n\nS2 # two\n"""\n'
    value = tomllib.loads(text)["play"]
    assert list(Page(text, "x").lines_of(value, "play")) == [(3, "SA"), (5, "S2 ")]
