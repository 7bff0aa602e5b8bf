// Renew a page with a ranking when the record changes, and mark the rows that have changed for a while.

import { follow } from "./following.js";
import { become } from "./morph.js";

// The read model takes entries in a moment later, and says so by the tag of its answers.
const FIRST_LOOK_MS = 500;
const NEXT_LOOK_MS = 3_000;
const LOOKS_FOR_MS = 7_000;
const MARKED_MS = 10_000;

const live = () => document.getElementById("live");
const points = () => new Map([...live().querySelectorAll("tr[data-player]")].map((row) => [row.dataset.player, row.querySelector(".pts").textContent]));

const marked = new Map();
let tag = null;
let timer = 0;
let looksUntil = 0;

async function look() {
  if (document.hidden) return;
  try {
    const reply = await fetch("/api/v1/sessions?limit=1", { headers: { accept: "application/json" } });
    const current = reply.headers.get("etag");
    if (!reply.ok || current === tag) return;
    const page = await fetch(location.href, { headers: { accept: "text/html", "hx-request": "true" } });
    const fresh = page.ok ? new DOMParser().parseFromString(await page.text(), "text/html").getElementById("live") : null;
    if (fresh === null) return;
    renew(fresh);
    tag = current;
  } catch {
    // the connection is lost; the next entry, or the connection that comes back, looks again
  }
}

function renew(fresh) {
  const before = points();
  become(live(), fresh);
  const now = Date.now();
  for (const [player, amount] of points()) if (before.get(player) !== amount) marked.set(player, now + MARKED_MS);
  mark();
  setTimeout(mark, MARKED_MS + 100);
}

function mark() {
  for (const row of live().querySelectorAll("tr[data-player]")) row.classList.toggle("changed", (marked.get(row.dataset.player) ?? 0) > Date.now());
}

function lookSoon() {
  looksUntil = Date.now() + LOOKS_FOR_MS;
  if (timer === 0) timer = setTimeout(lookAgain, FIRST_LOOK_MS);
}

async function lookAgain() {
  await look();
  timer = Date.now() < looksUntil ? setTimeout(lookAgain, NEXT_LOOK_MS) : 0;
}

const start = () => follow("", Number(live().dataset.after), { heard: lookSoon, opened: lookSoon, lost: (isLost) => isLost || lookSoon() });

document.documentElement.dataset.renews = "";
let end = start();
window.addEventListener("pagehide", () => end());
window.addEventListener("pageshow", (event) => {
  if (event.persisted) end = start();
});
document.addEventListener("visibilitychange", lookSoon);
