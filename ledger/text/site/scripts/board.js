/** What a phone can tell of a deal by itself: whose turn comes, who takes a trick. Pure; what is lawful, the server says. */

/**
 * Who comes after an act that is no card played, where it is not the next one in the order of play. All of them are
 * guesses but who took a trick: whom a call passes over, and who has to answer, only the rules tell.
 */
const AFTER = {
  trump_named: (_, { seat }) => seat,
  partner_called: (board) => board.order[0],
  card_turned: () => null,
  announced: (board, { seat }) => (isBeforeFirstCard(board) ? seatAfter(board, seat) : comes(board)),
};

/** The board after one event. `isGuess`: nobody but the server knows whether it is `turn` who acts next. */
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
 * The board as it was before its last event: whoever did it does it again. Of a deal that was over the page does not
 * say which cards were played; that it has begun is known.
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

/** Whether the next deal is due: all cards are played, as far as they are known, or its beginning was taken back. */
export function isComplete(board) {
  return board.isBetween === true || Object.keys(board.gone).length === board.hand * board.playing;
}

/** The first card is forehand's in every game, whoever has spoken last. */
export function isBeforeFirstCard(board) {
  return board.hasBegun !== true && board.trick.length === 0 && Object.keys(board.gone).length === 0;
}

/** A card that the page shows already, because only the answer to its act was lost, is not laid again. */
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

/** Nor is one that the page does not show any more lifted again; of a deal that was over it shows none. */
function lifted(board, seat, card) {
  if (isKnown(card) && !(card in board.gone) && board.stage !== "between") return board;
  const { [card]: _, ...gone } = board.gone;
  const isLast = board.trick.at(-1)?.[1] === card;
  const tricks = isLast && board.trick.length >= board.size ? counted(board.tricks, board.took, -1) : board.tricks;
  return { ...board, gone, tricks, trick: isLast ? board.trick.slice(0, -1) : [], took: null, turn: seat, isGuess: false };
}

/**
 * Who takes a trick in tells who won it only where the cards do not; whether he can have won it, the rules tell. Where
 * they do, and before the trick is whole, it changes nothing.
 */
function gathered(board, seat) {
  if (board.trick.length < board.size || board.took !== null) return board;
  return { ...board, turn: seat, tricks: null, isGuess: true };
}

/** Whom the page says to have taken a trick that the cards leave open, because it was told so. */
function ungathered(board, seat) {
  const isTold = board.took === seat && winner(board) === null;
  return isTold ? { ...board, turn: null, took: null, tricks: counted(board.tricks, seat, -1), isGuess: false } : board;
}

/** How many tricks each has won; null where nobody knows who won one of them. */
function counted(tricks, took, more) {
  if (tricks === null || took === null) return null;
  return tricks.map((count, seat) => count + (seat === took ? more : 0));
}

/** Forehand, the first of the order, leads to the first trick in every game. */
function dealt(board, { deal, dealer }) {
  const seats = board.players.length;
  const order = Array.from({ length: board.playing }, (_, place) => (dealer + 1 + place) % seats);
  const next = { next_deal: deal + 1, next_dealer: (dealer + 1) % seats };
  const nothing = { size: board.playing, trick: [], took: null, gone: {}, tricks: board.players.map(() => 0), strength: null };
  return { ...board, ...next, ...nothing, deal, order, turn: order[0], isGuess: true, isBetween: false, hasBegun: false };
}

/** Who plays after a seat; null where that is not known. */
export function seatAfter(board, seat) {
  const place = board.order.indexOf(seat);
  return place < 0 ? null : board.order[(place + 1) % board.order.length];
}

/** Whose card comes next, if nothing else does. */
function comes(board) {
  return board.trick.length >= board.size ? board.took : seatAfter(board, board.trick.at(-1)?.[0]);
}

/** Whose card is the best of those on the table; null where trumps or a card are not known. */
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

// --- with what waits here ------------------------------------------------------------------------------------------

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
