// How many tables' hands the device keeps.
() => new Promise(resolve => {
    const asked = indexedDB.open("trickledger");
    asked.onsuccess = () => {
        const all = asked.result.transaction("hands").objectStore("hands").count();
        all.onsuccess = () => resolve(all.result);
    };
})
