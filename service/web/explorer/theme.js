// Light or dark before anything is drawn: as it was chosen on the page for people, else as the device says.
const dark = matchMedia('(prefers-color-scheme: dark)');

function follow() {
  const chosen = localStorage.getItem('cantiere.theme');
  document.documentElement.classList.toggle('dark-mode', chosen === 'dark' || (chosen !== 'light' && dark.matches));
}

follow();
dark.addEventListener('change', follow);
