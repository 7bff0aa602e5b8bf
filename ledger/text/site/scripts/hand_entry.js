/**
 * Enter hands from a sheet: the cards tapped go to the player whose name was tapped, each in its fixed place.
 *
 * Nothing is recorded before the last button, which sends the dealt cards like any other act.
 */

import { filled } from "./words.js";

class Dealing {
  constructor(section) {
    Object.assign(this, { section, sizes: [], hands: [], seat: 0 });
    this.whose = [...section.querySelectorAll(".whose")];
    this.keys = [...section.querySelectorAll("#hand-keys .key")];
    this.status = section.querySelector("#hands-told");
    this.done = section.querySelector("#hands-done");
    section.addEventListener("click", (event) => this.clicked(event.target.closest("button")));
  }

  /** `aside`: the seat that puts cards aside, instead of dealt hands. */
  open(sizes, aside = null) {
    this.sizes = sizes;
    this.aside = aside;
    const { hands, aside: other } = this.section.querySelector("h2").dataset;
    this.section.querySelector("h2").textContent = aside === null ? hands : other;
    this.section.querySelector("#hands-how").hidden = aside !== null;
    this.hands = sizes.map(() => []);
    this.seat = sizes.findIndex((size) => size > 0);
    document.getElementById("more")?.removeAttribute("open");
    this.section.hidden = false;
    this.done.textContent = this.done.dataset.hands;
    this.show();
    this.section.querySelector("h2").focus();
    this.section.scrollIntoView();
  }

  close() {
    this.section.hidden = true;
    document.querySelector("#now .seat[aria-current]")?.focus();
  }

  clicked(button) {
    if (button === null) return;
    if (button.matches(".whose")) this.seat = Number(button.value);
    else if (button.matches(".key")) this.deal(button.value);
    else if (button.id === "hands-back" || button.id === "hands-done") {
      this.close();
      return;
    }
    this.show();
  }

  /** Move a card into the open hand, or out of the hand that has it. */
  deal(card) {
    const holder = this.hands.findIndex((hand) => hand.includes(card));
    if (holder >= 0) this.hands[holder] = this.hands[holder].filter((one) => one !== card);
    if (holder !== this.seat && this.left(this.seat) > 0) this.hands[this.seat].push(card);
    const next = this.sizes.findIndex((_, seat) => this.left(seat) > 0 && seat > this.seat);
    if (this.left(this.seat) === 0 && next >= 0 && holder < 0) this.seat = next;
  }

  left(seat) {
    return this.sizes[seat] - this.hands[seat].length;
  }

  show() {
    for (const one of this.whose) {
      const seat = Number(one.value);
      one.hidden = this.sizes[seat] === 0;
      one.setAttribute("aria-pressed", String(seat === this.seat));
      one.querySelector(".held").textContent = String(this.hands[seat].length);
      one.querySelector(".size").textContent = String(this.sizes[seat]);
    }
    for (const key of this.keys) this.mark(key);
    const left = this.left(this.seat);
    const { all, left: some } = this.status.dataset;
    this.status.textContent = left === 0 ? all : filled(some, { name: this.name(this.seat), count: left });
    const whole = this.hands.map((hand, seat) => (this.left(seat) === 0 ? hand : null));
    this.done.dataset.told = this.done.dataset.cards;
    this.done.dataset.acts = JSON.stringify([{ type: "cards_dealt", hands: whole }]);
    this.done.hidden = !whole.some((hand) => hand !== null && hand.length > 0);
    if (this.aside !== null) this.showAside(this.hands[this.aside]);
  }

  showAside(cards) {
    const event = { type: "cards_exchanged", seat: this.aside, count: cards.length, discarded: cards };
    const { aside, act } = this.done.dataset;
    this.done.dataset.told = filled(act, { name: this.name(this.aside), what: cards.length });
    this.done.dataset.acts = JSON.stringify([event]);
    this.done.textContent = filled(aside, { count: cards.length });
    this.done.hidden = false;
    this.status.textContent = "";
  }

  mark(key) {
    const holder = this.hands.findIndex((hand) => hand.includes(key.value));
    key.classList.toggle("may", holder >= 0 && holder === this.seat);
    key.classList.toggle("off", holder >= 0 && holder !== this.seat);
    key.setAttribute("aria-pressed", String(holder >= 0));
    key.querySelector("small").textContent = holder < 0 ? "" : this.name(holder);
    key.title = holder < 0 ? "" : filled(this.status.dataset.name, { card: key.getAttribute("aria-label"), name: this.name(holder) });
  }

  name(seat) {
    return this.whose[seat].firstChild.textContent.trim();
  }
}

const section = document.getElementById("hands");
if (section !== null) {
  const dealing = new Dealing(section);
  document.getElementById("rec").addEventListener("click", (event) => {
    const opener = event.target.closest("button[data-hands]:not(#hands-done)");
    if (opener === null) return;
    const { hands, aside } = opener.dataset;
    dealing.open(JSON.parse(hands), aside === undefined ? null : Number(aside));
  });
}
