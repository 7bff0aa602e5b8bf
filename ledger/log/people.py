"""Who is who, which name is shown for whom, and who is hidden: the same rules for every store.

These facts are beside the log, outside of its digests, so that all of them can be taken back: an entry can never be
erased. A club that keeps its players' privacy records them under handles, and names the handles here.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, structs

from ledger import limits
from ledger.errors import ConflictError, NotFoundError
from ledger.i18n import Text
from ledger.limits import exceeded
from ledger.log.catalogue import phrase
from ledger.names import folded, hint, readable_name


def checked_display_name(name: str) -> str:
    """The name as NFC; raises `MalformedError` for one that is empty, too long or cannot be read."""
    readable = readable_name(phrase("form.not_shown_name"), name)
    if len(name) > limits.NAME_CHARS:
        raise exceeded("name", len(name), limits.NAME_CHARS, "characters")
    return readable


class People(Struct, frozen=True):
    """`names`: what to show for players of the record. `links`: of a spelling, the one that is the same person, which
    may be linked further. `hidden`: players in whose place others see initials.
    """

    names: Mapping[str, str] = {}
    links: Mapping[str, str] = {}
    hidden: frozenset[str] = frozenset()

    def person(self, player: str) -> str:
        """The one spelling that stands for a person."""
        for _ in self.links:  # no chain is longer, and one that somebody else wrote as a circle ends, too
            if player not in self.links:
                break
            player = self.links[player]
        return player

    def persons(self) -> dict[str, str]:
        """The person by each spelling that is linked."""
        return {spelling: self.person(spelling) for spelling in sorted(self.links)}

    def spellings(self, player: str) -> frozenset[str]:
        """All spellings of a person, this one among them."""
        person = self.person(player)
        return frozenset({person, *(spelling for spelling in self.links if self.person(spelling) == person)})

    def shown(self) -> dict[str, str]:
        """What to show for persons: of one who has no name to show, that of a spelling."""
        of_persons = {self.person(spelling): self.names[spelling] for spelling in self.links if spelling in self.names}
        return {**of_persons, **self.names}

    def hidden_persons(self) -> frozenset[str]:
        """Whom others do not see, by whichever spelling they were hidden."""
        return frozenset(map(self.person, self.hidden))


def named(people: People, player: str, name: str) -> People:
    """These facts, and the name shown for a player; raises `ConflictError` where it is shown for somebody else.

    Two players under one name would be taken for one.
    """
    for other, shown in people.names.items():
        if other != player and folded(shown) == folded(name):
            raise ConflictError("exists", phrase("name_is_shown", text=name, player=other))
    return structs.replace(people, names={**people.names, player: name})


def unnamed(people: People, player: str) -> People:
    """These facts without the name shown for a player; raises `NotFoundError` where there is none."""
    if player not in people.names:
        advice = hint(player, people.names, phrase("record_stays"))
        raise NotFoundError("not_found", phrase("no_name_is_shown", text=player, hint=advice))
    return structs.replace(people, names=_without(people.names, player))


def linked(people: People, spelling: str, player: str) -> People:
    """These facts, and that a spelling is the same person as another one.

    Raises `ConflictError` where they are one person already, and where the spelling is linked to somebody else.
    """
    if people.person(spelling) == people.person(player):
        raise ConflictError("exists", phrase("one_already", text=spelling, player=player))
    if spelling in people.links:
        raise ConflictError("exists", phrase("is_linked", text=spelling, player=people.links[spelling]))
    return structs.replace(people, links={**people.links, spelling: player})


def unlinked(people: People, spelling: str) -> People:
    """These facts without that link; raises `NotFoundError` where there is none."""
    if spelling not in people.links:
        raise NotFoundError("not_found", phrase("not_linked", text=spelling, hint=_other_end(people, spelling)))
    return structs.replace(people, links=_without(people.links, spelling))


def _other_end(people: People, spelling: str) -> Text:
    """Which spellings are linked to the one that was asked for, else which one may be meant."""
    of_it = [other for other, player in sorted(people.links.items()) if player == spelling]
    if of_it:
        return phrase("unlink_those", names=tuple(of_it))
    return hint(spelling, people.links, phrase("links_are_listed"))


def hiding(people: People, player: str) -> People:
    """These facts, and that a player is hidden; raises `ConflictError` where the person is hidden already."""
    if people.person(player) in people.hidden_persons():
        raise ConflictError("exists", phrase("hidden_already", text=player))
    return structs.replace(people, hidden=people.hidden | {player})


def showing(people: People, player: str) -> People:
    """These facts, and that a person is shown; raises `NotFoundError` where he is not hidden."""
    person = people.person(player)
    if person not in people.hidden_persons():
        advice = hint(player, people.hidden, phrase("hidden_are_listed"))
        raise NotFoundError("not_found", phrase("not_hidden", text=player, hint=advice))
    return structs.replace(people, hidden=frozenset(one for one in people.hidden if people.person(one) != person))


def _without(facts: Mapping[str, str], key: str) -> dict[str, str]:
    return {one: value for one, value in facts.items() if one != key}
