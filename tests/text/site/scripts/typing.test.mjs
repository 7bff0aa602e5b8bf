import assert from "node:assert/strict";
import { test } from "node:test";
import { spellings, typed } from "../../../../ledger/text/site/scripts/typing.js";

const SUITS = ["S", "H", "D", "C"];
const PACK = SUITS.flatMap((suit) => ["A", "K", "Q", "J", "T", "9"].map((rank) => suit + rank));
const ENGLISH = { A: "a", K: "k", Q: "q", J: "j", T: "10", 9: "9" };
const LETTERS = {
  fr: { K: "r", Q: "d", J: "v" }, nl: { K: "h", Q: "v", J: "b" }, de: { Q: "d", J: "b" }, pl: { Q: "d", J: "w" },
};

/** Return the cards that these keys type, and the half-typed card at the end. */
function read(keys, faces = ENGLISH) {
  const spelled = spellings(PACK, { ...ENGLISH, ...faces });
  const cards = [];
  let half = "";
  for (const key of keys) {
    const next = typed(half, key, spelled) ?? { half, card: null };
    half = next.half;
    if (next.card !== null) cards.push(next.card);
  }
  return [...cards, half].join(" ").trim();
}

test("suit and rank are typed in either order, small or large, the ten in two ways", () => {
  assert.equal(read("hkKHStts10d"), "HK HK ST ST DT");
  assert.equal(read("h10d9"), "HT D9");
  assert.equal(read("10h9dt"), "HT D9 t");
});

test("a suit or rank that is typed anew takes the place of the one before", () => {
  assert.equal(read("hsk"), "SK");
  assert.equal(read("kqs"), "SQ");
  assert.equal(read("h1sk"), "SK");
});

test("what is no sign of a card changes nothing", () => {
  assert.equal(read(["h", "Enter", "x", "2", " ", "Shift", "k"]), "HK");
  assert.equal(typed("", "Enter", spellings(PACK, ENGLISH)), null);
  assert.equal(typed("h", "2", spellings(PACK, ENGLISH)), null);
});

test("every card is typed with the letters of its pack, and no two cards alike", () => {
  for (const faces of Object.values(LETTERS)) {
    for (const card of PACK) {
      const suit = card[0].toLowerCase();
      for (const rank of [card[1].toLowerCase(), faces[card[1]] ?? ENGLISH[card[1]]]) {
        assert.equal(read(suit + rank, faces), card);
        assert.equal(read(rank + suit, faces), card);
      }
    }
  }
});
