// The games whose rules are told in plain words.
import { againIfAway } from '../api.js';
import { allGames } from '../games.js';
import { html } from '../lit.js';
import { t } from '../text.js';

export class Guides {
  title = t('rules.title');

  constructor(_, { redraw }) {
    Object.assign(this, { redraw, games: null, problem: null });
    this.load();
  }

  async load() {
    try {
      this.games = await allGames();
      this.problem = null;
    } catch (problem) {
      this.problem = problem;
      againIfAway(problem, () => this.load());
    }
    this.redraw();
  }

  draw() {
    return html`<h1>${t('rules.title')}</h1>${this.body()}`;
  }

  body() {
    if (this.problem) return html`<p class="notice" role="alert">${this.problem.message}</p>`;
    if (this.games === null) return html`<p class="quiet">${t('lobby.loading')}</p>`;
    return html`<ul class="matches">${this.games.map(({ slug, title, seats }) => html`<li>
      <a class="card" href="/rules/${slug}">
        <span class="card-title">${title}</span>
        <span class="quiet small">${t('rules.seats', { least: seats[0], most: seats.at(-1) })}</span>
      </a></li>`)}</ul>`;
  }
}
