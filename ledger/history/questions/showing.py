"""Which words stand for players in an answer: the name that is shown, or initials for those whom others do not see."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import count

from msgspec import Struct, structs

from ledger.history.questions.answer import Answer
from ledger.history.questions.asking import History
from ledger.history.questions.statistics import filter_questions


class Showing(Struct, frozen=True):
    """`names`: what to show for players, those who are hidden among them, by their names in the record. `initials`:
    the same of those who are hidden alone. `persons`: for whom each linked spelling is taken.
    """

    names: Mapping[str, str]
    initials: Mapping[str, str]
    persons: Mapping[str, str]

    def person(self, asked: str) -> str:
        """Who is meant by a name in the record, or by initials in an answer."""
        meant = next((player for player, words in self.initials.items() if words == asked), asked)
        return self.persons.get(meant, meant)

    def may_be_asked(self, players: Sequence[str]) -> list[str]:
        """What of these persons may be asked for: somebody hidden by initials alone, others by every spelling."""
        spellings = [spelling for spelling, person in self.persons.items() if person in players]
        return list(dict.fromkeys(self.initials.get(name, name) for name in (*players, *spellings)))

    def shown(self, answer: Answer) -> Answer:
        """The answer with initials in its columns of players."""
        if not self.initials:
            return answer
        is_player = ["player" in column for column in answer.columns]
        rows = [
            tuple(self.initials.get(cell, cell) if told else cell for cell, told in zip(row, is_player, strict=True))
            for row in answer.rows
        ]
        return structs.replace(answer, rows=rows)


def showing(history: History, names: Mapping[str, str], hidden: Collection[str]) -> Showing:
    """What stands for whom in an answer of this read model.

    `names`: what is shown for players. `hidden`: the persons whom others do not see.
    """
    persons = history.persons()
    if not hidden:
        return Showing(names, {}, persons)
    players = [str(player) for (player,) in history.answer_to(filter_questions()["player"], {}).answer.rows]
    seen = {names.get(player, player) for player in players if player not in hidden}
    initials = _unlike({person: initials_of(names.get(person, person)) for person in sorted(hidden)}, seen)
    initials |= {spelling: initials[person] for spelling, person in persons.items() if person in initials}
    return Showing({**names, **initials}, initials, persons)


def initials_of(name: str) -> str:
    """The first letter of each word of a name, as `A. K.`"""
    return " ".join(f"{_first_letter(word)}." for word in name.split())


def _first_letter(word: str) -> str:
    return next(filter(str.isalnum, word), word[0]).upper()


def _unlike(wanted: Mapping[str, str], taken: Collection[str]) -> dict[str, str]:
    """Of the same words the second ones with a number, and none that are somebody else's."""
    found: dict[str, str] = {}
    for person, words in wanted.items():
        free = (words if number == 1 else f"{words} {number}" for number in count(1))
        found[person] = next(one for one in free if one not in taken and one not in found.values())
    return found
