"""What was added to a session, told to its author: the session before and after, and where the addition stands."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.events import Corrected, Noted
from ledger.recording.sessions import SessionAddition, SessionState
from ledger.streams import SESSION
from ledger.text.change import receipt_line
from ledger.text.words import Wording


def session_text(added: SessionAddition, lang: str) -> Iterator[str]:
    """The session, where a correction changed it before and after; open tables where it was closed; the receipt."""
    wording = Wording(lang)
    if isinstance(added.event, Corrected) and added.before is not None:
        yield wording.say("addition.head", table=_stream(added), version=added.event.version, reason=added.event.reason)
        if added.before != added.after:
            yield f"  {wording.say('addition.was')}  {_state_text(added.before, wording)}"
            yield f"  {wording.say('addition.now')}  {_state_text(added.after, wording)}"
        yield ""
    elif not isinstance(added.event, Noted):
        yield _state_text(added.after, wording)
    if added.open_tables:
        yield wording.say("of_session.open_tables", tables=wording.listed(added.open_tables))
    yield receipt_line(_stream(added), added, lang)


def _stream(added: SessionAddition) -> str:
    return SESSION.stream(added.session)


def _state_text(state: SessionState, wording: Wording) -> str:
    title = wording.say("of_session.unnamed") if state.title is None else state.title
    told = [title if state.date is None else wording.say("of_session.state", title=title, date=state.date)]
    if state.club is not None:
        told.append(wording.say("of_session.club", club=state.club))
    if state.place is not None:
        told.append(wording.say("of_session.place", place=state.place))
    if state.zone is not None:
        told.append(wording.say("of_session.zone", zone=state.zone))
    told.append(wording.say("of_session.is_closed" if state.closed else "of_session.is_open"))
    return wording.clauses(told)
