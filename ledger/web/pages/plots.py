"""The plots: each with its filters, its picture, and its figures as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ledger import api
from ledger.history import Answer, History, StatisticAnswer
from ledger.text.site.statistics import plot_title, plot_with_page
from ledger.web.api.history import names_for
from ledger.web.http.problems import web_error
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import page
from ledger.web.pages.statistics import Kind, StatisticQuery, answer_page


def _plotted(request: Request, history: History, name: str, filters: api.Filters) -> StatisticAnswer:
    """Return the figures of a plot as an answer."""
    figures = api.plot(history, name, filters, lang=request.lang, **names_for(request))
    return StatisticAnswer(
        name=name,
        position=figures.position,
        digest=figures.digest,
        answer=_as_answer(figures.rows),
        filters=figures.filters,
    )


def _as_answer(rows: Sequence[dict[str, Any]]) -> Answer:
    columns = list(rows[0]) if rows else []
    types = ["DOUBLE" if any(isinstance(row[one], int | float) for row in rows) else "VARCHAR" for one in columns]
    return Answer(columns, types, [tuple(row.values()) for row in rows])


PLOTS = Kind("/plots", _plotted, plot_title, ("svg", "png", "json"))


@page(
    "/plots/{name}", "viewer", query=StatisticQuery, rests_on="history", of_whole_ledger=True,
    problems=("not_found", "busy"),
)  # fmt: skip
async def show_plot(request: Request, name: str) -> Response:
    """Show a plot of the deals that match the filters."""
    question = plot_with_page(name, request.lang)
    if question is None:
        raise web_error("not_found", "no_route", text=request.path[:200])
    return await answer_page(request, PLOTS, question)
