// Return whether the element with that id or the button of these acts has the focus.
([id, act]) => {
    const one = document.activeElement;
    if (id !== null) return one.id === id;
    const acts = JSON.parse(one.dataset?.acts ?? "[]");
    const sorted = value => JSON.stringify(Object.entries(value).sort());
    return acts.length === 1 && sorted(acts[0]) === sorted(act);
}
