"""Whether the filters of a question name what there is: a slip of the pen is no empty answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ledger.errors import NotFoundError, listed
from ledger.games import registered_games
from ledger.history.questions.asking import History
from ledger.history.questions.showing import Showing
from ledger.history.questions.statistics import filter_questions
from ledger.history.words import phrase
from ledger.names import meant, perhaps


def check_filters(history: History, filters: Mapping[str, Any], showing: Showing) -> None:
    """Raises `NotFoundError` for a game, player or session that there is not; `showing`: how players are told."""
    if filters["game"] is not None:
        _check_known("game", filters["game"], sorted(registered_games()))
    for key in ("player", "session"):
        if filters[key] is not None:
            found = [str(name) for (name,) in history.answer_to(filter_questions()[key], {}).answer.rows]
            if key == "player":
                _check_known(key, filters[key], showing.may_be_asked(found), showing.names)
            else:
                _check_known(key, filters[key], found, {})


def _check_known(key: str, asked: str, known: Sequence[str], shown: Mapping[str, str] = MappingProxyType({})) -> None:
    if asked in known:
        return
    by_spelling = {spelling: shown.get(name, name) for name in known for spelling in (name, shown.get(name, name))}
    shown_names = list(dict.fromkeys(by_spelling.values()))
    close = list(dict.fromkeys(by_spelling[spelling] for spelling in meant(asked, by_spelling)))
    there_is = phrase("there_is", names=listed(shown_names)) if known else phrase("there_is_none")
    told = perhaps(close) if close else there_is
    raise NotFoundError("not_found", phrase(f"no_{key}", text=asked, hint=told))
