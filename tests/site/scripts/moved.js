// Note in `window.moved` which parts of the page are taken away.
() => {
  window.moved = [];
  new MutationObserver((told) => {
    for (const { removedNodes } of told) for (const { id } of removedNodes) if (id) window.moved.push(id);
  }).observe(document.querySelector("#now"), { childList: true });
}
