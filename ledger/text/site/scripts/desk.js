// Keep the director's desk up to date: after entries of any table, at most once a second, in a large room more seldom, and each minute for the ages.

import { follow } from "./following.js";
import { become } from "./morph.js";

const LEAST_MS = 1_000;
const AGES_MS = 60_000;

// The rest after a look, as a multiple of its duration.
const REST = 3;

const desk = document.getElementById("desk");
let waiting = 0;
let notBefore = 0;
let isOld = false;

async function refresh() {
  const begun = Date.now();
  isOld = false;
  try {
    const page = await fetch("/desk", { headers: { accept: "text/html", "hx-request": "true" } });
    const fresh = page.ok ? new DOMParser().parseFromString(await page.text(), "text/html").getElementById("desk") : null;
    if (fresh !== null) become(desk, fresh);
  } catch {
    // The connection is lost, and the page says so.
  }
  waiting = 0;
  const ended = Date.now();
  notBefore = Math.max(begun + LEAST_MS, ended + REST * (ended - begun));
  if (isOld) soon(); // an entry came after the server had made the page
}

function soon() {
  isOld = true;
  if (!waiting) waiting = setTimeout(refresh, Math.max(0, notBefore - Date.now()));
}

const watch = () => follow("", Number(desk.dataset.after), {
  heard: soon,
  opened: soon,
  lost: (isLost) => {
    const lost = document.getElementById("lost");
    lost.textContent = isLost ? lost.dataset.lost : "";
  },
});

let end = watch();
setInterval(() => document.hidden || soon(), AGES_MS);
window.addEventListener("pagehide", () => end());
window.addEventListener("pageshow", (event) => {
  if (event.persisted) end = watch();
});
