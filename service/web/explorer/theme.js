// Light or dark before anything is drawn: as it was chosen on the page for people, else as the device says.
const dark = matchMedia('(prefers-color-scheme: dark)');

function chosenTheme() {
  try {
    return localStorage.getItem('cantiere.theme');
  } catch {
    return null; // a browser that may keep nothing
  }
}

function follow() {
  const chosen = chosenTheme();
  document.documentElement.classList.toggle('dark-mode', chosen === 'dark' || (chosen !== 'light' && dark.matches));
}

follow();
dark.addEventListener('change', follow);
