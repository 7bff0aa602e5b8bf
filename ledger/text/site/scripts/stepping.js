// Find the step that a button or a key leads to. Pure.

export function stepTo(to, step, { last, stops, finding }) {
  switch (to) {
    case "back": return Math.max(0, step - 1);
    case "next": return Math.min(last, step + 1);
    case "first": return 0;
    case "last": return last;
    case "trick-back": return stops.filter((stop) => stop < step).at(-1) ?? step;
    case "trick-on": return stops.find((stop) => stop > step) ?? step;
    case "finding": return finding ?? step;
    default: return step;
  }
}

// The single-letter keys, which can be switched off.
const KEYS = {
  ArrowLeft: "back", ArrowRight: "next", ArrowUp: "trick-back", ArrowDown: "trick-on",
  Home: "first", End: "last", f: "finding", s: "turn",
};
const WITH_SHIFT = { ArrowLeft: "trick-back", ArrowRight: "trick-on" };

// Return the meaning of a key, null if it has none here: letters typed into a field and the arrows of a slider keep
// theirs.
export function meantBy(event, hasLetters) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return null;
  const at = event.target;
  if (at.closest("select, textarea, input:not([type=range]), summary, [contenteditable]")) return null;
  if (event.shiftKey) return WITH_SHIFT[event.key] ?? null;
  const scrolls = at.closest(".scroll") && event.key.startsWith("Arrow");
  return scrolls || (event.key.length === 1 && !hasLetters) ? null : KEYS[event.key] ?? null;
}

const FAR_PX = 40;

// Return the step of a swipe: left is the next card, right the one before, up and down nothing.
export function swiped(from, to) {
  const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
  if (Math.abs(x) < FAR_PX || Math.abs(x) < 2 * Math.abs(y)) return null;
  return x < 0 ? "next" : "back";
}
