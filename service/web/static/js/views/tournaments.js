// The tournaments: those that are held, that wait for players, and that are over.
import { get } from '../api.js';
import { allGames } from '../games.js';
import { html, nothing, repeat } from '../lit.js';
import { ago, t } from '../text.js';

const EVERY = 5000; // ms between two looks at the first page; unchanged, it costs a 304
const STATUSES = ['', 'running', 'open', 'paused', 'finished', 'cancelled'];
const LIMIT = 20;
const MOST_PAGES = 5; // asked for one after the other, where few tournaments have the status

export class Tournaments {
  title = t('tournaments.title');

  constructor(_, { redraw }) {
    Object.assign(this, { redraw, status: '', games: [] });
    this.turn();
    this.timer = setInterval(() => document.hidden || this.refresh(), EVERY);
    this.loadGames();
  }

  close() {
    clearInterval(this.timer);
  }

  /** Begins the list anew, with the filter as it is. */
  turn() {
    Object.assign(this, { found: null, next: null, hasMore: false, problem: null });
    this.refresh();
  }

  /** Asked for once, and again when the service was away. */
  loadGames() {
    allGames().then((games) => {
      this.games = games;
      this.redraw();
    }, () => {});
  }

  async refresh() {
    const { status } = this;
    try {
      const page = await filled(status);
      if (status !== this.status) return;
      const fresh = new Set(page.found.map(({ id }) => id));
      const older = this.hasMore ? this.found.filter(({ id, status: now }) => !fresh.has(id) && (!status || now === status)) : [];
      this.found = [...page.found, ...older];
      if (!this.hasMore) this.next = page.next;
      if (this.problem) this.loadGames();
      this.problem = null;
    } catch (problem) {
      this.problem = problem;
    }
    this.redraw();
  }

  async more() {
    const { status } = this;
    try {
      const page = await filled(status, this.next);
      if (status !== this.status) return;
      const known = new Set(this.found.map(({ id }) => id));
      Object.assign(this, { found: [...this.found, ...page.found.filter(({ id }) => !known.has(id))], next: page.next, hasMore: true });
    } catch (problem) {
      this.problem = problem;
    }
    this.redraw();
  }

  draw() {
    return html`
      <div class="lead"><h1>${t('tournaments.title')}</h1></div>
      <div class="filters">
        <div class="segments" role="group" aria-label=${t('tournaments.status')}>
          ${STATUSES.map((status) => html`<button aria-pressed=${status === this.status} @click=${() => this.setStatus(status)}>${t(status ? `held.${status}` : 'tournaments.every')}</button>`)}
        </div>
      </div>
      ${this.body()}`;
  }

  body() {
    if (this.found === null) return html`<p class="quiet">${t(this.problem ? 'lobby.lost' : 'lobby.loading')}</p>`;
    return html`
      ${this.problem ? html`<p class="notice">${t('lobby.lost')}</p>` : nothing}
      ${this.found.length
        ? html`<ul class="matches">${repeat(this.found, ({ id }) => id, (one) => this.card(one))}</ul>`
        : html`<p class="empty">${t('tournaments.none')}</p>`}
      ${this.next ? html`<p><button @click=${() => this.more()}>${t('lobby.more')}</button></p>` : nothing}`;
  }

  card(one) {
    const title = this.games.find(({ slug }) => slug === one.game)?.title ?? one.game;
    return html`<li>
      <a class="card" href="/tournament/${one.id}">
        <span class="card-title">${one.name}</span>
        <span class="badge ${one.status}">${t(`held.${one.status}`)}</span>
        <span class="card-names">${title}</span>
        <span class="quiet small">${t('tournaments.entrants', { count: one.entrants })} · ${t('tournaments.table', { count: one.seats })} · ${ago(one.endedAt ?? one.startedAt ?? one.createdAt)}</span>
      </a></li>`;
  }

  setStatus(status) {
    this.status = status;
    this.turn();
    this.redraw();
  }
}

/** The next tournaments of a status. Pages are filtered by the service: one may be empty without being the last. */
async function filled(status, cursor = null) {
  const found = [];
  let next = cursor;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await get('/tournaments', { status, limit: LIMIT, cursor: next });
    found.push(...page.tournaments);
    next = page.next;
    if (!next || found.length >= LIMIT / 2) break;
  }
  return { found, next };
}
