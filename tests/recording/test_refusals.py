"""What cannot be an entry: each file with the exact message that refuses it, and a ledger that stays as it was."""

# ruff: noqa: E501 - a message is easier to compare on one line

from __future__ import annotations

import pytest

from ledger.errors import MalformedError
from ledger.log.memory import MemoryStore
from ledger.recording.importing import import_content

OPENED = b'{"stream":"table/t","event":{"type":"table_opened","game":"ombre","players":["Ann","Bob","Cyd"]}}'
DEALT = b'{"stream":"table/t","event":{"type":"deal_started","deal":1,"dealer":2}}'
COUILLON = b'{"stream":"table/t","event":{"type":"table_opened","game":"couillon","players":["A","B","C","D"]}}'
KOP = COUILLON.replace(b"couillon", b"kop")
SESSION = b'{"stream":"session/s","event":{"type":"session_opened","title":"Spring","date":"2026-03-20"}}'

REFUSALS = [
    pytest.param(b"", "evening.ndjson: nothing to import; expected events as NDJSON, or a hand record", id="empty"),
    pytest.param(
        b"\n  \n", "evening.ndjson: nothing to import; expected events as NDJSON, or a hand record", id="blank"
    ),
    pytest.param(
        b"hello",
        "evening.ndjson, line 1: not a JSON object: 'hello'; expected one event as JSON on one line",
        id="notjson",
    ),
    pytest.param(
        b'{"stream":"table/t","event":',
        'evening.ndjson, line 1: not a JSON object: \'{"stream":"table/t","event":\'; expected one event as JSON on one line',
        id="trunc",
    ),
    pytest.param(b"[1,2]", "evening.ndjson, line 1: not allowed, array: '[1,2]'; expected object", id="array"),
    pytest.param(
        b"\n".join([OPENED, b'{"stream":"table/t","event":{"type":"noted","text":"\xe9"}}']),
        "evening.ndjson, line 2, column 53: not UTF-8: '�\"}}'; expected a text file in UTF-8",
        id="latin",
    ),
    pytest.param(
        b"caf\xe9 = 1",
        "evening.ndjson, line 1, column 4: not UTF-8: '� = 1'; expected a text file in UTF-8",
        id="latin-first",
    ),
    pytest.param(
        b"\n".join([OPENED, b'{"stream": "table/t", "event": {"type": "card_playd", "seat": 0, "card": "SA"}}']),
        "evening.ndjson, line 2: event.type: unknown type: 'card_playd'; expected a type of the contract, perhaps card_played",
        id="unknown-type",
    ),
    pytest.param(
        b"\n".join(
            [OPENED, b'{"stream": "table/t", "event": {"type": "deal_started", "deal": 1, "dealer": 0, "x": 1}}']
        ),
        'evening.ndjson, line 2: event: unknown field x: \'{"type":"deal_started","deal":1,"dealer":0,"x":1}\'; expected only deal, dealer',
        id="unknown-field",
    ),
    pytest.param(
        b"\n".join([OPENED, b'{"stream": "table/t", "event": {"type": "deal_started", "deal": 1}}']),
        'evening.ndjson, line 2: event: a field is missing: \'{"type":"deal_started","deal":1}\'; expected dealer',
        id="missing",
    ),
    pytest.param(
        b"\n".join([OPENED, b'{"stream":"table/t","event":{"type":"deal_started","deal":1,"dealer":2,"dealer":1}}']),
        "evening.ndjson, line 2: a field written twice: 'dealer'; expected each field once",
        id="field-twice",
    ),
    pytest.param(
        b"\n".join([OPENED, b'{"stream": "table/t", "stream": "table/t", "event": {"type": "noted", "text": "hm"}}']),
        "evening.ndjson, line 2: a field written twice: 'stream'; expected each field once",
        id="field-twice-with-the-same-value",
    ),
    pytest.param(
        OPENED.replace(b'"players"', b'"options":{"ante":1,"ante":2},"players"'),
        "evening.ndjson, line 1: a field written twice: 'ante'; expected each field once",
        id="field-twice-in-depth",
    ),
    pytest.param(
        b"\n".join([OPENED, DEALT.replace(b'"deal":1', b'"deal":1,"d\\u0065al":1')]),
        "evening.ndjson, line 2: a field written twice: 'deal'; expected each field once",
        id="field-twice-spelled-otherwise",
    ),
    pytest.param(
        b'{"stream":"table/t"}',
        'evening.ndjson, line 1: a field is missing: \'{"stream":"table/t"}\'; expected event',
        id="no-event",
    ),
    pytest.param(
        b'{"stream":"table/t","event":{"type":"table_opened","game":"ombre","players":["Ann","Bob","Cyd"]},"version":1}',
        'evening.ndjson, line 1: unknown field version: \'{"stream":"table/t","event":{"type":"table_opened","game":"ombre","players":["Ann","Bob","Cyd"]},"version":1}\'; expected only stream, event, id, happened_at',
        id="extra-env",
    ),
    pytest.param(
        b'{"stream":"Table/T","event":{"type":"table_opened","game":"ombre","players":["Ann","Bob","Cyd"]}}',
        "evening.ndjson, line 1: stream: not allowed: 'Table/T'; expected table/ or session/ and a slug of a–z, 0–9 and -, 1 to 64 characters",
        id="stream",
    ),
    pytest.param(
        b"\n".join(
            [OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "card_played", "seat": 9, "card": "SA"}}']
        ),
        "evening.ndjson, line 3: event.seat: not allowed: '9'; expected int <= 7",
        id="seat-9",
    ),
    pytest.param(
        b"\n".join(
            [OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "card_played", "seat": 3, "card": "SA"}}']
        ),
        "evening.ndjson, line 3, table/t: seat: '3'; expected a seat from 0 to 2",
        id="seat-3",
    ),
    pytest.param(
        b"\n".join(
            [OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "card_played", "seat": -1, "card": "SA"}}']
        ),
        "evening.ndjson, line 3: event.seat: not allowed: '-1'; expected int >= 0",
        id="seat--1",
    ),
    pytest.param(
        b"\n".join(
            [OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "card_played", "seat": 0, "card": "XX"}}']
        ),
        "evening.ndjson, line 3, card: not a card: 'XX'; expected a suit S H D C and a rank A K Q J T 9 … 2, for example SA or H10",
        id="card",
    ),
    pytest.param(
        b"\n".join(
            [OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "card_played", "seat": 0, "card": "ST"}}']
        ),
        "evening.ndjson, line 3, table/t: card is not in the pack: 'ST'; expected a card of Ombre",
        id="foreign",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "cards_dealt", "hands": [["SA", "S9"], null, null]}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: hands[0] is not in the pack: 'S9'; expected a card of Ombre",
        id="foreign-hand",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "cards_dealt", "hands": [["SA", "Q"], null, null]}}',
            ]
        ),
        "evening.ndjson, line 3, hands[0][1]: not a card: 'Q'; expected a suit S H D C and a rank A K Q J T 9 … 2, for example SA or H10",
        id="bad-hand-card",
    ),
    pytest.param(
        b"\n".join([OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "cards_dealt", "hands": [null, null]}}']),
        "evening.ndjson, line 3, table/t: hands: '2'; expected 3 hands, one for each seat",
        id="hands-n",
    ),
    pytest.param(
        b"\n".join([OPENED, b'{"stream": "table/t", "event": {"type": "card_played", "seat": 0, "card": "SA"}}']),
        "evening.ndjson, line 2, table/t: no deal has been started: 'card_played'; expected deal_started first",
        id="no-deal",
    ),
    pytest.param(
        DEALT,
        "evening.ndjson, line 1, table/t: the table has not been opened: 'deal_started'; expected table_opened first",
        id="not-opened",
    ),
    pytest.param(
        b"\n".join([OPENED, OPENED]),
        "evening.ndjson, line 2, table/t: the table is open already: 'table_opened'; expected another slug for another table, the next event of this one, or `trickledger correct` to change what stands in the ledger",
        id="twice-opened",
    ),
    pytest.param(
        b'{"stream":"table/t","event":{"type":"table_opened","game":"hombre","players":["Ann","Bob","Cyd"]}}',
        "evening.ndjson, line 1, table/t: table_opened.game is not known: 'hombre'; expected baska or couillon or kop or ombre or quadrille",
        id="game",
    ),
    pytest.param(
        b'{"stream":"table/t","event":{"type":"table_opened","game":"ombre","players":["Ann","Bob"]}}',
        "evening.ndjson, line 1, table/t: wrong number of players: '2'; expected 3 or 4 names (OMB-2.1)",
        id="players-2",
    ),
    pytest.param(
        b'{"stream":"table/t","event":{"type":"table_opened","game":"ombre","players":["Ann","Bob"," "]}}',
        "evening.ndjson, line 1: players[2]: ' '; expected a name that can be read",
        id="player-blank",
    ),
    pytest.param(
        b'{"stream":"table/t","event":{"type":"table_opened","game":"ombre","players":["Ann","Bob","C\\u0007"]}}',
        "evening.ndjson, line 1: players[2]: 'C\\x07'; expected a name that can be read",
        id="player-control",
    ),
    pytest.param(
        b'{"stream":"table/t","event":{"type":"table_opened","game":"ombre","options":{"antes":5},"players":["Ann","Bob","Cyd"]}}',
        'evening.ndjson, line 1, table/t: options: unknown field antes: \'{"players":3,"antes":5}\'; expected perhaps ante',
        id="option",
    ),
    pytest.param(
        b'{"stream":"table/t","event":{"type":"table_opened","game":"ombre","options":{"ante":-1},"players":["Ann","Bob","Cyd"]}}',
        "evening.ndjson, line 1, table/t: options.ante: not allowed: '-1'; expected int >= 0",
        id="option-value",
    ),
    pytest.param(
        b'{"stream":"table/t","event":{"type":"table_opened","game":"ombre","options":{"ante":"5"},"players":["Ann","Bob","Cyd"]}}',
        "evening.ndjson, line 1, table/t: options.ante: not allowed, str: '5'; expected int",
        id="option-type",
    ),
    pytest.param(
        b'{"stream":"table/t","event":{"type":"table_opened","game":"ombre","options":{"players":4},"players":["Ann","Bob","Cyd"]}}',
        "evening.ndjson, line 1, table/t: options.players disagrees with the names: '4'; expected 3, the number of names",
        id="option-players",
    ),
    pytest.param(
        b"\n".join(
            [OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "bid_made", "seat": 0, "call": "grand"}}']
        ),
        "evening.ndjson, line 3, table/t: call is not in Ombre: 'grand'; expected entrada or entrada_favour or pass or solo or solo_favour or vuelta",
        id="call",
    ),
    pytest.param(
        b"\n".join([OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "bid_made", "seat": 0, "call": "PASS"}}']),
        "evening.ndjson, line 3: event.call: not allowed: 'PASS'; expected a word in lower case",
        id="call-upper",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "bid_made", "seat": 0, "call": "pass", "card": "SJ"}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: bid_made.card means nothing in Ombre: 'SJ'; expected no card",
        id="call-card",
    ),
    pytest.param(
        b"\n".join([OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "trump_named", "seat": 0, "suit": "X"}}']),
        "evening.ndjson, line 3: event.suit: unknown value: 'X'; expected S or H or D or C",
        id="suit",
    ),
    pytest.param(
        b"\n".join([OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "announced", "seat": 0, "what": "mit"}}']),
        "evening.ndjson, line 3, table/t: what is not in Ombre: 'mit'; expected decline_defence or defend or stop or surrender or throw_in or yield_exchange",
        id="announced",
    ),
    pytest.param(
        b"\n".join(
            [OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "announced", "seat": null, "what": "stop"}}']
        ),
        "evening.ndjson, line 3, table/t: announced.seat of stop is null; expected the seat that says it",
        id="announced-null",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "announced", "seat": 0, "what": "stop", "seats": [0, 1]}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: announced.seats means nothing in Ombre: '[0, 1]'; expected no seats",
        id="announced-seats",
    ),
    pytest.param(
        b"\n".join(
            [OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "partner_called", "seat": 0, "card": "SK"}}']
        ),
        "evening.ndjson, line 3, table/t: Ombre has no such action: 'partner_called'; expected announced or bid_made or card_played or card_turned or cards_dealt or cards_exchanged or trump_named",
        id="partner",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "cards_exchanged", "seat": 0, "count": 2, "discarded": ["SA"]}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: discarded: '1 cards'; expected 2 cards, as count says",
        id="count",
    ),
    pytest.param(
        b"\n".join(
            [OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "cards_exchanged", "seat": 0, "count": -1}}']
        ),
        "evening.ndjson, line 3: event.count: not allowed: '-1'; expected int >= 0",
        id="count-neg",
    ),
    pytest.param(
        b"\n".join([OPENED, b'{"stream": "table/t", "event": {"type": "deal_started", "deal": 2, "dealer": 0}}']),
        "evening.ndjson, line 2, table/t: deal: '2'; expected 1, the next deal of the table",
        id="deal-2",
    ),
    pytest.param(
        b"\n".join([OPENED, b'{"stream": "table/t", "event": {"type": "deal_started", "deal": 1.0, "dealer": 0}}']),
        "evening.ndjson, line 2: event.deal: not allowed, float: '1.0'; expected int",
        id="deal-float",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "result_recorded", "outcome": {"ombre": 0, "contract": "solo", "tricks": [5, 4, 1]}}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: outcome.tricks: '[5, 4, 1]'; expected 9 tricks in all when the deal was played to the end",
        id="outcome",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "result_recorded", "outcome": {"ombre": 0, "contract": "solo", "tricks": [5, 3, 1], "result": "CODILLE"}}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: outcome.result: 'CODILLE'; expected SACADA, which the other fields make",
        id="outcome2",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "result_recorded", "outcome": {"ombre": 0, "contract": "solitaire", "tricks": [5, 3, 1]}}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: outcome.contract: unknown value: 'solitaire'; expected entrada or vuelta or solo",
        id="outcome3",
    ),
    pytest.param(
        b"\n".join(
            [OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "result_recorded", "outcome": {"winner": 0}}}']
        ),
        "evening.ndjson, line 3, table/t: outcome: unknown field winner: '{\"winner\":0}'; expected only result, ombre, contract, trump, tricks, estuches, primeras, ending, defender",
        id="outcome4",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "bid_made", "seat": 0, "call": "pass"}}\n{"stream": "table/t", "event": {"type": "result_recorded", "outcome": {}}}',
            ]
        ),
        "evening.ndjson, line 4, table/t: deal 1 has calls or cards recorded already; expected result_recorded without play",
        id="result-after-play",
    ),
    pytest.param(
        b"\n".join([OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "score_claimed", "deltas": [1, 2]}}']),
        "evening.ndjson, line 3, table/t: deltas: '[1, 2]'; expected 3 amounts, one for each seat",
        id="deltas",
    ),
    pytest.param(
        b"\n".join(
            [OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "score_claimed", "deltas": [1.5, 2, 3]}}']
        ),
        "evening.ndjson, line 3: event.deltas[0]: not allowed, float: '1.5'; expected int",
        id="deltas-float",
    ),
    pytest.param(
        b"\n".join(
            [OPENED, DEALT, b'{"stream": "table/t", "event": {"type": "score_claimed", "sheet": {"trics": [1]}}}']
        ),
        "evening.ndjson, line 3, table/t: sheet: unknown field trics: '{\"trics\":[1]}'; expected perhaps tricks",
        id="sheet",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "ruling_given", "deal": 2, "text": "x", "kind": "void"}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: deal: '2'; expected a deal from 1 to 1",
        id="ruling-deal",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "ruling_given", "deal": 1, "text": "x", "kind": "fine"}}',
            ]
        ),
        "evening.ndjson, line 3: event.kind: unknown value: 'fine'; expected adjust or replace or void or accept or award or stands",
        id="ruling-kind",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "ruling_given", "deal": 1, "text": "x", "kind": "award", "award": {"winner": 0}}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: kind is not in Ombre: 'award'; expected accept or adjust or replace or stands or void",
        id="ruling-award",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "ruling_given", "deal": 1, "text": "x", "kind": "adjust", "deltas": [1, 0, 0]}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: deltas and pool do not add up: '1'; expected a sum of 0",
        id="ruling-sum",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "ruling_given", "deal": 1, "text": "x", "kind": "replace"}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: deltas is missing; expected an amount for each seat with the kind replace",
        id="ruling-nodeltas",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "ruling_given", "deal": 1, "text": "x", "kind": "void", "deltas": [0, 0, 0]}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: deltas: '[0,0,0]'; expected none with the kind void",
        id="ruling-deltas-void",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "ruling_given", "deal": 1, "text": "x", "kind": "void", "rule": "6.8"}}',
            ]
        ),
        "evening.ndjson, line 3: event.rule: not allowed: '6.8'; expected a rule id such as OMB-6.8",
        id="ruling-rule",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "dispute_raised", "deal": 1, "text": "x", "version": 7}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: version: '7'; expected a version from 1 to 2",
        id="dispute-version",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "ruling_given", "deal": 1, "text": "x", "kind": "stands", "dispute": 2}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: dispute: '2'; expected the version of a dispute_raised",
        id="ruling-dispute",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "corrected", "version": 9, "action": "strike", "reason": "x"}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: version: '9'; expected a version from 1 to 2",
        id="corrected-version",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "corrected", "version": 2, "action": "strike", "reason": "x", "events": []}}',
            ]
        ),
        "evening.ndjson, line 3: events: '0'; expected none with the action strike",
        id="corrected-strike-events",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "corrected", "version": 2, "action": "replace", "reason": "x"}}',
            ]
        ),
        "evening.ndjson, line 3: events is missing; expected at least one event with the action replace",
        id="corrected-none",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "corrected", "version": 1, "action": "strike", "reason": "x"}}',
            ]
        ),
        "evening.ndjson, line 3, table/t, the record with this correction of version 1: the table has not been opened: 'deal_started'; expected table_opened first",
        id="corrected-strike-opened",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "corrected", "version": 2, "action": "replace", "reason": "x", "events": [{"type": "deal_started", "deal": 1, "dealer": 5}]}}',
            ]
        ),
        "evening.ndjson, line 3, table/t, the record with this correction of version 2: dealer: '5'; expected a seat from 0 to 2",
        id="corrected-bad",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "corrected", "version": 2, "action": "replace", "reason": "x", "events": [{"type": "corrected", "version": 1, "action": "strike", "reason": "y"}]}}',
            ]
        ),
        "evening.ndjson, line 3: event.events[0].type: unknown type: 'corrected'; expected a type of the contract, perhaps score_claimed",
        id="corrected-nested",
    ),
    pytest.param(
        b'{"stream": "table/t", "event": {"type": "session_opened", "title": "x", "date": "2026-01-05"}}',
        "evening.ndjson, line 1, table/t: the table has not been opened: 'session_opened'; expected table_opened first",
        id="session-ev-on-table",
    ),
    pytest.param(
        b'{"stream":"session/s","event":{"type":"table_opened","game":"ombre","players":["Ann","Bob","Cyd"]}}',
        "evening.ndjson, line 1, session/s: type: 'table_opened'; expected session_opened, session_closed, noted or corrected",
        id="table-ev-on-session",
    ),
    pytest.param(
        b'{"stream":"session/s","event":{"type":"session_opened","title":"x","date":"2026-02-30"}}',
        "evening.ndjson, line 1: date: '2026-02-30'; expected a day such as 2026-01-05",
        id="session-date",
    ),
    pytest.param(
        b'{"stream":"session/s","event":{"type":"session_opened","title":"x","date":"5.1.2026"}}',
        "evening.ndjson, line 1: event.date: not allowed: '5.1.2026'; expected a day such as 2026-01-05",
        id="session-date-form",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "ruling_given", "deal": 1, "text": "x", "kind": "stands", "pool": 5}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: pool: '5'; expected none with the kind stands",
        id="ruling-pool-stands",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "ruling_given", "deal": 1, "text": "x", "kind": "void", "award": {"winner": 0}}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: award: '{\"winner\":0}'; expected none with the kind void",
        id="ruling-award-void",
    ),
    pytest.param(
        b"\n".join(
            [
                COUILLON,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "ruling_given", "deal": 1, "text": "x", "kind": "award"}}',
            ]
        ),
        "evening.ndjson, line 3, table/t: award is missing; expected what is awarded, with the kind award",
        id="ruling-no-award",
    ),
    pytest.param(
        b"\n".join([KOP, DEALT, b'{"stream": "table/t", "event": {"type": "trump_named", "seat": 0, "suit": "H"}}']),
        "evening.ndjson, line 3, table/t: Kop has no such action: 'trump_named'; expected announced or bid_made or card_played or cards_dealt",
        id="kop-trump",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "corrected", "version": 2, "action": "replace", "reason": "x", "events": []}}',
            ]
        ),
        "evening.ndjson, line 3: events: '[]'; expected at least one event with the action replace",
        id="corrected-empty",
    ),
    pytest.param(
        b"\n".join([SESSION, SESSION]),
        "evening.ndjson, line 2, session/s: the session is open already, so this evening seems to have been recorded: 'Spring'; expected another slug for another evening, its slug alone in a further record of this one, or `trickledger correct` to change what stands in the ledger",
        id="session-twice-opened",
    ),
    pytest.param(
        b"\n".join([SESSION, b'{"stream":"session/s","event":{"type":"noted","text":"x","seat":1}}']),
        "evening.ndjson, line 2, session/s: seat: '1'; expected none in a session",
        id="session-note-with-seat",
    ),
    pytest.param(
        b"\n".join([SESSION, b'{"stream":"session/s","event":{"type":"noted","text":"x","version":1}}']),
        "evening.ndjson, line 2, session/s: version: '1'; expected none in a session",
        id="session-note-with-version",
    ),
    pytest.param(
        b"\n".join([OPENED, '   {"stream":"table/t","event":{"type":"noted","text":"Zoë'.encode() + b'\xe9"}}']),
        "evening.ndjson, line 2, column 59: not UTF-8: '�\"}}'; expected a text file in UTF-8",
        id="latin-after-a-blank-and-a-letter-of-two-bytes",
    ),
    pytest.param(
        b"\n # to be typed\n\n#\n",
        'evening.ndjson: the hand record is empty; expected game = "ombre", table = "tuesday-1", players = ["Ann", "Ben", "Cleo"] and a [[deal]] for each deal',
        id="comments-alone",
    ),
    pytest.param(
        b'{"stream":"session/s","event":{"type":"session_closed"}}',
        "evening.ndjson, line 1, session/s: the session has not been opened: 'session_closed'; expected session_opened first",
        id="session-not-opened",
    ),
    pytest.param(
        b'{"stream":"table/t","event":{"type":"table_opened","game":"ombre","players":["Ann","Bob","Cyd"]},"happened_at":"2014-03-01"}',
        "evening.ndjson, line 1: happened_at: not allowed: '2014-03-01'; expected a moment such as 2026-01-05T18:30:00.000000Z",
        id="happened",
    ),
    pytest.param(
        b'{"stream":"table/t","event":{"type":"table_opened","game":"ombre","players":["Ann","Bob","Cyd"]},"happened_at":"2014-13-01T00:00:00.000000Z"}',
        "evening.ndjson, line 1: happened_at: '2014-13-01T00:00:00.000000Z'; expected a moment such as 2026-01-05T18:30:00.000000Z",
        id="happened2",
    ),
    pytest.param(
        b'{"stream":"table/t","event":{"type":"table_opened","game":"ombre","players":["Ann","Bob","Cyd"]},"id":"abc"}',
        "evening.ndjson, line 1: not an id: 'abc'; expected a UUID such as 0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23",
        id="id",
    ),
    pytest.param(
        b'{"position":1,"stream":"table/t"}',
        'evening.ndjson, line 1: a field is missing: \'{"position":1,"stream":"table/t"}\'; expected version',
        id="whole-then-bare",
    ),
    pytest.param(
        b'{"stream":"table/t","event":{"type":"noted","text":"x"},"id":' + b"[" * 5000,
        'evening.ndjson, line 1: not a JSON object: \'{"stream":"table/t","event":{"type":"noted","text":"x"},"id":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\'; expected one event as JSON on one line',
        id="deep",
    ),
    pytest.param(
        b"\n".join(
            [
                OPENED,
                DEALT,
                b'{"stream": "table/t", "event": {"type": "score_claimed", "pool": 1000000000000000000000000000000}}',
            ]
        ),
        "evening.ndjson, line 3: event.pool: not allowed: '1000000000000000000000000000000'; expected int <= 1000000000000",
        id="big",
    ),
]


@pytest.mark.parametrize(("content", "message"), REFUSALS)
def test_what_cannot_be_an_entry_is_refused_with_place_text_and_expectation(content: bytes, message: str) -> None:
    store = MemoryStore()
    import_content(store, OPENED.replace(b"table/t", b"table/other"), "before", recorded_by="test")
    before = [row.line() for row in store.read()]
    with pytest.raises(MalformedError) as refused:
        import_content(store, content, "evening.ndjson", recorded_by="test")
    assert str(refused.value) == message
    assert [row.line() for row in store.read()] == before


def test_the_table_of_refusals_is_long_enough_to_mean_something() -> None:
    assert len(REFUSALS) >= 40
