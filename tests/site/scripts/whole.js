// Return the recorder's controls, plates and cards that are outside the window, covered, or too small to read.
() => {
  const found = [];
  const named = (one) => `${one.id || one.className.baseVal || one.className}: ${one.textContent.trim().slice(0, 30)}`;
  for (const one of document.querySelectorAll("#sent, #mini .seat, #mini .lay svg, #told, #undo, #keys :is(.key, .hole), #bottom .btn")) {
    if (!one.checkVisibility()) continue;
    const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) found.push(`outside: ${named(one)}`);
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    if (there === null || !(one.contains(there) || there.contains(one))) found.push(`covered: ${named(one)}`);
    if (width < 12) found.push(`too small: ${named(one)}`);
  }
  if (document.documentElement.scrollHeight > innerHeight + 1) found.push(`scrolls by ${document.documentElement.scrollHeight - innerHeight}`);
  return found;
}
