import assert from "node:assert/strict";
import { test } from "node:test";
import { beyondCards, boardAhead, undoable } from "../../../../ledger/text/site/scripts/board.js";

const BOARD = {
  players: ["Ada", "Ben", "Cleo"], stage: "acts", deal: 1, turn: 2, size: 3, trick: [[0, "HA"], [1, "HT"]],
  gone: { HA: 0, HT: 1 }, took: null, tricks: [0, 0, 0], reordering: [], order: [0, 1, 2], trump_group: 0, hand: 3, playing: 3,
  strength: null,
};

function act(id, event, more = {}) {
  return { id, steps: [{ kind: "entries", entries: [{ event }] }], ...more };
}

const card = (id, seat, name) => act(id, { type: "card_played", seat, card: name });
const strike = (of, undone) => ({ id: `strike ${of}`, strikes: of, undone, steps: [{ kind: "strike" }] });
const HT = { type: "card_played", seat: 1, card: "HT" };

test("waiting acts are applied to the server's board, except those struck in the queue", () => {
  const acts = [card("a", 2, "HJ"), card("b", 0, "SA")];
  assert.deepEqual(boardAhead(BOARD, acts, null).trick, [[0, "SA"]]);
  const struck = [...acts, strike("b", [{ type: "card_played", seat: 0, card: "SA" }])];
  assert.equal(boardAhead(BOARD, struck, null).trick.length, 3);
});

test("acts of the page that are struck are removed, and later taps are shown", () => {
  const acts = [strike("9", [HT]), card("c", 1, "SA")];
  const ahead = boardAhead(BOARD, acts, null);
  assert.deepEqual([ahead.trick, ahead.turn], [[[0, "HA"], [1, "SA"]], 2]);
});

test("several acts that are struck together go back to the first of them", () => {
  const passes = [0, 1, 2].map((seat) => ({ type: "bid_made", seat }));
  assert.equal(boardAhead(BOARD, [strike("9 8 7", passes)], null).turn, 0);
});

test("acts behind a slip are not shown before its replacement is known", () => {
  const acts = [card("a", 2, "HJ"), card("b", 0, "SA")];
  assert.equal(boardAhead(BOARD, acts, "a").trick.length, 2);
});

test("the keys of the page do not hold after a word, nor where one is taken back, nor in a deal that was over", () => {
  const called = act("d", { type: "announced", seat: 0, what: "stop" });
  assert.deepEqual(beyondCards([card("a", 2, "HJ"), called], BOARD), [called]);
  assert.equal(beyondCards([strike("9", [HT])], BOARD).length, 0);
  assert.equal(beyondCards([strike("9", [{ type: "bid_made", seat: 0 }])], BOARD).length, 1);
  assert.equal(beyondCards([strike("9", [HT])], { ...BOARD, stage: "between" }).length, 1);
});

test("the last act that is not struck can be undone; if nothing waits, the page decides", () => {
  const [one, two] = [card("a", 2, "HJ"), card("b", 0, "SA")];
  assert.equal(undoable([]), undefined);
  assert.equal(undoable([one, two]), two);
  assert.equal(undoable([one, two, strike("b", [])]), one);
  assert.equal(undoable([strike("9", [HT])]), null);
});
