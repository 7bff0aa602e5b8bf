// Update the page of a table while it is played.

import { follow } from "./following.js";

const LIVE_MS = 200;

const page = () => document.getElementById("table-page");

function watch() {
  let timer = 0;
  const refresh = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      window.htmx.ajax("GET", location.pathname + location.search, { target: "#table-page", swap: "outerMorph", source: page() });
    }, LIVE_MS);
  };
  return follow(`table/${page().dataset.table}`, Number(page().dataset.after), {
    heard: refresh,
    opened: refresh,
    lost: (isLost) => {
      const lost = document.getElementById("lost");
      lost.textContent = isLost ? lost.dataset.lost : "";
    },
  });
}

let end = page().dataset.after ? watch() : null;
window.addEventListener("pagehide", () => end?.());
window.addEventListener("pageshow", (event) => {
  if (event.persisted && end) end = watch();
});
