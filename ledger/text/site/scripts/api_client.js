// Call the API as a signed-in page does. Never throws; without an answer the status is 0.

const LIMIT_MS = 10_000;
const NEXT = /<[^>]*\/api\/v1(\/[^>]*)>; rel="?next/;

export async function ask(method, path, body, { limit = LIMIT_MS } = {}) {
  const { csrf, lang } = document.body.dataset;
  const headers = { accept: "application/json, application/problem+json", "accept-language": lang };
  if (csrf) headers["x-csrf-token"] = csrf;
  if (body !== undefined) headers["content-type"] = "application/json";
  const cut = new AbortController();
  const timer = setTimeout(() => cut.abort(), limit);
  try {
    const answer = await fetch(`/api/v1${path}`, {
      method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal: cut.signal,
    });
    const retryAfter = Number(answer.headers.get("retry-after")) || 0;
    const [, next = null] = NEXT.exec(answer.headers.get("link")) ?? [];
    return { status: answer.status, answer: read(await answer.text()), retryAfter, next };
  } catch {
    return { status: 0, answer: null, retryAfter: 0, next: null };
  } finally {
    clearTimeout(timer);
  }
}

/** Return all entries of a table after a version, over all pages; `status` is that of the last answer. */
export async function entriesAfter(table, version) {
  const entries = [];
  let path = `/streams/table/${table}/entries?after_version=${version}&limit=1000`;
  for (;;) {
    const { status, answer, next } = await ask("GET", path);
    if (status !== 200 || answer === null) return { status: status === 200 ? 0 : status, entries };
    entries.push(...answer);
    if (next === null) return { status, entries };
    path = next;
  }
}

/** Return the HTML of a page or of a part of one; null without a connection, and if the address redirects. */
export async function fragment(path) {
  const cut = new AbortController();
  const timer = setTimeout(() => cut.abort(), LIMIT_MS);
  try {
    const answer = await fetch(path, { headers: { accept: "text/html" }, signal: cut.signal, cache: "no-store" });
    return answer.ok && !answer.redirected ? await answer.text() : null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** Return the JSON of an answer, else null: proxies and login pages of guest networks answer something else. */
function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

let last = 0;

/**
 * Return a new UUIDv7, made with getRandomValues alone, as a phone in the club's network has nothing else. Each id is
 * greater than the earlier ones of this window, even if its clock is set back.
 */
export function newId(now = Date.now()) {
  last = Math.max(last + 1, now);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let place = 5, rest = last; place >= 0; place -= 1, rest = Math.floor(rest / 256)) bytes[place] = rest % 256;
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Return a time in the format of the record. */
export function moment(now = new Date()) {
  return now.toISOString().replace("Z", "000Z");
}
