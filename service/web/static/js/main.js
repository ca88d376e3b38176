// The frame of the page: where one is, where one can go, and the view of the address.
import { setTitle } from './aloud.js';
import { html, nothing, render } from './lit.js';
import { Router } from './router.js';
import { LANGUAGES, language, speak, t } from './text.js';
import { nextTheme, setTheme, theme } from './theme.js';
import { Create } from './views/create.js';
import { Guides } from './views/guides.js';
import { Lobby } from './views/lobby.js';
import { MatchPage } from './views/match.js';
import { Rules } from './views/rules.js';
import { TournamentPage } from './views/tournament.js';
import { Tournaments } from './views/tournaments.js';

const app = document.getElementById('app');
let view = null;

function frame() {
  return html`
    <a class="skip" href="#main">${t('frame.skip')}</a>
    <header class="frame">
      <a class="brand" href="/">Cantiere</a>
      <nav aria-label=${t('frame.navigation')}>
        <a href="/" aria-current=${current('/')}>${t('frame.matches')}</a>
        <a href="/tournaments" aria-current=${current('/tournaments')}>${t('frame.tournaments')}</a>
        <a href="/new" aria-current=${current('/new')}>${t('frame.new')}</a>
        <a href="/rules" aria-current=${current('/rules')}>${t('rules.title')}</a>
        <a href="/api/explorer">${t('frame.explorer')}</a>
      </nav>
      <label class="language"><span class="unseen">${t('frame.language')}</span>
        <select @change=${(event) => speak(event.target.value)}>
          ${Object.entries(LANGUAGES).map(([code, name]) => html`<option value=${code} lang=${code} ?selected=${code === language}>${name}</option>`)}
        </select></label>
      <button class="plain theme" @click=${switchTheme} title=${t('frame.theme', { theme: t(`theme.${theme()}`) })}>
        <span aria-hidden="true">${{ light: '☀', dark: '☾', auto: '◐' }[theme()]}</span>
        <span class="unseen">${t('frame.theme', { theme: t(`theme.${theme()}`) })}</span>
      </button>
    </header>
    <main id="main" tabindex="-1">${view?.draw() ?? missing()}</main>
  `;
}

function current(path) {
  if (location.pathname === path) return 'page';
  return location.pathname.startsWith(`${path}/`) ? 'true' : nothing;
}

function missing() {
  return html`<h1>${t('missing.title')}</h1><p>${t('missing.text')}</p><p><a class="button" href="/">${t('missing.lobby')}</a></p>`;
}

function switchTheme() {
  setTheme(nextTheme());
  redraw();
}

let isDue = false;
function redraw() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    const focused = document.activeElement;
    render(frame(), app);
    view?.drawn?.();
    if (isLost(focused)) goOn();
  });
}

/** Whether what had the focus is gone, or is a place of the board to which no move leads any more. */
function isLost(focused) {
  return !focused.isConnected || (focused instanceof SVGElement && !focused.hasAttribute('tabindex'));
}

/** Where one goes on by key then: not at the top of the page. */
function goOn() {
  (document.getElementById('turn') ?? document.getElementById('main')).focus({ preventScroll: true });
}

function show(View, found, hash) {
  const isFirst = view === null;
  view?.close?.();
  view = View && new View(found, { redraw, go: (path) => router.go(path), hash });
  setTitle(view?.title ?? t('missing.title'));
  render(frame(), app);
  view?.drawn?.();
  if (isFirst) return;
  document.getElementById('main').focus({ preventScroll: true });
}

const router = new Router(
  [
    [/^\/$/, Lobby],
    [/^\/new$/, Create],
    [/^\/match\/([a-z2-7]+)$/, MatchPage],
    [/^\/match\/([a-z2-7]+)\/(\d+)$/, MatchPage],
    [/^\/rules$/, Guides],
    [/^\/rules\/([a-z0-9-]+)$/, Rules],
    [/^\/tournaments$/, Tournaments],
    [/^\/tournament\/([a-z2-7]+)$/, TournamentPage],
  ],
  show,
);

document.documentElement.lang = language;
app.replaceChildren(); // what stood there until now
router.open();
