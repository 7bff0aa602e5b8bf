// All writes of the page wait until this transaction is over.
() => new Promise(resolve => {
  indexedDB.open("trickledger").onsuccess = ({target}) => {
    const acts = target.result.transaction("acts", "readwrite").objectStore("acts");
    const hold = () => { if (!window.isDiskFree) acts.count().onsuccess = hold; };
    acts.count().onsuccess = () => { hold(); resolve(); };
  };
})
