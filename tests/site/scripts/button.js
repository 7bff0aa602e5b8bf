// The acts of the button that records this one, as they stand there, and whether it is seen; null where none does.
// A button of the act's player is better than one of whoever is lit, and one that is seen better than one in a fold.
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
