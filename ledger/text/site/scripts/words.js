/** Fill in the page's messages, which come from its templates. */

const CARD = /([♠♥♦♣])\uFE0E?([0-9A-Z]{1,2})?/gu;
const SUITS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
export const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
/** The names of suits and ranks at a table with a Spanish pack. */
const PACK = JSON.parse(globalThis.document?.querySelector("[data-pack]")?.dataset.pack ?? "null");

/** Return a text with its placeholders filled, e.g. `{name} plays`. */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Return the message for a count, from a template with one message for each plural category of the language. */
export function counted(forms, count) {
  const category = new Intl.PluralRules(document.documentElement.lang).select(count);
  return filled(forms[category] ?? forms.other, { count });
}

/** Return a text with its cards in the colours of their suits. */
export function suited(text) {
  const fragment = document.createDocumentFragment();
  let from = 0;
  for (const match of text.matchAll(CARD)) {
    fragment.append(text.slice(from, match.index));
    const card = document.createElement("span");
    card.className = `t-${SUITS[match[1]]}`;
    card.textContent = PACK === null ? `${match[1]}\uFE0E${match[2] ?? ""}` : named(match[1], match[2]);
    fragment.append(card);
    from = match.index + match[0].length;
  }
  fragment.append(text.slice(from));
  return fragment;
}

/** Return a card, or a suit alone, in the words of the table's pack. */
export function named(sign, rank) {
  if (PACK === null) return sign + (rank ?? "");
  const suit = PACK.suits[SUITS[sign]];
  return rank ? filled(PACK.card, { suit, rank: PACK.ranks[rank] ?? rank }) : suit;
}

/** Return two elements: a visible text, and its version for screen readers. */
export function withAriaText(visible, spoken) {
  const [one, other] = [document.createElement("span"), document.createElement("span")];
  one.setAttribute("aria-hidden", "true");
  one.append(suited(visible));
  Object.assign(other, { className: "hide", textContent: spoken });
  return [one, other];
}

/** Return the messages of a template: `words.next` is its `data-next`. */
export function words(id) {
  return document.getElementById(id).dataset;
}

/** Return a copy of a template, with texts and addresses in its elements with `data-slot`. */
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
