// What was wrong is read first: the summary has the focus when the page comes.

document.getElementById("errors")?.focus();
