// Tap a key in the moment in which a band comes, and note in `window.found` what is asked then.
(key) => {
  const bands = new MutationObserver(() => {
    bands.disconnect();
    document.querySelector(key).parentElement.click(); // what moves lets taps through
    window.found = document.querySelector("#told").textContent;
  });
  bands.observe(document.querySelector("#trouble"), { childList: true });
}
