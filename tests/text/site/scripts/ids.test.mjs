import assert from "node:assert/strict";
import { test } from "node:test";
import { moment, newId } from "../../../../ledger/text/site/scripts/api_client.js";

test("an id is a UUID of version 7 that tells when it was made", () => {
  const id = newId(Date.UTC(2030, 0, 2, 3, 4, 5, 678));
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(parseInt(id.replace("-", "").slice(0, 12), 16), Date.UTC(2030, 0, 2, 3, 4, 5, 678));
});

test("each id is greater than the one before, also where the clock is set back", () => {
  const ids = [5_000_000_000_000, 5_000_000_000_000, 4_000_000_000_000].map((now) => newId(now));
  assert.deepEqual([...ids].sort(), ids);
});

test("a moment has microseconds, as the record wants it", () => {
  assert.equal(moment(new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6))), "2026-01-02T03:04:05.006000Z");
});
