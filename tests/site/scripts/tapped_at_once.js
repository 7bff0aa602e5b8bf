// Tap a key at the moment a band appears, and store the prompt in `window.found`.
(key) => {
  const bands = new MutationObserver(() => {
    bands.disconnect();
    document.querySelector(key).parentElement.click(); // what moves lets taps through
    window.found = document.querySelector("#told").textContent;
  });
  bands.observe(document.querySelector("#trouble"), { childList: true });
}
