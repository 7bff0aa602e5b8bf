/**
 * The acts that the server has not acknowledged and the hands typed here, stored on this device.
 *
 * All windows of a browser share it. Nothing counts as stored before it is on disk; if the browser stores nothing
 * (`isDurable` is false), the memory of this window is used.
 */

import * as order from "./order.js";

const NAME = "trickledger";
const ACTS = "acts";
const HANDS = "hands";

export async function openQueue() {
  let database = null;
  try {
    database = await opened();
    await read(database, ACTS);
  } catch {
    database = null;
  }
  return new Queue(database);
}

class Queue extends EventTarget {
  constructor(database) {
    super();
    this.isDurable = database !== null;
    this.database = database;
    this.memory = { [ACTS]: new Map(), [HANDS]: new Map() };
    this.acts = [];
    this.channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(NAME) : null;
    if (this.channel !== null) this.channel.onmessage = () => this.refreshed();
  }

  /** Read again what another window may have changed. */
  async refresh() {
    this.acts = await this.all(ACTS);
    this.dispatchEvent(new Event("change"));
  }

  async refreshed() {
    await this.refresh();
    this.dispatchEvent(new Event("other"));
  }

  /** Decide on all acts in one transaction (`order.js`) and notify all windows; return the result of the decision. */
  async decide(decision, ...values) {
    let hasChanged = false;
    const result = await this.change(ACTS, (acts) => {
      const decided = decision(acts, ...values);
      hasChanged = (decided.put ?? []).length + (decided.drop ?? []).length > 0;
      return decided;
    });
    if (hasChanged) {
      await this.refresh();
      this.channel?.postMessage(0);
    }
    return result;
  }

  unsent(scope) {
    return order.unsent(this.acts, scope);
  }

  async hands({ table, opened, who }) {
    return (await this.all(HANDS)).find((one) => one.table === table && one.opened === opened && one.who === who);
  }

  async keepHands(hands) {
    await this.change(HANDS, () => ({ put: [hands] }));
  }

  async dropHands(isOver) {
    await this.change(HANDS, (all) => ({ drop: all.filter(isOver).map((one) => one.id) }));
  }

  async all(name) {
    return this.stored((database) => read(database, name), () => [...this.memory[name].values()]);
  }

  async change(name, decision) {
    return this.stored(
      (database) => written(database, name, decision),
      () => {
        const { put = [], drop = [], result } = decision([...this.memory[name].values()]);
        for (const id of drop) this.memory[name].delete(id);
        for (const one of put) this.memory[name].set(one.id, one);
        return result;
      },
    );
  }

  /** Use the disk as long as the browser allows. A database that it has closed is reopened, else memory is used. */
  async stored(onDisk, inMemory) {
    for (let tries = 2; this.database !== null && tries > 0; tries -= 1) {
      try {
        return await onDisk(this.database);
      } catch {
        this.database = tries > 1 ? await opened().catch(() => null) : null;
      }
    }
    if (this.isDurable) {
      this.isDurable = false;
      for (const act of this.acts) this.memory[ACTS].set(act.id, act);
    }
    return inMemory();
  }
}

function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      for (const name of [ACTS, HANDS]) request.result.createObjectStore(name, { keyPath: "id" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
}

function read(database, name) {
  return new Promise((resolve, reject) => {
    const request = database.transaction(name).objectStore(name).getAll();
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Read, decide and write in one transaction; the result is durable when it ends. */
function written(database, name, decision) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(name, "readwrite", { durability: "strict" });
    const store = transaction.objectStore(name);
    let result;
    store.getAll().onsuccess = (event) => {
      const decided = decision(event.target.result);
      for (const id of decided.drop ?? []) store.delete(id);
      for (const one of decided.put ?? []) store.put(one);
      result = decided.result;
    };
    transaction.oncomplete = () => resolve(result);
    transaction.onabort = () => reject(transaction.error);
  });
}
