"""A session report as one HTML page that needs nothing else: no script, no address; plots are drawn in it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from ledger.cards import SYMBOLS
from ledger.games.kernel.views import DealView
from ledger.reports.facts import SessionReport
from ledger.text.cards import amount_text, amounts_text, card_text, cards_text, hand_text
from ledger.text.case.text import exchange_text, trick_reason
from ledger.text.events import whole_event_text
from ledger.text.session.words import label


def report_page(report: SessionReport, plots: Sequence[str] = (), lang: str = "en") -> str:
    """The whole page; every text of the record is escaped. `plots`: SVG documents, shown in that order."""
    return _template().render(
        report=report,
        plots=[Markup(svg) for svg in plots],
        lang=lang,
        label=partial(label, lang),
        contract_text=contract_text,
        places=_places,
        exchange_text=lambda exchange, players: exchange_text(exchange, players, lang),
        trick_reason=lambda trick: trick_reason(trick, lang),
        event_text=whole_event_text,
        events_text=lambda events, players: "; ".join(whole_event_text(event, players) for event in events),
    )


def contract_text(view: DealView, players: Sequence[str]) -> str:
    """`Aiko: solo ♠`; empty where none was made."""
    parts = [view.contract or "", "" if view.trump is None else SYMBOLS[view.trump]]
    told = " ".join(filter(None, parts))
    return told if view.declarer is None or not told else f"{players[view.declarer]}: {told}"


def _places(count: int) -> list[str]:
    """Where the seats lie in a diagram, by seat, against the sun as most of these games are played; many: in rows."""
    named = {2: ["south", "north"], 3: ["south", "east", "west"], 4: ["south", "east", "north", "west"]}
    return named.get(count, [""] * count)


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("ledger.text.session"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    shown: Any
    for shown in (amount_text, amounts_text, card_text, cards_text, hand_text):
        environment.filters[shown.__name__] = shown
    return environment.get_template("session.html")
