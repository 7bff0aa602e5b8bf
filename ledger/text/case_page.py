"""A case sheet as one HTML page that needs nothing else: no script, no picture, no address; it prints in grey."""

from __future__ import annotations

from functools import cache, partial

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from ledger.cases.facts import CaseSheet
from ledger.text.cards import amount_text, amounts_text, card_text, cards_text, hand_text, value_text
from ledger.text.case.text import (
    call_text,
    called_text,
    contract_parts,
    exchange_text,
    played_or_recorded,
    question_title,
    trick_reason,
)
from ledger.text.case.words import label, moment_text, revoke_sentences
from ledger.text.events import whole_event_text


def case_page(sheet: CaseSheet, lang: str = "en") -> str:
    """The whole page; every text of the record is escaped."""
    return _template().render(
        sheet=sheet,
        lang=lang,
        label=partial(label, lang),
        played_or_recorded=played_or_recorded(sheet),
        contract=list(contract_parts(sheet, lang)),
        call_text=lambda call: call_text(call, sheet.players),
        called_text=lambda called: called_text(called, sheet.players, lang),
        exchange_text=lambda exchange: exchange_text(exchange, sheet.players, lang),
        question_title=lambda question: question_title(question, lang),
        trick_reason=lambda trick: trick_reason(trick, lang),
        revoke_sentences=lambda revoke: revoke_sentences(revoke, sheet.players, lang),
        event_text=lambda event: whole_event_text(event, sheet.players),
        events_text=lambda events: "; ".join(whole_event_text(event, sheet.players) for event in events),
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("ledger.text.case"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    for shown in (amount_text, amounts_text, card_text, cards_text, hand_text, moment_text, value_text):
        environment.filters[shown.__name__] = shown
    return environment.get_template("case.html")
