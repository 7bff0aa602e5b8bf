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
const RECORDER = /^\/record\/[^/]+(\/now)?$/;
const ANY = { ignoreVary: true };
const NOT_TABLES = new Set(["new", "sessions"]);

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
  if (request.method === "POST" && pathname.endsWith("/sign-out")) {
    event.waitUntil(caches.delete(PAGES));
  } else if (request.method === "POST" && pathname.endsWith("/sign-in")) {
    event.waitUntil(caches.delete(PAGES));
  } else if (request.method === "GET" && pathname.startsWith("/files/")) {
    event.respondWith(file(request));
  } else if (request.method === "GET" && isRecorder(pathname)) {
    event.respondWith(page(request, pathname));
  }
});

/** Store the pages of a table at their request; when somebody else signs in, delete the pages of the person before. */
self.addEventListener("message", (event) => {
  if (event.data?.forget === true) event.waitUntil(caches.delete(PAGES));
});

function isRecorder(path) {
  return RECORDER.test(path) && !NOT_TABLES.has(path.split("/")[2]);
}

/** Return the only stored answer of an address, whatever its language. */
async function storeAnswer(store, path, answer) {
  await store.delete(path, ANY);
  await store.put(path, answer);
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

/** Store a page as long as its reader may see it. */
async function page(request, path) {
  const cut = new AbortController();
  const timer = setTimeout(() => cut.abort(), LIMIT_MS);
  try {
    const answer = await fetch(request, { signal: cut.signal });
    const store = await caches.open(PAGES);
    if (answer.ok && !answer.redirected && answer.type === "basic") await storeAnswer(store, path, answer.clone());
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
