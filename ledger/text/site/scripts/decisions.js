/** Carry out the recorder's decision about a rejected act, or about an act that somebody else recorded, too. */

import { entriesAfter, newId } from "./api_client.js";
import * as order from "./order.js";
import { filled } from "./words.js";

/**
 * `stale`: an act tapped before this window showed what another window added. `replacing`: the act to be replaced.
 * `others`: what somebody else recorded before a rejected act: by whom, and up to which version.
 */
export class Deciding {
  constructor(recorder) {
    Object.assign(this, { recorder, stale: null, others: null, replacing: null });
  }

  async resolve(how) {
    const { recorder } = this;
    const [head] = recorder.queue.unsent(recorder.scope);
    if (this.stale === null) {
      await this.resolved(how, head);
    } else {
      const { before, ...act } = this.stale;
      this.stale = null;
      if (how === "both") await recorder.add(act);
      recorder.draw();
    }
    return recorder.sending.wake();
  }

  async resolved(how, head) {
    const { queue, scope, board, words, table } = this.recorder;
    const by = queue.decide.bind(queue);
    if (how === "send-mine") return this.handOver();
    if (head === undefined) return undefined;
    if (how === "played") return by(order.decided, head.id, { as_played: true });
    if (how === "call") {
      const dispute = { kind: "dispute", id: newId(), deal: board.deal, text: filled(words.dispute, { act: head.line ?? head.told }) };
      return by(order.decided, head.id, { as_played: true, steps: [...head.steps, dispute] });
    }
    if (how === "tap") return this.mistapped(head);
    if (how === "drop" || how === "none") {
      this.replacing = null;
      return by(order.abandoned, head.id);
    }
    if (how === "again" || how === "both") return by(order.decided, head.id, { after: { version: board.version } });
    if (how === "right") return by(order.decided, head.id, { after: { version: board.version }, steps: [this.insteadOfTheirs(head)] });
    if (how === "mine") return by(order.yielded, scope, this.sameAsOthers(head), board.version);
    if (how === "earlier") {
      await by((acts) => ({ put: acts.filter((act) => act.id === head.id).map((act) => ({ ...act, problem: { code: "earlier" } })) }));
      await this.recorder.follow(`/record/${table}/deal`);
    }
    return undefined;
  }

  /** Return to the cards. Acts behind the slip go on waiting until it is known what replaces it. */
  async mistapped(head) {
    const { recorder } = this;
    if (recorder.queue.unsent(recorder.scope).length === 1) return recorder.queue.decide(order.abandoned, head.id);
    this.replacing = head.id;
    return recorder.draw();
  }

  /** Replace a rejected act; return whether that was possible. */
  async replaced(act) {
    const old = this.replacing;
    this.replacing = null;
    return old !== null && this.recorder.queue.decide(order.replaced, old, act);
  }

  /** Return the ids of waiting acts that the others have recorded, too: at least the first. */
  sameAsOthers(head) {
    const own = this.recorder.queue.unsent(this.recorder.scope);
    const ids = [head.id];
    let at = head.steps[0].entries?.length ?? 1;
    for (const { id, steps: [step] } of own.slice(1)) {
      if (!order.isSame(step, (this.others?.entries ?? []).slice(at))) break;
      ids.push(id);
      at += step.entries?.length ?? 1;
    }
    return ids;
  }

  /** Return the step that puts our act in place of theirs: a correction by a director, else a dispute. */
  insteadOfTheirs(head) {
    const { board, corrects, words } = this.recorder;
    const [{ version }] = this.others.entries;
    if (corrects) {
      const events = head.steps[0].entries.map((one) => one.event);
      return { kind: "replace", id: newId(), version, events, reason: words.reasonRight };
    }
    const text = filled(words.disputeRight, { act: head.line ?? head.told });
    return { kind: "dispute", id: newId(), deal: board.deal, version, text };
  }

  async handOver() {
    const { queue, scope, board } = this.recorder;
    const [first] = this.recorder.left();
    if (first === undefined) return;
    const from = { table: first.table, opened: first.opened, who: first.who };
    await queue.decide(order.handedOver, from, scope, board.version);
  }

  /** Find out what else was recorded before the first waiting act was rejected. */
  async compare() {
    const { queue, scope, board, words, table } = this.recorder;
    const [head] = queue.unsent(scope);
    if (head?.problem?.code !== "wrong_version" || this.isCompared(head)) return;
    const { version, last_by: last } = board;
    const { entries } = await entriesAfter(table, head.problem.expected ?? head.after.version);
    const who = last.is_own ? words.here : last.by;
    this.others = { id: head.id, version, who, act: last.told, count: entries.length, entries };
  }

  isCompared(act) {
    return this.others?.id === act.id && this.others.version === this.recorder.board.version;
  }

  /** Compare again with the current page, which names the last recorder. */
  async compareAnew() {
    if (this.isComparing) return;
    this.isComparing = true;
    await this.recorder.renew();
    await this.compare();
    this.isComparing = false;
    this.recorder.drawBands();
  }
}
