"""The one layout of a hand record: what it tells and its comments stay, and laid out again it stays the same."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.errors import MalformedError
from ledger.recording.hand.layout import laid_out
from ledger.recording.hand.record import read_hand_record
from ledger.recording.hand.written import TableToWrite, written_record
from tests.hand_records import REPLAYS, record_in, table_events

RECORDS = sorted(REPLAYS.glob("**/*.toml"))

TYPED = """# Sheet 12
# in pencil

players=["Margit",'Paulo',   "Ines"] # in the order of play
# which game
game  =  "ombre"
table="t"
closed = true
[options]
ante=10
[[deal]]   # the first
play = [ "c2 h6, CQ", "♠A  hj HQ # a comment / of a line" ]
dealer = "Paulo"
exchange = \"\"\"

  dq d5->H5 h3   # two of them
SQ D4 CJ C3 > S2 CA CK CQ / s7 DA DJ D7 C7 C5 C4
\"\"\"
# what they said
calls = "pass entrada , pass"
trump = 'H'
notes = \"\"\"
two # lines
\"\"\"
  [deal.hands]
Margit = "SA SK HA H6 H4 H2 DK DQ 5d"  # held
Paulo = "SQ S6 S4 S3 HJ D6 D4 CJ C3"
# the end
"""

LAID_OUT = """# Sheet 12
# in pencil

# which game
game = "ombre"
table = "t"
players = ["Margit", "Paulo", "Ines"]  # in the order of play
closed = true

[options]
ante = 10

[[deal]]  # the first
dealer = "Paulo"
# what they said
calls = "pass entrada pass"
trump = "H"
exchange = \"\"\"
DQ D5 > H5 H3  # two of them
SQ D4 CJ C3 > S2 CA CK CQ
S7 DA DJ D7 C7 C5 C4
\"\"\"
play = \"\"\"
C2 H6 CQ
SA HJ HQ  # a comment / of a line
\"\"\"
notes = \"\"\"
two # lines
\"\"\"

[deal.hands]
Margit = "SA SK HA H6 H4 H2 DK DQ D5"  # held
Paulo = "SQ S6 S4 S3 HJ D6 D4 CJ C3"

# the end
"""


def test_a_file_as_somebody_typed_it_is_laid_out():
    assert laid_out(TYPED, "t.toml") == LAID_OUT
    assert laid_out(LAID_OUT, "t.toml") == LAID_OUT


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_what_a_record_tells_stays_and_it_is_laid_out_once_and_for_all(path):
    text = path.read_text(encoding="utf-8")
    made = laid_out(text, path.name)
    again = read_hand_record(made, path.name)
    assert (again.events, again.expectations) == (record_in(path).events, record_in(path).expectations)
    assert laid_out(made, path.name) == made
    assert made.count("#") == text.count("#")


@pytest.mark.parametrize("path", RECORDS[::3], ids=lambda path: path.stem)
def test_a_table_out_of_the_ledger_is_laid_out_so_already(path):
    reading = list(enumerate(table_events(record_in(path)), 1))
    written = written_record(TableToWrite(slug="t", reading=reading)).text
    assert laid_out(written, "t.toml") == written


@settings(max_examples=150)
@given(data=st.data())
def test_no_comment_is_lost_wherever_it_stands(data):
    """A comment behind any line that may have one, and above any statement."""
    lines = LAID_OUT.split("\n")
    place = data.draw(st.sampled_from([at for at, line in enumerate(lines) if line and "#" not in line]))
    comment = data.draw(st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), min_size=1, max_size=8))
    comment = re.sub(r'#|""+', "", comment)  # two marks of a text would be written with signs before them
    sign = f"  # <{comment}>"
    if data.draw(st.booleans()) or '"""' in lines[place]:
        lines.insert(place, sign.strip())
    else:
        lines[place] += sign
    typed = "\n".join(lines)
    try:
        before = read_hand_record(typed, "t.toml")
    except MalformedError:
        return
    made = laid_out(typed, "t.toml")
    assert made.count(sign.strip()) == 1
    assert read_hand_record(made, "t.toml").events == before.events


def test_a_list_with_a_comment_in_it_stays_as_it_was_typed():
    typed = LAID_OUT.replace('"Ines"]  # in the order of play', '"Ines"]').replace(
        'players = ["Margit", ', 'players = [\n  "Margit",  # deals\n  '
    )
    assert laid_out(typed, "t.toml") == typed


def test_line_ends_of_other_systems_become_ours():
    assert laid_out(LAID_OUT.replace("\n", "\r\n"), "t.toml") == LAID_OUT


def test_what_cannot_be_understood_is_refused_with_its_line():
    with pytest.raises(MalformedError, match=r"^t\.toml, line 16: unknown key in deal 1: 'bids'"):
        laid_out(LAID_OUT.replace("calls =", "bids ="), "t.toml")
