// Which step a button or a key means: pure.

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

// The keys of one letter are those that somebody can switch off.
const KEYS = {
  ArrowLeft: "back", ArrowRight: "next", ArrowUp: "trick-back", ArrowDown: "trick-on",
  Home: "first", End: "last", f: "finding", s: "turn",
};
const WITH_SHIFT = { ArrowLeft: "trick-back", ArrowRight: "trick-on" };

// What a key means; null: nothing here. Somebody who types means his letters, and a slider has its own arrows.
export function meantBy(event, hasLetters) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return null;
  const at = event.target;
  if (at.closest("select, textarea, input:not([type=range]), summary, [contenteditable]")) return null;
  if (event.shiftKey) return WITH_SHIFT[event.key] ?? null;
  const scrolls = at.closest(".scroll") && event.key.startsWith("Arrow");
  return scrolls || (event.key.length === 1 && !hasLetters) ? null : KEYS[event.key] ?? null;
}

const FAR_PX = 40;

// The move of a finger: to the left the next card, to the right the one before, upwards and downwards nothing.
export function swiped(from, to) {
  const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
  if (Math.abs(x) < FAR_PX || Math.abs(x) < 2 * Math.abs(y)) return null;
  return x < 0 ? "next" : "back";
}
