/** What the recorder offers where nobody can say what may come next: all that anybody can say, all cards, the next deal. */

import { isBeforeFirstCard } from "./board.js";
import { filled } from "./words.js";

const STAYS = ".mini, .ask, .text, .all-cards";
/** What is said there holds without the server. */

/** Before the first card all of it stands beside the cards, after it in the fold. `means`: what a tapped card is, where it is not played; `dealer`: of the next deal; `isOver`: all cards are played. */
export function unchecked(fresh, board, { isOver, means, dealer }) {
  for (const one of fresh.querySelectorAll("form, section, .say, .others, #more > h2")) if (one.closest(STAYS) === null) one.remove();
  const part = document.getElementById("t-unchecked").content.cloneNode(true);
  const keys = part.querySelector("#keys");
  for (const one of part.querySelectorAll("[data-means]")) {
    const isMeant = one.dataset.means === means;
    one.setAttribute("aria-pressed", String(isMeant));
    if (isMeant) Object.assign(keys.dataset, { template: means, told: one.dataset.told });
  }
  nextDeal(part.querySelector("#next"), { deal: board.next_deal, dealer }, board.players[dealer]);
  const next = part.querySelector("#next");
  if (!isBeforeFirstCard(board)) fresh.querySelector("#more > summary").after(...part.querySelectorAll(".before"));
  if (isOver) {
    next.classList.add("main");
    part.prepend(next.form);
  }
  fresh.querySelector("#bottom")?.prepend(part.querySelector(".others")); // below the keys nothing changes its height
  fresh.querySelector(".ask").after(part);
}

function nextDeal(button, { deal, dealer }, name) {
  button.dataset.acts = JSON.stringify([{ type: "deal_started", deal, dealer }]);
  button.dataset.told = filled(button.dataset.told, { deal });
  button.textContent = filled(button.dataset.text, { deal, name });
}

/** The page that shows how they sit cannot come: its deal begins here. */
export function begins(fresh) {
  for (const link of fresh.querySelectorAll("a[data-acts]")) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: link.className, textContent: link.dataset.text });
    Object.assign(button.dataset, link.dataset);
    link.replaceWith(button);
  }
}
