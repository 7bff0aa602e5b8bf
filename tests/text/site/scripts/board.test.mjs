import assert from "node:assert/strict";
import { test } from "node:test";
import { applied, isBeforeFirstCard, isComplete, takenBack, winner } from "../../../../ledger/text/site/scripts/board.js";

const KOP = {
  players: ["Ada", "Ben", "Cleo", "Dan"], stage: "cards", deal: 3, turn: 0, size: 4, trick: [], gone: {},
  took: null, tricks: [0, 0, 0, 0], reordering: [], order: [0, 1, 2, 3], trump_group: 0, hand: 4, playing: 4,
  strength: { SQ: [0, 9], DQ: [0, 8], SJ: [0, 7], HJ: [0, 6], HA: [1, 5], HT: [1, 4], SA: [2, 5], ST: [2, 4] },
};

function after(board, ...cards) {
  return cards.reduce((now, [seat, card]) => applied(now, { type: "card_played", seat, card }), board);
}

test("the next seat in the order of play is lit after a card", () => {
  assert.equal(after(KOP, [0, "HA"]).turn, 1);
  assert.equal(after({ ...KOP, order: [0, 3, 2, 1] }, [0, "HA"]).turn, 3);
});

test("a trump takes the trick and its player leads", () => {
  assert.equal(after(KOP, [0, "HA"], [1, "HT"], [2, "HJ"], [3, "SA"]).turn, 2);
});

test("the higher of two trumps takes it, in whatever order they come", () => {
  assert.equal(after(KOP, [0, "DQ"], [1, "SQ"], [2, "HJ"], [3, "SJ"]).turn, 1);
});

test("a card of another suit than the one led takes nothing", () => {
  assert.equal(after(KOP, [0, "HT"], [1, "SA"], [2, "ST"], [3, "HA"]).turn, 3);
});

test("the trick lies until the next card begins another", () => {
  const full = after(KOP, [0, "HT"], [1, "SA"], [2, "ST"], [3, "HA"]);
  assert.equal(full.trick.length, 4);
  assert.deepEqual(after(full, [3, "DQ"]).trick, [[3, "DQ"]]);
  assert.equal(after(full, [3, "DQ"]).gone.HA, 3);
});

test("with a card that nobody saw nobody knows who leads next", () => {
  const full = after(KOP, [0, "HT"], [1, "??"], [2, "ST"], [3, "HA"]);
  assert.equal(full.turn, null);
  assert.equal("??" in full.gone, false);
});

test("before trumps are known no trick has a winner", () => {
  assert.equal(winner({ ...KOP, strength: null, trick: [[0, "HA"]] }), null);
});

test("after a call the next one in the order may speak", () => {
  assert.equal(applied(KOP, { type: "bid_made", seat: 3, call: "pass" }).turn, 0);
});

test("the seat that names trumps acts next, and forehand leads after a called card", () => {
  const named = applied(KOP, { type: "trump_named", seat: 2, suit: "H" });
  assert.equal(named.turn, 2);
  assert.equal(applied(named, { type: "partner_called", seat: 2, card: "SK" }).turn, 0);
});

test("a word in the middle of a trick changes nobody's turn", () => {
  const begun = after(KOP, [0, "HA"]);
  assert.equal(applied(begun, { type: "announced", seat: 3, what: "kontra" }).turn, 1);
});

const gather = (board, seat) => applied(board, { type: "trick_gathered", seat });

test("gathering a trick that the cards give to another seat, or an incomplete one, gives no lead", () => {
  const whole = after(KOP, [0, "HA"], [1, "HT"], [2, "HJ"], [3, "SA"]);
  assert.deepEqual(gather(whole, 3), whole);
  const begun = after(KOP, [0, "HA"]);
  assert.deepEqual(gather(begun, 3), begun);
});

test("if the cards leave the winner of a trick open, the seat that gathered it may lead", () => {
  const open = after(KOP, [0, "HT"], [1, "??"], [2, "ST"], [3, "HA"]);
  const shown = { ...open, tricks: [1, 0, 0, 0] };
  for (const board of [open, shown]) {
    const { turn, took, tricks, isGuess } = gather(board, 1);
    assert.deepEqual([turn, took, tricks, isGuess], [1, null, null, true]);
  }
});

test("a trick taken in that the page credits is open again when that is taken back", () => {
  const credited = { ...after(KOP, [0, "HT"], [1, "??"], [2, "ST"], [3, "HA"]), took: 1, turn: 1, tricks: [0, 2, 0, 0] };
  const back = takenBack(credited, { type: "trick_gathered", seat: 1 });
  assert.deepEqual([back.took, back.turn, back.tricks], [null, null, [0, 1, 0, 0]]);
  const whole = after(KOP, [0, "HA"], [1, "HT"], [2, "HJ"], [3, "SA"]);
  assert.deepEqual(takenBack(whole, { type: "trick_gathered", seat: 3 }), { ...whole, hasBegun: true });
});

test("after a card turned up nobody here knows who is next", () => {
  assert.equal(applied(KOP, { type: "card_turned", card: "SQ" }).turn, null);
});

test("where one sits out, the deal after it goes round without its dealer", () => {
  const ombre = { ...KOP, order: [0, 1, 2], hand: 9, playing: 3, next_deal: 2, next_dealer: 0 };
  const board = applied(ombre, { type: "deal_started", deal: 2, dealer: 0 });
  assert.deepEqual([board.order, board.size, board.next_deal, board.next_dealer], [[1, 2, 3], 3, 3, 1]);
});

test("a deal is complete when all hands are played", () => {
  const short = { ...KOP, hand: 1 };
  assert.equal(isComplete(after(short, [0, "HT"], [1, "SA"], [2, "ST"])), false);
  assert.equal(isComplete(after(short, [0, "HT"], [1, "SA"], [2, "ST"], [3, "HA"])), true);
});

test("a new deal gives all cards back", () => {
  const board = applied(after(KOP, [0, "HA"]), { type: "deal_started", deal: 4, dealer: 3 });
  assert.deepEqual([board.deal, board.gone, board.trick, board.turn], [4, {}, [], 0]);
});

test("a card that lies there already is not laid twice", () => {
  const once = after(KOP, [0, "HA"]);
  assert.deepEqual(after(once, [0, "HA"]), once);
});

test("whose card the next one is is known after a card, and a guess after a call", () => {
  assert.equal(after(KOP, [0, "HA"]).isGuess, false);
  assert.equal(applied(KOP, { type: "bid_made", seat: 0, call: "re" }).isGuess, true);
});

test("after words between two tricks the one who took the last one leads", () => {
  const full = after(KOP, [0, "HA"], [1, "HT"], [2, "HJ"], [3, "SA"]);
  assert.equal(applied({ ...full, turn: 1 }, { type: "announced", seat: 1, what: "defend" }).turn, 2);
});

test("a word that changes which card wins leaves nobody knowing who takes a trick", () => {
  const said = applied({ ...KOP, reordering: ["mit"] }, { type: "announced", seat: 1, what: "mit" });
  assert.equal(after(said, [0, "HA"], [1, "HT"], [2, "HJ"], [3, "SA"]).turn, null);
  assert.equal(after(applied(KOP, { type: "announced", seat: 1, what: "mit" }), [0, "HA"]).strength, KOP.strength);
});

test("tricks are counted until nobody knows who took one", () => {
  const full = after(KOP, [0, "HA"], [1, "HT"], [2, "HJ"], [3, "SA"]);
  assert.deepEqual(full.tricks, [0, 0, 1, 0]);
  assert.equal(after(full, [2, "??"], [3, "SQ"], [0, "DQ"], [1, "SJ"]).tricks, null);
});

test("when all cards are played nobody is next", () => {
  assert.equal(after({ ...KOP, hand: 1 }, [0, "HT"], [1, "SA"], [2, "ST"], [3, "HA"]).turn, null);
});

test("a card that is taken back is gone from the trick, and its player is next", () => {
  const played = after(KOP, [0, "HA"], [1, "HT"]);
  const back = takenBack(played, { type: "card_played", seat: 1, card: "HT" });
  assert.deepEqual([back.trick, back.gone, back.turn], [[[0, "HA"]], { HA: 0 }, 1]);
  assert.deepEqual(takenBack(back, { type: "card_played", seat: 1, card: "HT" }), { ...back, hasBegun: true });
});

test("a trick whose last card is taken back is counted for nobody", () => {
  const full = after(KOP, [0, "HA"], [1, "HT"], [2, "HJ"], [3, "SA"]);
  const back = takenBack(full, { type: "card_played", seat: 3, card: "SA" });
  assert.deepEqual([back.tricks, back.turn, back.trick.length], [[0, 0, 0, 0], 3, 3]);
});

test("after the first card of a trick was taken back the next one is not forehand's", () => {
  const back = takenBack({ ...KOP, stage: "between" }, { type: "card_played", seat: 2, card: "HA" });
  assert.deepEqual([back.turn, isBeforeFirstCard(back), isBeforeFirstCard(KOP)], [2, false, true]);
});

test("after an undone call its caller is next; after undone announcements nobody is known to be next", () => {
  assert.equal(takenBack(KOP, { type: "bid_made", seat: 3 }).turn, 3);
  assert.equal(takenBack(KOP, { type: "announced", seat: 3 }).turn, null);
});

test("a deal whose beginning is taken back is due again", () => {
  const back = takenBack(after(KOP, [0, "HA"]), { type: "deal_started", deal: 3, dealer: 2 });
  assert.deepEqual([back.next_deal, back.next_dealer, isComplete(back)], [3, 2, true]);
  assert.equal(isComplete(applied(back, { type: "deal_started", deal: 3, dealer: 2 })), false);
});
