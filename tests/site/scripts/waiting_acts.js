// Return the stored acts that are not sent, in order, except those that are struck.
() => new Promise(resolve => {
  indexedDB.open("trickledger").onsuccess = ({target}) => {
    target.result.transaction("acts").objectStore("acts").getAll().onsuccess = found => resolve(
      found.target.result.filter(one => one.state !== "done").sort((one, other) => one.place - other.place)
        .flatMap(one => one.steps).flatMap(one => one.entries ?? []).map(one => one.event));
  };
})
