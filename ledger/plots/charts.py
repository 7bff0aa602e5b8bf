"""Each plot as a Vega-Lite specification made by Altair: title, subtitle and a chart from the other modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import wrap
from typing import Any, Final

from ledger.history.questions.filters import describe_filters
from ledger.i18n.languages import is_wide
from ledger.plots.contracts import contract_points, contracts
from ledger.plots.distribution import deal_points
from ledger.plots.export import IS_PAGE
from ledger.plots.figures import LEVEL_TABLES
from ledger.plots.fonts import extra_module
from ledger.plots.heatmaps import calendar, head_to_head
from ledger.plots.lines import cumulative, ratings, standings
from ledger.plots.panels import WIDTH
from ledger.plots.pools import pools
from ledger.plots.rows import Figures, label
from ledger.plots.style import CONFIG
from ledger.plots.year_page import year_page

_BELOW_TITLE: Final = 12
"""Pixels between the subtitle and the title of the first picture."""

_LETTERS: Final = 88
"""Latin letters in a line of a sentence; Japanese ones are twice as wide."""


def plot_spec(figures: Figures, lang: str = "en") -> dict[str, Any]:
    """Return the specification as Vega-Lite JSON; its data are the figures' rows."""
    alt = extra_module("altair")
    title = {"text": _title(figures, lang), "subtitle": _subtitle(figures, lang), "offset": _BELOW_TITLE}
    draw = _DRAWN[figures.name] if figures.rows else _sentence
    # Validation against Vega-Lite's schema took four fifths of the time.
    with extra_module("altair.utils.schemapi").debug_mode(False):
        chart = draw(alt, figures, lang).properties(title=title).configure(**CONFIG)
        spec: dict[str, Any] = chart.to_dict(validate=False)
    spec["usermeta"] = {
        "embedOptions": {"actions": False},  # its menu links to a website
        "position": figures.position,
        "digest": figures.digest,
        **({IS_PAGE: True} if figures.parts else {}),
    }
    return spec


def why_nothing(figures: Figures, lang: str) -> str:
    """Explain why there is nothing to draw, and what to do."""
    why = label(lang, f"nothing.{figures.name}", **figures.heading)
    filters = describe_filters(figures.filters, {}, lang)
    if filters:
        return label(lang, "nothing.filtered", why=why, filters=filters)
    return label(
        lang, "nothing.unfiltered", why=why, cure=label(lang, f"nothing.cure_{_CURES.get(figures.name, 'deals')}")
    )


_CURES: Final = {"head-to-head": "tables", "ratings": "tables"}
"""What has to be recorded, if complete deals are not enough."""


def _sentence(alt: Any, figures: Figures, lang: str) -> Any:
    """Draw the reason for an empty plot in the place of the picture."""
    lines = _lines(why_nothing(figures, lang), lang)
    chart = alt.Chart(alt.Data(values=[{"lines": lines}])).mark_text(align="left", baseline="top", fontSize=12)
    shown = chart.encode(text=alt.Text("lines:N"), x=alt.XValue(0), y=alt.YValue(0))
    return shown.properties(width=WIDTH, height=16 * len(lines), view=alt.ViewBackground(stroke=None))


def _title(figures: Figures, lang: str) -> str:
    key = f"title_{figures.name}" if figures.rows or not figures.heading else "title_nothing"
    return label(lang, key, **figures.heading)


def _subtitle(figures: Figures, lang: str) -> list[str]:
    """Return the filters, what is left out, the order, and the log entry of the data."""
    scope = describe_filters(figures.filters, {}, lang) or label(lang, "all_deals")
    is_ordered = figures.rows and figures.name == "head-to-head"
    order = label(lang, "note_head-to-head", tables=LEVEL_TABLES) if is_ordered else ""
    return [*_lines("\n".join([scope, figures.left_out, order]), lang), _as_of(figures, lang)]


def _lines(text: str, lang: str) -> list[str]:
    width = _LETTERS // 2 if is_wide(lang) else _LETTERS
    return [part for line in text.splitlines() for part in wrap(line, width, break_on_hyphens=False)]


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
