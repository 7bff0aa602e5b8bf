/** Show bands above the table for unsent acts, rejected acts and conflicts, with what can be done about them. */

import { become } from "./morph.js";
import { copied, counted, filled, suited, words } from "./words.js";

const LISTED = 6;
const SIGNED_OUT = new Set([401, 403, 410]);

/** Return the bands for a situation, decisions first. Each is `{key, node, asks}`. */
export function bands(situation) {
  const shown = [decision, strangers, waiting, unsaid, elsewhere, memory].map((one) => one(situation));
  return shown.filter((one) => one !== null);
}

function decision({ table, game, corrects, refused, own, others, stale, replacing }) {
  if (stale !== null) {
    const said = filled(words("t-words").window, { act: stale.before });
    return conflict(`stale ${stale.id}`, { said, mine: lineOf(stale) }, false);
  }
  if (refused === undefined) return null;
  const { problem } = refused;
  const later = own.length > 1 ? filled(words("t-words").later, { count: own.length - 1 }) : "";
  if (replacing === refused.id) {
    return band(`instead ${refused.id}`, "t-instead", { act: lineOf(refused) });
  }
  if (problem.code === "wrong_version") {
    if (others?.id !== refused.id) return null;
    const said = filled(others.count > 1 ? words("t-words").byMany : words("t-words").by, others);
    const [theirs] = others.entries;
    const isCorrection = corrects && theirs?.event.type === "corrected"; // which no correction can replace
    const isReplaceable = refused.steps[0].kind === "entries" && theirs !== undefined && !isCorrection;
    return conflict(`conflict ${refused.id} ${others.version}`, { said, mine: lineOf(refused), later }, isReplaceable);
  }
  if (problem.code === "against_rules" && refused.steps[refused.done].kind === "entries") {
    const rule = `/rules/${game}#${problem.rule}`;
    const slots = { line: lineOf(refused), act: refused.told, detail: unplaced(problem.detail), later, rule };
    return asking(`judged ${refused.id}`, "t-as-played", slots);
  }
  if (problem.code === "earlier") return band(`earlier ${refused.id}`, "t-earlier", { act: lineOf(refused), deal: `/record/${table}/deal` });
  if (SIGNED_OUT.has(problem.status)) {
    const slots = { detail: problem.detail, count: own.length, "sign-in": "/sign-in" };
    return band(`out ${problem.code}`, "t-signed-out", slots);
  }
  const slots = { line: lineOf(refused), act: refused.told, ...saying(problem), detail: unplaced(problem.detail), later };
  return asking(`refused ${refused.id}`, "t-refused", slots);
}

function conflict(key, slots, isReplaceable) {
  const question = asking(key, "t-conflict", slots);
  if (!isReplaceable) question.node.querySelector("[data-as=right]").remove();
  return question;
}

/** Return the title of a problem and the advice for it. */
function saying({ status, title }) {
  const messages = words("t-words");
  return { title: title ?? filled(messages.answered, { status }), advice: messages[`s${status}`] };
}

function strangers({ left }) {
  if (left.length === 0) return null;
  const [{ who }] = left;
  return band(`left ${left.length} ${who}`, "t-left", { who: who.slice(who.indexOf("/") + 1), count: left.length, acts: list(left) });
}

function waiting({ own, refused, lostSince, trouble, isLong, lang }) {
  if (refused !== undefined) return null;
  if (lostSince === null && trouble === null && (own.length === 0 || !isLong)) return null;
  if (trouble !== null && (trouble.failures > 1 || isLong)) {
    return band(`trouble ${trouble.status} ${own.length}`, "t-trouble", { ...saying(trouble), acts: list(own) });
  }
  if (lostSince === null && own.length === 0) return null;
  const since = lostSince ?? Math.min(...own.map((act) => act.at));
  const values = { time: time(since, lang) };
  const head = filled(lostSince === null ? words("t-words").waitsSince : words("t-words").lostSince, values);
  const slots = { head, acts: list(own), tries: own.length === 0 ? "" : own.length };
  return band(`lost ${head} ${own.map((act) => act.id)}`, "t-offline", slots);
}

/** Report the acts that a saved file does not contain. */
function unsaid({ unsaved }) {
  return unsaved.length === 0 ? null : band(`unsaid ${unsaved.length}`, "t-unsaid", { acts: list(unsaved) });
}

function elsewhere({ elsewhere: acts }) {
  if (acts.length === 0) return null;
  const [first] = acts;
  const slots = { count: acts.length, table: first.table, there: `/record/${first.table}` };
  return band(`elsewhere ${first.table} ${acts.length}`, "t-elsewhere", slots);
}

function memory({ isDurable }) {
  return isDurable ? null : band("memory", "t-memory", {});
}

function band(key, template, slots) {
  return { key, node: copied(template, slots), asks: false };
}

function asking(key, template, slots) {
  return { ...band(key, template, slots), asks: true };
}

/** List only the last acts, as a band that grows with every act would push the keys away. */
function list(acts) {
  const more = acts.length > LISTED ? "… " : "";
  return more + acts.slice(-LISTED).map(lineOf).join(words("t-words").comma);
}

/** Return an act with its player. */
function lineOf(act) {
  return act.line ?? act.told;
}

/** Return the detail of a problem without its place in the log, which nobody at a table knows. */
function unplaced(detail = "") {
  return detail.replace(/^table\/[^:]*: /, "");
}

/** Return the time of day, with the date if it is not today. */
function time(at, lang) {
  const day = new Date(at).toDateString() === new Date().toDateString() ? {} : { day: "numeric", month: "long" };
  return new Intl.DateTimeFormat(lang, { hour: "2-digit", minute: "2-digit", ...day }).format(at);
}

/** Put the bands into the page; bands that are already there stay as they are, with the focus in them. */
export function put(place, shown) {
  const there = new Map([...place.children].map((one) => [one.dataset.key, one]));
  const nodes = shown.map(({ key, node, asks }) => {
    const present = there.get(key);
    const made = document.createElement("div");
    made.dataset.key = key;
    if (asks) made.dataset.asks = "";
    made.append(node);
    if (present === undefined) return made;
    become(present, made);
    return present;
  });
  for (const one of there.values()) if (!nodes.includes(one)) one.remove();
  nodes.forEach((one, at) => place.children[at] !== one && place.insertBefore(one, place.children[at] ?? null));
  return nodes.find((one) => one.dataset.asks !== undefined && !there.has(one.dataset.key)) ?? null;
}

/** Show in the header how many acts are not sent. */
export function showUnsent(place, count) {
  place.classList.toggle("off", count > 0);
  if (count === 0) {
    if (place.dataset.count !== "0") place.replaceChildren(copied("t-all-sent"));
  } else if (place.dataset.count !== String(count)) {
    const strong = document.createElement("b");
    strong.append(suited(counted(words("t-not-sent"), count)));
    place.replaceChildren(strong);
  }
  place.dataset.count = String(count);
}
