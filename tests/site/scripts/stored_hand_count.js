// Return the number of tables whose hands the device has stored.
() => new Promise(resolve => {
    const asked = indexedDB.open("trickledger");
    asked.onsuccess = () => {
        const all = asked.result.transaction("hands").objectStore("hands").count();
        all.onsuccess = () => resolve(all.result);
    };
})
