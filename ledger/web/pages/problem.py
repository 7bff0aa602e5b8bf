"""The pages to which the `type` of every problem leads: what it means, and what to do."""

from __future__ import annotations

from typing import Final

from ledger.web.catalogue import phrase
from ledger.web.http.problems import STATUSES, web_error
from ledger.web.http.request import Asked
from ledger.web.http.routing import Answer, page
from ledger.web.pages.frame import html

PATH: Final = "/problems/{code}"


@page(PATH, "none", problems=("not_found",))
async def problem(asked: Asked, code: str) -> Answer:
    """What a problem means, and what to do."""
    if code not in STATUSES:
        raise web_error("not_found", "no_problem", text=code[:100], known=tuple(STATUSES))
    meaning, advice = explained(code, asked.lang)
    return html(
        asked,
        "problem.html",
        code=code,
        status_of_code=STATUSES[code],
        problem_title=title_of(code, asked.lang),
        meaning=meaning,
        advice=advice,
    )


def title_of(code: str, lang: str = "en") -> str:
    return phrase(f"title.{code}").in_words(lang)


def explained(code: str, lang: str = "en") -> tuple[str, str]:
    """What a problem means, and what to do."""
    return phrase(f"meaning.{code}").in_words(lang), phrase(f"advice.{code}").in_words(lang)
