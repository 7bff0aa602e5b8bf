/** What waits, as a file for `trickledger import`: the acts keep their ids, so that nothing is recorded twice. */

import { lines } from "./order.js";

export function save(acts, table) {
  const { text, left } = lines(acts);
  const address = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${table}-${new Date().toISOString().slice(0, 16).replace(/[:T]/g, "-")}.ndjson`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return left;
}
