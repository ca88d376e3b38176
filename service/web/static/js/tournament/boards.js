// Boards of matches that are being played, a few at a time. They are asked for again and again and not followed by
// streams: a browser has six connections to a service, and other tabs need some, too.
import { get, getDrawing } from '../api.js';
import { html, repeat } from '../lit.js';
import { Board } from '../match/board.js';
import { t } from '../text.js';

const EVERY = 2500; // ms between two looks at a board; unchanged, it costs a 304
const MOST = 4;
const OVER = new Set(['finished', 'cancelled', 'aborted']);

export class Boards {
  constructor(redraw) {
    this.redraw = redraw;
    this.slots = [];
    this.timer = setInterval(() => document.hidden || this.look(), EVERY);
  }

  close() {
    clearInterval(this.timer);
  }

  /** Chooses what to show of the matches: a board stays until it is over and another match wants its place. */
  choose(matches) {
    const shown = new Set(this.slots.map(({ match }) => match));
    const open = matches.filter(({ stage, match }) => stage === 'open' && match !== null && !shown.has(match));
    for (const { number, match, entrants } of open) {
      const place = this.slots.length < MOST ? this.slots.length : this.slots.findIndex((slot) => slot.isOver);
      if (place < 0) return;
      this.slots[place] = new Slot(number, match, entrants);
      this.update(this.slots[place]);
    }
  }

  look() {
    this.slots.filter((slot) => !slot.isOver).forEach((slot) => this.update(slot));
  }

  async update(slot) {
    if (await slot.update()) this.redraw();
  }

  /** The boards of matches that have begun; `nameOf` tells how an entrant is called. */
  draw(nameOf) {
    const begun = this.slots.filter((slot) => slot.version !== null);
    return html`<ul class="boards" aria-label=${t('boards.label')}>
      ${repeat(begun, ({ match }) => match, (slot) => slot.draw(nameOf))}</ul>`;
  }
}

class Slot {
  constructor(number, match, entrants) {
    Object.assign(this, { number, match, entrants, version: null, isOver: false, isAsking: false });
    this.board = new Board({ choose() {}, explain() {} });
  }

  /** Looks at the match; true if anything has changed. What cannot be reached now is looked at again. */
  async update() {
    if (this.isAsking) return false;
    this.isAsking = true;
    try {
      const view = await get(`/matches/${this.match}`);
      const { version, status, toMove } = view;
      if (view.startedAt === null || (version === this.version && OVER.has(status) === this.isOver)) return false;
      const drawing = await getDrawing(`/matches/${this.match}/board.svg`, { version });
      this.board.update({ board: drawing }, false);
      Object.assign(this, { version, toMove, isOver: OVER.has(status) });
      return true;
    } catch {
      return false;
    } finally {
      this.isAsking = false;
    }
  }

  draw(nameOf) {
    return html`<li><figure class="live">
      <figcaption>
        <a href="/match/${this.match}">${t('tournament.match', { number: this.number })}</a>
        <span class="names">${this.entrants.map((entrant, seat) => html`<span class=${seat === this.toMove ? 'moving' : ''}>${nameOf(entrant)}</span>`)}</span>
        <span class="quiet small">${this.isOver ? t('status.finished') : t('lobby.moves', { count: this.version })}</span>
      </figcaption>
      ${this.board.element}
    </figure></li>`;
  }
}
