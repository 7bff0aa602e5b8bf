/** A table as it stands with what waits here: what the server said last, and all that it does not know yet. Pure. */

import { applied, takenBack } from "./board.js";

/** The board with all acts that wait, up to one that something else shall stand for, but what is taken back. */
export function boardAhead(board, acts, replacing) {
  const struck = new Set(acts.map((act) => act.strikes));
  const until = acts.findIndex((act) => act.id === replacing);
  let ahead = board;
  for (const act of (until < 0 ? acts : acts.slice(0, until)).filter((one) => !struck.has(one.id))) {
    ahead = undoneIn(act, acts).reduceRight(takenBack, ahead);
    ahead = eventsOf(act).reduce(applied, ahead);
  }
  return ahead;
}

/** Of the acts those after which something else than a card may come: what the page offers is of another moment. */
export function beyondCards(acts, { stage }) {
  const isCard = (event) => event.type === "card_played";
  return acts.filter((act) => {
    const undone = undoneIn(act, acts);
    return !eventsOf(act).every(isCard) || !undone.every(isCard) || (undone.length > 0 && stage === "between");
  });
}

/** What the button takes back: of what waits the last act; undefined where the page says it, null where nothing is. */
export function undoable(acts) {
  if (acts.length === 0) return undefined;
  const struck = new Set(acts.map((act) => act.strikes));
  const own = acts.filter((act) => act.strikes === undefined && !struck.has(act.id));
  const isOfPage = (act) => act.strikes !== undefined && !acts.some((one) => one.id === act.strikes);
  return own.at(-1) ?? (acts.some(isOfPage) ? null : undefined);
}

/** What an act takes back that the page shows: what waits behind it is struck where it waits. */
function undoneIn(act, acts) {
  return acts.some((one) => one.id === act.strikes) ? [] : (act.undone ?? []);
}

function eventsOf(act) {
  return act.steps.flatMap((step) => step.entries ?? []).map((one) => one.event);
}
