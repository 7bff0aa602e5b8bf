// Step through a deal without reloading the page, and follow it during play. The page works without this script.

import { follow } from "./following.js";
import { meantBy, stepTo, swiped } from "./stepping.js";

const LIVE_MS = 40;
const AGAIN_MS = 3_000;

const page = () => document.getElementById("replay");
const facts = () => {
  const { step, last, stops, finding } = page().dataset;
  return {
    step: Number(step), last: Number(last), stops: stops.split(" ").map(Number),
    finding: finding === undefined ? undefined : Number(finding),
  };
};
const addressOf = (step) => page().dataset.steps.replace("{step}", step);
const stepOf = (address) => {
  const [before, after] = page().dataset.steps.split("{step}");
  const path = address.pathname + address.search;
  const step = path.startsWith(before) && path.endsWith(after) ? path.slice(before.length, path.length - after.length) : "";
  if (step === "last") return step;
  return /^\d+$/.test(step) ? Number(step) : null;
};

// Only the last step requested is fetched: with a key held down, the reader sees as many steps as can be drawn.
let wanted = null;
let isFetching = false;
let seenLast = 0;

/** `history`: a step replaces the entry of the one before, so that "back" leaves the replay. */
async function go(address, history = "replace") {
  wanted = { address, history };
  if (isFetching) return;
  isFetching = true;
  while (wanted) {
    const { address: now, history: how } = wanted;
    wanted = null;
    await shown(now, how);
  }
  isFetching = false;
  settle();
}

async function shown(address, how) {
  const swap = { target: "#replay", swap: "outerMorph", source: page(), headers: { "HX-Request": "true" } };
  const held = document.activeElement?.closest("#replay") ? document.activeElement : null;
  const before = held?.getBoundingClientRect().top;
  await window.htmx.ajax("GET", address, swap);
  if (held?.isConnected) scrollBy({ top: held.getBoundingClientRect().top - before, behavior: "instant" });
  const here = page().dataset.here;
  if (how === "push" && here !== location.pathname + location.search) history.pushState({ htmx: true }, "", here);
  if (how === "replace") history.replaceState({ htmx: true }, "", here);
}

// What the server cannot know: how far the reader has seen, the position of the fingers, and live events.
const heard = { nextDeal: null, isLost: false };

function settle() {
  const { step, last } = facts();
  const slider = document.getElementById("step");
  if (!isSliding) slider.value = step;
  if (!isFetching) pending = step;
  seenLast = step === last ? last : Math.min(seenLast, last);
  showNews(last - seenLast);
  for (const one of document.querySelectorAll("[data-print], .by-keys")) one.hidden = false;
  const letters = document.getElementById("letters");
  if (letters) letters.checked = hasLetters();
}

function showNews(count) {
  const news = document.getElementById("news");
  if (!news) return;
  const words = document.getElementById("replay-words").dataset;
  news.hidden = count === 0;
  news.firstElementChild.textContent = words.news.replace("{count}", count);
  const next = document.getElementById("next-deal");
  next.hidden = heard.nextDeal === null;
  if (heard.nextDeal !== null) {
    next.href = `/t/${page().dataset.table}/${heard.nextDeal}`;
    next.textContent = words.nextDeal.replace("{deal}", heard.nextDeal);
  }
  document.getElementById("lost").textContent = heard.isLost ? words.lost : "";
}

let pending = null;

function move(to) {
  if (to === "turn") return go(page().dataset.turned);
  const now = facts();
  const from = isFetching && pending !== null ? pending : now.step;
  const step = stepTo(to, from, now);
  pending = step;
  if (step !== from) go(addressOf(step));
}

let isSliding = false;

document.addEventListener("input", ({ target }) => {
  if (target.id !== "step") return;
  isSliding = true;
  pending = Number(target.value);
  go(addressOf(target.value));
});
document.addEventListener("change", ({ target }) => {
  if (target.id === "step") isSliding = false;
});

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const at = event.target.closest("#replay a[href], #replay button, #replay input[readonly]");
  if (!at) return;
  if (at.matches("input")) {
    at.select();
  } else if (at.matches("[data-print]")) {
    window.print();
  } else if (at.matches("button[name=to]")) {
    event.preventDefault();
    move(at.value);
  } else if (at.matches("a") && !at.target && !at.hasAttribute("download")) {
    const address = new URL(at.href);
    const step = address.origin === location.origin ? stepOf(address) : null;
    if (step === null) return;
    event.preventDefault();
    if (step !== "last") pending = step;
    go(addressOf(step));
  }
});

// The form's address without its empty fields.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id !== "look") return;
  const fields = new URLSearchParams(new FormData(form));
  if (fields.get("reading") === "both") return;
  event.preventDefault();
  go(`${new URL(form.action).pathname}?${fields}`, "push");
});

// Voice control may press letter keys by mistake, so these keys can be switched off.
const LETTERS = "replay-letters";
const hasLetters = () => localStorage.getItem(LETTERS) !== "off";
document.addEventListener("change", ({ target }) => {
  if (target.id === "letters") localStorage.setItem(LETTERS, target.checked ? "on" : "off");
});

document.addEventListener("keydown", (event) => {
  const to = meantBy(event, hasLetters());
  if (to === null || event.defaultPrevented) return;
  event.preventDefault();
  move(to);
});

let touched = null;
document.addEventListener("touchstart", (event) => {
  touched = event.touches.length === 1 && event.target.closest("#picture") ? event.touches[0] : null;
}, { passive: true });
document.addEventListener("touchend", (event) => {
  const to = touched && swiped(touched, event.changedTouches[0]);
  touched = null;
  if (to) move(to);
}, { passive: true });

// What the reader has unfolded and typed stays.
window.htmx?.config.morphIgnore.push("open");

let refresh = () => {};

function goAlong() {
  const { table, after } = page().dataset;
  let timer = 0;
  refresh = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const { step, last } = facts();
      if (isFetching) refresh();
      else go(addressOf(step === last ? "last" : step));
    }, LIVE_MS);
  };
  return follow(`table/${table}`, Number(after), {
    heard: (event) => {
      if (event.type === "deal_started" && event.deal > Number(page().dataset.deal)) heard.nextDeal = event.deal;
      refresh();
    },
    opened: refresh,
    lost: (isLost) => {
      heard.isLost = isLost;
      settle();
    },
  });
}

document.addEventListener("htmx:after:swap", () => {
  heard.isLost = false;
  settle();
});
// Fetch a failed step until it comes, as the next event may take long.
function loseStep() {
  heard.isLost = true;
  setTimeout(() => refresh(), AGAIN_MS);
}

document.addEventListener("htmx:error", loseStep);
// A rejection is shown by its own page, e.g. to sign in; while the service is away nothing changes.
document.addEventListener("htmx:before:response", (event) => {
  const { response, request } = event.detail.ctx;
  if (response.status < 400) return;
  event.preventDefault();
  if (response.status < 500) location.assign(request.action);
  else loseStep();
});
seenLast = facts().last;
settle();
let end = page().dataset.after ? goAlong() : null;
window.addEventListener("pagehide", () => end?.());
window.addEventListener("pageshow", (event) => {
  if (event.persisted && end) end = goAlong();
});
