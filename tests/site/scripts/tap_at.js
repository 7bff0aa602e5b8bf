// Tap at that time of the browser's clock, always at the same place, and return the prompt.
([button, ms]) => {
  const tap = new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1, clientX: 200, clientY: 600 });
  Object.defineProperty(tap, "timeStamp", { value: ms });
  document.querySelector(button).dispatchEvent(tap);
  return document.querySelector("#told").textContent;
}
