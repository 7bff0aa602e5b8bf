/**
 * Draw the table and the keyboard of a board: cards, holes, the seat that is due. Changes only what the page does not
 * show yet.
 */

import { isBeforeFirstCard, isKnown, winner } from "./board.js";
import { SIGNS, filled, suited } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/** Return the text of a card: the sign of its suit and the letter on its key. */
export function cardText(root, card) {
  if (!isKnown(card)) return "??";
  const rank = root.querySelector(`#key-${card} b`)?.textContent ?? card.slice(1).replace("T", "10");
  return SIGNS[card[0]] + rank;
}

/** Lay the cards, make the holes and light the plate; `words` are those of `t-words`. */
export function draw(root, board, { chosen, words, isOver, isUnchecked, isNewDeal, undo, note, isPassing }) {
  const seat = chosen ?? board.turn;
  layCards(root, board);
  giveBack(root, board);
  countTricks(root, board, isNewDeal);
  for (const [card, by] of Object.entries(board.gone)) makeHole(root, card, board.players[by]);
  for (const plate of root.querySelectorAll("#mini .seat")) {
    if (Number(plate.value) === seat) plate.setAttribute("aria-current", "true");
    else plate.removeAttribute("aria-current");
  }
  showPrompt(root, promptText(board, { chosen, words, isOver, isUnchecked }), note);
  if (isPassing) root.querySelector("#told")?.setAttribute("aria-busy", "true");
  showUndo(root, undo, words);
}

/** Remove the server's marks of the keys: they hold only for one seat and the suit led at that time. */
export function forget(root, before, board) {
  const keys = root.querySelector("#keys");
  if (keys === null) return;
  keys.classList.remove("in-hand");
  const isSameTrick = before.trick.length < before.size && before.trick[0]?.[1] === board.trick[0]?.[1];
  for (const key of keys.querySelectorAll(".key")) {
    key.classList.remove("odd", "may", "held");
    if (!isSameTrick) key.classList.remove("off");
    delete key.dataset.why;
    delete key.dataset.rule;
    key.querySelector("small")?.remove();
  }
}

function layCards(root, board) {
  const mini = root.querySelector("#mini");
  if (mini === null) return;
  const faces = new Map(board.trick.map(([seat, card]) => [seat, face(root, card)]));
  const best = board.trick.length >= board.size ? winner(board) : null;
  for (const lay of mini.querySelectorAll(".lay:not(.turned-up)")) lay.remove();
  for (const plate of mini.querySelectorAll(".seat")) {
    const seat = Number(plate.value);
    if (!faces.has(seat)) continue;
    const lay = document.createElement("span");
    const where = [...plate.classList].find((name) => name.startsWith("at-")).slice(3);
    lay.className = `lay lay-${where}${seat === best ? " took" : ""}`;
    lay.append(faces.get(seat));
    plate.after(lay);
  }
}

/** Draw a card from the shapes that the page holds once. */
function face(root, card) {
  const svg = element("svg", { viewBox: "0 0 28 40", role: "img" });
  svg.classList.add("card", "one", isKnown(card) ? `k${card[0]}` : "back");
  svg.setAttribute("aria-label", (isKnown(card) ? root.querySelector(`#key-${card}`) : null)?.getAttribute("aria-label") ?? cardText(root, card));
  svg.append(element("rect", { width: 28, height: 40, rx: 3 }));
  if (!isKnown(card)) {
    svg.append(element("use", { href: "#back" }));
    return svg;
  }
  svg.append(element("use", { href: `#r${card[1]}` }));
  svg.append(element("use", { href: `#${card[0]}`, x: 6.5, y: 22.5, width: 15, height: 15 }));
  return svg;
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Give a card that was taken back its key again. */
function giveBack(root, board) {
  for (const hole of root.querySelectorAll("#keys .hole")) {
    const key = document.getElementById("t-unchecked").content.querySelector(`#${hole.id}`);
    if (!(key.value in board.gone)) hole.replaceWith(key.cloneNode(true));
  }
}

/** Show the tricks on each plate; in another deal the earlier counts do not hold. */
function countTricks(root, board, isNewDeal) {
  if (isNewDeal) for (const note of root.querySelectorAll("#mini .seat :is(small, .d)")) note.remove();
  for (const plate of root.querySelectorAll("#mini .seat")) {
    const count = board.tricks?.[Number(plate.value)] ?? 0;
    const note = plate.querySelector(".tricks") ?? Object.assign(document.createElement("small"), { className: "tricks" });
    note.textContent = String(count);
    if (count > 0) plate.querySelector(".notes").append(note);
    else note.remove();
  }
}

function makeHole(root, card, name) {
  const key = root.querySelector(`button#key-${card}`);
  if (key === null) return;
  const hole = document.createElement("span");
  hole.className = "hole";
  hole.id = key.id;
  hole.append(document.createElement("span"));
  hole.firstChild.textContent = name;
  key.replaceWith(hole);
}

/** Show whose act comes next, as far as it is known here; while the turn is a guess, nobody is out of turn. */
function promptText(board, { chosen, words, isOver, isUnchecked }) {
  const { turn, players } = board;
  const isGuess = turn === null || (isUnchecked && board.isGuess === true);
  if (chosen !== null && chosen !== turn) return filled(isGuess ? words.next : words.other, { name: players[chosen] });
  if (isOver) return words.over;
  if (turn === null) return words.unclear;
  return filled(isGuess && chosen === null ? words.perhaps : words.next, { name: players[turn] });
}

function showPrompt(root, text, note) {
  const prompt = root.querySelector("#told");
  if (prompt === null) return;
  const first = document.createElement("b");
  first.textContent = text;
  prompt.replaceChildren(first);
  if (note === "") return;
  const second = document.createElement("span");
  second.append(suited(note));
  if (second.children.length > 0) second.setAttribute("aria-hidden", "true");
  prompt.append(" ", second);
}

function showUndo(root, undo, words) {
  const button = root.querySelector("#undo");
  if (undo === undefined) return;
  if (undo === null) {
    button?.remove();
    return;
  }
  const shown = button ?? document.createElement("button");
  if (button === null) root.querySelector(".ask")?.append(shown);
  Object.assign(shown, { id: "undo", type: "button", className: "btn" });
  delete shown.dataset.undo;
  shown.dataset.act = undo.id;
  shown.dataset.told = undo.told;
  shown.replaceChildren(suited(filled(words.undo, { act: undo.told })));
}

// Without the server nobody can say what may come next: offer all announcements, all cards and the next deal.

const STAYS = ".mini, .ask, .text, .all-cards";
/** These parts hold without the server. */

/**
 * Show all of it above the cards before the first card, later in the fold. `means`: what a tapped card is if it is not
 * played. `dealer`: of the next deal. `isOver`: all cards are played.
 */
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

/** The page with the seats cannot open, so its deal begins here. */
export function begins(fresh) {
  for (const link of fresh.querySelectorAll("a[data-acts]")) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: link.className, textContent: link.dataset.text });
    Object.assign(button.dataset, link.dataset);
    link.replaceWith(button);
  }
}
