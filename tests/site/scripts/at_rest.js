// Return the hidden parts of a replay's picture and dock before any scrolling, and cards that are too small.
(least) => {
  scrollTo({ top: 0, behavior: "instant" });
  const picture = document.querySelector(".replay svg.table"), dock = document.querySelector(".replay .dock");
  const found = [];
  const told = (one) => `${one.tagName}.${one.getAttribute("class")}`;
  for (const one of [picture, dock, ...picture.querySelectorAll(".card > rect, .plate > rect")]) {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    if (left < -.5 || top < -.5 || right > innerWidth + .5 || bottom > innerHeight + .5)
      found.push(`${told(one)} leaves the window: ${[left, top, right, bottom].map(Math.round)}`);
  }
  const [drawn, words] = [picture, dock].map((one) => one.getBoundingClientRect());
  if (drawn.left < words.right - .5 && words.left < drawn.right - .5 && drawn.top < words.bottom - .5 && words.top < drawn.bottom - .5)
    found.push(`the dock lies on the picture: from ${Math.round(words.top)}, to ${Math.round(drawn.bottom)}`);
  for (const card of picture.querySelectorAll(".card > rect")) {
    const { x, y, width, height } = card.getBoundingClientRect();
    if (width < least) found.push(`a card is ${width.toFixed(1)} px wide`);
    if (!picture.contains(document.elementFromPoint(x + width / 2, y + height / 2))) found.push("a card is covered");
  }
  return [...new Set(found)];
}
