/** Has the page of a table kept on this device, where browsers have that: on https and on the machine itself. */

const WHO = "trickledger.who";

/** Starts the service worker, and shows it this page; what it keeps of somebody else goes first. */
export async function keepPages(table, who) {
  if (!("serviceWorker" in navigator)) return;
  try {
    const isKept = navigator.serviceWorker.controller !== null;
    await navigator.serviceWorker.register("/worker.js");
    await navigator.serviceWorker.ready;
    const isSomebodyElse = localStorage.getItem(WHO) !== who;
    const worker = navigator.serviceWorker.controller ?? (await taken());
    if (isSomebodyElse) worker.postMessage({ forget: true });
    localStorage.setItem(WHO, who);
    if (isSomebodyElse || !isKept) for (const part of ["", "/now"]) await fetch(`/record/${table}${part}`, { headers: { accept: "text/html" } });
    document.documentElement.dataset.kept = "";
  } catch {
    // without it a page opens anew only with a connection; nothing that was recorded depends on it
  }
}

/** Whether this page may be what was kept of it, which is older than what was kept of its changing part. */
export function isFromDevice() {
  return Boolean(navigator.serviceWorker?.controller);
}

function taken() {
  return new Promise((resolve) => {
    const told = () => resolve(navigator.serviceWorker.controller);
    navigator.serviceWorker.addEventListener("controllerchange", told, { once: true });
    if (navigator.serviceWorker.controller !== null) told();
  });
}

// --- hands that were typed on this device: the server does not give them back before the deal is open to all -----------

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
export async function forgetHands(queue, scope, deal) {
  await queue.dropHands(
    (one) => one.who !== scope.who || (one.table === scope.table && (one.opened !== scope.opened || one.deal < deal)),
  );
}

/** Forgets the hands of a deal that has opened. */
export async function handsOpened(queue, scope, deal) {
  await queue.dropHands((one) => one.table === scope.table && one.deal <= deal);
}

/** Shows of the keys those of the hand of `seat`, which a tap would play from; what follows suit, the page has said already. */
export function markHands(root, kept, deal, seat) {
  const keys = root.querySelector("#keys:not([data-template], .in-hand)");
  const hand = kept?.deal === deal ? kept.hands?.[seat] : undefined;
  if (keys === null || !Array.isArray(hand) || hand.includes("??")) return;
  const held = [...keys.querySelectorAll(".key")].filter((key) => hand.includes(key.value));
  for (const key of held) key.classList.add("held");
  if (held.length > 0) keys.classList.add("in-hand");
}
