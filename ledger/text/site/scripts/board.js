/** What a phone can tell of a deal by itself: whose turn comes, who takes a trick. Pure; what is lawful, the server says. */

/** Who comes after an act that is no card played, where it is not the next one in the order of play. */
const AFTER = {
  trump_named: (_, { seat }) => seat,
  trick_gathered: (_, { seat }) => seat,
  partner_called: (board) => board.order[0],
  card_turned: () => null,
  announced: (board, { seat }) => (board.trick.length > 0 ? board.turn : seatAfter(board, seat)),
};

/** The board after one event. */
export function applied(board, event) {
  if (event.type === "card_played") return played(board, event.seat, event.card);
  if (event.type === "deal_started") return dealt(board, event);
  if (event.type in AFTER) return { ...board, turn: AFTER[event.type](board, event) };
  if (!Number.isInteger(event.seat)) return board;
  return { ...board, turn: seatAfter(board, event.seat) };
}

/** Whether all cards of the deal are played, as far as they are known. */
export function isComplete(board) {
  return Object.keys(board.gone).length === board.hand * board.playing;
}

/** A card that the page shows already, because only the answer to its act was lost, is not laid again. */
function played(board, seat, card) {
  if (card in board.gone) return board;
  const lying = board.trick.length >= board.size ? [] : board.trick;
  const trick = [...lying, [seat, card]];
  const gone = isKnown(card) ? { ...board.gone, [card]: seat } : board.gone;
  const next = { ...board, trick, gone };
  return { ...next, turn: trick.length < board.size ? seatAfter(board, seat) : winner(next) };
}

/** Forehand, the first of the order, leads to the first trick in every game. */
function dealt(board, { deal, dealer }) {
  const seats = board.players.length;
  const order = Array.from({ length: board.playing }, (_, place) => (dealer + 1 + place) % seats);
  const next = { next_deal: deal + 1, next_dealer: (dealer + 1) % seats };
  return { ...board, ...next, deal, order, size: board.playing, trick: [], gone: {}, strength: null, turn: order[0] };
}

/** Who plays after a seat; null where that is not known. */
export function seatAfter(board, seat) {
  const place = board.order.indexOf(seat);
  return place < 0 ? null : board.order[(place + 1) % board.order.length];
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
