// Whether a tap on a button is far enough from the last one, in time or in place, to be no tremble.
told => {
  const apart = 400, near = 40;
  const note = one => { window.tapped = {at: performance.now(), x: one.clientX, y: one.clientY}; };
  if (window.tapped === undefined) {
    addEventListener("click", note, true);
    window.tapped = {at: performance.now()};
  }
  const all = typeof told === "string" ? document.querySelectorAll(told) : [told];
  const button = [...all].find(one => one.checkVisibility());
  if (button === undefined) return false;
  const {at, x, y} = window.tapped, box = button.getBoundingClientRect();
  const isFar = Math.abs(box.x + box.width / 2 - x) > near || Math.abs(box.y + box.height / 2 - y) > near;
  return isFar || performance.now() - at > apart;
}
