/** What a phone can tell of a deal by itself: whose turn comes, who takes a trick. Pure; what is lawful, the server says. */

/** The board after one event. Of what is no card played it is only known who may come next, in the order of play. */
export function applied(board, event) {
  if (event.type === "card_played") return played(board, event.seat, event.card);
  if (event.type === "deal_started") return dealt(board, event);
  if (!Number.isInteger(event.seat)) return board;
  return { ...board, turn: seatAfter(board, event.seat) };
}

/** A card that the page shows already, because only the answer to its act was lost, is not laid again. */
function played(board, seat, card) {
  if (card in board.gone) return board;
  const lying = board.trick.length >= board.size ? [] : board.trick;
  const trick = [...lying, [seat, card]];
  const gone = isKnown(card) ? { ...board.gone, [card]: seat } : board.gone;
  const next = { ...board, stage: "cards", trick, gone };
  return { ...next, turn: trick.length < board.size ? seatAfter(board, seat) : winner(next) };
}

function dealt(board, event) {
  const first = seatAfter(board, event.dealer);
  return { ...board, deal: event.deal, stage: "acts", trick: [], gone: {}, strength: null, turn: first };
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
