/**
 * The recorder of one table: taps are stored, shown and sent.
 *
 * The page is always drawn anew, from the server's last state and the acts that wait here.
 */

import { ask, fragment, moment, newId } from "./api_client.js";
import * as bands from "./bands.js";
import { beyondCards, boardAhead, isBeforeFirstCard, isComplete, isKnown, undoable } from "./board.js";
import { Deciding } from "./decisions.js";
import { forgetHands, handsOpened, isFromDevice, keepPages, keepTyped, markHands } from "./device_store.js";
import { listen } from "./live.js";
import { become } from "./morph.js";
import * as order from "./order.js";
import { begins, cardText, draw, forget, unchecked } from "./picture.js";
import { openQueue } from "./queue.js";
import { Sending, save } from "./sending.js";
import { Taps } from "./taps.js";
import { counted, filled, words } from "./words.js";

const LONG_MS = 1_500;
/** An act without acknowledgement for so long is shown in a band. */

const LOOK_MS = 4_000;
/** How long to look for a connection to another page. */

const SOON_MS = 60;
/** The window that sent an act has already requested the page. */

class Recorder {
  constructor(rec, queue) {
    const { table, opened = "", token, game = "", corrects } = rec.dataset;
    Object.assign(this, { rec, queue, table, game, scope: { table, opened, who: token } });
    Object.assign(this, { corrects: corrects !== undefined, title: document.title, heading: rec.querySelector("h1") });
    Object.assign(this, { chosen: null, means: null, unsaved: [], turn: Promise.resolve() });
    Object.assign(this, { hands: null, latest: 0, soon: null });
    this.now = rec.querySelector("#now");
    this.words = words("t-words");
    this.keep(this.now.innerHTML);
    this.current = this.board;
    this.begun = { version: this.board.version, heading: this.heading.firstChild.nodeValue };
    this.deciding = new Deciding(this);
    this.sending = new Sending(queue, this.scope, () => this.renewSession());
  }

  async begin() {
    await this.queue.refresh();
    await forgetHands(this.queue, this.scope, this.board.deal ?? 0);
    await this.readHands();
    await this.queue.decide(order.shown, this.scope, this.board.version);
    await this.queue.decide(order.retried, this.scope, this.board.version);
    this.queue.addEventListener("change", () => {
      this.draw();
      this.catchUp();
    });
    this.queue.addEventListener("other", () => this.sending.wake());
    this.sending.addEventListener("change", () => this.draw());
    this.sending.addEventListener("recorded", () => this.queue.unsent(this.scope).length === 0 && this.renew());
    this.taps = new Taps(this);
    this.awaitKeyboard();
    this.draw();
    const wake = () => document.visibilityState === "visible" && this.awake();
    addEventListener("online", wake);
    addEventListener("pageshow", (event) => event.persisted && wake());
    document.addEventListener("visibilitychange", wake);
    listen(this.table, {
      heard: (entry) => this.heard(entry),
      opened: (deal) => deal.table.endsWith(this.table) && handsOpened(this.queue, this.scope, deal.deal).then(() => this.readHands()),
      back: wake,
    });
    this.sending.wake();
    if (isFromDevice()) this.renew();
    keepPages(this.table, this.scope.who);
  }

  /** Load the script for typed cards with the first key or tap, as a first visit does not need it. */
  awaitKeyboard() {
    const pressed = [];
    const begin = (event) => {
      if (event.type === "keydown") pressed.push(event);
      this.keyboard ??= import("./typing.js").then(({ Typing }) => {
        for (const kind of ["keydown", "pointerdown"]) removeEventListener(kind, begin);
        this.typing = new Typing(this);
        for (const one of pressed) this.typing.pressed(one);
      }, () => {
        pressed.length = 0; // a card is not played minutes after it was typed
        this.keyboard = undefined;
      });
    };
    for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, begin);
  }

  awake() {
    this.sending.wake();
    this.renew();
  }

  keep(html) {
    const fresh = parsed(html);
    this.base = html;
    const { hand, playing } = words("t-unchecked");
    this.board = { ...JSON.parse(fresh.querySelector("#board").textContent), hand: Number(hand), playing: Number(playing) };
  }

  /** Request the part of the page that changes. */
  async renew() {
    if (this.renewing) {
      this.renewAgain = true;
      return;
    }
    this.renewing = true;
    try {
      do {
        this.renewAgain = false;
        const html = await fragment(`/record/${this.table}/now`);
        if (html !== null) await this.renewed(html);
      } while (this.renewAgain);
    } finally {
      this.renewing = false;
    }
  }

  async renewed(html) {
    const before = this.board.version;
    const { version } = JSON.parse(parsed(html).querySelector("#board")?.textContent ?? "{}");
    this.sending.heard(true);
    if (version === undefined || version < before || (version > before && this.isUnanswered())) return;
    this.keep(html);
    if (version > before) this.chosen = null;
    this.draw(); // at once: a tap is meant for what is seen
    await this.queue.decide(order.shown, this.scope, version);
    await this.readHands();
    await this.deciding.compare();
    this.draw();
  }

  /** Return whether an act is on its way: a page that shows it before it is answered would count it twice. */
  isUnanswered() {
    return this.queue.unsent(this.scope).some((act) => act.attempted && act.state === "waiting");
  }

  async readHands() {
    this.hands = await this.queue.hands(this.scope);
  }

  heard(entry) {
    this.latest = Math.max(this.latest, entry.version);
    this.catchUp();
  }

  /** Request the page if more is recorded than it shows; waiting acts request it when they are sent. */
  catchUp() {
    const recorded = this.queue.acts.filter((act) => order.isOf(this.scope, act) && act.state === "done");
    this.latest = Math.max(this.latest, ...recorded.map((act) => act.version));
    if (this.latest <= this.board.version || this.queue.unsent(this.scope).length > 0) return;
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.latest > this.board.version && this.renew(), SOON_MS);
  }

  async renewSession() {
    const html = await fragment(`/record/${this.table}`);
    const page = html === null ? null : new DOMParser().parseFromString(html, "text/html");
    if (page?.querySelector("#rec")?.dataset.token !== this.scope.who) return false;
    document.body.dataset.csrf = page.body.dataset.csrf ?? "";
    return true;
  }

  /** Run tasks one after another, in the order of the taps. */
  then(work) {
    this.turn = this.turn.then(work).catch((error) => setTimeout(() => { throw error; }));
    return this.turn;
  }

  async record(events, told, line, isAsPlayed = false) {
    const at = Date.now();
    const entries = events.map((event) => this.placed(event)).map((event) => ({ id: newId(), event, happened_at: moment(new Date(at)) }));
    const steps = [{ kind: "entries", entries }];
    if (await keepTyped(this.queue, this.scope, this.current, events)) await this.readHands();
    await this.add({ steps, told, line, as_played: isAsPlayed });
  }

  /** A dispute raised while acts wait is about the deal shown here; the number of its entry is not known yet. */
  placed(event) {
    if (event.type !== "dispute_raised" || this.shown().length === 0) return event;
    const { version: _, ...disputed } = event;
    return { ...disputed, deal: this.current.deal };
  }

  async add(content) {
    const [{ entries, id }] = content.steps;
    const act = { ...this.scope, ...content, id: entries === undefined ? id : entries[0].id, at: Date.now() };
    this.chosen = null;
    this.means = null;
    if (await this.deciding.replaced(act)) return this.added();
    const seen = { version: this.board.version, last: this.shown().at(-1)?.id ?? null };
    const { unknown } = await this.queue.decide(order.added, act, seen);
    if (unknown === undefined) return this.added();
    this.deciding.stale = { ...act, before: unknown.at(-1).told };
    this.draw();
    return undefined;
  }

  added() {
    this.taps.buzz(10);
    this.sending.wake();
    setTimeout(() => this.draw(), LONG_MS + 100);
  }

  /** Undo the last act: an act that was never sent is dropped, any other is struck by a correction. */
  async undo({ act: id, undo, undone = "[]", told }) {
    if (this.deciding.stale !== null) return this.deciding.resolve("mine");
    if (id === this.deciding.replacing) this.deciding.replacing = null;
    if (id !== undefined && (await this.queue.decide(order.dropped, id))) return this.added();
    const versions = undo === undefined ? [] : undo.split(" ").map(Number);
    const act = this.queue.acts.find((one) => one.id === id);
    const strikes =
      act === undefined
        ? versions.map((version) => ({ version }))
        : (act.steps[0].entries ?? []).map((_, index) => (act.state === "done" ? { version: act.first + index } : { of: id, index })).reverse();
    const events = act === undefined ? JSON.parse(undone) : (act.steps[0].entries ?? []).map((one) => one.event);
    const confirm = events.some(({ type }) => type === "dispute_raised") || undefined; // the button says what it takes back
    const steps = strikes.map((one) => ({ kind: "strike", id: newId(), reason: this.words.reason, confirm, ...one }));
    if (steps.length > 0) await this.add({ steps, told: filled(this.words.undo, { act: told }), strikes: id ?? undo, undone: events });
    return undefined;
  }

  save() {
    this.unsaved = save(this.queue.unsent().filter((act) => act.table === this.table), this.table);
    this.drawBands();
  }

  /** Open another page if there is a connection; without one the browser would leave this page for nothing. */
  async follow(address) {
    const { status } = await ask("GET", "/health", undefined, { limit: LOOK_MS });
    if (status !== 0) return location.assign(address);
    this.sending.heard(false);
    setTimeout(() => this.renew(), LOOK_MS);
    return undefined;
  }

  /** Return the acts that wait here, or are recorded and not yet in the page. */
  shown() {
    return order.unseen(this.queue.acts, this.scope, this.board.version);
  }

  /** Return the acts that other people left on this device for this table. */
  left() {
    return this.queue.unsent().filter((act) => act.table === this.table && !order.isOf(this.scope, act));
  }

  draw() {
    const acts = this.shown();
    const board = boardAhead(this.board, acts, this.deciding.replacing);
    const fresh = parsed(this.base);
    const isOver = isComplete(board);
    const beyond = beyondCards(acts, this.board);
    this.isUnchecked = this.isOld(isOver ? acts : beyond);
    this.isSpent = !this.isUnchecked && beyond.length > 0;
    if (this.isUnchecked) unchecked(fresh, board, { isOver, means: this.means, dealer: this.chosen ?? board.next_dealer });
    if (this.sending.lostSince !== null) begins(fresh);
    if (board.turn !== this.board.turn || String(board.trick) !== String(this.board.trick)) forget(fresh, this.board, board);
    if (acts.length > 0 || this.chosen !== null) {
      const { chosen, words: says, isUnchecked } = this;
      const shows = { chosen, words: says, isOver, isUnchecked, isNewDeal: board.deal !== this.board.deal };
      draw(fresh, board, { ...shows, undo: undoable(acts), note: this.note(acts, board), isPassing: this.isPassing(acts) });
    }
    this.current = board;
    markHands(fresh, this.hands, board.deal, this.cardSeat(fresh.querySelector("#keys")));
    this.taps?.dress(fresh);
    this.typing?.dress(fresh);
    this.taps.holding("#keys", () => become(this.now, fresh));
    this.taps?.refocus();
    this.drawBands();
  }

  /** Return whether acts have waited so long that nobody here can say what may come next. */
  isOld(acts) {
    return acts.length > 0 && (this.sending.lostSince !== null || acts.some((act) => Date.now() - act.at > LONG_MS));
  }

  /** Return whether the text shown is not to be announced, as the server's answer follows in a moment. */
  isPassing(acts) {
    return acts.length > 0 && !this.isUnchecked && this.sending.lostSince === null && this.deciding.replacing === null;
  }

  note(acts, board) {
    const waits = acts.filter((act) => act.state !== "done");
    if (this.deciding.replacing !== null || waits.length === 0) return "";
    const struck = waits.filter((act) => act.strikes !== undefined).at(-1);
    if (struck !== undefined) return struck.told;
    const { order, players } = board;
    return this.isFirstCard(board) ? filled(this.words.first, { name: players[order[0]] }) : this.words.unchecked;
  }

  drawBands() {
    const own = this.queue.unsent(this.scope);
    const { others, stale, replacing } = this.deciding;
    const refused = own[0]?.state === "refused" ? own[0] : undefined;
    if (refused?.problem.code === "wrong_version" && !this.deciding.isCompared(refused)) this.deciding.compareAnew();
    const other = (act) => act.table !== this.table && (act.state === "refused" || act.who !== this.scope.who);
    const shown = bands.bands({
      table: this.table, game: this.game, corrects: this.corrects, refused, own, others, stale, replacing,
      left: this.left(), elsewhere: this.queue.unsent().filter(other), isDurable: this.queue.isDurable,
      unsaved: this.unsaved.filter((one) => own.some((act) => act.id === one.id)),
      lostSince: this.sending.lostSince, trouble: this.sending.trouble, lang: document.documentElement.lang,
      isLong: own.some((act) => Date.now() - act.at > LONG_MS),
    });
    const asks = this.taps.holding("#now :is(#keys, .say, .digits)", () => {
      const added = bands.put(this.rec.querySelector("#trouble"), shown);
      this.rec.classList.toggle("judging", shown.some((one) => one.asks));
      return added;
    });
    if (asks !== null) asks.querySelector("[tabindex]")?.focus();
    bands.showUnsent(this.rec.querySelector("#sent"), own.length);
    this.drawHeading(own.length);
  }

  /** Show the current deal if it is not that of the first page, and the number of unsent acts in the title. */
  drawHeading(unsent) {
    const name = this.heading.firstChild;
    const { version, heading } = this.begun;
    if (unsent > 0 || this.board.version > version) name.nodeValue = filled(this.heading.dataset.text, { deal: this.current.deal });
    const count = counted(words("t-not-sent"), unsent);
    document.title = `${unsent === 0 ? "" : `${count}: `}${this.title.replace(heading, () => name.nodeValue)}`;
  }

  card(card) {
    return cardText(this.now, card);
  }

  /** Return whether a card tapped now is the first of the deal, which is forehand's. */
  isFirstCard(board) {
    return this.isUnchecked && this.chosen === null && this.means === null && !isComplete(board) && isBeforeFirstCard(board);
  }

  /** Return the seat of the next card, as the page says while it is up to date; null if unknown. */
  cardSeat(form = this.now.querySelector("#keys")) {
    if (this.chosen !== null) return this.chosen;
    if (this.isFirstCard(this.current)) return this.current.order[0];
    const seat = form?.dataset.seat;
    return this.shown().length === 0 && seat !== undefined ? Number(seat) : this.current.turn;
  }

  /** Return the seat of the next announcement that does not name its seat. */
  seat() {
    return this.chosen ?? this.current.turn;
  }

  isGone(card) {
    return isKnown(card) && card in this.current.gone;
  }
}

function parsed(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content;
}

const rec = document.getElementById("rec");
if (rec !== null) new Recorder(rec, await openQueue()).begin();
