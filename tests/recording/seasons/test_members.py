"""The list of the members of an invented club."""

from __future__ import annotations

import tomllib
from pathlib import Path
from random import Random

import pytest

from ledger.errors import MalformedError
from ledger.recording.seasons.members import Member, invent_members, read_members
from ledger.recording.seasons.policies import SKILLS

REFUSED = tomllib.loads(Path(__file__).with_name("members.toml").read_text(encoding="utf-8"))


def members_of(tmp_path: Path, text: str) -> tuple[Member, ...]:
    path = tmp_path / "members.txt"
    path.write_text(text, encoding="utf-8")
    return read_members(path, Random("1"))


def test_a_line_says_a_name_and_if_wanted_how_well_and_how_often_he_plays(tmp_path: Path) -> None:
    ada, ben, kim = members_of(tmp_path, "# our club\nAda Ś\n\nBen; counting\n花子; careful ; 0.8 # since May\n")
    assert ada.name == "Ada Ś"
    assert ada.skill in SKILLS
    assert 0 < ada.comes <= 1
    assert (ben.name, ben.skill) == ("Ben", "counting")
    assert kim == Member("花子", "careful", 0.8)


def test_a_changed_line_changes_nobody_else(tmp_path: Path) -> None:
    drawn = members_of(tmp_path, "Ada\nBen\nKim\n")
    assert members_of(tmp_path, "Ada\nBen; random; 0.5\nKim\n")[2] == drawn[2]


@pytest.mark.parametrize(("text", "message"), REFUSED.items())
def test_an_unreadable_line_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(MalformedError) as error:
        members_of(tmp_path, text)
    assert message in str(error.value)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "members.txt"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MalformedError, match="this is not a text file"):
        read_members(path, Random("1"))


def test_an_invented_club_has_people_of_each_skill() -> None:
    club = invent_members(Random("1"))
    assert {member.skill for member in club} == set(SKILLS)
    assert len({member.name for member in club}) == len(club)
