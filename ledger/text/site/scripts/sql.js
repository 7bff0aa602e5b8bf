// Suggest words while somebody types SQL, run it by a key, and store the questions of this device on this device alone.

const PAST = "trickledger.questions";
const PAST_MOST = 20;
const SUGGESTIONS_MOST = 6;

const field = document.getElementById("sql");
const form = document.getElementById("ask");
const group = document.getElementById("words");
const help = document.getElementById("words-help");
const said = document.getElementById("words-said");

const columns = new Map(
  [...document.querySelectorAll("details:has(> summary [data-word])")].map((one) => [
    one.querySelector("summary [data-word]").textContent,
    [...one.querySelectorAll("dl [data-word]")].map((word) => word.textContent),
  ]),
);
const words = [...new Set([...columns.keys(), ...[...columns.values()].flat(), ...document.getElementById("keywords").textContent.split(" ")])];

/** Return the beginning of a word before the caret. */
function begun() {
  if (field.selectionStart !== field.selectionEnd) return "";
  return /[\p{L}_][\w-]*$/u.exec(field.value.slice(0, field.selectionStart))?.[0] ?? "";
}

/** Return the words that go on like this; columns of tables that the question names come first. */
function matches(start) {
  const typed = field.value.toLowerCase();
  const near = new Set([...columns].filter(([table]) => typed.includes(table)).flatMap(([, names]) => names));
  const lower = start.toLowerCase();
  const going = words.filter((word) => word.toLowerCase().startsWith(lower) && word.toLowerCase() !== lower);
  return [...going.filter((word) => near.has(word)), ...going.filter((word) => !near.has(word))].slice(0, SUGGESTIONS_MOST);
}

function suggest() {
  const start = begun();
  const found = start.length < 2 ? [] : matches(start);
  group.replaceChildren(
    ...found.map((word) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "btn soft", textContent: word, value: word });
      return button;
    }),
  );
  group.hidden = !found.length;
  const text = found.length ? `${found.length} ${help.dataset.some}` : "";
  if (said.textContent !== text) said.textContent = text;
}

function insert(word) {
  const end = field.selectionStart;
  field.setRangeText(word, end - begun().length, end, "end");
  field.focus();
  suggest();
}

field.addEventListener("input", suggest);
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit(form.querySelector("[value=run]"));
  } else if (event.key === " " && event.ctrlKey) {
    event.preventDefault();
    suggest();
    if (group.hidden) said.textContent = help.dataset.none;
    else group.firstElementChild.focus();
  }
});
group.addEventListener("click", ({ target }) => {
  if (target.value) insert(target.value);
});
group.addEventListener("keydown", (event) => {
  const next = { ArrowRight: "nextElementSibling", ArrowDown: "nextElementSibling", ArrowLeft: "previousElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  if (next) {
    event.preventDefault();
    event.target[next]?.focus();
  } else if (event.key === "Escape") {
    field.focus();
  }
});
help.hidden = false;

/** Return the questions stored on this device, the newest first; none where the browser stores nothing. */
function past() {
  try {
    return JSON.parse(localStorage.getItem(PAST) ?? "[]");
  } catch {
    return [];
  }
}

function store(questions) {
  try {
    localStorage.setItem(PAST, JSON.stringify(questions.slice(0, PAST_MOST)));
  } catch {
    // a full or forbidden storage costs the list, nothing else
  }
}

function show() {
  const section = document.getElementById("past");
  section.hidden = !past().length;
  section.querySelector("ol").replaceChildren(
    ...past().map((text) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "btn soft", textContent: text.slice(0, 120), value: text });
      item.append(button);
      return item;
    }),
  );
}

form.addEventListener("submit", ({ submitter }) => {
  const text = field.value.trim();
  if (text && (submitter === null || submitter.value === "run")) store([text, ...past().filter((one) => one !== text)]);
});
document.getElementById("past").addEventListener("click", ({ target }) => {
  if (target.id === "forget") {
    localStorage.removeItem(PAST);
    show();
    field.focus();
  } else if (target.value) {
    field.value = target.value;
    field.focus();
  }
});
show();
