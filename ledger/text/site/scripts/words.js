/** Sentences of the page: they come from its templates, the values are put in here. */

const CARD = /([♠♥♦♣])\uFE0E?([0-9A-Z]{1,2})?/gu;
const SUITS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
export const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
/** The names of suits and ranks where the table plays with a Spanish pack. */
const PACK = JSON.parse(globalThis.document?.querySelector("[data-pack]")?.dataset.pack ?? "null");

/** `{name} plays` with the names in it. */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** The sentence for so many things, of a template that has one for each plural category of the page's language. */
export function counted(forms, count) {
  const category = new Intl.PluralRules(document.documentElement.lang).select(count);
  return filled(forms[category] ?? forms.other, { count });
}

/** A text whose cards have the colours of their suits. */
export function suited(text) {
  const told = document.createDocumentFragment();
  let from = 0;
  for (const found of text.matchAll(CARD)) {
    told.append(text.slice(from, found.index));
    const card = document.createElement("span");
    card.className = `t-${SUITS[found[1]]}`;
    card.textContent = PACK === null ? `${found[1]}\uFE0E${found[2] ?? ""}` : named(found[1], found[2]);
    told.append(card);
    from = found.index + found[0].length;
  }
  told.append(text.slice(from));
  return told;
}

/** A card, or a suit alone, as the pack of the table has it. */
export function named(sign, rank) {
  if (PACK === null) return sign + (rank ?? "");
  const suit = PACK.suits[SUITS[sign]];
  return rank ? filled(PACK.card, { suit, rank: PACK.ranks[rank] ?? rank }) : suit;
}

/** What is seen, and in its place what is heard. */
export function seenAndHeard(seen, heard) {
  const [one, other] = [document.createElement("span"), document.createElement("span")];
  one.setAttribute("aria-hidden", "true");
  one.append(suited(seen));
  Object.assign(other, { className: "hide", textContent: heard });
  return [one, other];
}

/** The words of one template: `words.next` is its `data-next`. */
export function words(id) {
  return document.getElementById(id).dataset;
}

/** A copy of a template, with texts and addresses where it has a `data-slot` of that name. */
export function copied(id, slots = {}) {
  const copy = document.getElementById(id).content.cloneNode(true);
  for (const place of copy.querySelectorAll("[data-slot]")) {
    const value = slots[place.dataset.slot];
    if (value === undefined || value === null || value === "") place.remove();
    else if (place.tagName === "A") place.href = value;
    else if (place.dataset.text !== undefined) place.replaceChildren(suited(filled(place.dataset.text, { it: value })));
    else place.replaceChildren(suited(String(value)));
  }
  return copy;
}
