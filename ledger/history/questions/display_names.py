"""Whom and what a question names: players as shown, or by initials, and whether there is what a filter names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import count
from types import MappingProxyType

from msgspec import Struct, structs

from ledger.errors import NotFoundError, listed
from ledger.games import registered_games
from ledger.history.catalogue import phrase
from ledger.history.questions.answers import Answer
from ledger.history.questions.filters import Filters
from ledger.history.questions.history import History
from ledger.history.questions.statistics import filter_queries
from ledger.names import meant, only_fit, perhaps


class DisplayNames(Struct, frozen=True):
    """`names`: what to show for players, those who are hidden among them, by their names in the record. `initials`:
    the same of those who are hidden alone. `persons`: for whom each linked spelling is taken.
    """

    names: Mapping[str, str]
    initials: Mapping[str, str]
    persons: Mapping[str, str]

    def person(self, name: str) -> str:
        """Who is meant by a name in the record, or by initials in an answer."""
        meant = next((player for player, words in self.initials.items() if words == name), name)
        return self.persons.get(meant, meant)

    def with_person(self, filters: Filters) -> Filters:
        """The filters with the person who is meant as their player."""
        return filters if filters.player is None else structs.replace(filters, player=self.person(filters.player))

    def selectable_names(self, players: Sequence[str]) -> list[str]:
        """What of these persons may be asked for: somebody hidden by initials alone, others by every spelling."""
        spellings = [spelling for spelling, person in self.persons.items() if person in players]
        return list(dict.fromkeys(self.initials.get(name, name) for name in (*players, *spellings)))

    def shown(self, answer: Answer) -> Answer:
        """The answer with initials in its columns of players."""
        if not self.initials:
            return answer
        is_player = ["player" in column for column in answer.columns]
        rows = [
            tuple(
                self.initials.get(cell, cell) if has_name else cell
                for cell, has_name in zip(row, is_player, strict=True)
            )
            for row in answer.rows
        ]
        return structs.replace(answer, rows=rows)


def display_names(history: History, names: Mapping[str, str], hidden: Collection[str]) -> DisplayNames:
    """What stands for whom in an answer of this read model.

    `names`: what is shown for players. `hidden`: the persons whom others do not see.
    """
    persons = history.persons()
    if not hidden:
        return DisplayNames(names, {}, persons)
    players = known_names(history, "player")
    seen = {names.get(player, player) for player in players if player not in hidden}
    initials = _distinct_initials({person: initials_of(names.get(person, person)) for person in sorted(hidden)}, seen)
    initials |= {spelling: initials[person] for spelling, person in persons.items() if person in initials}
    return DisplayNames({**names, **initials}, initials, persons)


def initials_of(name: str) -> str:
    """The first letter of each word of a name, as `A. K.`"""
    return " ".join(f"{_first_letter(word)}." for word in name.split())


def _first_letter(word: str) -> str:
    return next(filter(str.isalnum, word), word[0]).upper()


def _distinct_initials(wanted: Mapping[str, str], taken: Collection[str]) -> dict[str, str]:
    """Of the same words the second ones with a number, and none that are somebody else's."""
    assigned: dict[str, str] = {}
    for person, words in wanted.items():
        free = (words if number == 1 else f"{words} {number}" for number in count(1))
        assigned[person] = next(one for one in free if one not in taken and one not in assigned.values())
    return assigned


def known_names(history: History, filter_name: str) -> list[str]:
    """The values that a filter may name: players, sessions or places."""
    return [str(name) for (name,) in history.answer_to(filter_queries()[filter_name]).answer.rows]


def check_filters(history: History, filters: Filters, display_names: DisplayNames) -> None:
    """Raises `NotFoundError` for a game or another value that is not in the record; `showing`: how players are told."""
    if filters.game is not None:
        _check_known("game", filters.game, sorted(registered_games()))
    for key, value in filters.given().items():
        if key == "player":
            _check_known(key, value, display_names.selectable_names(known_names(history, key)), display_names.names)
        elif key in filter_queries():
            _check_known(key, value, known_names(history, key))


def resolve_player(history: History, filters: Filters, display_names: DisplayNames) -> Filters:
    """Return the filters with the name of the record that is meant; a name that fits nobody, or several, stays."""
    if filters.player is None:
        return filters
    player = only_fit(filters.player, display_names.selectable_names(known_names(history, "player"))) or filters.player
    return structs.replace(filters, player=player)


def _check_known(key: str, value: str, known: Sequence[str], shown: Mapping[str, str] = MappingProxyType({})) -> None:
    if value in known:
        return
    by_spelling = {spelling: shown.get(name, name) for name in known for spelling in (name, shown.get(name, name))}
    shown_names = list(dict.fromkeys(by_spelling.values()))
    close = list(dict.fromkeys(by_spelling[spelling] for spelling in meant(value, by_spelling)))
    there_is = phrase("there_is", names=listed(shown_names)) if known else phrase("there_is_none")
    suggestion = perhaps(close) if close else there_is
    raise NotFoundError("not_found", phrase(f"no_{key}", text=value, hint=suggestion))
