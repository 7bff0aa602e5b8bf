"""What a hand record must not hold: each mistake with the exact message, line and all."""

from __future__ import annotations

import re

import pytest

from ledger.errors import MalformedError
from ledger.recording.hand.record import read_hand_record

RECORD = """\
game = "ombre"
table = "evening"
players = ["Belinda", "Baron", "Clarissa"]

[[deal]]
dealer = "Clarissa"
calls = "entrada pass pass"
trump = "S"
exchange = '''
D7 D6 H3 > CA D3 C6
C7 C3 H2 > S5 S4 HA
4
'''
play = '''
SA S4 S3
S2 S5 S6
CA S7 H7
SK SJ CJ
CK SQ C4
DK C5 D3
DQ H6 C6
DJ H5 HQ
HA H4 HK
'''
sheet = { deltas = { Belinda = 13, Baron = -4, Clarissa = -9 }, pool = 0 }

[deal.hands]
Belinda = "SA S2 SK CK HK HQ D7 D6 H3"
Baron = "SQ SJ S7 DK DQ DJ C7 C3 H2"
Clarissa = "S6 CJ C4 H7 H5 D5 D4 D2 C2"
"""

DEAL_HEAD = RECORD[: RECORD.index("calls")]

# Mistakes as `right => wrong` within RECORD, several joined by `&&`; `end` adds to it, `deal` goes on after the dealer
# of the first deal, `all` is the whole file. `\n` is a new line. Below each: what the reader says after the file name.
MISTAKES = r"""
SA S4 S3 => SA S4 SX
    line 15: neither a card nor a word of Ombre: 'SX'; expected a card such as SA, ??, or decline_defence, defend,
    stop, surrender, throw_in or yield_exchange
SA S4 S3 => SA S4 S10
    line 15: a card that Ombre does not have: 'S10'; expected a card of its pack, ranks A K Q J 7 6 5 4 3 2
SA S4 S3 => SA S4
    line 16: the trick before has only 2 cards: 'S2'; expected all cards of a trick in its line, ?? for one that
    nobody wrote down
SA S4 S3 => SA S4 S3 S2
    line 15: the trick was complete before this card: 'S2'; expected one line for each trick
SA S4 S3 => surender
    line 15: neither a card nor a word of Ombre: 'surender'; expected a card such as SA, ??, or decline_defence,
    defend, stop, surrender, throw_in or yield_exchange
SA S4 S3 => Betty: SA S4 S3
    line 15: no player of that name: 'Betty'; expected Belinda, Baron or Clarissa
SA S4 S3 => B: SA S4 S3
    line 15: a name that fits several players: 'B'; expected Belinda or Baron
SA S4 S3 => Baron:
    line 15: a name with nothing after it: 'Baron:'; expected what the player did
SA S4 S3 => : SA
    line 15: a colon without a name before it: ':'; expected Belinda, Baron or Clarissa
SA S4 S3 => Baron: Clarissa: SA
    line 15: two names with nothing between them; expected what the first player did
SA S4 S3 => SA S4 S3 >
    line 15: nobody is named after >; expected who took the trick: Belinda, Baron or Clarissa
SA S4 S3 => SA S4 S3 > Nobody
    line 15: no player of that name: 'Nobody'; expected Belinda, Baron or Clarissa
SA S4 S3 => ;;
    line 15: a line without words: ';;'; expected what the players did
S2 S5 S6 => SA ?? ?? && SA S4 S3 => ?? ?? ??
    line 16: the winner of the trick before is not known, so nobody is due: 'SA'; expected > and the winner at the
    end of the trick before, or a name and a colon before it
HA H4 HK => HA H4 HK\nS6
    line 24: the deal is over, so nobody is due: 'S6'; expected a name and a colon before it
"entrada pass pass" => "entrada pass pasc"
    line 7: not a call: 'pasc'; expected entrada, entrada_favour, pass, solo, solo_favour or vuelta
SA S4 S3 => d
    line 15: a beginning that fits several words: 'd'; expected decline_defence or defend
"entrada pass pass" => "entrada entrada pass pass"
    line 7: Baron could not call entrada, so it is not clear who speaks next: 'pass'; expected a name and a colon
    before it
"entrada pass pass" => "entrada pass pass solo"
    line 7: who does this does not follow from the rules: 'solo'; expected a name and a colon before it
"entrada pass pass" => "entrada SA pass pass"
    line 7: bid_made.card means nothing in Ombre: 'SA'; expected no card
trump = "S" => trump = "X"
    line 8: not a suit: 'X'; expected S, H, D or C
trump = "S" => trump = "S H"
    line 8: more or less than one word: 'S H'; expected one suit, perhaps after a name and a colon
trump = "S" => turned = "S1"
    line 8: not a card: 'S1'; expected a suit S H D C and a rank A K Q J T 9 … 2, for example SA or H10
trump = "S" => turned = "??"
    line 8: not a card: '??'; expected a suit S H D C and a rank A K Q J T 9 … 2, for example SA or H10
D7 D6 H3 > CA D3 C6 => D7 D6 H3 > CA D3
    line 10: not as many cards drawn as put aside: 'CA D3'; expected 3 after >
D7 D6 H3 > CA D3 C6 => many
    line 10: not an exchange: 'many'; expected the cards put aside, their number, or none
D7 D6 H3 > CA D3 C6 => 99
    line 10: not an exchange: '99'; expected the cards put aside, their number, or none
D7 D6 H3 > CA D3 C6 => D7 D6 S2 SA && SA S2 SK => SA S3 SK
    line 11: after line 10 (Belinda put aside cards not held: ♠2, OMB-11.26) nobody is due: 'C7'; expected a name
    and a colon before it
HQ D7 D6 H3" => HQ D7 D6 H3 H4"
    line 7: after line 27 (Belinda was dealt 10 cards instead of 9, OMB-11.10) nobody is due: 'entrada'; expected
    a name and a colon before it
HQ D7 D6 H3" => HQ D7 D6 H33"
    line 28: not a card: 'H33'; expected a suit S H D C and a rank A K Q J T 9 … 2, for example SA or H10
Clarissa = "S6 => Clara = "S6
    line 30: no player of that name: 'Clara'; expected Belinda, Baron or Clarissa
Clarissa = "S6 => Bel = "S6
    line 30: the same player twice: 'Bel'; expected one hand each
dealer = "Clarissa" => dealer = "Dora"
    line 6: no player of that name: 'Dora'; expected Belinda, Baron or Clarissa
dealer = "Clarissa"\n =>
    line 5: deal 1 has no dealer; expected dealer = "a name"
dealer => deeler
    line 6: unknown key in deal 1: 'deeler'; expected dealer
trump = => tromp =
    line 8: unknown key in deal 1: 'tromp'; expected trump
trump = "S" => trump = 5
    line 8: deal 1, trump cannot be read: '5'; expected a text in quotes
trump = "S" => trump = S
    line 8: a text without quotation marks: 'trump = S'; expected trump = "S"
trump = "S" => trump = "S
    line 8: a text without its other quotation mark: 'trump = "S'; expected trump = "S"
exchange = ''' => exchange = ''''''\nexchange = '''
    line 10: exchange stands here twice: "exchange = '''"; expected each key once, and [[deal]] above each deal
HA H4 HK\n''' => HA H4 HK\n
    line 14: a text that is not closed: "play = '''"; expected ''' below its last line
game = "ombre" => game = "bridge"
    line 1: table_opened.game is not known: 'bridge'; expected baska or couillon or kop or ombre or quadrille
game = "ombre"\n =>
    line 1: game is missing; expected a line such as game = "ombre"
table = "evening" => table = "Our evening"
    line 2: table cannot be read: 'Our evening'; expected 1 to 64 lower-case letters, digits or -
, "Clarissa"] => ]
    line 3: wrong number of players: '2'; expected 3 or 4 names (OMB-2.1)
"Baron", "Clarissa"] => "Belinda", "Clarissa"]
    line 3: two players of the same name: 'Belinda'; expected names that can be told apart
"Baron", "Clarissa"] => "table", "Clarissa"]
    line 3: not a player's name: it stands for the recorder: 'table'; expected another name
"Baron", "Clarissa"] => "", "Clarissa"]
    line 3: players: too short, 0 characters: ''; expected at least 1 character
"Baron", "Clarissa"] => 5, "Clarissa"]
    line 3: players cannot be read: '5'; expected a text in quotes
\n[[deal]] => \n[options]\nante = "five"\n\n[[deal]]
    line 6: options.ante: not allowed, str: 'five'; expected int
\n[[deal]] => \n[options]\nanti = 5\n\n[[deal]]
    line 6: options: unknown field anti: '{"players":3,"anti":5}'; expected perhaps ante
\n[[deal]] => \n[options]\nplayers = 4\n\n[[deal]]
    line 6: options.players disagrees with the names: '4'; expected 3, the number of names
\n[[deal]] => \n[options]\nante = 2.5\n\n[[deal]]
    line 6: options.ante is no amount: '2.5'; expected a whole number
\n[[deal]] => \n[options]\nante = 99999999999999999999\n\n[[deal]]
    line 6: options.ante is no amount: '99999999999999999999'; expected a number with at most 15 digits
\n[[deal]] => \n[session]\nslug = "Evening"\n\n[[deal]]
    line 6: session.slug cannot be read: 'Evening'; expected 1 to 64 lower-case letters, digits or -
\n[[deal]] => \n[session]\nslug = "evening"\ntitle = "Evening"\ndate = "2026-02-30"\n\n[[deal]]
    line 8: date: '2026-02-30'; expected a day such as 2026-01-05
\n[[deal]] => \n[session]\nslug = "evening"\ndat = 2026-02-20\n\n[[deal]]
    line 7: unknown key in session: 'dat'; expected date
\n[[deal]] => \n[session]\nslug = "evening"\ntitle = "Evening"\n\n[[deal]]
    line 7: session.title without date: 'Evening'; expected title and date, which open the session, or slug alone
    where it is opened elsewhere
\n[[deal]] => \n[session]\nslug = "evening"\ndate = 2026-02-20\nclub = "Reading room"\n\n[[deal]]
    line 7: session.date without title: '2026-02-20'; expected title and date, which open the session, or slug alone
    where it is opened elsewhere
\n[[deal]] => \n[session]\nslug = "evening"\nplace = "Reading room"\n\n[[deal]]
    line 7: session.place without title and date: 'Reading room'; expected title and date, which open the session,
    or slug alone where it is opened elsewhere
pool = 0 } => pool = "nothing" }
    line 25: sheet.pool cannot be read: 'nothing'; expected a whole number
Clarissa = -9 } => Clarissa = "-9" }
    line 25: sheet.deltas cannot be read: "{'Belinda': 13, 'Baron': -4, 'Clarissa': '-9'}"; expected a whole
    number for each name
Baron = -4, Clarissa = -9 } => Baron = -4 }
    line 25: Clarissa is missing; expected an amount for every player
pool = 0 } => pol = 0 }
    line 25: unknown key in deal 1, sheet: 'pol'; expected pool
pool = 0 } => pool = 0, tricks = { Belinda = 5, Barn = 4 } }
    line 25, tricks: no player of that name: 'Barn'; expected Belinda, Baron or Clarissa
pool = 0 } => pool = 0, estuches = "four" }
    line 25: deal 1, sheet.estuches cannot be read: 'four'; expected a whole number
dealer = "Clarissa" => dealer = "Clarissa"\nwhen = "yesterday"
    line 7: not a moment: 'yesterday'; expected a date and time with its offset, as 2026-01-05T19:30:00+09:00
dealer = "Clarissa" => dealer = "Clarissa"\nwhen = 2026-01-09T19:30:00
    line 7: a time without its offset from UTC: '2026-01-09T19:30:00'; expected a date and time with its offset,
    as 2026-01-05T19:30:00+09:00, or utc_offset = "+09:00" at the top
"Clarissa"]\n\n => "Clarissa"]\nutc_offset = "Europe/Berlin"\n\n
    line 4: utc_offset cannot be read: 'Europe/Berlin'; expected an offset such as "+09:00"
"Clarissa"]\n\n => "Clarissa"]\nutc_offset = "+25:00"\n\n
    line 4: utc_offset cannot be read: '+25:00'; expected an offset such as "+09:00"
[[deal]] => [deal]
    line 5: not a list of deals: '[deal]'; expected [[deal]] above each deal
trump = "S" => trump = "S"\nstock = "S4 S7"
    line 7: after line 9 (the stock has 2 cards instead of 13, OMB-11.10) nobody is due: 'entrada'; expected a name
    and a colon before it
dealer = "Clarissa" => dealer = "Clarissa"\nwhen = 2026-01-09
    line 7: not a moment: '2026-01-09'; expected a date and time with its offset, as 2026-01-05T19:30:00+09:00
sheet = { => result = { ombre = "Belinda", contract = "entrada" }\nsheet = {
    line 25: outcome.tricks: '[]'; expected 3 numbers, 0 for a seat that sits out
deal => result = { ombre = "Belinda", contract = "entrada", trump = "S", tricks = { Belinda = 5, Baron = 3 } }\n
    line 7: outcome.tricks: '[5, 3, 0]'; expected 9 tricks in all when the deal was played to the end
deal => [deal.result]\nombre = "Belinda"\ncontract = "grande"\n
    line 9: outcome.contract: unknown value: 'grande'; expected entrada or vuelta or solo
deal => [deal.result]\nombre = "Betty"\ncontract = "entrada"\n
    line 8, ombre: no player of that name: 'Betty'; expected Belinda, Baron or Clarissa
deal => seated = { Baron = "Belinda" }\n
    line 7: this player sits at the table already: 'Belinda'; expected another name
deal => seated = { Barn = "Zoe" }\n
    line 7: no player of that name: 'Barn'; expected Belinda, Baron or Clarissa
all => # to be typed on Sunday
    the hand record is empty; expected game = "ombre", table = "tuesday-1", players = ["Ann", "Ben", "Cleo"] and
    a [[deal]] for each deal
all => comment = "nothing"
    line 1: game is missing; expected a line such as game = "ombre"
end => [deal.expect]\nlines = ["OMB-7.18 Baron Belinda 4"]\n
    line 32: not a payment: 'OMB-7.18 Baron Belinda 4'; expected rule, who pays, >, who is paid, amount: OMB-7.18
    Baron > Belinda 4
end => [deal.expect]\nfindings = ["revoke Baron"]\n
    line 32: not a finding: 'revoke Baron'; expected the irregularity and who: OMB-11.37 Baron
end => [deal.expect]\nlegal = ["5: card_played SA"]\n
    line 32: not what is legal: '5: card_played SA'; expected the step, an event type and its values: after 5:
    card_played SA S2
end => [deal.expect]\npol = 3\n
    line 32: unknown key in deal 1, expect: 'pol'; expected pool
"""


def mistakes() -> list[tuple[str, str]]:
    found = re.findall(r"^(\S.*)\n((?:    .*\n)+)", MISTAKES, re.MULTILINE)
    return [(edits, " ".join(line.strip() for line in lines.splitlines())) for edits, lines in found]


def mistaken(edits: str) -> str:
    """The record with the mistake in it."""
    text = RECORD
    for edit in edits.replace("\\n", "\n").split(" && "):
        right, _, wrong = edit.partition(" =>")
        wrong = wrong.removeprefix(" ")
        if right in ("all", "deal", "end"):
            return {"all": "", "deal": DEAL_HEAD, "end": RECORD}[right] + wrong
        assert right in text
        text = text.replace(right, wrong, 1)
    return text


def message_of(text: str) -> str:
    with pytest.raises(MalformedError) as refused:
        read_hand_record(text, "evening.toml")
    return str(refused.value).removeprefix("evening.toml").lstrip(":, ")


def test_the_record_without_mistakes_is_read():
    assert len(read_hand_record(RECORD, "evening.toml").events) == 38


@pytest.mark.parametrize(("edits", "message"), mistakes(), ids=[edits for edits, _ in mistakes()])
def test_a_mistake_is_named_with_its_line(edits, message):
    assert message_of(mistaken(edits)) == message


def test_there_are_as_many_cases_as_the_project_promises():
    assert len(mistakes()) >= 40


def test_text_that_is_no_text_is_refused():
    assert message_of('game = "ombre\ud800"') == "line 1: not a character: '\\ud800'; expected text in UTF-8"


def test_nesting_without_end_is_refused():
    assert message_of("a = " + "[" * 5_000) == "nested too deeply; expected a hand record"


def test_a_file_that_is_too_long_is_refused():
    text = RECORD + "#" * 1_000_000
    told = f"too long a hand record: {len(text):,} characters; expected at most 1,000,000 characters"
    assert message_of(text) == told
