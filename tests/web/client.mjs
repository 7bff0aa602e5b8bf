// A recorder that was written from docs/reference/http.md alone, with nothing but what Node has: it opens a table, records a deal
// event by event, loses its connection three times, and follows what it records. At its end it tells what it saw.
//
//     node client.mjs ADDRESS TOKEN TABLE < events.json

import { randomUUID } from "node:crypto";
import http from "node:http";

const [address, token, table] = process.argv.slice(2);
const WAIT_MS = 200;
const lost = [];
const statuses = [];
const heard = [];
let closing = false;

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

async function read(stream) {
  let text = "";
  for await (const piece of stream) text += piece;
  return text;
}

// One request on a connection of its own; `lose`: "half" of the body is sent, or the answer is not waited for.
function send(method, path, body, lose) {
  return new Promise((done, failed) => {
    const text = JSON.stringify(body);
    const headers = {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text),
    };
    const request = http.request(`${address}/api/v1${path}`, { method, headers, agent: false });
    request.on("error", failed);
    request.on("response", async (answer) => {
      try {
        done({ status: answer.statusCode, retryAfter: answer.headers["retry-after"], body: JSON.parse(await read(answer)) });
      } catch (error) {
        failed(error);
      }
    });
    if (lose === "half") {
      request.write(text.slice(0, text.length / 2), () => request.destroy(new Error("half of the body")));
    } else {
      request.end(text, () => lose === "answer" && request.destroy(new Error("before the answer")));
    }
  });
}

// Sends until there is an answer: the ids in the body make it the same request each time.
async function record(path, body, lose) {
  for (;;) {
    try {
      const answer = await send("POST", path, body, lose);
      if (answer.status === 429 || answer.status === 503) {
        await wait(1000 * Number(answer.retryAfter ?? 1));
        continue;
      }
      if (answer.status !== 200 && answer.status !== 201) throw new Refused(answer);
      statuses.push(answer.status);
      return answer.body;
    } catch (error) {
      if (error instanceof Refused) throw error;
      lost.push(error.message);
      lose = undefined;
      await wait(WAIT_MS);
    }
  }
}

class Refused extends Error {
  constructor(answer) {
    super(`${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

// Listens from behind the last position that was heard whole, again and again.
async function follow(streams, loseAfter) {
  let last;
  while (!closing) {
    try {
      await listen(streams, last, (message) => {
        if (message.id !== undefined) last = message.id;
        if (message.event !== "entry") return false;
        heard.push(JSON.parse(message.data));
        return heard.length === loseAfter;
      });
    } catch (error) {
      if (closing) return;
      lost.push(error.message);
      await wait(WAIT_MS);
    }
  }
}

function listen(streams, last, told) {
  return new Promise((done, failed) => {
    const headers = { Authorization: `Bearer ${token}`, Accept: "text/event-stream" };
    if (last !== undefined) headers["Last-Event-ID"] = last;
    const request = http.get(`${address}/api/v1/live?streams=${streams}&after=0`, { headers, agent: false });
    listening = request;
    request.on("error", failed);
    request.on("response", (answer) => {
      let rest = "";
      answer.setEncoding("utf8");
      answer.on("error", failed);
      answer.on("close", done);
      answer.on("data", (piece) => {
        rest += piece;
        const blocks = rest.split("\n\n");
        rest = blocks.pop(); // not whole yet
        for (const block of blocks) {
          const message = {};
          for (const line of block.split("\n")) {
            const at = line.indexOf(": ");
            if (at > 0) message[line.slice(0, at)] = line.slice(at + 2);
          }
          if (told(message)) {
            request.destroy(new Error("in the middle of the stream"));
            return;
          }
        }
      });
    });
  });
}

let listening;
const [opening, ...events] = JSON.parse(await read(process.stdin));
await record("/tables", { id: randomUUID(), slug: table, event: opening });
const following = follow(`table/${table}`, Math.floor(events.length / 2));

const losses = new Map([
  [3, "answer"],
  [9, "half"],
]);
const acknowledged = [];
let version = 1;
for (const [number, event] of events.entries()) {
  const body = { expected_version: version, entries: [{ id: randomUUID(), event }], as_played: true };
  const receipt = await record(`/streams/table/${table}/entries`, body, losses.get(number));
  acknowledged.push({ position: receipt.first_position, version: receipt.first_version, id: receipt.ids[0] });
  version = receipt.version;
}

while (heard.length <= events.length) await wait(20);
closing = true;
listening.destroy();
await following;
console.log(JSON.stringify({ acknowledged, heard, lost, statuses }));
