/**
 * Decide on the queue of acts on this device: pure functions of all stored acts, each run in one transaction.
 *
 * An act has `steps`, requests that are sent one after another; `done` of them are acknowledged. `after`: what its
 * recorder saw before it, a version or the waiting act before it. `attempted`: it may have reached the server. States:
 * `waiting`; `refused`, with the `problem`, until somebody decides; `done`, until a page shows it.
 */

export const LIMIT_MS = 12_000;
/** How long an attempt of another window counts as in progress. */

export function isOf(scope, act) {
  return act.table === scope.table && act.opened === scope.opened && act.who === scope.who;
}

export function inOrder(acts) {
  return [...acts].sort((one, other) => one.place - other.place);
}

/** Return the acts that are not acknowledged. */
export function unsent(acts, scope) {
  return inOrder(acts).filter((act) => act.state !== "done" && (scope === undefined || isOf(scope, act)));
}

/** Return the acts that a page of that version does not show. */
export function unseen(acts, scope, version) {
  return inOrder(acts).filter((act) => isOf(scope, act) && (act.state !== "done" || act.version > version));
}

/**
 * Add an act. `seen`: the version of the page and the last waiting act (or null) at the tap. If another window has
 * added acts since, nothing is added, and `unknown` are those acts.
 */
export function added(acts, act, seen) {
  const own = inOrder(acts).filter((one) => isOf(act, one));
  const known = own.findIndex((one) => one.id === seen.last);
  const unknown = own.filter((one, place) => place > known && !(one.state === "done" && one.version <= seen.version));
  if (unknown.length > 0) return { result: { unknown } };
  const last = own[known];
  const after = last === undefined ? { version: seen.version } : afterOf(last, seen);
  const place = Math.max(0, ...acts.map((one) => one.place)) + 1;
  const queued = { ...act, place, after, done: 0, state: "waiting", attempted: false, revision: 0 };
  return { put: [queued], result: { act: queued } };
}

function afterOf(last, seen) {
  return last.state === "done" ? { version: Math.max(last.version, seen.version) } : { act: last.id };
}

/** Return the act to send now, marked as attempted; nothing if it waits for a decision or another window sends it. */
export function taken(acts, scope, tab, now) {
  const [head] = unsent(acts, scope);
  if (head === undefined || head.state !== "waiting") return {};
  const wait = head.attempt === undefined || head.attempt.tab === tab ? 0 : head.attempt.until - now;
  if (wait > 0 && wait <= LIMIT_MS) return { result: { wait } }; // longer only if the clock was set back
  const act = { ...head, attempted: true, attempt: { tab, until: now + LIMIT_MS } };
  return { put: [act], result: { act } };
}

/** Release an act without an answer: any window may try it again, and it may have been recorded. */
export function released(acts, id) {
  return changed(acts, id, { attempt: undefined });
}

/** Mark one step as recorded, as the entries from `first` to `last`. */
export function acknowledged(acts, id, step, first, last) {
  const act = actById(acts, id);
  if (act === undefined || act.done > step) return {};
  const done = step + 1;
  const state = done === act.steps.length ? "done" : act.state;
  const recorded = { ...act, done, state, version: last, attempt: undefined, problem: undefined };
  if (step === 0) recorded.first = first;
  if (state !== "done") return { put: [{ ...recorded, after: { version: last } }] };
  const later = acts.filter((one) => one.after.act === id);
  return { put: [recorded, ...later.map((one) => knowing(one, recorded))] };
}

/** Give an act the version of the recorded act before it, which it may undo. */
function knowing(act, recorded) {
  const steps = act.steps.map((step) =>
    step.of === recorded.id ? { ...step, version: recorded.first + step.index, of: undefined } : step,
  );
  return { ...act, steps, after: { version: recorded.version } };
}

/**
 * Mark an act as rejected, so that its recorder decides; drop it if it was already undone. An answer to a request from
 * before the last decision does not count.
 */
export function refused(acts, id, revision, problem) {
  const act = actById(acts, id);
  if (act === undefined || act.revision !== revision || act.state !== "waiting") return {};
  const rejected = { ...act, state: "refused", problem, attempted: act.done > 0, attempt: undefined };
  const isTakenBack = acts.some((one) => one.steps.some((step) => step.of === id));
  return isTakenBack && act.done === 0 ? without(acts, [id]) : { put: [rejected] };
}

/** Return whether the entries of somebody else, from the first on, equal a request of ours. */
export function isSame(step, theirs) {
  if (step.kind === "entries") return step.entries.every((one, place) => contentOf(one.event) === contentOf(theirs[place]?.event));
  const { type, version, action } = theirs[0]?.event ?? {};
  return step.kind === "strike" && type === "corrected" && version === step.version && action === "strike";
}

function contentOf(event = {}) {
  const fields = Object.entries(event).filter(([, value]) => value !== null);
  return JSON.stringify(fields.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Drop an act that somebody else has recorded, too, as the entries up to `version`; the next act follows them. */
export function duplicated(acts, id, revision, version) {
  const act = actById(acts, id);
  if (act === undefined || act.revision !== revision || act.state !== "waiting") return {};
  const { put, drop } = without(acts, [id]);
  return { put: put.map((one) => (one.after === act.after ? { ...one, after: { version } } : one)), drop };
}

/** Try an act again: as played, after a later version, or as somebody else's. */
export function decided(acts, id, change = {}) {
  const act = actById(acts, id);
  if (act === undefined || act.state === "done") return {};
  return { put: [again(act, change)] };
}

function again(act, change = {}) {
  return { ...act, state: "waiting", problem: undefined, revision: act.revision + 1, ...change };
}

/** Drop an act that was never sent. One that may be recorded can only be undone (`result` is false). */
export function dropped(acts, id) {
  const act = actById(acts, id);
  if (act === undefined || act.attempted || act.state === "done") return { result: false };
  return { ...without(acts, [id]), result: true };
}

/** Remove these acts and those that undo them; acts that waited behind them wait behind the acts before them. */
function without(acts, ids) {
  const isGone = (act) => ids.includes(act.id) || act.steps.some((step) => ids.includes(step.of));
  const gone = new Map(acts.filter(isGone).map((act) => [act.id, act]));
  const put = [];
  for (const act of acts) {
    if (gone.has(act.id) || !gone.has(act.after.act)) continue;
    let { after } = act;
    while (gone.has(after.act)) after = gone.get(after.act).after;
    put.push({ ...act, after });
  }
  return { put, drop: [...gone.keys()] };
}

/** Put an act in place of a rejected one; acts that waited behind that wait behind the new one. */
export function replaced(acts, id, act) {
  const old = actById(acts, id);
  if (old === undefined || old.state !== "refused" || old.attempted) return { result: false };
  const queued = {
    ...act, place: old.place, after: old.after, done: 0, state: "waiting", attempted: false, revision: old.revision + 1,
  };
  const { drop } = without(acts, [id]);
  const later = acts.filter((one) => !drop.includes(one.id) && drop.includes(one.after.act));
  return { put: [queued, ...later.map((one) => ({ ...one, after: { act: act.id } }))], drop, result: true };
}

/** Drop the acts that a page up to that version shows, except the last: another window may have seen it and no page since. */
export function shown(acts, scope, version) {
  const done = inOrder(acts).filter((act) => isOf(scope, act) && act.state === "done" && act.version <= version);
  const drop = done.slice(0, -1);
  return { drop: drop.map((act) => act.id) };
}

/** Let the person signed in send what somebody else recorded on this device, at their request. */
export function handedOver(acts, from, to, version) {
  const own = unsent(acts, from);
  const put = own.map((act, place) => ({
    ...act, who: to.who, opened: to.opened, after: place === 0 && !act.attempted ? { version } : act.after,
    revision: act.revision + 1, state: "waiting", attempt: undefined, problem: undefined,
  }));
  return { put };
}

/** Return lines for `trickledger import`, with the same ids; `left` are the acts that only this device can send. */
export function lines(acts) {
  const records = [];
  const left = [];
  for (const act of inOrder(acts)) {
    for (const step of act.steps.slice(act.done)) {
      const events = eventsOf(act, step);
      if (events === null) left.push(act);
      else records.push(...events.map((one) => JSON.stringify({ stream: `table/${act.table}`, ...one })));
    }
  }
  return { text: records.map((line) => `${line}\n`).join(""), left: [...new Set(left)] };
}

function eventsOf(act, step) {
  if (step.kind === "entries") return step.entries;
  if (step.kind === "dispute") {
    return [{ id: step.id, event: { type: "dispute_raised", deal: step.deal, text: step.text, version: step.version } }];
  }
  if (step.version === undefined) return null;
  const { id, kind: action, version, events, reason } = step;
  return [{ id, event: { type: "corrected", version, action, events, reason } }];
}

function changed(acts, id, change) {
  const act = actById(acts, id);
  return act === undefined ? {} : { put: [{ ...act, ...change }] };
}

function actById(acts, id) {
  return acts.find((act) => act.id === id);
}

/** Drop acts that somebody else has recorded already; acts behind them follow `version`. */
export function yielded(acts, scope, ids, version) {
  const own = unsent(acts, scope);
  const { put, drop } = without(acts, own.filter((act) => ids.includes(act.id) && !act.attempted).map((act) => act.id));
  const next = own.find((act) => !drop.includes(act.id));
  if (next === undefined) return { drop };
  const others = put.filter((act) => act.id !== next.id);
  return { put: [again(next, { after: { version } }), ...others], drop };
}

/** Try an act again that was rejected for its sender or its table: somebody may have signed in, or opened the table. */
export function retried(acts, scope, version) {
  const [head] = unsent(acts, scope);
  if (head === undefined || head.state !== "refused") return {};
  if (head.problem.code === "earlier") return { put: [again(head, { after: { version } })] };
  const judged = ["against_rules", "wrong_version", "malformed", "id_used"];
  return judged.includes(head.problem.code) ? {} : { put: [again(head)] };
}

/** Give up an act that cannot be recorded; its recorded steps stay. */
export function abandoned(acts, id) {
  const act = actById(acts, id);
  if (act === undefined || act.state !== "refused") return { result: false };
  if (act.done === 0) return dropped(acts, id);
  const steps = act.steps.slice(0, act.done);
  const later = acts.filter((one) => one.after.act === id).map((one) => knowing(one, act));
  return { put: [{ ...act, steps, state: "done", problem: undefined }, ...later], result: true };
}
