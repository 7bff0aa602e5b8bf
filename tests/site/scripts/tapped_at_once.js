// Tap a key in the moment in which a band comes, and note in `window.found` what is asked then.
(key) => {
  const bands = new MutationObserver(() => {
    bands.disconnect();
    const tap = new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 });
    Object.defineProperty(tap, "timeStamp", { value: 0 });
    document.querySelector(key).dispatchEvent(tap);
    window.found = document.querySelector("#told").textContent;
  });
  bands.observe(document.querySelector("#trouble"), { childList: true });
}
