/**
 * Hands that were typed on this device: the server does not give them back before the deal is open to all.
 *
 * They are kept for whoever typed them, and his keyboard shows the hand of who plays next.
 */

/** Keeps the hands that these events tell; returns whether there were any. */
export async function keepTyped(queue, scope, board, events) {
  let deal = board.deal;
  let isAny = false;
  for (const event of events) {
    if (event.type === "deal_started") deal = event.deal;
    if (event.type !== "cards_dealt") continue;
    await queue.keepHands({ id: `${scope.opened} ${scope.table} ${scope.who}`, ...scope, deal, hands: event.hands });
    isAny = true;
  }
  return isAny;
}

/** Forgets what everybody may read now, and what somebody else typed, who is not signed in any more. */
export async function forget(queue, scope, deal) {
  await queue.dropHands(
    (one) => one.who !== scope.who || (one.table === scope.table && (one.opened !== scope.opened || one.deal < deal)),
  );
}

/** Forgets the hands of a deal that has opened. */
export async function opened(queue, scope, deal) {
  await queue.dropHands((one) => one.table === scope.table && one.deal <= deal);
}

/** Shows of the keys those of the hand of `seat`, which a tap would play from; what follows suit, the page has said already. */
export function mark(root, kept, deal, seat) {
  const keys = root.querySelector("#keys:not([data-template], .in-hand)");
  const hand = kept?.deal === deal ? kept.hands?.[seat] : undefined;
  if (keys === null || !Array.isArray(hand) || hand.includes("??")) return;
  const held = [...keys.querySelectorAll(".key")].filter((key) => hand.includes(key.value));
  for (const key of held) key.classList.add("held");
  if (held.length > 0) keys.classList.add("in-hand");
}
