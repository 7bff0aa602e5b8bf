/** Store the pages of a table on this device, where browsers can: over https, and on the same computer. */

const WHO = "trickledger.who";
const PAGES = "trickledger-pages"; // as in worker.js

/** Start the service worker and give it this page. Pages stored for somebody else are deleted first. */
export async function keepPages(table, who) {
  if (!("serviceWorker" in navigator)) return;
  try {
    const isStored = navigator.serviceWorker.controller !== null;
    await navigator.serviceWorker.register("/worker.js");
    await navigator.serviceWorker.ready;
    const isSomebodyElse = localStorage.getItem(WHO) !== who;
    if (navigator.serviceWorker.controller === null) await taken();
    if (isSomebodyElse) await caches.delete(PAGES);
    localStorage.setItem(WHO, who);
    if (isSomebodyElse || !isStored) for (const part of ["", "/now"]) await fetch(`/record/${table}${part}`, { headers: { accept: "text/html" } });
    document.documentElement.dataset.kept = "";
  } catch {
    // without it, reopening a page needs a connection; nothing recorded depends on it
  }
}

/** Return whether this page may come from the device, so that it may be older than its stored changing part. */
export function isFromDevice() {
  return Boolean(navigator.serviceWorker?.controller);
}

/** Wait until the worker answers for this page. */
function taken() {
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    if (navigator.serviceWorker.controller !== null) resolve();
  });
}

// Hands typed on this device: the server does not return them before the deal is open to all.

/** Store the hands in these events; return whether there were any. */
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

/** Delete hands that everyone may see now, and those of a person who is no longer signed in. */
export async function forgetHands(queue, scope, deal) {
  await queue.dropHands(
    (one) => one.who !== scope.who || (one.table === scope.table && (one.opened !== scope.opened || one.deal < deal)),
  );
}

/** Delete the hands of a deal that was opened. */
export async function handsOpened(queue, scope, deal) {
  await queue.dropHands((one) => one.table === scope.table && one.deal <= deal);
}

/** Mark the keys of the hand of `seat`, from which a tap would play; the page already marks what follows suit. */
export function markHands(root, stored, deal, seat) {
  const keys = root.querySelector("#keys:not([data-template], .in-hand)");
  const hand = stored?.deal === deal ? stored.hands?.[seat] : undefined;
  if (keys === null || !Array.isArray(hand) || hand.includes("??")) return;
  const held = [...keys.querySelectorAll(".key")].filter((key) => hand.includes(key.value));
  for (const key of held) key.classList.add("held");
  if (held.length > 0) keys.classList.add("in-hand");
}
