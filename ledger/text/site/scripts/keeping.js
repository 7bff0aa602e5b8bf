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
