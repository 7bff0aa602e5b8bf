// Return whether a tap on a button, after scrolling to it, is far enough from the last tap in time or place not to
// count as trembling. Taps before the first call are unknown.
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
