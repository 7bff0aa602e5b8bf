"""The route of surveys."""

from __future__ import annotations

from msgspec import Struct

from ledger.events import Noted, SessionOpened
from ledger.table.repository import no_stream
from ledger.web.http.reading import seen
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import route
from survey import SURVEY


class SurveyAnswer(Struct, frozen=True, kw_only=True):
    """A survey and its answers, as far as the reader may see them."""

    question: str
    answers: list[str]


@route("GET", "/surveys/{slug}", "viewer", answers={200: SurveyAnswer}, rests_on="head", problems=("not_found",))
def survey(request: Request, slug: str) -> Response:
    """Return a survey."""
    store = seen(request)
    events = [row.event() for row in store.read_stream(SURVEY.stream(slug))]
    if not events:
        raise no_stream(store, SURVEY.stream(slug))
    (question,) = (event.title for event in events if isinstance(event, SessionOpened))
    answers = [event.text for event in events if isinstance(event, Noted)]
    return Response(SurveyAnswer(question=question, answers=answers))
