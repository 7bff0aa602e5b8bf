// Give the focus to the summary of errors when the page opens, so that it is read first.

document.getElementById("errors")?.focus();
