/**
 * Send the waiting acts one after another, until each is acknowledged or its recorder must decide.
 *
 * A request without an answer is sent again with the same ids, so the server records it once.
 */

import { ask, entriesAfter } from "./api_client.js";
import * as order from "./order.js";

const PAUSES_S = [1, 2, 4, 8, 15, 30];
const TIMES = new Set([408, 425, 429, 500, 502, 503, 504, 507]);
/** Answers of a server in trouble, which may recover by itself. */

const TOO_LARGE = 413;
const LONGEST_S = 60;
/** The maximum wait, whatever the server asks for. */

export class Sending extends EventTarget {
  /** `renewed`: request the page again for a new token; resolves to whether the same person is signed in. */
  constructor(queue, scope, renewed) {
    super();
    Object.assign(this, { queue, scope, renewed, tab: crypto.getRandomValues(new Uint32Array(1))[0] });
    Object.assign(this, { goes: false, again: false, failures: 0, timer: null, due: 0, lostSince: null, trouble: null });
  }

  /** Send at once, unless the server asked to wait; during sending, send once more afterwards. */
  wake() {
    clearTimeout(this.timer);
    const wait_ms = this.due - Date.now();
    if (wait_ms > 0 && wait_ms <= LONGEST_S * 1000) { // longer only if the clock was set back
      this.timer = setTimeout(() => this.wake(), wait_ms);
      return this.going;
    }
    this.again = true;
    if (!this.goes) this.going = this.run();
    return this.going;
  }

  async run() {
    this.goes = true;
    try {
      while (this.again) {
        this.again = false;
        await this.drain();
      }
    } catch (error) {
      this.timer = setTimeout(() => this.wake(), PAUSES_S[2] * 1000);
      throw error;
    } finally {
      this.goes = false;
    }
  }

  /** Send for all tables of the person signed in, who may have changed tables before all was sent. */
  async drain() {
    await this.queue.refresh();
    const others = this.queue.unsent().filter((act) => act.who === this.scope.who && !order.isOf(this.scope, act));
    const scopes = new Map(others.map((act) => [`${act.opened} ${act.table}`, scopeOf(act)]));
    for (const scope of [this.scope, ...scopes.values()]) {
      const wait_s = await this.drained(scope);
      if (wait_s > 0) {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.wake(), wait_s * 1000);
        return;
      }
    }
    if (this.failures === 0) this.changed({ trouble: null });
  }

  /** Send the acts of one table; return after how many seconds to try again, 0 if nothing is left. */
  async drained(scope) {
    for (;;) {
      if (!navigator.onLine && this.queue.unsent(scope).length > 0) return this.failed(null, 0);
      const { act, wait } = (await this.queue.decide(order.taken, scope, this.tab, Date.now())) ?? {};
      if (wait !== undefined) return wait / 1000;
      if (act === undefined) return 0;
      const step = act.steps[act.done];
      const sent = await this.send(act, step);
      const wait_s = await this.handleAnswer(act, step, sent);
      if (wait_s > 0) return wait_s;
    }
  }

  send(act, step) {
    const { version } = act.after;
    if (step.kind === "entries") {
      const body = { expected_version: version, entries: step.entries, as_played: act.as_played === true };
      return ask("POST", `/streams/table/${act.table}/entries`, body);
    }
    if (step.kind === "dispute") {
      const body = { id: step.id, deal: step.deal, text: step.text, version: step.version ?? act.version };
      return ask("POST", `/tables/${act.table}/disputes`, body);
    }
    const { id, events, reason, confirm } = step;
    const body = { id, version: step.version, action: step.kind, events, reason, confirm, expected_version: version };
    return ask("POST", `/tables/${act.table}/corrections`, body);
  }

  /** Store the answer; returns the same as `drained`. */
  async handleAnswer(act, step, { status: said, answer, retryAfter }) {
    const isBrokenOff = said < 300 && !Number.isInteger(answer?.version);
    const isForeign = answer === null && said !== TOO_LARGE && !TIMES.has(said);
    const status = isBrokenOff || isForeign ? 0 : said;
    if (status === 200 || status === 201) {
      const [first, last] = step.kind === "entries" ? [answer.first_version, answer.last_version] : whole(answer);
      return this.recorded(act, first, last);
    }
    if (status === 0 || TIMES.has(status)) {
      await this.queue.decide(order.released, act.id);
      return this.failed(status === 0 ? null : { status, ...answer }, retryAfter);
    }
    if (answer?.code === "id_used" || answer?.code === "partly_recorded") {
      const wait_s = await this.findOwnEntries(act, step);
      if (wait_s !== null) return wait_s;
    }
    if (answer?.code === "csrf" && act.renewed !== true && (await this.renewed())) {
      act.renewed = true;
      return this.handleAnswer(act, step, await this.send(act, step));
    }
    if (answer?.code === "wrong_version" && (await this.repeats(act, step))) return 0;
    this.connected();
    await this.queue.decide(order.refused, act.id, act.revision, { status, ...answer });
    return 0;
  }

  /** Drop an act that somebody else has recorded meanwhile; return whether it was dropped. */
  async repeats(act, step) {
    if (act.done > 0) return false;
    const { entries } = await entriesAfter(act.table, act.after.version);
    if (!order.isSame(step, entries)) return false;
    const { version } = entries[(step.entries?.length ?? 1) - 1];
    this.connected();
    await this.queue.decide(order.duplicated, act.id, act.revision, version);
    this.dispatchEvent(new Event("recorded"));
    return true;
  }

  async recorded(act, first, last) {
    this.connected();
    await this.queue.decide(order.acknowledged, act.id, act.done, first, last);
    this.dispatchEvent(new Event("recorded"));
    return 0;
  }

  /**
   * Handle ids that are already used. While a deal is open, the server does not name another person's entry, so look
   * for these ids at this table: somebody may have imported this device's file. Null: they belong to something else.
   */
  async findOwnEntries(act, step) {
    const after = act.after.version ?? 0;
    const { status, entries } = await entriesAfter(act.table, after);
    if (status === 0 || TIMES.has(status)) {
      await this.queue.decide(order.released, act.id);
      return this.failed(null, 0);
    }
    const ids = step.kind === "entries" ? step.entries.map((one) => one.id) : [step.id];
    const matches = entries.filter((one) => ids.includes(one.id));
    if (matches.length < ids.length) return null;
    return this.recorded(act, matches[0].version, matches[matches.length - 1].version);
  }

  connected() {
    this.failures = 0;
    this.changed({ lostSince: null, trouble: null });
  }

  failed(problem, retryAfter) {
    const pause = PAUSES_S[Math.min(this.failures, PAUSES_S.length - 1)];
    this.failures += 1;
    this.changed(
      problem === null
        ? { lostSince: this.lostSince ?? Date.now(), trouble: null }
        : { lostSince: null, trouble: { ...problem, failures: this.failures } },
    );
    const requested_s = Math.min(retryAfter, LONGEST_S);
    this.due = requested_s > 0 ? Date.now() + requested_s * 1000 : 0;
    return Math.max(pause, requested_s);
  }

  /** Note whether a request other than an act reached the server. */
  heard(isThere) {
    if (isThere !== (this.lostSince === null)) this.changed({ lostSince: isThere ? null : Date.now() });
  }

  changed(state) {
    Object.assign(this, state);
    this.dispatchEvent(new Event("change"));
  }
}

function whole(addition) {
  return [addition.version, addition.version + (addition.more ?? []).length];
}

function scopeOf(act) {
  return { table: act.table, opened: act.opened, who: act.who };
}

/** Save the waiting acts as a file for `trickledger import`; they keep their ids, so nothing is recorded twice. */
export function save(acts, table) {
  const { text, left } = order.lines(acts);
  const address = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${table}-${new Date().toISOString().slice(0, 16).replace(/[:T]/g, "-")}.ndjson`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return left;
}
