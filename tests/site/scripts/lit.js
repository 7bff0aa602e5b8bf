// Return the seat whose act is due, and the question that is to be answered first.
() => [
  document.querySelector("#mini .seat[aria-current]")?.value,
  document.querySelector("#rec.judging") && document.querySelector("#trouble").innerText,
]
