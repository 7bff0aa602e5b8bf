// What the visible button records that records these acts.
acts => {
  const sorted = told => JSON.stringify(Object.entries(told).sort());
  const says = one => JSON.parse(one.dataset.acts).map(sorted).join() === sorted(acts);
  return [...document.querySelectorAll("#now button[data-acts]")]
    .find(one => one.checkVisibility() && says(one))?.dataset.acts;
}
