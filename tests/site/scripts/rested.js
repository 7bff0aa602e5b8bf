// Whether a tap on a button, which is scrolled to, is far enough from the last one, in time or in place, to be no
// tremble. What was tapped before this looked for the first time is not known.
button => {
  const apart = 400, near = 40;
  if (window.tapped === undefined) {
    const note = one => { window.tapped = {at: performance.now(), x: one.clientX, y: one.clientY}; };
    addEventListener("click", note, true);
    window.tapped = {at: performance.now()};
  }
  button.scrollIntoViewIfNeeded();
  const {at, x, y} = window.tapped, box = button.getBoundingClientRect();
  const isFar = Math.abs(box.x + box.width / 2 - x) > near || Math.abs(box.y + box.height / 2 - y) > near;
  return isFar || performance.now() - at > apart;
}
