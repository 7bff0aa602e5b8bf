"""Each plot as one Vega-Lite specification, by Altair: its title, what it rests on, and what the others here draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ledger.plots.contracts import contract_points, contracts
from ledger.plots.courses import cumulative, ratings, standings
from ledger.plots.distribution import deal_points
from ledger.plots.evenings import calendar
from ledger.plots.extra import extra_module
from ledger.plots.figures import Figures
from ledger.plots.head_to_head import head_to_head
from ledger.plots.pools import pools
from ledger.plots.style import CONFIG
from ledger.plots.words import game_word, label


def plot_spec(figures: Figures, lang: str = "en") -> dict[str, Any]:
    """The specification as Vega-Lite JSON has it; its data are the figures' rows."""
    alt = extra_module("altair")
    chart = _DRAWN[figures.name](alt, figures, lang)
    title = {"text": label(lang, f"title_{figures.name}"), "subtitle": _subtitle(figures, lang)}
    spec: dict[str, Any] = chart.properties(title=title).configure(**CONFIG).to_dict()
    spec["usermeta"] = {
        "embedOptions": {"actions": False},  # its menu leads to a page in the network
        "position": figures.position,
        "digest": figures.digest,
    }
    return spec


def _subtitle(figures: Figures, lang: str) -> list[str]:
    """What is shown, and the log entry that it rests on."""
    told = [_filter_told(key, value, lang) for key, value in figures.filters.items()]
    shown = "; ".join([", ".join(told) or label(lang, "all_deals"), *filter(None, [figures.left_out])])
    return [shown, _as_of(figures, lang)]


def _as_of(figures: Figures, lang: str) -> str:
    position = f"{figures.position:,}"
    if figures.digest is None:
        return label(lang, "as_of_position", position=position)
    return label(lang, "as_of", position=position, digest=figures.digest[:12])


def _filter_told(key: str, value: Any, lang: str) -> str:
    if key in ("since", "until"):
        return label(lang, key, day=value)
    return game_word(value, value, lang) if key == "game" else str(value)


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
}
