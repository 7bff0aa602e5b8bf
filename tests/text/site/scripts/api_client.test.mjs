import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, entriesAfter } from "../../../../ledger/text/site/scripts/api_client.js";
import * as order from "../../../../ledger/text/site/scripts/order.js";
import { Sending } from "../../../../ledger/text/site/scripts/sending.js";

globalThis.document = { body: { dataset: { lang: "en" } } };
Object.defineProperty(globalThis, "navigator", { value: { onLine: true } });

/** A service with a table of so many entries, in pages of a thousand as the API returns them. */
function serving(count, posted) {
  const entries = Array.from({ length: count }, (_, at) => ({ id: `e${at + 1}`, version: at + 1 }));
  const asked = [];
  globalThis.fetch = async (address, { method }) => {
    asked.push(`${method} ${address}`);
    if (method === "POST") return posted();
    const told = new URL(address, "http://club").searchParams;
    const [after, limit] = [Number(told.get("after_version")), Number(told.get("limit"))];
    const page = entries.slice(after, after + limit);
    const more = `</api/v1/streams/table/t/entries?after_version=${after + limit}&limit=${limit}>; rel="next"`;
    const headers = { link: `</api/v1/openapi.json>; rel="describedby"${after + limit < count ? `, ${more}` : ""}` };
    return new Response(JSON.stringify(page), { headers });
  };
  return asked;
}

test("the entries of a table of any length are followed to their end", async () => {
  const asked = serving(2_500);
  const { status, entries } = await entriesAfter("t", 0);
  assert.deepEqual([status, entries.length, entries.at(-1).id, asked.length], [200, 2_500, "e2500", 3]);
});

test("without an answer to a later page the entries are not complete", async () => {
  serving(2_500);
  const whole = globalThis.fetch;
  globalThis.fetch = (address, how) => (address.includes("=2000") ? Promise.reject(new Error("cut")) : whole(address, how));
  assert.equal((await entriesAfter("t", 0)).status, 0);
});

test("an answer that is not of the service counts as none, and its act stays queued", async () => {
  globalThis.fetch = async () => new Response("<h1>Too many</h1>", { status: 429, headers: { "retry-after": "7" } });
  assert.deepEqual(await ask("GET", "/me"), { status: 429, answer: null, retryAfter: 7, next: null });
});

/** Applies decisions as `queue.js` does, without a disk. */
class Kept {
  acts = [];

  async refresh() {}

  unsent(scope) {
    return order.unsent(this.acts, scope);
  }

  async decide(decision, ...told) {
    const { put = [], drop = [], result } = decision(this.acts, ...told);
    this.acts = this.acts.filter((act) => !drop.includes(act.id) && !put.some((one) => one.id === act.id));
    this.acts.push(...put);
    return result;
  }
}

const SCOPE = { table: "t", opened: "o", who: "w" };

async function sendingOf(id) {
  const queue = new Kept();
  const steps = [{ kind: "entries", entries: [{ id, event: { type: "noted", text: "" } }] }];
  await queue.decide(order.added, { ...SCOPE, id, steps, told: id, at: 0 }, { version: 0, last: null });
  return { queue, sending: new Sending(queue, SCOPE, async () => false) };
}

function answer(status, body, headers = {}) {
  return () => new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
}

test("an act that a file brought along is found far behind in a long table", async () => {
  const { queue, sending } = await sendingOf("e2300");
  serving(2_500, answer(409, { code: "id_used", status: 409 }));
  await sending.wake();
  assert.deepEqual([queue.acts[0].state, queue.acts[0].version], ["done", 2_300]);
});

test("after a request to wait nothing is sent before that time, despite taps", async () => {
  const { queue, sending } = await sendingOf("a");
  const asked = serving(0, answer(429, { code: "too_many_requests" }, { "retry-after": "30" }));
  await sending.wake();
  await sending.wake();
  clearTimeout(sending.timer);
  assert.deepEqual([asked.length, sending.trouble.status, queue.acts[0].state], [1, 429, "waiting"]);
});

test("the login page of a guest network counts as no connection, and no question appears", async () => {
  const { queue, sending } = await sendingOf("a");
  serving(0, answer(403, "<html>Welcome</html>"));
  await sending.wake();
  clearTimeout(sending.timer);
  assert.deepEqual([sending.lostSince !== null, queue.acts[0].state], [true, "waiting"]);
});
