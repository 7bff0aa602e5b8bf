/** Type cards on a keyboard: suit and rank in either order, as in the recorder of the terminal. */

import { SIGNS, filled, withAriaText } from "./words.js";

const SETTING = "trickledger.typing";

const HERE = "#mini, #ask, #keys, #now > .say";
/** With the focus here or nowhere, letters type cards. */

/** Return all spellings of these cards: by the letters of the record, and by those on the cards (`faces`, by rank). */
export function spellings(cards, faces) {
  const spelled = new Map();
  for (const card of cards) {
    const [suit, rank] = card.toLowerCase();
    for (const letter of [rank, faces[card[1]] ?? rank]) {
      for (const spelling of [suit + letter, letter + suit]) spelled.set(spelling, card);
    }
  }
  return spelled;
}

/** Return what one more key leads to: a card, or the beginning of one; null for a key that belongs to no card. */
export function typed(half, key, spelled) {
  for (const text of [half + key.toLowerCase(), key.toLowerCase()]) {
    if (spelled.has(text)) return { half: "", card: spelled.get(text) };
    if ([...spelled.keys()].some((one) => one.startsWith(text))) return { half: text, card: null };
  }
  return null;
}

export class Typing {
  constructor(recorder) {
    Object.assign(this, { recorder, half: "" });
    const { rec } = recorder;
    document.addEventListener("keydown", (event) => this.pressed(event));
    rec.addEventListener("click", (event) => event.isTrusted && this.put(""));
    rec.addEventListener("change", ({ target }) => target.matches("[data-typing]") && this.set(target.checked));
    this.dress(rec);
  }

  pressed(event) {
    const { key, target, defaultPrevented, isComposing, repeat, ctrlKey, metaKey, altKey } = event;
    if (defaultPrevented || isComposing || repeat || ctrlKey || metaKey || altKey || !this.isOn()) return;
    const form = this.recorder.rec.querySelector("#hands[hidden]") && this.recorder.now.querySelector("#keys");
    if ((target !== document.body && target.closest(HERE) === null) || !form?.offsetParent) return;
    const isGivenUp = (key === "Backspace" || key === "Escape") && this.half !== "";
    const next = isGivenUp ? { half: "", card: null } : typed(this.half, key, spellings(cardsOf(form), facesOf(form)));
    if (next === null) return;
    event.preventDefault();
    this.put(next.half);
    if (next.card !== null) this.recorder.now.querySelector(`button#key-${next.card}`)?.click();
  }

  put(half) {
    if (half === this.half) return;
    this.half = half;
    this.recorder.draw();
  }

  /** Show the half-typed card, and whether typing is on. */
  dress(root) {
    for (const box of root.querySelectorAll("[data-typing]")) box.checked = this.isOn();
    const form = root.querySelector("#keys");
    if (form === null) this.half = "";
    if (this.half === "") return;
    const { board, words } = this.recorder;
    const [first, rest] = [this.half[0].toUpperCase(), this.half.slice(1).toUpperCase()];
    const isSuit = first in SIGNS && !Object.values(facesOf(form)).includes(this.half[0]);
    const name = board.players[this.recorder.cardSeat(form)] ?? "";
    const say = (begun) => filled(words.typing, { name, typed: begun + rest });
    const suit = isSuit ? form.querySelector(`[id^=key-${first}]`).parentElement.getAttribute("aria-label") : first;
    root.querySelector("#told")?.replaceChildren(...withAriaText(say(isSuit ? SIGNS[first] : first), say(suit)));
  }

  isOn() {
    try {
      const chosen = localStorage.getItem(SETTING);
      if (chosen !== null) return chosen === "1";
    } catch {
      // without storage the setting lasts as long as the page
    }
    return this.chosen ?? !matchMedia("(hover: none)").matches;
  }

  set(isOn) {
    this.chosen = isOn;
    this.half = "";
    try {
      localStorage.setItem(SETTING, isOn ? "1" : "0");
    } catch {
      // as above
    }
  }
}

function cardsOf(form) {
  return [...form.querySelectorAll("[id^=key-]")].map((key) => key.id.slice("key-".length));
}

/** Return the letters on the cards that are not played yet. */
function facesOf(form) {
  const keys = [...form.querySelectorAll("button.key")];
  return Object.fromEntries(keys.map((key) => [key.value[1], key.querySelector("b").textContent.toLowerCase()]));
}
