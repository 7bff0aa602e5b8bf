"""Render every hand record at every step in both languages, and check that every message is complete."""

import re
from pathlib import Path

import pytest

from ledger.i18n import LANGUAGES
from ledger.text.cards import card_text
from ledger.text.pictures.moment import spoken
from ledger.text.site.frame import Frame, page_of
from ledger.text.site.replay.navigation import Rights
from ledger.text.site.replay.readings import readings_page_of
from ledger.text.site.replay.table_page import table_page_of
from ledger.text.site.replay.viewpoint import Viewpoint
from tests.covering import IS_SOAK, sample
from tests.text.reading import PageReader
from tests.text.site.replay.reading_pages import READERS, REPLAYS, rendered, replay_builder, replayed, tables_of

pytestmark = [pytest.mark.soak] if IS_SOAK else []
"""A soak run repeats these tests with more records and steps."""

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
UNFILLED = re.compile(r"\{[a-z_]+\}|\bNone\b|undefined|ledger\.|<built-in|&lt;")

OFTEN = {path for path in REPLAYS if path.stem in {"01-exactly-53", "revoke", "07-bottom-card-decides", "25-claim"}}
"""Records of which every step is rendered; of the others the first, the last and every eleventh, but all in a soak run.
"""


@pytest.mark.parametrize("path", sample(REPLAYS, 14), ids=lambda path: path.stem)
def test_every_step_is_shown_whole(path: Path) -> None:
    stride = 1 if IS_SOAK or path in OFTEN else 11
    for read in tables_of(path):
        for record in read.fold.deals:
            for place, lang in enumerate(LANGUAGES):
                below = (record.number + place) % len(record.players)
                deal = replay_builder(read, record.number, lang, below=below)
                last = deal.page(None).last
                for step in sorted({*range(0, last + 1, stride), last}):
                    shown = deal.page(step)
                    assert shown.step_text and shown.aria_text and UNFILLED.search(shown.step_text) is None, (
                        shown.step_text
                    )
                    assert not set("♠♥♦♣?") & set(shown.aria_text), shown.aria_text
                    if step and lang == "ja":
                        assert JAPANESE.search(shown.step_text), shown.step_text
                    if step % 7 == 0 or step == last:
                        said = PageReader(rendered(shown, lang)).text.replace("{step}", "").replace("{count}", "")
                        assert UNFILLED.search(said) is None, UNFILLED.search(said)


@pytest.mark.parametrize("path", sample(REPLAYS, 20), ids=lambda path: path.stem)
def test_every_act_has_one_link_to_its_step(path: Path) -> None:
    """A reader who cannot see the picture reaches every act by the list."""
    for read in tables_of(path):
        for record in read.fold.deals:
            shown = replayed(read, record.number, None)
            course = shown.course
            links = [act for row in course.rows for act in row.acts]
            links += [one.who for one in course.exchange] + list(course.said)
            links += [laid.at for trick in course.tricks for laid in trick.cards]
            links += [act for trick in course.tricks for act in trick.said]
            steps = sorted(int(link.address.rpartition("/")[2]) for link in links)
            assert steps == list(range(1, shown.last + 1))
            assert [link.is_here for link in links].count(True) == (1 if shown.last else 0)


@pytest.mark.parametrize("path", sample(REPLAYS, 12), ids=lambda path: path.stem)
def test_the_tables_and_both_readings_are_shown_whole(path: Path) -> None:
    for read in tables_of(path):
        for lang in LANGUAGES:
            frame = Frame(preferences=READERS[lang], path="/t", club="Thursday Club")
            table = table_page_of(read, READERS[lang], may_record=True)
            PageReader(page_of("table.html", frame, shown=table, position=3, address_here="http://club/t"))
            assert len(table.deals) == len(read.fold.deals)
            for record in read.fold.deals:
                at = Viewpoint(table=read.slug, deal=record.number)
                both = readings_page_of(read, at, READERS[lang], Rights(), is_whole=False)
                PageReader(page_of("replay_readings.html", frame, shown=both))
                assert both.differs == any(not hasattr(row, "text") and row.differs for row in both.rows)


@pytest.mark.parametrize("path", sample(REPLAYS[::6], 6), ids=lambda path: path.stem)
def test_a_seat_is_shown_nothing_that_it_could_not_know(path: Path) -> None:
    for read in tables_of(path):
        for record in read.fold.deals:
            seated, open_to_all = replay_builder(read, record.number, seat=0), replay_builder(read, record.number)
            last = open_to_all.page(None).last
            for step in range(0, last + 1, 3):
                shown = seated.page(step)
                laid = [one for trick in shown.course.tricks for one in trick.cards]
                assert all(int(one.at.address.partition("?")[0].rpartition("/")[2]) <= step for one in laid)
                assert shown.score is None and list(shown.decisions) == []
                said = PageReader(rendered(shown)).text
                named = "".join(act.text for row in shown.course.rows for act in row.acts)
                shown_cards = {card for hand in shown.moment.view.hands for card in hand}
                for hand in open_to_all.moments[step].view.hands:
                    for card in set(hand) - shown_cards - {"??"}:
                        is_named = card_text(card) in named  # a king that was called
                        assert is_named or spoken(card, "en") not in said, (step, card)
