// A new match: its game and options, who sits where, the clock, and who may see it.
import { againIfAway, change } from '../api.js';
import { allGames, game } from '../games.js';
import { chosen, fields } from '../form.js';
import { html, nothing } from '../lit.js';
import { BOTS } from '../match/waiting.js';
import { named, t } from '../text.js';
import { keepHost, keepSeat } from '../tokens.js';

export class Create {
  title = t('create.title');

  constructor(_, { redraw, go }) {
    Object.assign(this, { redraw, go, games: [], game: null, seats: [], problem: null, isSending: false });
    this.load();
  }

  async load() {
    try {
      this.games = await allGames();
      await this.setGame(this.games[0].slug);
      this.problem = null;
    } catch (problem) {
      this.problem = problem;
      againIfAway(problem, () => this.load());
    }
    this.redraw();
  }

  async setGame(slug) {
    this.game = await game(slug);
    const { seats } = this.game;
    this.setSeats(seats.includes(2) ? 2 : seats[0]);
  }

  setSeats(count) {
    const sides = ['me', ...Array(count - 1).fill('greedy')];
    this.seats = sides.map((side, seat) => this.seats[seat] ?? side);
    this.redraw();
  }

  draw() {
    return html`<h1>${t('create.title')}</h1>
      ${this.problem ? html`<p class="notice" role="alert">${this.problem.message}</p>` : nothing}
      ${this.game ? this.form() : html`<p class="quiet">${t('lobby.loading')}</p>`}`;
  }

  form() {
    return html`<form class="create" @submit=${(event) => this.submit(event)}>
      <fieldset><legend>${t('create.game')}</legend>
        <div class="segments">${this.games.map(({ slug, title }) => html`
          <button type="button" aria-pressed=${slug === this.game.slug} @click=${() => this.setGame(slug)}>${title}</button>`)}</div>
      </fieldset>
      <fieldset><legend>${t('create.seats')}</legend>
        <div class="segments">${this.game.seats.map((count) => html`
          <button type="button" aria-pressed=${count === this.seats.length} @click=${() => this.resize(count)}>${t('create.count', { count })}</button>`)}</div>
        <div class="field"><label for="name">${t('join.name')}</label><input id="name" name="name" maxlength="40" autocomplete="nickname"></div>
        <ol class="sides" start="0">${this.seats.map((side, seat) => html`<li><label>${t('create.seat', { seat })}
          <select name="side" @change=${(event) => this.sit(seat, event.target.value)}>
            ${['me', 'open', ...BOTS].map((one) => html`<option value=${one} .selected=${one === side}>${named('side', one)}</option>`)}
          </select></label></li>`)}</ol>
        ${this.seats.includes('open') ? html`<p class="quiet small">${t('create.open-hint')}</p>` : nothing}
      </fieldset>
      <fieldset><legend>${t('create.options')}</legend>${fields(this.game.options)}</fieldset>
      <fieldset><legend>${t('create.time')}</legend>${this.clock()}</fieldset>
      <fieldset><legend>${t('create.visibility')}</legend>
        <label class="check"><input type="radio" name="visibility" value="public" checked> ${t('create.public')}</label>
        <label class="check"><input type="radio" name="visibility" value="unlisted"> ${t('create.unlisted')}</label>
      </fieldset>
      <button class="primary large" ?disabled=${this.isSending}>${t('create.make')}</button>
    </form>`;
  }

  clock() {
    const kind = this.time ?? 'none';
    const number = (name, label, value, min) => html`<div class="field"><label for=${name}>${label}</label>
      <input type="number" id=${name} name=${name} min=${min} max="100000" .value=${value}></div>`;
    return html`<div class="segments">${['none', 'base', 'perTurn'].map((one) => html`
        <button type="button" aria-pressed=${one === kind} @click=${() => { this.time = one; this.redraw(); }}>${t(`time.${one}`)}</button>`)}</div>
      ${kind === 'base' ? html`${number('minutes', t('create.minutes'), '10', 1)}${number('increment', t('create.increment'), '5', 0)}` : nothing}
      ${kind === 'perTurn' ? number('hours', t('create.hours'), '24', 1) : nothing}`;
  }

  /** Who sits at a seat; the reader sits at one only, and leaves another one open. */
  sit(seat, side) {
    const left = (other) => (side === 'me' && other === 'me' ? 'open' : other);
    this.seats = this.seats.map((other, place) => (place === seat ? side : left(other)));
    this.redraw();
  }

  resize(count) {
    this.seats = this.seats.slice(0, count);
    this.setSeats(count);
  }

  async submit(event) {
    event.preventDefault();
    const form = event.target;
    this.isSending = true;
    this.problem = null;
    this.redraw();
    try {
      this.go(`/match/${await this.make(form)}`);
    } catch (problem) {
      this.problem = problem;
      this.isSending = false;
      this.redraw();
      scrollTo(0, 0);
    }
  }

  /** Makes the match and fills its seats; the id of the match. It is called off if a seat cannot be filled. */
  async make(form) {
    const entries = new FormData(form);
    const { match, hostToken } = await change('/matches', {
      game: this.game.slug,
      seats: this.seats.length,
      options: chosen(form, this.game.options),
      visibility: entries.get('visibility'),
      clock: timeOf(this.time, entries),
    });
    try {
      await this.fill(match.id, hostToken, entries.get('name').trim());
    } catch (problem) {
      change(`/matches/${match.id}/cancel`, {}, { token: hostToken }).catch(() => {});
      throw problem;
    }
    keepHost(match.id, hostToken);
    return match.id;
  }

  /** Seats the bots, and then the reader. */
  async fill(match, hostToken, name) {
    const own = this.seats.indexOf('me');
    for (const [seat, player] of this.seats.entries()) {
      if (BOTS.includes(player)) await change(`/matches/${match}/bots`, { player, seat }, { token: hostToken });
    }
    if (own < 0) return;
    keepSeat(await change(`/matches/${match}/join`, { seat: own, ...(name ? { name } : {}) }));
  }
}

function timeOf(kind, entries) {
  if (kind === 'base') {
    return { base: 60_000 * entries.get('minutes'), increment: 1000 * entries.get('increment') };
  }
  return kind === 'perTurn' ? { perTurn: 3_600_000 * entries.get('hours') } : null;
}
