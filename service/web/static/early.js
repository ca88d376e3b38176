// Before anything is drawn: the appearance that the reader has chosen, so that nothing flashes.
const chosen = localStorage.getItem('cantiere.theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
