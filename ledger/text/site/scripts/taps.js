/** Handle taps and keys on the recorder: one tap per card or two; first a plate if another seat acted. */

import { filled, withAriaText } from "./words.js";

const TWICE_MS = 350;
const TWICE_PX = 24;
/**
 * A second tap this soon at the same place is a trembling hand; with one tap per card it would hit the card's hole. A
 * tap this soon after the keys have moved does not count, either. The page reports taps that it ignores.
 */

const MOVED = "moved";
/** While this class is set, the keys are grey and taps go to what lies behind them. */

const PLAYED = { type: "card_played", seat: null };

const TWO_TAPS = "trickledger.two-taps";

export class Taps {
  constructor(recorder) {
    Object.assign(this, { recorder, lifted: null, ignored: null, last: { at: 0, x: 0, y: 0 }, place: null });
    const { rec } = recorder;
    rec.addEventListener("submit", (event) => this.submitted(event));
    rec.addEventListener("click", (event) => this.clicked(event));
    rec.addEventListener("change", (event) => event.target.matches("input[data-setting]") && this.set(event.target.checked));
    rec.addEventListener("keydown", (event) => {
      if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
    });
    this.dress(rec);
  }

  isOurs(button) {
    return button !== null && button.matches("#mini .seat, #undo, #keys .key, [data-acts], [data-as], [data-do], [data-means], [data-setting]");
  }

  clicked(event) {
    const link = event.target.closest("a[href]:not([download])");
    if (link !== null && link.origin === location.origin && event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
      event.preventDefault();
      this.recorder.follow(link.href);
    }
    const button = event.target.closest("button");
    if (button === null && this.recorder.rec.classList.contains(MOVED)) this.ignore("moved");
    if (button === null || !this.isOurs(button)) return;
    event.preventDefault();
    this.ignored = null;
    const isTwice = this.isTwice(event) && (this.isTwo() || !button.matches(".key"));
    const { as, do: what } = button.dataset;
    if (as !== undefined) this.recorder.then(() => this.recorder.deciding.resolve(as));
    else if (what === "save") this.recorder.save();
    else if (button.dataset.setting !== undefined) this.set(button.getAttribute("aria-pressed") !== "true");
    else if (isTwice) this.ignore("twice");
    else if (button.dataset.means !== undefined) this.mean(button.dataset.means);
    else if (button.matches(".seat")) this.choose(Number(button.value));
    else if (button.id === "undo") this.undo(button);
    else if (button.dataset.acts !== undefined) this.act(button);
    else this.card(button);
  }

  /** Let the browser send forms with an address of their own; the other forms work by their buttons. */
  submitted(event) {
    if (!event.target.hasAttribute("action")) event.preventDefault();
  }

  isTwice({ timeStamp, clientX, clientY, detail }) {
    const { at, x, y } = this.last;
    this.last = { at: timeStamp, x: clientX, y: clientY };
    const isNear = Math.abs(clientX - x) < TWICE_PX && Math.abs(clientY - y) < TWICE_PX;
    return detail > 0 && timeStamp - at < TWICE_MS && isNear;
  }

  choose(seat) {
    const { recorder } = this;
    this.lower();
    const isDue = seat === recorder.current.turn && seat === recorder.cardSeat();
    recorder.chosen = isDue || seat === recorder.chosen ? null : seat;
    recorder.draw();
  }

  /** Set what the next tapped card is: turned up or called; tapped again: played. */
  mean(what) {
    const { recorder } = this;
    recorder.means = recorder.means === what ? null : what;
    recorder.draw();
  }

  undo(button) {
    const data = { ...button.dataset };
    this.lower();
    this.recorder.then(() => this.recorder.undo(data));
  }

  act(button) {
    const { acts, told, asPlayed } = button.dataset;
    this.recorder.then(() => {
      if (this.recorder.isSpent) return this.ignore("early");
      const events = JSON.parse(acts);
      if (events.length === 0) return undefined;
      const seat = events.some((event) => event.type === "card_played") ? this.recorder.cardSeat() : this.recorder.seat();
      if (events.some((event) => event.seat === null) && seat === null) return this.unclear();
      const name = this.recorder.board.players[seat] ?? "";
      const line = filled(told, { name });
      return this.recorder.record(events.map((event) => seated(event, seat)), line, line, asPlayed !== undefined);
    });
  }

  card(key) {
    const { value } = key;
    const form = key.closest("form");
    if (this.isTwo() && this.lifted !== value) {
      this.lift(value);
      return;
    }
    this.remember(key);
    const { template, told = "{name} {card}" } = form.dataset;
    this.recorder.then(() => {
      const { recorder } = this;
      if (recorder.isGone(value)) return undefined;
      if (template !== undefined && recorder.isSpent) return this.ignore("early");
      this.lifted = null;
      const seat = recorder.cardSeat(form);
      const event = { ...seated(template === undefined ? PLAYED : JSON.parse(template), seat), card: value };
      if (event.seat === null) return this.unclear();
      const card = recorder.card(value);
      const line = filled(told, { name: recorder.board.players[seat], card });
      return recorder.record([event], template === undefined ? card : line, line);
    });
  }

  unclear() {
    this.buzz([30, 50, 30]);
    this.recorder.now.querySelector("#mini .seat")?.focus();
  }

  isTwo() {
    try {
      return localStorage.getItem(TWO_TAPS) === "1";
    } catch {
      return this.two === true;
    }
  }

  set(isTwo) {
    this.two = isTwo;
    try {
      localStorage.setItem(TWO_TAPS, isTwo ? "1" : "0");
    } catch {
      // without storage the setting lasts as long as the page
    }
    this.lower();
    this.dress(this.recorder.rec);
  }

  lift(value) {
    this.lifted = value;
    this.buzz(5);
    this.dress(this.recorder.now);
  }

  lower() {
    this.lifted = null;
    this.dress(this.recorder.rec);
  }

  /** Show the device's state of the keys: the lifted card, and the number of taps. */
  dress(root) {
    this.sayLifted(root);
    this.sayIgnored(root);
    for (const key of root.querySelectorAll("#keys .key")) {
      const isLifted = key.value === this.lifted;
      key.classList.toggle("lifted", isLifted);
      if (isLifted) key.setAttribute("aria-pressed", "true");
      else key.removeAttribute("aria-pressed");
    }
    for (const control of root.querySelectorAll("[data-setting=two-taps]")) {
      if (control.tagName === "INPUT") control.checked = this.isTwo();
      else control.setAttribute("aria-pressed", String(this.isTwo()));
    }
  }

  /** Ask for the second tap, also after the page is redrawn with a lifted card. */
  sayLifted(root) {
    const { recorder, lifted } = this;
    const key = lifted === null ? null : root.querySelector(`button#key-${lifted}`);
    if (key === null) return;
    const name = recorder.board.players[recorder.cardSeat(root.querySelector("#keys"))] ?? "";
    const said = (card) => filled(recorder.words.lifted, { name, card });
    const texts = withAriaText(said(recorder.card(lifted)), said(key.getAttribute("aria-label")));
    root.querySelector("#told")?.replaceChildren(...texts);
  }

  /** Do work that may move the keys; if it does, ignore taps for a moment, as they were meant for the old places. */
  holding(selector, work) {
    const top = () => this.recorder.rec.querySelector(selector)?.getBoundingClientRect().top;
    const before = top();
    const done = work();
    if (!(Math.abs(top() - before) > TWICE_PX / 2)) return done;
    const { classList } = this.recorder.rec;
    classList.add(MOVED);
    clearTimeout(this.held);
    this.held = setTimeout(() => classList.remove(MOVED), TWICE_MS);
    return done;
  }

  /** Ignore a tap, and say why until the next one: `moved`, `twice` or `early`. */
  ignore(why) {
    this.ignored = why;
    this.buzz([30, 50, 30]);
    this.sayIgnored(this.recorder.now);
  }

  sayIgnored(root) {
    const prompt = root.querySelector("#told");
    if (prompt === null || this.ignored === null) return;
    const text = Object.assign(document.createElement("span"), { textContent: this.recorder.words[`ignored${this.ignored}`] });
    prompt.replaceChildren(...prompt.querySelectorAll("b"), " ", text);
  }

  /** Move the focus from a key that disappears to the next one. */
  remember(key) {
    if (document.activeElement !== key) return;
    const keys = [...key.closest("form").querySelectorAll(".key")];
    const at = keys.indexOf(key);
    this.place = { id: key.id, next: (keys[at + 1] ?? keys[at - 1])?.id };
  }

  refocus() {
    if (this.place === null || document.activeElement !== document.body) return;
    if (document.querySelector(`button#${this.place.id}`) !== null) return;
    document.getElementById(this.place.next)?.focus();
    this.place = null;
  }

  buzz(pattern) {
    if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(pattern);
  }
}

function seated(event, seat) {
  return event.seat === null ? { ...event, seat } : event;
}
