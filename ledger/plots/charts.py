"""Each plot as one Vega-Lite specification, by Altair: its title, what it rests on, and what the others here draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ledger.history.questions.filter_words import filters_told
from ledger.plots.contracts import contract_points, contracts
from ledger.plots.courses import cumulative, ratings, standings
from ledger.plots.distribution import deal_points
from ledger.plots.evenings import calendar
from ledger.plots.extra import extra_module
from ledger.plots.head_to_head import head_to_head
from ledger.plots.pools import pools
from ledger.plots.rows import Figures
from ledger.plots.style import CONFIG
from ledger.plots.words import label
from ledger.plots.writing import IS_PAGE
from ledger.plots.year_page import year_page

_BELOW_TITLE: Final = 12
"""Pixels that keep the entry of the ledger apart from the title of the first picture."""


def plot_spec(figures: Figures, lang: str = "en") -> dict[str, Any]:
    """The specification as Vega-Lite JSON has it; its data are the figures' rows."""
    alt = extra_module("altair")
    text = label(lang, f"title_{figures.name}", **figures.heading)
    title = {"text": text, "subtitle": _subtitle(figures, lang), "offset": _BELOW_TITLE}
    # Checking each part against Vega-Lite's schema took four fifths of the time that this takes.
    with extra_module("altair.utils.schemapi").debug_mode(False):
        chart = _DRAWN[figures.name](alt, figures, lang).properties(title=title).configure(**CONFIG)
        spec: dict[str, Any] = chart.to_dict(validate=False)
    spec["usermeta"] = {
        "embedOptions": {"actions": False},  # its menu leads to a page in the network
        "position": figures.position,
        "digest": figures.digest,
        **({IS_PAGE: True} if figures.parts else {}),
    }
    return spec


def _subtitle(figures: Figures, lang: str) -> list[str]:
    """What is shown, and the log entry that it rests on."""
    told = filters_told(figures.filters, {}, lang) or label(lang, "all_deals")
    shown = "; ".join([told, *filter(None, [figures.left_out])])
    return [shown, _as_of(figures, lang)]


def _as_of(figures: Figures, lang: str) -> str:
    position = f"{figures.position:,}"
    if figures.digest is None:
        return label(lang, "as_of_position", position=position)
    return label(lang, "as_of", position=position, digest=figures.digest[:12])


_DRAWN: Final[Mapping[str, Callable[[Any, Figures, str], Any]]] = {
    "calendar": calendar,
    "contract-points": contract_points,
    "contracts": contracts,
    "cumulative": cumulative,
    "deal-points": deal_points,
    "head-to-head": head_to_head,
    "pool": pools,
    "ratings": ratings,
    "standings": standings,
    "year": year_page,
}
