// Collect in `window.moved` the parts of the page that are removed.
() => {
  window.moved = [];
  new MutationObserver((told) => {
    for (const { removedNodes } of told) for (const { id } of removedNodes) if (id) window.moved.push(id);
  }).observe(document.querySelector("#now"), { childList: true });
}
