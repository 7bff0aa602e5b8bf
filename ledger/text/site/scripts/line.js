/** Stop forms that the browser itself would send without a connection, so that what is typed stays in them. */

import { ask } from "./api_client.js";

const LOOK_MS = 4_000;

let isThere = false;

async function looked(event) {
  const { target: form, submitter } = event;
  if (isThere || form.method !== "post") return;
  event.preventDefault();
  const { status } = await ask("GET", "/health", undefined, { limit: LOOK_MS });
  isThere = status !== 0;
  const notice = document.getElementById("no-line");
  notice.hidden = isThere;
  notice.querySelector("a")?.toggleAttribute("hidden", !navigator.serviceWorker?.controller);
  if (isThere) form.requestSubmit(submitter);
  else notice.scrollIntoView({ block: "nearest" });
  isThere = false;
}

addEventListener("submit", looked);
