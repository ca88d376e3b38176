// Before anything is drawn: the appearance that the reader has chosen, so that nothing flashes.

/** In place of a storage that the browser refuses: what would be kept lives as long as the page. */
class Kept {
  getItem(key) {
    return this[key] ?? null;
  }
  setItem(key, value) {
    this[key] = String(value);
  }
  removeItem(key) {
    delete this[key];
  }
}

for (const kind of ['localStorage', 'sessionStorage']) {
  try {
    globalThis[kind].getItem('');
  } catch {
    Object.defineProperty(globalThis, kind, { value: new Kept() });
  }
}

const chosen = localStorage.getItem('cantiere.theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
