// Return the centre of each key, or of its hole, by card.
() => Object.fromEntries([...document.querySelectorAll("#keys [id^=key-]")].map((key) => {
  const { left, top, width, height } = key.getBoundingClientRect();
  return [key.id.slice(4), [left + width / 2, top + height / 2]];
}))
