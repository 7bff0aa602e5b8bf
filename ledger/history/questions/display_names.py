"""The player names that answers show, initials of hidden players included, and checks of the names in filters."""

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
    """The names that answers show.

    `names`: the displayed name of each player by the name in the record, hidden players included. `initials`: those of
    hidden players alone. `persons`: the person of each linked spelling.
    """

    names: Mapping[str, str]
    initials: Mapping[str, str]
    persons: Mapping[str, str]

    def person(self, name: str) -> str:
        """Return the person that a recorded name, or initials from an answer, refer to."""
        meant = next((player for player, words in self.initials.items() if words == name), name)
        return self.persons.get(meant, meant)

    def with_person(self, filters: Filters) -> Filters:
        """Return the filters with that person as their player."""
        return filters if filters.player is None else structs.replace(filters, player=self.person(filters.player))

    def selectable_names(self, players: Sequence[str]) -> list[str]:
        """Return the names that filters accept for these persons: initials for hidden ones, else every spelling."""
        spellings = [spelling for spelling, person in self.persons.items() if person in players]
        return list(dict.fromkeys(self.initials.get(name, name) for name in (*players, *spellings)))

    def shown(self, answer: Answer) -> Answer:
        """Return the answer with initials in its columns of players."""
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
    """Return the names to show in answers of this read model.

    `names`: displayed names by player. `hidden`: the persons that others may not see.
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
    """Return the first letter of each word of a name, e.g. `A. K.`"""
    return " ".join(f"{_first_letter(word)}." for word in name.split())


def _first_letter(word: str) -> str:
    return next(filter(str.isalnum, word), word[0]).upper()


def _distinct_initials(wanted: Mapping[str, str], taken: Collection[str]) -> dict[str, str]:
    """Return the initials, numbered where they would equal others or a name in `taken`."""
    assigned: dict[str, str] = {}
    for person, words in wanted.items():
        free = (words if number == 1 else f"{words} {number}" for number in count(1))
        assigned[person] = next(one for one in free if one not in taken and one not in assigned.values())
    return assigned


def known_names(history: History, filter_name: str) -> list[str]:
    """Return the values that a filter accepts: players, sessions or places."""
    return [str(name) for (name,) in history.answer_to(filter_queries()[filter_name]).answer.rows]


def check_filters(history: History, filters: Filters, display_names: DisplayNames) -> None:
    """Raise `NotFoundError` for a game or another value that is not in the record, with the displayed names."""
    if filters.game is not None:
        _check_known("game", filters.game, sorted(registered_games()))
    for key, value in filters.given().items():
        if key == "player":
            _check_known(key, value, display_names.selectable_names(known_names(history, key)), display_names.names)
        elif key in filter_queries():
            _check_known(key, value, known_names(history, key))


def resolve_player(history: History, filters: Filters, display_names: DisplayNames) -> Filters:
    """Return the filters with the recorded name that is meant; keep a name that fits none or several."""
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
