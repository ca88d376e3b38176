// The lobby: matches that wait, that are played, and that are over.
import { get } from '../api.js';
import { allGames } from '../games.js';
import { html, nothing, repeat } from '../lit.js';
import { nameOf } from '../match/names.js';
import { ago, t } from '../text.js';
import { ownMatches } from '../tokens.js';

const EVERY = 4000; // ms between two looks at the first page; unchanged, it costs a 304
const STATUSES = ['open', 'running', 'finished'];
let left = null; // the list as one left it: who comes back finds it so

export class Lobby {
  title = t('lobby.title');

  constructor(_, { redraw }) {
    this.redraw = redraw;
    this.status = sessionStorage.getItem('cantiere.lobby') ?? 'running';
    this.game = '';
    this.games = [];
    this.own = [];
    if (left === null) this.turn();
    else Object.assign(this, left).refresh();
    this.timer = setInterval(() => document.hidden || this.refresh(), EVERY);
    this.loadRest();
  }

  close() {
    clearInterval(this.timer);
    const { status, game, games, own, matches, next, hasMore } = this;
    left = { status, game, games, own, matches, next, hasMore, problem: null };
  }

  /** Begins the list anew, with the filters as they are. */
  turn() {
    Object.assign(this, { matches: null, next: null, hasMore: false, problem: null });
    this.refresh();
  }

  async refresh() {
    const { status, game } = this;
    try {
      const page = await get('/matches', { status, game, limit: 20 });
      if (status !== this.status || game !== this.game) return;
      const older = this.hasMore ? this.matches.filter((match) => match.createdAt < page.matches.at(-1)?.createdAt) : [];
      this.matches = [...page.matches, ...older];
      if (!this.hasMore) this.next = page.next;
      if (this.problem) this.loadRest();
      this.problem = null;
    } catch (problem) {
      this.problem = problem;
    }
    this.redraw();
  }

  async more() {
    const { status, game } = this;
    try {
      const page = await get('/matches', { status, game, limit: 20, cursor: this.next });
      if (status !== this.status || game !== this.game) return;
      const known = new Set(this.matches.map((match) => match.id));
      this.matches = [...this.matches, ...page.matches.filter((match) => !known.has(match.id))];
      this.next = page.next;
      this.hasMore = true;
    } catch (problem) {
      this.problem = problem;
    }
    this.redraw();
  }

  /** What is asked for once, and again when the service was away. */
  loadRest() {
    allGames().then((games) => {
      this.games = games;
      this.redraw();
    }, () => {});
    this.loadOwn();
  }

  async loadOwn() {
    const found = await Promise.all(ownMatches().map((id) => get(`/matches/${id}`).catch(() => null)));
    this.own = found.filter((match) => match && (match.status === 'open' || match.status === 'running'));
    this.redraw();
  }

  draw() {
    return html`
      <div class="lead">
        <h1>${t('lobby.title')}</h1>
        <a class="button primary" href="/new">${t('frame.new')}</a>
      </div>
      <p class="quiet">${t('lobby.intro')}</p>
      ${this.own.length
        ? html`<section aria-labelledby="own"><h2 id="own">${t('lobby.own')}</h2>${this.list(this.own)}</section>`
        : nothing}
      <section aria-labelledby="all">
        <h2 id="all" class="unseen">${t('lobby.all')}</h2>
        <div class="filters">
          <div class="segments" role="group" aria-label=${t('lobby.status')}>
            ${STATUSES.map((status) => html`<button aria-pressed=${status === this.status} @click=${() => this.setStatus(status)}>${t(`status.${status}`)}</button>`)}
          </div>
          <label><span class="unseen">${t('lobby.game')}</span>
            <select @change=${(event) => this.setGame(event.target.value)}>
              <option value="">${t('lobby.every')}</option>
              ${this.games.map(({ slug, title }) => html`<option value=${slug} ?selected=${slug === this.game}>${title}</option>`)}
            </select>
          </label>
        </div>
        ${this.body()}
      </section>`;
  }

  body() {
    if (this.matches === null) return html`<p class="quiet">${t(this.problem ? 'lobby.lost' : 'lobby.loading')}</p>`;
    return html`
      ${this.problem ? html`<p class="notice">${t('lobby.lost')}</p>` : nothing}
      ${this.matches.length ? this.list(this.matches) : html`<p class="empty">${t(`lobby.none.${this.status}`)}</p>`}
      ${this.next ? html`<p><button @click=${() => this.more()}>${t('lobby.more')}</button></p>` : nothing}`;
  }

  list(matches) {
    return html`<ul class="matches">${repeat(matches, (match) => match.id, (match) => this.card(match))}</ul>`;
  }

  card(match) {
    const title = this.games.find(({ slug }) => slug === match.game)?.title ?? match.game;
    const free = match.seats.filter((seat) => !seat.taken).length;
    return html`<li>
      <a class="card" href="/match/${match.id}">
        <span class="card-title">${title}</span>
        <span class="badge ${match.status}">${t(`status.${match.status}`)}</span>
        <span class="card-names">${match.seats.map((seat) => html`<span class=${seat.taken ? '' : 'quiet'}>${rankOf(match, seat.seat)}${nameOf(seat)}</span>`)}</span>
        <span class="quiet small">${match.status === 'open' && free ? t('lobby.free', { count: free }) : t('lobby.moves', { count: match.version })}
          · ${ago(match.updatedAt)}${match.clock ? ` · ${t('lobby.clock')}` : ''}</span>
      </a></li>`;
  }

  setStatus(status) {
    this.status = status;
    sessionStorage.setItem('cantiere.lobby', status);
    this.turn();
    this.redraw();
  }

  setGame(game) {
    this.game = game;
    this.turn();
    this.redraw();
  }
}

function rankOf(match, seat) {
  return match.ranks?.[seat] === 1 ? html`<span aria-label=${t('lobby.first')} role="img">★ </span>` : nothing;
}
