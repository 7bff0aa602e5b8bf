/**
 * Store the recorder's pages on this device, so that one opens without a connection (only over https and on the same
 * computer).
 *
 * An answer of the network always has priority; stored pages are shown only without one. Before this script the server
 * puts `KEPT`: the cache name of this version of the program, and the files that its pages load.
 */
/* global KEPT, self, caches, clients */

const PAGES = "trickledger-pages";
const LIMIT_MS = 8_000;
const LEAVES_MS = 30_000;
const RECORDER = /^\/record\/[^/]+(\/now)?$/;
const ANY = { ignoreVary: true };
const NOT_TABLES = new Set(["new", "sessions"]);

let leaving_until_ms = -Infinity;
/** Until then a sign-out may be on its way, and the server may still answer with pages of the person who leaves. */

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT.name).then((store) => store.addAll(KEPT.files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(renewed());
});

/** Delete what another version of the program stored. */
async function renewed() {
  for (const name of await caches.keys()) if (name !== KEPT.name && name !== PAGES) await caches.delete(name);
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method === "POST" && /\/sign-(in|out)$/.test(pathname)) {
    leaving_until_ms = pathname.endsWith("out") ? performance.now() + LEAVES_MS : -Infinity;
    event.waitUntil(caches.delete(PAGES));
  } else if (request.method === "GET" && pathname.startsWith("/files/")) {
    event.respondWith(file(request));
  } else if (request.method === "GET" && isRecorder(pathname)) {
    event.respondWith(page(request, pathname));
  }
});

function isRecorder(path) {
  return RECORDER.test(path) && !NOT_TABLES.has(path.split("/")[2]);
}

async function file(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const stored = await caches.match(request, ANY);
    if (stored === undefined) throw error;
    return stored;
  }
}

/**
 * Store a page as long as its reader may see it.
 *
 * Stored under its path alone, a page replaces the one before at once, whatever its language. The store is opened before
 * the request: what comes for a person who signs out meanwhile goes into the deleted store.
 */
async function page(request, path) {
  const cut = new AbortController();
  const timer = setTimeout(() => cut.abort(), LIMIT_MS);
  try {
    const store = await caches.open(PAGES);
    const answer = await fetch(request, { signal: cut.signal });
    const isLeaving = performance.now() < leaving_until_ms;
    if (answer.ok && !answer.redirected && answer.type === "basic" && !isLeaving) await store.put(path, answer.clone());
    else if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) await store.delete(path, ANY);
    else if (answer.redirected || answer.type === "opaqueredirect") await store.delete(path, ANY);
    return answer;
  } catch (error) {
    const stored = await (await caches.open(PAGES)).match(path, ANY);
    if (stored === undefined) throw error;
    return stored;
  } finally {
    clearTimeout(timer);
  }
}
