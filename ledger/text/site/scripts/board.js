/**
 * Compute what a phone can know of a deal by itself: whose turn it is and who takes a trick. Pure; only the server
 * decides what is legal.
 */

/**
 * The seat after an act that is not a card, if it is not the next one in the order of play. All are guesses except the
 * winner of a trick: only the rules tell whom a call skips and who must answer.
 */
const AFTER = {
  trump_named: (_, { seat }) => seat,
  partner_called: (board) => board.order[0],
  card_turned: () => null,
  announced: (board, { seat }) => (isBeforeFirstCard(board) ? seatAfter(board, seat) : comes(board)),
};

/** Return the board after an event. `isGuess`: only the server knows whether `turn` acts next. */
export function applied(board, event) {
  if (event.type === "card_played") return played(board, event.seat, event.card);
  if (event.type === "deal_started") return dealt(board, event);
  if (event.type === "trick_gathered") return gathered(board, event.seat);
  if (board.reordering.includes(event.what)) return applied({ ...board, strength: null, reordering: [] }, event);
  if (event.type in AFTER) return { ...board, turn: AFTER[event.type](board, event), isGuess: true };
  if (!Number.isInteger(event.seat)) return board;
  return { ...board, turn: seatAfter(board, event.seat), isGuess: true };
}

/**
 * Return the board before its last event, so that the same player acts again. The page of a finished deal does not list
 * the cards played, only that the deal has begun.
 */
export function takenBack(board, event) {
  const { type, seat = null, card } = event;
  const hasBegun = board.hasBegun === true || (board.stage === "between" && type === "announced");
  if (type === "card_played") return { ...lifted(board, seat, card), hasBegun: true };
  if (type === "trick_gathered") return { ...ungathered(board, seat), hasBegun: true };
  if (type === "deal_started") {
    const next = { next_deal: event.deal, next_dealer: event.dealer };
    return { ...board, ...next, trick: [], gone: {}, turn: null, isBetween: true };
  }
  return { ...board, hasBegun, turn: type === "announced" ? null : seat, isGuess: false };
}

/** Return whether the next deal is due: all cards are played as far as known, or its start was undone. */
export function isComplete(board) {
  return board.isBetween === true || Object.keys(board.gone).length === board.hand * board.playing;
}

/** Return whether the first card comes next. It is forehand's in every game, whoever spoke last. */
export function isBeforeFirstCard(board) {
  return board.hasBegun !== true && board.trick.length === 0 && Object.keys(board.gone).length === 0;
}

/** Lay a card; a card that the page shows already, as only the answer to its act was lost, is not laid again. */
function played(board, seat, card) {
  if (card in board.gone) return board;
  const lying = board.trick.length >= board.size ? [] : board.trick;
  const trick = [...lying, [seat, card]];
  const gone = isKnown(card) ? { ...board.gone, [card]: seat } : board.gone;
  const next = { ...board, trick, gone, took: null, isGuess: false };
  if (trick.length < board.size) return { ...next, turn: seatAfter(board, seat) };
  const took = winner(next);
  return { ...next, took, tricks: counted(board.tricks, took, 1), turn: isComplete(next) ? null : took };
}

/** Take a card back, unless the page no longer shows it; a finished deal shows no cards. */
function lifted(board, seat, card) {
  if (isKnown(card) && !(card in board.gone) && board.stage !== "between") return board;
  const { [card]: _, ...gone } = board.gone;
  const isLast = board.trick.at(-1)?.[1] === card;
  const tricks = isLast && board.trick.length >= board.size ? counted(board.tricks, board.took, -1) : board.tricks;
  return { ...board, gone, tricks, trick: isLast ? board.trick.slice(0, -1) : [], took: null, turn: seat, isGuess: false };
}

/**
 * Set the winner of a trick if the cards do not decide it. If they do, or before the trick is complete, nothing
 * changes. Only the rules decide whether the seat can have won.
 */
function gathered(board, seat) {
  if (board.trick.length < board.size || board.took !== null) return board;
  return { ...board, turn: seat, tricks: null, isGuess: true };
}

/** Undo the winner of a trick that the cards leave open. */
function ungathered(board, seat) {
  const isTold = board.took === seat && winner(board) === null;
  return isTold ? { ...board, turn: null, took: null, tricks: counted(board.tricks, seat, -1), isGuess: false } : board;
}

/** Return the tricks won by seat; null if the winner of one of them is unknown. */
function counted(tricks, took, more) {
  if (tricks === null || took === null) return null;
  return tricks.map((count, seat) => count + (seat === took ? more : 0));
}

/** Begin a deal. Forehand, the first in the order, leads to the first trick in every game. */
function dealt(board, { deal, dealer }) {
  const seats = board.players.length;
  const order = Array.from({ length: board.playing }, (_, place) => (dealer + 1 + place) % seats);
  const next = { next_deal: deal + 1, next_dealer: (dealer + 1) % seats };
  const nothing = { size: board.playing, trick: [], took: null, gone: {}, tricks: board.players.map(() => 0), strength: null };
  return { ...board, ...next, ...nothing, deal, order, turn: order[0], isGuess: true, isBetween: false, hasBegun: false };
}

/** Return the seat that plays after a seat; null if that is unknown. */
export function seatAfter(board, seat) {
  const place = board.order.indexOf(seat);
  return place < 0 ? null : board.order[(place + 1) % board.order.length];
}

/** Return the seat of the next card, if a card comes next. */
function comes(board) {
  return board.trick.length >= board.size ? board.took : seatAfter(board, board.trick.at(-1)?.[0]);
}

/** Return the seat with the best card on the table; null if trumps or a card are unknown. */
export function winner(board) {
  const { trick, strength } = board;
  if (trick.length === 0 || strength === null || trick.some(([, card]) => !(card in strength))) return null;
  let best = trick[0];
  for (const one of trick.slice(1)) if (beats(board, one[1], best[1])) best = one;
  return best[0];
}

function beats(board, card, other) {
  const [group, rank] = board.strength[card];
  const [otherGroup, otherRank] = board.strength[other];
  return group === otherGroup ? rank > otherRank : group === board.trump_group;
}

export function isKnown(card) {
  return typeof card === "string" && card !== "??";
}

/** Return the board after all waiting acts that are not undone, up to one that is to be replaced. */
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

/** Return the acts after which something other than a card may come, so that the page's offers are out of date. */
export function beyondCards(acts, { stage }) {
  const isCard = (event) => event.type === "card_played";
  return acts.filter((act) => {
    const undone = undoneIn(act, acts);
    return !eventsOf(act).every(isCard) || !undone.every(isCard) || (undone.length > 0 && stage === "between");
  });
}

/** Return what Undo takes back: the last waiting act; undefined if the page says it, null if there is nothing. */
export function undoable(acts) {
  if (acts.length === 0) return undefined;
  const struck = new Set(acts.map((act) => act.strikes));
  const own = acts.filter((act) => act.strikes === undefined && !struck.has(act.id));
  const isOfPage = (act) => act.strikes !== undefined && !acts.some((one) => one.id === act.strikes);
  return own.at(-1) ?? (acts.some(isOfPage) ? null : undefined);
}

/** Return what an act undoes on the page; acts that still wait are struck in the queue. */
function undoneIn(act, acts) {
  return acts.some((one) => one.id === act.strikes) ? [] : (act.undone ?? []);
}

function eventsOf(act) {
  return act.steps.flatMap((step) => step.entries ?? []).map((one) => one.event);
}
