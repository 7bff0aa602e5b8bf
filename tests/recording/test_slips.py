"""Single typos are recognised, each with its line and its repair; common ones have exact messages in both languages."""

import re
import time
import tomllib
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from ledger.errors import LedgerError, MalformedError
from ledger.events import CardPlayed
from ledger.log.memory import MemoryStore
from ledger.recording.hand import slips
from ledger.recording.hand.record import SlipAnswer, is_hand_record, read_hand_record
from ledger.recording.hand.slips import MOST_SEARCHES, MOST_TRIALS, Slip, SlipError, error_of
from ledger.recording.importing import ImportAs, ImportOptions, ImportReport, import_content
from ledger.table.repository import fold_table
from tests.covering import IS_SOAK, wider_in_soak
from tests.hand_records import REPLAYS, some_records
from tests.japanese import assert_speaks_japanese
from tests.recording.refused import mistaken, refusal, refusal_of
from tests.recording.slip_makers import FILE, GAMES, MAKERS, Slipped, acts_of, drawn, true_deals

RECORD, KOP = (Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("play_alone.toml", "kop.toml"))
"""A deal of which only the play was written down, and the first worked example of Kop, whose first trick is in line 9.
"""


def slip_in(text: str) -> Slip | None:
    try:
        slips = read_hand_record(text, FILE).slips
    except SlipError as error:
        return error.slip
    except MalformedError:
        return None
    return slips[0] if slips else None


def said_of(text: str) -> str:
    slip = slip_in(text)
    assert slip is not None
    return str(error_of(slip)).removeprefix(f"{FILE}, ")


def is_the_true_deal(made: Slipped, slip: Slip) -> bool:
    """Return whether the suggestion makes the deal that was played."""
    if slip.instead is None:
        return False
    record = read_hand_record(made.text, FILE, retyped={slip.place: slip.instead})
    return acts_of(record) == made.deal.acts and record.table.deals[0].dealer == made.deal.started.dealer


def is_plausible(text: str) -> bool:
    """Return whether the deal could have happened, to anyone who was not there."""
    try:
        record = read_hand_record(text, FILE)
    except LedgerError:
        return False
    return not any(violation.severity != "info" for deal in record.table.deals for violation in deal.violations)


AMBIGUOUS = {("missing trick", "quadrille")}
"""The typos drawn that have two explanations, e.g. a card in two lines that could be wrong in either."""


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    counts: Counter[str] = Counter()
    course_of = slips.course_of

    def counted(*given: object) -> object:
        counts["trials"] += 1
        return course_of(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(slips, "course_of", counted)
    return counts


@wider_in_soak
def test_a_slip_is_named_with_its_line_and_the_true_card_after_bounded_trials(trials: Counter[str]) -> None:
    """Each kind of slip in every second game, in a soak run in every one."""
    counted, wrong, tried = 0, set(), list(product(MAKERS, GAMES))[:: 1 if IS_SOAK else 2]
    for kind, game in tried:
        made = drawn(kind, game, 0)
        if made is None or is_plausible(made.text):
            continue
        trials.clear()
        slip = slip_in(made.text)
        assert trials["trials"] <= MOST_TRIALS + 1, (kind, game)
        counted += 1
        if slip is None or slip.line not in made.lines or not is_the_true_deal(made, slip):
            wrong.add((kind, game))
        else:
            assert error_of(slip).message().startswith(f"{FILE}, line {slip.line}: ")
    assert counted > 0.6 * len(tried)
    assert wrong == AMBIGUOUS.intersection(tried)


@pytest.mark.soak
@pytest.mark.parametrize("kind", MAKERS)
def test_of_slips_drawn_at_random_nine_in_ten_are_recognised(kind: str) -> None:
    counted: Counter[str] = Counter()
    for game in GAMES:
        for number in range(100, 112):
            made = drawn(kind, game, number)
            if made is not None and not is_plausible(made.text):
                slip = slip_in(made.text)
                counted["all"] += 1
                counted["right"] += slip is not None and is_the_true_deal(made, slip)
    assert counted["right"] > 0.85 * counted["all"] > 15, counted


def test_a_true_deal_has_no_slip() -> None:
    for game in GAMES:
        for deal in true_deals(game):
            assert slip_in(deal.text) is None


@pytest.mark.parametrize("path", some_records(4))
def test_what_could_have_been_at_a_table_is_no_slip(path: Path) -> None:
    """Irregularities of the recorded replays stay findings, without a suggestion."""
    assert slip_in(path.read_text(encoding="utf-8")) is None


SAID = tomllib.loads(Path(__file__).with_name("slips.toml").read_text(encoding="utf-8"))["slip"]


@pytest.mark.parametrize("row", SAID, ids=lambda row: row["said"])
def test_a_slip_is_said_with_what_would_make_the_rest_fit(row: dict[str, str]) -> None:
    record = KOP if row.get("hands") != "unknown" else KOP.partition("[deal.hands]")[0]
    slip = slip_in(record.replace(row["right"], row["typed"], 1))
    assert slip is not None
    error = error_of(slip)
    assert str(error) == f"{FILE}, {row['said']}"
    assert_speaks_japanese(error, "Ada", "Ben", "Cleo", "Dan")


def test_the_page_shows_what_is_said() -> None:
    page = (REPLAYS.parent / "docs" / "reference" / "hand-records.md").read_text(encoding="utf-8")
    table = page.partition("## A slip in typing")[2].partition("\n\nThe changes tried")[0]
    rows = [row.strip("| ").split(" | ") for row in table.splitlines() if row.startswith("| `")]
    assert len(rows) == 3
    for right, wrong, said in ([cell.strip("`") for cell in row] for row in rows):
        instead = {"left out": ""}.get(wrong, f"{wrong}\n")
        assert said_of(KOP.replace(f"{right}\n", instead, 1)) == said


def test_a_card_that_breaks_nothing_itself_is_named_when_it_gives_the_lead_to_another() -> None:
    """Not every card of a conceded zolo is seen, so the mistyped card is in no other line."""
    zolo = (REPLAYS / "kop/21-zolo-conceded.toml").read_text(encoding="utf-8").partition("[deal.expect]")[0]
    said = said_of(re.sub("\n(Ada|Ben) = .*", "", zolo.replace("DT DA DJ CJ", "DT DA DQ CJ")))
    assert said == "line 16: DQ cannot have been played here; with DJ the rest of the deal is in order"


def test_where_several_cards_would_fit_none_is_suggested() -> None:
    """Ombre leaves thirteen cards in the stock; without hands they are unknown."""
    slip = slip_in(RECORD.replace("SQ HK CJ", "SQ HK C5"))
    assert slip is not None
    assert slip.instead is None
    assert str(error_of(slip)) == f"{FILE}, line 19: C5 was played in line 15"


def test_in_a_file_full_of_slips_and_in_an_endless_deal_nothing_is_searched_for_long(trials: Counter[str]) -> None:
    deal = SLIP.partition("[[deal]]")[2].replace('dealer = "Dan"\n', "")
    many = read_hand_record(SLIP + f"[[deal]]{deal}" * (2 * MOST_SEARCHES), FILE)
    assert len(many.slips) == MOST_SEARCHES
    trials.clear()
    assert slip_in(KOP.replace("DT DQ HT HA\n", "DT DQ HT HA\n" * 1_000)) is None
    assert not trials


SLIP = KOP.replace("SA CJ ST HQ", "SA CJ ST HT")
MESSAGE = f"{FILE}, line 10: HT was played in line 9; with HQ the rest of the deal is in order"


def put(store: MemoryStore, text: str, *answers: SlipAnswer, strict: bool = False) -> ImportReport:
    left = list(answers)
    ask = (lambda slip, possible: left.pop(0)) if answers else None
    return import_content(
        store, text.encode(), FILE, ImportAs(by="test", options=ImportOptions(strict=strict, ask=ask))
    )


def test_the_suggestion_is_taken_where_somebody_says_so() -> None:
    store, clean = MemoryStore(), MemoryStore()
    report = put(store, SLIP, "take")
    put(clean, KOP)
    assert (report.slips, report.findings) == ((), 0)
    assert fold_table(store, "slip").entries == fold_table(clean, "slip").entries


def test_it_is_recorded_as_typed_where_somebody_says_so() -> None:
    store = MemoryStore()
    put(store, SLIP, "as_typed")
    assert [event.card for _, event in fold_table(store, "slip").entries if isinstance(event, CardPlayed)][7] == "HT"


def test_nothing_is_recorded_where_somebody_stops() -> None:
    store = MemoryStore()
    with pytest.raises(SlipError) as stopped:
        put(store, SLIP, "stop")
    assert str(stopped.value) == MESSAGE
    assert store.head().position == 0


def test_a_deal_that_cannot_be_read_for_a_slip_is_refused_with_the_slip_and_taken_when_mended() -> None:
    """In Quadrille nobody is due after a card that was not held."""
    made = next(made for number in range(9) if (made := drawn("swapped cards", "quadrille", number)) is not None)
    with pytest.raises(SlipError) as refused:
        read_hand_record(made.text, FILE)
    assert refused.value.slip is not None
    offered = []

    def take(slip: Slip, possible: object) -> SlipAnswer:
        offered.append(possible)
        return "take"

    store = MemoryStore()
    import_content(store, made.text.encode(), FILE, ImportAs(by="test", options=ImportOptions(ask=take)))
    assert offered == [("take", "stop")]
    played = [event for _, event in fold_table(store, "slip").entries if isinstance(event, CardPlayed)]
    assert played == [act for act in made.deal.acts if isinstance(act, CardPlayed)]


MISTAKES = tomllib.loads(Path(__file__).with_name("typing.toml").read_text(encoding="utf-8"))
SECONDS_MAX = 5
"""Seconds of this process's own time: a hundred times what the slowest line takes."""


def test_a_line_with_a_typo_is_named_with_what_was_meant() -> None:
    messages = {}
    assert len(MISTAKES) >= 40
    for name, row in MISTAKES.items():
        error = refusal_of(mistaken(row["typed"]))
        english = error.message("en").removeprefix("evening.toml, ")
        messages[name] = {**row, "en": english, "ja": error.message("ja").removeprefix("evening.tomlの")}
    assert messages == MISTAKES


def test_the_line_that_was_meant_can_be_typed_instead() -> None:
    for row in MISTAKES.values():
        if "; expected trump = " in row["en"]:
            text = mistaken(row["typed"])
            error = refusal_of(text)
            lines = text.split("\n")
            lines[error.values["line"] - 1] = str(error.expected)
            assert read_hand_record("\n".join(lines), "evening.toml").entries, row["typed"]


@pytest.mark.parametrize(
    "first",
    [
        *('game ＝ "ombre"', "ｇａｍｅ = ombre", 'game: "ombre"', 'game "ombre"'),
        *("“game” = “ombre”", "ゲーム = 「オンブル」", "［［deal］］"),
    ],
)
def test_a_file_that_begins_with_a_mistake_is_a_hand_record_all_the_same(first: str) -> None:
    assert is_hand_record(first)
    error = refusal(lambda: import_content(MemoryStore(), first.encode(), "evening.toml", ImportAs(by="me")))
    expected = "[[deal]]" if "deal" in first else 'game = "'
    assert expected in str(error.expected).replace('"game"', "game")


@pytest.mark.parametrize(
    ("name", "key"), [*((key, key) for key in ("dealer", "calls", "play", "sheet", "notes")), ("Lady Trump", "trump")]
)
def test_a_player_has_a_hand_whose_name_or_a_later_word_of_it_is_a_key(name: str, key: str) -> None:
    text = mistaken(f'"Clarissa"] => "{name}"] && dealer = "Clarissa" => dealer = "{key}"')
    text = text.replace("Clarissa = -9", f"{key} = -9").replace('Clarissa = "S6', f'{key} = "S6')
    assert read_hand_record(text, "evening.toml").entries


def test_a_line_as_it_was_meant_is_shown_to_a_certain_length() -> None:
    error = refusal_of(mistaken(f'trump = "S" => notes = {"a draught " * 30}'))
    assert str(error.expected).startswith('notes = "a draught')
    assert len(str(error.expected)) < 130


@pytest.mark.parametrize(
    "line",
    [
        *("ä" + " " * 300_000 + "y", "{" * 100_000, "a " * 50_000, "“" * 100_000, '"""' * 99_999),
        'x = """' + '\\"""' * 100_000,
    ],
    ids=lambda line: line[:6],
)
def test_a_line_that_nobody_typed_takes_no_time(line: str) -> None:
    began = time.process_time()
    refusal_of(mistaken(f'trump = "S" => {line}'))
    assert time.process_time() - began < SECONDS_MAX
