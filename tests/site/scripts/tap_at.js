// A tap at that moment of the browser's clock, at the same place as every other one; and what is asked then.
([button, ms]) => {
  const tap = new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1, clientX: 200, clientY: 600 });
  Object.defineProperty(tap, "timeStamp", { value: ms });
  document.querySelector(button).dispatchEvent(tap);
  return document.querySelector("#told").textContent;
}
