/**
 * Record what is not a plain tap: free texts, and cards that contradict what is known.
 *
 * Each becomes a tap on a button with `data-acts`, which is stored and sent like any other.
 */

import { SIGNS, named } from "./words.js";

const rec = document.getElementById("rec");

function record(event, told, isAsPlayed = false) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", hidden: true });
  Object.assign(button.dataset, { acts: JSON.stringify([event]), told });
  if (isAsPlayed) button.dataset.asPlayed = "";
  rec.append(button);
  button.click();
  button.remove();
}

function fold() {
  document.getElementById("more")?.removeAttribute("open");
}

function written(submitted) {
  const form = submitted.target.closest("form[data-writes]");
  if (form === null) return;
  submitted.preventDefault();
  const field = form.querySelector("textarea");
  const text = field.value.trim();
  if (text === "") {
    field.focus();
    return;
  }
  const { writes, field: name, told } = form.dataset;
  record({ ...JSON.parse(writes), [name]: text }, told);
  form.reset();
  fold();
}

let pending = null;

function doubted(click) {
  const key = click.target.closest("#keys .key.odd[data-why]");
  if (key === null) return;
  click.stopPropagation();
  click.preventDefault();
  const { template } = key.form.dataset;
  const plate = rec.querySelector("#mini .seat[aria-current]");
  const seat = plate === null ? null : Number(plate.value);
  const event = template === undefined ? { type: "card_played", seat, card: key.value } : { ...JSON.parse(template), card: key.value };
  if ("seat" in event && event.seat === null) event.seat = seat;
  if ("seat" in event && event.seat === null) return;
  ask(key, event);
}

function ask(key, event) {
  const part = document.getElementById("t-odd").content.cloneNode(true);
  const rank = key.querySelector("b").textContent;
  const told = named(SIGNS[key.value[0]], rank);
  part.querySelector("[data-card]").textContent = part.querySelector("[data-card]").dataset.card.replace("{card}", told);
  part.querySelector("[data-why]").textContent = key.dataset.why;
  const rule = part.querySelector("a");
  rule.textContent = key.dataset.rule;
  rule.href = `${rule.dataset.rules}#${key.dataset.rule}`;
  pending = { event, told, key: key.id };
  const place = document.getElementById("odd");
  place.replaceChildren(part);
  place.querySelector("[tabindex]").focus();
  place.scrollIntoView({ block: "nearest" });
}

function answered(click) {
  const button = click.target.closest("#odd [data-so]");
  if (button === null || pending === null) return;
  const { event, told, key } = pending;
  pending = null;
  document.getElementById("odd").replaceChildren();
  if (button.dataset.so === "played") record(event, told, true);
  document.getElementById(key)?.focus();
}

if (rec !== null) {
  rec.addEventListener("submit", written);
  rec.addEventListener("click", doubted, { capture: true });
  rec.addEventListener("click", answered);
  rec.addEventListener("click", (click) => click.target.closest("#more [data-acts]") !== null && fold());
}
