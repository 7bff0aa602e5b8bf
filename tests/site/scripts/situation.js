// Return the version that the page shows, how many acts wait, and whether a link begins the deal.
() => [
  JSON.parse(document.querySelector("#board").textContent).version,
  Number(document.querySelector("#sent").dataset.count || -1),
  document.querySelector("#now a.main") !== null,
]
