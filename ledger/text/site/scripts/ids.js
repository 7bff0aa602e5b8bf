/** Ids of entries: UUIDv7, made with getRandomValues alone, because a phone in the club's network has nothing else. */

let last = 0;

/** A new id; each is greater than those that this window made before, also when its clock is set back. */
export function newId(now = Date.now()) {
  last = Math.max(last + 1, now);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let place = 5, rest = last; place >= 0; place -= 1, rest = Math.floor(rest / 256)) bytes[place] = rest % 256;
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** This moment as the record tells moments. */
export function moment(now = new Date()) {
  return now.toISOString().replace("Z", "000Z");
}
