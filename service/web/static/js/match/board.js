// The board: drawn by the service, clickable here. Places that moves lead to are buttons, reached by arrow keys.
import { t } from '../text.js';
import { morph, parsed } from './svg.js';

const WIDE = 620; // px from which two parts of a drawing fit beside each other
const SIZE = 'cantiere.board';
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  /** `choose` gets the moves of a place that was chosen; `explain` the move that a refused place stands for. */
  constructor({ choose, explain }) {
    this.choose = choose;
    this.explain = explain;
    this.element = document.createElement('div');
    this.element.className = 'board';
    this.element.addEventListener('click', (event) => this.click(event.target));
    this.element.addEventListener('keydown', (event) => this.key(event));
    this.drawn = null;
    this.spot = null; // where the reader was last, in widths of the drawing
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** Whether it is larger than the room on a phone, where one moves it about then. */
  get isLarge() {
    return localStorage.getItem(SIZE) === 'large';
  }

  toggleSize() {
    localStorage.setItem(SIZE, this.isLarge ? 'fit' : 'large');
    this.fit();
  }

  /** As large as is wanted; what is moved about is reached by key, by its places or else as a whole. */
  fit() {
    this.element.classList.toggle('large', this.isLarge);
    if (this.isLarge && !this.drawn?.isOpen) this.element.tabIndex = 0;
    else this.element.removeAttribute('tabindex');
  }

  /** Draws anew if the room has become wide or narrow. */
  resize() {
    const isWide = this.element.clientWidth > WIDE;
    if (isWide === this.isWide || !this.drawn) return;
    const { position, isOpen } = this.drawn;
    this.drawn = null;
    this.update(position, isOpen);
  }

  /** Draws a position; `isOpen` says whether moves may be chosen in it. */
  update(position, isOpen) {
    if (this.drawn?.position === position && this.drawn.isOpen === isOpen) return;
    this.drawn = { position, isOpen };
    this.isWide = this.element.clientWidth > WIDE;
    const wanted = parsed(position.board);
    if (wanted === null) return;
    this.arrange(wanted);
    wanted.setAttribute('role', 'group');
    wanted.setAttribute('aria-label', t('board.label'));
    this.element.classList.toggle('open', isOpen);
    this.fit();
    if (isOpen) this.mark(wanted, position.legalMoves);
    const old = this.element.firstElementChild;
    const isWithin = this.element.contains(document.activeElement);
    if (old) morph(old, wanted);
    else this.element.append(wanted);
    if (isOpen) this.enter(isWithin);
  }

  /** Has the tab key lead to where one is, else to the place with moves nearest to where one was, else to the first. */
  enter(isWithin) {
    const { places } = this;
    const open = places.filter((place) => place.classList.contains('place'));
    const stop = places.find((place) => place === document.activeElement) ?? this.closest(open) ?? places[0];
    this.setStop(stop);
    if (isWithin) stop?.focus({ preventScroll: true });
  }

  /** Puts a part of a tall drawing beside the others where there is room; what was below it takes its place. */
  arrange(root) {
    const [, , width, height] = root.getAttribute('viewBox').split(' ').map(Number);
    const part = root.querySelector('[data-beside]');
    const isWide = part && this.isWide;
    if (isWide) {
      const [top, below] = part.dataset.beside.split(' ').map(Number);
      part.setAttribute('transform', `translate(${width} ${8 - top})`);
      root.querySelector('[data-below]').setAttribute('transform', `translate(0 ${top - below})`);
      root.setAttribute('viewBox', `0 0 ${2 * width} ${Math.max(below - top, height + top - below) + 16}`);
    }
    this.element.classList.toggle('tall', !isWide && height > 1.7 * width);
  }

  /** Makes buttons of the places that moves lead to, and of those whose refusal can be explained. */
  mark(root, legalMoves) {
    const texts = new Map(legalMoves.map((move) => [move.notation, move.text]));
    for (const place of root.querySelectorAll('[data-move], [data-ask]')) {
      const moves = movesOf(place).filter((move) => texts.has(move));
      if (!moves.length && !place.dataset.ask) continue;
      const name = [wordsOf(place), place.querySelector('title')?.textContent].filter(Boolean).join(', ');
      const can = moves.length === 1 ? texts.get(moves[0]) : t(moves.length ? 'board.moves' : 'board.none', { count: moves.length });
      place.setAttribute('role', 'button');
      place.setAttribute('tabindex', '-1');
      place.setAttribute('aria-label', `${name}: ${can}`);
      place.classList.add(moves.length ? 'place' : 'refused');
    }
  }

  get places() {
    return [...this.element.querySelectorAll('[role=button]')];
  }

  setStop(stop) {
    for (const place of this.places) place.setAttribute('tabindex', place === stop ? '0' : '-1');
  }

  /** Has the tab key lead to a place that the reader went to, and remembers it. */
  visit(place) {
    this.setStop(place);
    this.spot = this.spotOf(place);
  }

  /** The one of some places that is nearest to where the reader was; the first one for who was nowhere. */
  closest(places) {
    if (this.spot === null) return places[0];
    const { x, y } = this.spot;
    const far = (place) => {
      const there = this.spotOf(place);
      return Math.hypot(there.x - x, there.y - y);
    };
    return [...places].sort((one, other) => far(one) - far(other))[0];
  }

  spotOf(place) {
    const { x, y } = middle(place);
    const drawing = this.element.firstElementChild.getBoundingClientRect();
    return { x: (x - drawing.x) / drawing.width, y: (y - drawing.y) / drawing.width };
  }

  click(target) {
    const place = target.closest?.('[role=button]');
    if (!place || !this.drawn?.isOpen) return;
    this.visit(place);
    const moves = movesOf(place);
    if (moves.length) this.choose(moves, place);
    else this.explain(place.dataset.ask);
  }

  key(event) {
    const place = event.target.closest('[role=button]');
    if (!place || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.click(place);
    } else if (DIRECTIONS[event.key]) {
      event.preventDefault();
      event.stopPropagation();
      const next = nearest(place, this.places, DIRECTIONS[event.key]);
      if (next) {
        this.visit(next);
        next.focus();
      }
    }
  }
}

function movesOf(place) {
  return place.dataset.move ? place.dataset.move.split(' ') : [];
}

/** The texts of a place as they are read; blanks between them make that what stands there. */
function wordsOf(place) {
  const texts = [...place.querySelectorAll('text')];
  texts.forEach((text) => text.before(' '));
  return texts.map((text) => text.textContent).join(' ');
}

/** The place that lies next in a direction: near, and not far aside. */
function nearest(from, places, [dx, dy]) {
  const start = middle(from);
  let best = null;
  let least = Infinity;
  for (const place of places) {
    const there = middle(place);
    const ahead = (there.x - start.x) * dx + (there.y - start.y) * dy;
    const aside = Math.abs((there.x - start.x) * dy) + Math.abs((there.y - start.y) * dx);
    if (place !== from && ahead > 1 && ahead + 3 * aside < least) {
      best = place;
      least = ahead + 3 * aside;
    }
  }
  return best;
}

function middle(place) {
  const box = place.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
