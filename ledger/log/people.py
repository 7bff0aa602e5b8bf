"""The display names, links and hidden players of a ledger: the same rules for every store.

They are stored beside the log, outside its digests, so that they can be erased, which an entry never can. In a ledger
with handles, the only place of a name is here:

- `create_store(handles=True)` makes such a ledger; it is a fact of the ledger, and copies and backups keep it.
- `recording.commands` replaces each name of a player that is about to be recorded by a handle, and so do imports of
  lines, which do not pass through there. Entries of other ledgers, whose digests must not change, must have handles.
- A typed name that equals a display name or a handle, whatever its case, becomes that handle. Another one gets a new
  random handle, and its display name is stored before the entry: a name without an entry is harmless and erasable.
- The recorder of an entry is a name, too, and so is the one that a browser signs in with.
- Notes, reasons, titles and places are recorded as typed; a name in them cannot be erased.

A program that creates a ledger for others, e.g. for a championship, passes `handles=True` to `api.create`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from secrets import choice
from typing import Final

from msgspec import Struct, structs

from ledger import limits
from ledger.errors import ConflictError, NotFoundError
from ledger.i18n import Text
from ledger.limits import exceeded
from ledger.log.catalogue import phrase
from ledger.names import folded, hint, readable_name

_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""The characters of handles: none that is mistaken for another one."""

HANDLE: Final = re.compile(rf"\bp-[{_LETTERS}]{{8}}\b")


def is_handle(text: str) -> bool:
    """Return whether the text is a handle."""
    return HANDLE.fullmatch(text) is not None


def new_handle() -> str:
    """Return a random handle; two of a million are the same with a probability of one in a million."""
    return "p-" + "".join(choice(_LETTERS) for _ in range(8))


def with_shown_names(text: str, names: Mapping[str, str]) -> str:
    """Return the text with the display name of each handle in it: of a recorder, or in a message."""
    return HANDLE.sub(lambda match: names.get(match[0], match[0]), text)


def names_in(text: str, names: Iterable[str]) -> list[str]:
    """Return the names that a text contains as words, whatever their case."""
    words = folded(text)
    return [name for name in names if re.search(rf"(?<!\w){re.escape(folded(name))}(?!\w)", words)]


def checked_display_name(name: str) -> str:
    """Return the name as NFC. Raise `MalformedError` for one that is empty, too long or unreadable."""
    readable = readable_name(phrase("form.not_shown_name"), name)
    if len(name) > limits.NAME_CHARS:
        raise exceeded("name", len(name), limits.NAME_CHARS, "characters")
    return readable


class People(Struct, frozen=True):
    """The display names, links and hidden players of a ledger.

    `names`: display names by names in the record. `links`: by spelling, another spelling of the same person, which may
    itself be linked. `hidden`: players shown to others by initials only.
    """

    names: Mapping[str, str] = {}
    links: Mapping[str, str] = {}
    hidden: frozenset[str] = frozenset()

    def person(self, player: str) -> str:
        """Return the spelling that represents a person: the end of the chain of links."""
        for _ in self.links:  # no chain is longer; this also ends a circle written by another program
            if player not in self.links:
                break
            player = self.links[player]
        return player

    def persons(self) -> dict[str, str]:
        """Return the person by each linked spelling."""
        return {spelling: self.person(spelling) for spelling in sorted(self.links)}

    def spellings(self, player: str) -> frozenset[str]:
        """Return all spellings of a person, this one included."""
        person = self.person(player)
        return frozenset({person, *(spelling for spelling in self.links if self.person(spelling) == person)})

    def shown(self) -> dict[str, str]:
        """Return the display names by person; a person without one gets that of a linked spelling."""
        of_persons = {self.person(spelling): self.names[spelling] for spelling in self.links if spelling in self.names}
        return {**of_persons, **self.names}

    def hidden_persons(self) -> frozenset[str]:
        """Return the hidden persons, by whichever spelling they were hidden."""
        return frozenset(map(self.person, self.hidden))


def handle_finder(people: People) -> Callable[[str], str | None]:
    """Return the function that finds the handle of a typed name, None for a new name."""
    by_name = {folded(name): handle for handle, name in people.names.items()}

    def find(typed: str) -> str | None:
        text = folded(typed)
        return text if is_handle(text) else by_name.get(text)

    return find


def with_new_names(people: People, typed: Iterable[str]) -> People:
    """Return the people with a new handle for each typed name that has none."""
    names, find = dict(people.names), handle_finder(people)
    new: dict[str, str] = {}
    for name in typed:
        if find(name) is None:
            new.setdefault(folded(name), checked_display_name(name))
    for name in new.values():
        handle = new_handle()
        while handle in names:
            handle = new_handle()
        names[handle] = name
    return structs.replace(people, names=names)


def named(people: People, player: str, name: str) -> People:
    """Return the people with a display name for a player. Raise `ConflictError` if it is shown for another one.

    Two players under one name would be taken for one.
    """
    for other, shown in people.names.items():
        if other != player and folded(shown) == folded(name):
            raise ConflictError("exists", phrase("name_is_shown", text=name, player=other))
    return structs.replace(people, names={**people.names, player: name})


def unnamed(people: People, player: str) -> People:
    """Return the people without the display name of a player. Raise `NotFoundError` if there is none."""
    if player not in people.names:
        advice = hint(player, people.names, phrase("record_stays"))
        raise NotFoundError("not_found", phrase("no_name_is_shown", text=player, hint=advice))
    return structs.replace(people, names=_without(people.names, player))


def linked(people: People, spelling: str, player: str) -> People:
    """Return the people with a spelling linked to another one of the same person.

    Raise `ConflictError` if both are one person already, or the spelling is linked to another one.
    """
    if people.person(spelling) == people.person(player):
        raise ConflictError("exists", phrase("one_already", text=spelling, player=player))
    if spelling in people.links:
        raise ConflictError("exists", phrase("is_linked", text=spelling, player=people.links[spelling]))
    return structs.replace(people, links={**people.links, spelling: player})


def unlinked(people: People, spelling: str) -> People:
    """Return the people without the link of a spelling. Raise `NotFoundError` if there is none."""
    if spelling not in people.links:
        raise NotFoundError("not_found", phrase("not_linked", text=spelling, hint=_other_end(people, spelling)))
    return structs.replace(people, links=_without(people.links, spelling))


def _other_end(people: People, spelling: str) -> Text:
    """Return advice: the spellings linked to this one, else a similar one."""
    of_it = [other for other, player in sorted(people.links.items()) if player == spelling]
    if of_it:
        return phrase("unlink_those", names=tuple(of_it))
    return hint(spelling, people.links, phrase("links_are_listed"))


def hiding(people: People, player: str) -> People:
    """Return the people with a player hidden. Raise `ConflictError` if the person is hidden already."""
    if people.person(player) in people.hidden_persons():
        raise ConflictError("exists", phrase("hidden_already", text=player))
    return structs.replace(people, hidden=people.hidden | {player})


def showing(people: People, player: str) -> People:
    """Return the people with a person no longer hidden. Raise `NotFoundError` if the person is not hidden."""
    person = people.person(player)
    if person not in people.hidden_persons():
        advice = hint(player, people.hidden, phrase("hidden_are_listed"))
        raise NotFoundError("not_found", phrase("not_hidden", text=player, hint=advice))
    return structs.replace(people, hidden=frozenset(one for one in people.hidden if people.person(one) != person))


def _without(facts: Mapping[str, str], key: str) -> dict[str, str]:
    return {one: value for one, value in facts.items() if one != key}
