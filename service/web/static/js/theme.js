// Light, dark, or as the device says.
const KEY = 'cantiere.theme';
const THEMES = ['auto', 'light', 'dark'];

export function theme() {
  const chosen = localStorage.getItem(KEY);
  return THEMES.includes(chosen) ? chosen : 'auto';
}

export function nextTheme() {
  return THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
}

export function setTheme(chosen) {
  localStorage.setItem(KEY, chosen);
  if (chosen === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
