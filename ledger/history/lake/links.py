"""The links of players across the clubs of a lake: one person, with a spelling at each of several clubs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta, Struct

from ledger.errors import MalformedError
from ledger.history.catalogue import phrase
from ledger.history.lake.storage import Storage
from ledger.i18n.library_errors import localised
from ledger.toml import parse_toml
from ledger.validation import converted

LINKS: Final = "links.toml"
"""File name of the links in the folder of a lake."""

_Name = Annotated[str, Meta(min_length=1, max_length=200)]


class LinkedPerson(Struct, frozen=True, forbid_unknown_fields=True):
    """A person who plays at several clubs: the name to count under, and the players, e.g. `kent/Ann`, one a club."""

    name: _Name
    spellings: Annotated[tuple[_Name, ...], Meta(min_length=1)]


class LakeLinks(Struct, frozen=True, forbid_unknown_fields=True):
    """The file `links.toml` of a lake of several clubs."""

    person: tuple[LinkedPerson, ...] = ()


def read_links(lake: Storage) -> Mapping[str, str]:
    """Return the name of the person of each linked spelling; none without the file.

    Raise `MalformedError` for a file that is not one, or with two spellings of one club or person.
    """
    stored = lake.read(LINKS)
    if stored is None:
        return {}
    where = f"{lake.address}/{LINKS}"
    try:
        links = converted(parse_toml(stored[0].decode()), LakeLinks, "")
    except UnicodeDecodeError:
        raise MalformedError(phrase("league.no_text"), phrase("league.toml"), where=where) from None
    except (ValueError, RecursionError) as error:
        raise MalformedError(phrase("league.no_toml", why=localised(error)), where=where) from None
    except MalformedError as error:
        raise error.at(where) from None
    persons: dict[str, str] = {}
    for person in links.person:
        if person.name in persons.values():
            raise MalformedError(phrase("lake.linked_twice"), "name", person.name, where=where)
        clubs = [spelling.partition("/")[0] for spelling in person.spellings]
        for spelling, club in zip(person.spellings, clubs, strict=True):
            if spelling in persons or clubs.count(club) > 1:  # two of one club may have sat at one table
                raise MalformedError(phrase("lake.linked_twice"), "spellings", spelling, where=where)
            persons[spelling] = person.name
    return persons


def unknown_spelling(lake: Storage, spelling: str) -> MalformedError:
    """Return the error for a spelling that no table of the lake has."""
    return MalformedError(phrase("lake.unknown_spelling"), "spellings", spelling, where=f"{lake.address}/{LINKS}")
