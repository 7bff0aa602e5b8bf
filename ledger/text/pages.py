"""Printed pages, reports of sessions and case sheets, as HTML, and as PDF by WeasyPrint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Final
from warnings import catch_warnings, filterwarnings

from jinja2 import Environment
from markupsafe import Markup
from msgspec import structs

from ledger.cards import UNKNOWN, Pack
from ledger.cases.facts import CaseSheet
from ledger.games.kernel.views import DealView
from ledger.plots.fonts import extra_module, face
from ledger.plots.style import FONT
from ledger.reports.facts import SessionReport, TableReport
from ledger.table.corrections import Signature
from ledger.text.audit import gathered, gathered_within, revoke_sentences, severity_text
from ledger.text.cards import amount_text, amounts_text, card_text, cards_text, hand_text, held_text, points_text
from ledger.text.case import (
    amendments_of,
    contract_parts,
    legal_text,
    payment_cells,
    played_or_recorded,
    question_title,
    recorded_as,
    ruling_state,
    score_rows,
    state_text,
    totals_text,
)
from ledger.text.catalogue import Wording, book_note, label, title_text, wording_for_title, writer_name
from ledger.text.deal import auction_text, calls_text, contract_facts, correction_values, laid, won_text
from ledger.text.disputes import Amendments, about_text
from ledger.text.events import exchange_text, partner_call_text, whole_event_text
from ledger.text.score import missing_text, payments_of
from ledger.text.templating import templates_of
from ledger.zones import moment_text

_FILTERS: Final = (amount_text, card_text, cards_text, hand_text, held_text)


def case_page(sheet: CaseSheet, lang: str = "en", tz: str | None = None) -> str:
    """Render a case sheet as a page; all recorded text is escaped.

    Times are in the session's zone; if it has none, in `tz`, by default in the machine's.
    """
    wording = structs.replace(_page_wording(sheet.game, lang), pack=sheet.pack)
    amendments = structs.replace(amendments_of(sheet, lang, tz), wording=wording)
    page = _page(
        "case.html",
        lang,
        wording=wording,
        sheet=sheet,
        state=state_text(sheet.dispute, lang),
        moment_text=lambda moment: moment_text(moment, sheet.zone, tz),
        played_or_recorded=played_or_recorded(sheet),
        contract=wording.listed(contract_parts(sheet, wording)),
        findings=list(gathered_within(sheet.findings, lang)),
        book_note=book_note(sheet.game, lang),
        question_title=partial(question_title, lang=lang),
        legal_text=partial(legal_text, wording=wording),
        event_text=partial(whole_event_text, players=sheet.players, wording=wording),
        revoke_sentences=partial(revoke_sentences, players=sheet.players, lang=lang),
        recorded_as=partial(recorded_as, amendments=amendments, players=sheet.players),
        by_correction=amendments.by,
        corrected=partial(amendments.corrected, players=sheet.players),
        struck=list(amendments.struck(sheet.struck, sheet.players)),
        score_rows=score_rows(sheet, wording),
        totals=list(totals_text(sheet, lang)),
        missing_text=partial(missing_text, wording=wording),
        writer_name=partial(writer_name, lang=lang),
        payments=list(map(payment_cells, payments_of(sheet.lines, sheet.players, lang))),
    )
    return wording.cards(page)


def report_page(report: SessionReport, plots: Sequence[str] = (), lang: str = "en") -> str:
    """Render a session report as a page; all recorded text is escaped. `plots`: SVG documents in order."""
    return _page(
        "session.html",
        lang,
        report=report,
        wording_for_title=partial(_page_wording, lang=lang),
        plots=[Markup(svg) for svg in plots],
        calls_text=calls_text,
        missing_text=missing_text,
        contract_text=_contract,
        places=_places,
        is_known=_is_known,
        amendments=partial(_amendments, zone=report.zone, lang=lang),
    )


def _page_wording(title: str, lang: str) -> Wording:
    """Return the wording of a game for running text."""
    return structs.replace(wording_for_title(title, lang), is_written=True)


def _amendments(table: TableReport, zone: str | None, lang: str) -> Amendments:
    signed = {
        one.version: Signature(one.recorded_by, one.recorded_at)
        for one in table.corrections
        if one.recorded_by is not None
    }
    return Amendments(_page_wording(table.game, lang), signed, (zone,))


def _page(template: str, lang: str, **shown: Any) -> str:
    functions = {
        "label": partial(label, lang),
        "title_text": partial(title_text, lang=lang),
        "auction_text": auction_text,
        "amounts_text": partial(amounts_text, lang=lang),
        "about_text": partial(about_text, lang=lang),
        "points_text": partial(points_text, lang=lang),
        "partner_call_text": partial(partner_call_text, is_labelled=True),
        "exchange_text": partial(exchange_text, is_labelled=True),
        "laid": laid,
        "won_text": partial(won_text, lang=lang),
        "ruling_state": partial(ruling_state, lang=lang),
        "severity_text": partial(severity_text, lang=lang),
        "correction_values": correction_values,
        "in_pack": partial(_in_pack, lang),
        "gathered": lambda findings: list(gathered(findings, lang)),
    }
    return _templates().get_template(template).render(lang=lang, **functions, **shown)


def _in_pack(lang: str, pack: Pack, caller: Callable[[], str]) -> Markup:
    """Return a part of a page with the cards of a table's pack."""
    return Markup(Wording(lang, pack=pack).cards(caller()))


@cache
def _templates() -> Environment:
    return templates_of("ledger.text", **{shown.__name__: shown for shown in _FILTERS})


def _contract(view: DealView, players: Sequence[str], wording: Wording) -> str:
    """Return `Aiko: solo ♠`; empty without a contract."""
    facts = contract_facts(view, None, players, wording)
    made = " ".join(facts[key] for key in ("contract", "trumps") if key in facts)
    name = facts.get("declarer", facts.get("declarers"))
    return wording.say("of", name=name, what=made) if made and name else made


def _is_known(hands: Sequence[Sequence[str]]) -> bool:
    """Return whether any card of the hands was recorded."""
    return any(card != UNKNOWN for hand in hands for card in hand)


def _places(count: int, goes_to_the_right: bool) -> list[str]:
    """Return the compass points of the seats in a diagram, the first one south; empty for many seats, which are in
    rows.
    """
    first, last = ("east", "west") if goes_to_the_right else ("west", "east")
    named = {2: ["south", "north"], 3: ["south", first, last], 4: ["south", first, "north", last]}
    return named.get(count, [""] * count)


def page_pdf(page: str) -> bytes:
    """Render an HTML page as PDF, in a font with Japanese characters and card suits."""
    with catch_warnings():
        # It asks for HarfBuzz's subsetter, which `face` makes unnecessary.
        filterwarnings("ignore", "HarfBuzz-Subset", DeprecationWarning)
        weasyprint = extra_module("weasyprint")
    fetcher = extra_module("weasyprint.urls").URLFetcher
    fonts: Any = extra_module("weasyprint.text.fonts").FontConfiguration()
    rules = f'{face(frozenset(page))} body {{ font-family: "{FONT}", sans-serif; }}'
    sheet = weasyprint.CSS(string=rules, font_config=fonts, url_fetcher=fetcher(allowed_protocols=["data"]))
    document = weasyprint.HTML(string=page, url_fetcher=fetcher(allowed_protocols=["data"]))
    pdf: bytes = document.write_pdf(stylesheets=[sheet], font_config=fonts)
    return pdf
