// The moves that may be chosen, as a list with a filter; at chance the outcomes, each with its odds.
import { ruleAddress, ruleOf } from '../games.js';
import { html, live, nothing, repeat } from '../lit.js';
import { readable, t } from '../text.js';

const MOST = 120;

export class MoveList {
  constructor(redraw) {
    this.redraw = redraw;
    this.words = '';
    this.kind = '';
  }

  /** The list; `labels` name the kinds of moves, `choose` gets the notation of the move chosen. */
  draw(position, { guide, slug, labels }, choose) {
    const { legalMoves, odds, toMove } = position;
    const total = odds?.reduce((sum, weight) => sum + weight, 0);
    const kinds = [...new Set(legalMoves.map(({ move }) => move.kind))];
    if (!kinds.includes(this.kind)) this.kind = '';
    const found = legalMoves
      .map((move, place) => ({ ...move, odds: total && odds[place] / total }))
      .filter((move) => this.fits(move));
    return html`<div class="moves">
      ${legalMoves.length > 6
        ? html`<label class="filter"><span class="unseen">${t('moves.filter')}</span>
            <input type="search" placeholder=${t('moves.filter')} .value=${live(this.words)} @input=${(event) => this.search(event.target.value)}></label>`
        : nothing}
      ${kinds.length > 1 ? this.kinds(kinds, labels) : nothing}
      <ul class="choices" aria-label=${t(toMove === 'chance' ? 'moves.outcomes' : 'moves.label')} @keydown=${step}>
        ${repeat(found.slice(0, MOST), (move) => move.notation, (move, place) => html`<li>
          <button class="choice" tabindex=${place ? -1 : 0} data-notation=${move.notation} @click=${() => choose(move.notation)}>
            <span>${move.text}</span>${move.odds ? html`<span class="odds">${percent(move.odds)}</span>` : nothing}
          </button>${help(slug, guide, move)}</li>`)}
      </ul>
      ${found.length > MOST ? html`<p class="quiet small">${t('moves.more', { count: found.length - MOST })}</p>` : nothing}
      ${found.length ? nothing : html`<p class="empty">${t('moves.none')}</p>`}
    </div>`;
  }

  kinds(kinds, labels) {
    const button = (kind, name) => html`<button aria-pressed=${this.kind === kind} @click=${() => this.setKind(kind)}>${name}</button>`;
    return html`<div class="kinds" role="group" aria-label=${t('moves.kinds')}>
      ${button('', t('moves.every'))}${kinds.map((kind) => button(kind, labels[kind] ?? readable(kind)))}
    </div>`;
  }

  fits({ notation, text, move }) {
    const words = this.words.toLowerCase().split(/\s+/);
    const told = `${notation} ${text}`.toLowerCase();
    return (!this.kind || move.kind === this.kind) && words.every((word) => told.includes(word));
  }

  search(words) {
    this.words = words;
    this.redraw();
  }

  setKind(kind) {
    this.kind = kind;
    this.redraw();
  }

  clear() {
    Object.assign(this, { words: '', kind: '' });
  }
}

function help(slug, guide, move) {
  const rule = ruleOf(guide, move.notation, move.move.kind);
  if (!rule) return nothing;
  return html`<a class="rule" tabindex="-1" href=${ruleAddress(slug, rule)} target="_blank" aria-label=${t('rule.open', { rule })}>?</a>`;
}

/** One step through the list by the arrow keys; the list is one stop of the tab key. */
export function step(event) {
  const buttons = [...event.currentTarget.querySelectorAll('.choice')];
  const place = buttons.indexOf(event.target.closest('.choice'));
  const last = buttons.length - 1;
  const to = { ArrowDown: Math.min(place + 1, last), ArrowUp: Math.max(place - 1, 0), Home: 0, End: last }[event.key];
  if (place < 0 || to === undefined) return;
  event.preventDefault();
  buttons[place].tabIndex = -1;
  buttons[to].tabIndex = 0;
  buttons[to].focus();
}

function percent(share) {
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}
