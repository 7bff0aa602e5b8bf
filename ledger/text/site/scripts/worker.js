/**
 * Keeps the recorder's pages on this device, so that one opens anew without a connection (https and this machine only).
 *
 * What the network answers is shown, always; what is kept, only where it answers nothing. Before this stands, made by
 * the server, `KEPT`: the name of the store of this program's version, and the files that its pages load.
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

/** What another version of the program kept goes. */
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

/** Pages ask for their tables; when somebody else has signed in, what the one before him saw goes. */
self.addEventListener("message", (event) => {
  if (event.data?.forget === true) event.waitUntil(caches.delete(PAGES));
});

function isRecorder(path) {
  return RECORDER.test(path) && !NOT_TABLES.has(path.split("/")[2]);
}

/** The one answer of an address, in whatever language it was asked for. */
async function kept(store, path, answer) {
  await store.delete(path, ANY);
  await store.put(path, answer);
}

async function file(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(request, ANY);
    if (found === undefined) throw error;
    return found;
  }
}

/** A page is kept as long as its reader may see it. */
async function page(request, path) {
  const cut = new AbortController();
  const timer = setTimeout(() => cut.abort(), LIMIT_MS);
  try {
    const answer = await fetch(request, { signal: cut.signal });
    const store = await caches.open(PAGES);
    if (answer.ok && !answer.redirected && answer.type === "basic") await kept(store, path, answer.clone());
    else if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) await store.delete(path, ANY);
    else if (answer.redirected || answer.type === "opaqueredirect") await store.delete(path, ANY);
    return answer;
  } catch (error) {
    const found = await (await caches.open(PAGES)).match(path, ANY);
    if (found === undefined) throw error;
    return found;
  } finally {
    clearTimeout(timer);
  }
}
