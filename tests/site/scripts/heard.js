// Collect in `window.heard` the announcements of the live region.
() => {
  const told = () => document.getElementById("told");
  const said = () => {
    const heard = told().cloneNode(true);
    heard.querySelectorAll("[aria-hidden=true]").forEach(one => one.remove());
    return heard.textContent;
  };
  const text = () => said().replaceAll("\ufe0e", "").replace(/\s+/g, " ").trim();
  window.heard = [text()];
  new MutationObserver(() => {
    if (told().ariaBusy !== "true" && text() && text() !== window.heard.at(-1)) window.heard.push(text());
  }).observe(document.getElementById("main"), {subtree: true, childList: true, characterData: true});
}
