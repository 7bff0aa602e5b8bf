"""The members of an invented club: names, skill, and how often they come."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import NamedTuple

from ledger.errors import MalformedError, in_file
from ledger.i18n import one_of
from ledger.limits import NAME_CHARS, PLAYERS_CHARS
from ledger.outside import read_text_file
from ledger.recording.catalogue import phrase
from ledger.recording.seasons.policies import SKILLS


class Member(NamedTuple):
    """A person. `skill`: a name among `SKILLS`. `comes`: the share of evenings on which they are present."""

    name: str
    skill: str
    comes: float


_COMES_LEAST, _COMES_MOST = 0.3, 0.98


def invent_members(chance: Random) -> tuple[Member, ...]:
    """Return the members of an invented club from several countries."""
    return _members(files(__package__).joinpath("club.txt").read_text(encoding="utf-8"), "club.txt", chance)


def read_members(path: Path, chance: Random) -> tuple[Member, ...]:
    """Read one person a line, e.g. `Zofia Gąsior`, `Ben; counting` or `Kim; careful; 0.8`; `#` begins a comment.

    Missing values are drawn. Raise the errors of `outside.opened`, and `MalformedError` naming line, text and what was
    expected.
    """
    try:
        text = read_text_file(path, "players", PLAYERS_CHARS)
    except UnicodeDecodeError:
        raise MalformedError(phrase("members.no_text"), phrase("members.lines"), where=in_file(path)) from None
    members = _members(text, path, chance)
    if not members:
        raise MalformedError(phrase("members.nobody"), phrase("members.lines"), where=in_file(path))
    return members


def _members(text: str, file: str | Path, chance: Random) -> tuple[Member, ...]:
    members: dict[str, Member] = {}
    for number, line in _lines(text):
        try:
            member = _read(line, chance)
            if member.name in members:
                raise MalformedError(phrase("members.twice"), phrase("members.once"), member.name)
        except MalformedError as error:
            raise error.at(phrase("members.place", file=file, line=number)) from None
        members[member.name] = member
    return tuple(members.values())


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        content = line.partition("#")[0].strip()
        if content:
            yield number, content


def _read(line: str, chance: Random) -> Member:
    name, *fields = (part.strip() for part in line.split(";"))
    if not name or len(name) > NAME_CHARS or len(fields) > 2:
        raise MalformedError(phrase("members.no_person"), phrase("members.person"), line)
    skill, comes = (*fields, "", "")[:2]
    if skill and skill not in SKILLS:
        raise MalformedError(phrase("members.skill"), one_of(SKILLS), skill)
    return _member(name, skill or None, _share(comes) if comes else None, chance)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 < share <= 1:
        raise MalformedError(phrase("members.comes"), phrase("members.share"), text)
    return share


def _member(name: str, skill: str | None, comes: float | None, chance: Random) -> Member:
    """Return a member. Both values are always drawn, so that changing one line changes no other member."""
    drawn_skill, drawn_share = chance.choice(tuple(SKILLS)), chance.uniform(_COMES_LEAST, _COMES_MOST)
    return Member(name, skill or drawn_skill, comes or round(drawn_share, 2))
