// Return the `data-acts` of the button that records this act, and whether it is visible; null if there is none.
// Buttons of the act's player are preferred to those of the lit seat, and visible ones to folded ones.
act => {
  const sorted = told => JSON.stringify(Object.entries(told).sort());
  const all = [...document.querySelectorAll("#now button[data-acts]")];
  const says = told => all.filter(one => JSON.parse(one.dataset.acts).map(sorted).join() === sorted(told));
  for (const found of [says(act), says({...act, seat: null})]) {
    const seen = found.find(one => one.checkVisibility());
    const one = seen ?? found[0];
    if (one) return {acts: one.dataset.acts, isSeen: seen !== undefined};
  }
  return null;
}
