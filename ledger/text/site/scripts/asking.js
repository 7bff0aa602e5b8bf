// Asks the service, as a signed-in page does. Never throws: without an answer the status is 0.

const LIMIT_MS = 10_000;

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
    const text = await answer.text();
    const retryAfter = Number(answer.headers.get("retry-after")) || 0;
    return { status: answer.status, answer: text ? JSON.parse(text) : null, retryAfter };
  } catch {
    return { status: 0, answer: null, retryAfter: 0 };
  } finally {
    clearTimeout(timer);
  }
}
