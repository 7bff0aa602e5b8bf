import assert from "node:assert/strict";
import { test } from "node:test";
import * as order from "../../../../ledger/text/site/scripts/order.js";

const SCOPE = { table: "t", opened: "o", who: "phone/Ann" };

/** A device with its stored acts, changed by decisions as the queue does. */
class Device {
  acts = [];

  decide(decision, ...told) {
    const { put = [], drop = [], result } = decision(this.acts, ...told);
    this.acts = this.acts.filter((act) => !drop.includes(act.id) && !put.some((one) => one.id === act.id));
    this.acts.push(...structuredClone(put));
    return result;
  }

  tap(id, seen, more = {}) {
    const entry = { id, event: { type: "noted", text: id }, happened_at: "2026-01-01T00:00:00.000000Z" };
    const act = { id, ...SCOPE, told: id, at: 1, steps: [{ kind: "entries", entries: [entry] }], ...more };
    return this.decide(order.added, act, seen);
  }

  strike(id, of, seen) {
    const steps = [{ kind: "strike", id, reason: "mis-tap", of, index: 0 }];
    return this.tap(id, seen, { steps, strikes: of });
  }

  take(tab = 1, now = 0) {
    return this.decide(order.taken, SCOPE, tab, now);
  }

  ids() {
    return order.unsent(this.acts, SCOPE).map((act) => act.id);
  }

  of(id) {
    return this.acts.find((act) => act.id === id);
  }
}

function three() {
  const device = new Device();
  device.tap("a", { version: 7, last: null });
  device.tap("b", { version: 7, last: "a" });
  device.tap("c", { version: 7, last: "b" });
  return device;
}

test("acts are sent in the order of the taps, each after the one before it", () => {
  const device = three();
  assert.deepEqual(device.take().act.after, { version: 7 });
  device.decide(order.acknowledged, "a", 0, 8, 8);
  const { act } = device.take();
  assert.deepEqual([act.id, act.after], ["b", { version: 8 }]);
});

test("what was recorded is kept until a page shows it", () => {
  const device = three();
  device.take();
  device.decide(order.acknowledged, "a", 0, 8, 8);
  assert.deepEqual(device.ids(), ["b", "c"]);
  assert.deepEqual(order.unseen(device.acts, SCOPE, 7).map((act) => act.id), ["a", "b", "c"]);
  device.decide(order.shown, SCOPE, 8);
  assert.deepEqual(order.unseen(device.acts, SCOPE, 8).map((act) => act.id), ["b", "c"]);
  device.take();
  device.decide(order.acknowledged, "b", 0, 9, 9);
  device.decide(order.shown, SCOPE, 9);
  assert.equal(device.of("a"), undefined);
});

test("what one window saw another send is known there, also where a third page shows it", () => {
  const device = new Device();
  device.tap("a", { version: 7, last: null });
  device.take();
  device.decide(order.acknowledged, "a", 0, 8, 8);
  device.decide(order.shown, SCOPE, 8);
  device.tap("b", { version: 7, last: "a" });
  assert.deepEqual(device.of("b").after, { version: 8 });
});

test("a tap in a window that has not seen what another one added is not added", () => {
  const device = new Device();
  device.tap("a", { version: 7, last: null });
  const { unknown } = device.tap("b", { version: 7, last: null });
  assert.deepEqual(unknown.map((act) => act.id), ["a"]);
  assert.deepEqual(device.ids(), ["a"]);
});

test("also where what the other window added is recorded already", () => {
  const device = new Device();
  device.tap("a", { version: 7, last: null });
  device.take();
  device.decide(order.acknowledged, "a", 0, 8, 8);
  assert.equal(device.tap("b", { version: 7, last: null }).unknown.length, 1);
  assert.equal(device.tap("b", { version: 8, last: null }).unknown, undefined);
  assert.deepEqual(device.of("b").after, { version: 8 });
});

test("what was recorded while a finger was on its way is no stranger", () => {
  const device = new Device();
  device.tap("a", { version: 7, last: null });
  device.take();
  device.decide(order.acknowledged, "a", 0, 8, 8);
  device.tap("b", { version: 7, last: "a" });
  assert.deepEqual(device.of("b").after, { version: 8 });
});

test("another window does not send what is being sent, and takes over when its time is over", () => {
  const device = three();
  device.take(1, 0);
  assert.equal(device.take(2, 1_000).wait, order.LIMIT_MS - 1_000);
  assert.equal(device.take(2, order.LIMIT_MS + 1).act.id, "a");
});

test("a window that is gone holds nothing up if the clock is set back meanwhile", () => {
  const device = three();
  device.take(1, 3_600_000);
  assert.equal(device.take(2, 0).act.id, "a");
});

test("acknowledged twice, by two windows, it is one act", () => {
  const device = three();
  device.take();
  device.decide(order.acknowledged, "a", 0, 8, 8);
  device.take();
  device.decide(order.acknowledged, "a", 0, 8, 8);
  assert.deepEqual(device.of("b").after, { version: 8 });
  device.decide(order.acknowledged, "b", 0, 9, 9);
  assert.deepEqual(device.of("c").after, { version: 9 });
});

test("what was never sent is dropped, and what waits behind it closes up", () => {
  const device = three();
  assert.equal(device.decide(order.dropped, "b"), true);
  assert.deepEqual(device.of("c").after, { act: "a" });
});

test("an act that may have reached the server is not dropped but undone once its version is known", () => {
  const device = new Device();
  device.tap("a", { version: 7, last: null });
  device.take();
  device.decide(order.released, "a");
  assert.equal(device.decide(order.dropped, "a"), false);
  device.strike("x", "a", { version: 7, last: "a" });
  device.decide(order.acknowledged, "a", 0, 8, 8);
  const { act } = device.take();
  assert.deepEqual([act.steps[0].version, act.after], [8, { version: 8 }]);
});

test("what was taken back already and is refused then is gone without a question", () => {
  const device = new Device();
  device.tap("a", { version: 7, last: null });
  const { act } = device.take();
  device.strike("x", "a", { version: 7, last: "a" });
  device.tap("b", { version: 7, last: "x" });
  device.decide(order.refused, "a", act.revision, { code: "against_rules" });
  assert.deepEqual(device.ids(), ["b"]);
  assert.deepEqual(device.of("b").after, { version: 7 });
});

test("a refusal stops all that waits until somebody decides", () => {
  const device = three();
  const { act } = device.take();
  device.decide(order.refused, "a", act.revision, { code: "against_rules" });
  assert.equal(device.take(), undefined);
  device.decide(order.decided, "a", { as_played: true });
  assert.equal(device.take().act.as_played, true);
});

test("a refusal that comes after the decision counts no more", () => {
  const device = three();
  const { act } = device.take();
  device.decide(order.refused, "a", act.revision, { code: "against_rules" });
  device.decide(order.decided, "a", { as_played: true });
  device.decide(order.refused, "a", act.revision, { code: "against_rules" });
  assert.equal(device.of("a").state, "waiting");
});

test("the replacement of a slip precedes the acts that waited behind it", () => {
  const device = three();
  const { act } = device.take();
  device.decide(order.refused, "a", act.revision, { code: "against_rules" });
  const entry = { id: "z", event: { type: "noted", text: "z" }, happened_at: "" };
  device.decide(order.replaced, "a", { id: "z", ...SCOPE, steps: [{ kind: "entries", entries: [entry] }] });
  assert.deepEqual(device.ids(), ["z", "b", "c"]);
  assert.deepEqual([device.of("z").after, device.of("b").after], [{ version: 7 }, { act: "z" }]);
});

test("what another phone recorded too is dropped, and the rest comes after that", () => {
  const device = three();
  const { act } = device.take();
  device.decide(order.refused, "a", act.revision, { code: "wrong_version" });
  device.decide(order.yielded, SCOPE, ["a", "b"], 9);
  assert.deepEqual([device.ids(), device.of("c").after], [["c"], { version: 9 }]);
});

test("the same act of another phone is known by what it says", () => {
  const play = { type: "card_played", seat: 0, card: "HJ" };
  const ours = { kind: "entries", entries: [{ id: "a", event: play }] };
  const theirs = (event) => [{ version: 8, event }, { version: 9, event: { type: "noted", text: "x" } }];
  assert.equal(order.isSame(ours, theirs({ seat: 0, card: "HJ", type: "card_played" })), true);
  assert.equal(order.isSame(ours, theirs({ ...play, card: "HQ" })), false);
  assert.equal(order.isSame(ours, []), false);
  const strike = { type: "corrected", version: 7, action: "strike", reason: "x" };
  assert.equal(order.isSame({ kind: "strike", version: 7 }, theirs(strike)), true);
  assert.equal(order.isSame({ kind: "strike", version: 6 }, theirs(strike)), false);
});

test("an act that another phone recorded, too, is dropped while it is sent, and the rest comes after it", () => {
  const device = three();
  const { act } = device.take();
  device.decide(order.duplicated, "a", act.revision, 8);
  assert.deepEqual([device.ids(), device.of("b").after, device.of("c").after], [["b", "c"], { version: 8 }, { act: "b" }]);
  assert.equal(device.take().act.id, "b");
});

test("where somebody else recorded something in between, both happened", () => {
  const device = three();
  const { act } = device.take();
  device.decide(order.refused, "a", act.revision, { code: "wrong_version" });
  device.decide(order.decided, "a", { after: { version: 9 } });
  assert.deepEqual([device.take().act.after, device.ids()], [{ version: 9 }, ["a", "b", "c"]]);
});

test("an act of two requests goes on with the second one", () => {
  const device = new Device();
  const call = { kind: "dispute", id: "d", deal: 1, text: "!" };
  const entry = { id: "a", event: { type: "noted", text: "a" }, happened_at: "" };
  device.tap("a", { version: 7, last: null }, { steps: [{ kind: "entries", entries: [entry] }, call] });
  device.take();
  device.decide(order.acknowledged, "a", 0, 8, 8);
  const { act } = device.take();
  assert.deepEqual([act.done, act.after], [1, { version: 8 }]);
  device.decide(order.acknowledged, "a", 1, 9, 9);
  assert.equal(device.of("a").state, "done");
});

test("another person sends nothing of what somebody left, until he says so", () => {
  const device = three();
  const other = { ...SCOPE, who: "phone/Zoe" };
  assert.equal(device.decide(order.taken, other, 1, 0), undefined);
  device.decide(order.handedOver, SCOPE, other, 12);
  const { act } = device.decide(order.taken, other, 1, 0);
  assert.deepEqual([act.id, act.after], ["a", { version: 12 }]);
});

test("a table of the same name in another ledger gets nothing of it", () => {
  const device = three();
  assert.equal(device.decide(order.taken, { ...SCOPE, opened: "another" }, 1, 0), undefined);
});

test("signed in again, what was refused for that is tried again; what broke a rule waits for its decision", () => {
  for (const [status, code, state] of [[401, "unauthenticated", "waiting"], [404, "not_found", "waiting"], [422, "against_rules", "refused"]]) {
    const device = three();
    const { act } = device.take();
    device.decide(order.refused, "a", act.revision, { status, code });
    device.decide(order.retried, SCOPE, 7);
    assert.equal(device.of("a").state, state);
  }
});

test("the file has all that waits in order, with its ids, and says what it cannot have", () => {
  const device = three();
  device.take();
  device.strike("x", "c", { version: 7, last: "c" });
  const { text, left } = order.lines(device.acts);
  const lines = text.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map((line) => [line.stream, line.id]), [["table/t", "a"], ["table/t", "b"], ["table/t", "c"]]);
  assert.deepEqual(left.map((act) => act.id), ["x"]);
});
