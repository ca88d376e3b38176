// Who plays, who is to move, and what their clocks show.
import { html, live, nothing } from '../lit.js';
import { t } from '../text.js';
import { nameOf } from './names.js';

/** A list of the seats with the points they have in what is drawn. */
export function seats(model) {
  const { view } = model;
  const rows = new Map((model.position?.standing ?? []).filter((row) => row.label === null).map((row) => [row.seat, row]));
  return html`<ol class="seats" aria-label=${t('seats.label')}>
    ${view.seats.map((seat) => {
      const row = rows.get(seat.seat);
      const isNext = !model.isOver && model.position?.toMove === seat.seat;
      return html`<li class=${isNext ? 'next' : ''}>
        ${mark(seat.seat)}
        <span class="name">${nameOf(seat)}${seat.seat === model.me ? html` <span class="you">${t('seat.you')}</span>` : nothing}
          ${row?.retired ? html`<span class="quiet small">${t('seat.left')}</span>` : nothing}
          ${isNext ? html`<span class="unseen">${t('seat.to-move')}</span>` : nothing}</span>
        ${clock(model, seat.seat)}
        ${row ? html`<span class="points" title=${t('scores.total')}>${row.total}<span class="unseen"> ${t('scores.points')}</span></span>` : nothing}
      </li>`;
    })}
  </ol>`;
}

/** A seat by its number, as boards show it. */
export function mark(seat) {
  return html`<span class="mark" aria-hidden="true">${seat}</span>`;
}

function clock(model, seat) {
  const { clock: known } = model;
  if (!known?.clock) return nothing;
  const isRunning = known.clock.running === seat && !model.isOver;
  return html`<time class="clock ${isRunning ? 'running' : ''}" data-seat=${seat} .textContent=${live(clockText(leftOf(known, seat)))}></time>`;
}

/** What a seat has left at this moment, in ms, by the server's clock. */
export function leftOf(known, seat) {
  const isRunning = known.clock.running === seat;
  if (!isRunning || known.clock.deadline === null) return known.left[seat];
  return Math.max(0, known.left[seat] - (Date.now() + known.ahead - known.now));
}

/** A time as people read clocks: 1:02:03, 4:05, and tenths below twenty seconds. */
export function clockText(ms) {
  if (ms < 20_000) return `0:${(Math.floor(ms / 100) / 10).toFixed(1).padStart(4, '0')}`;
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours >= 48) return t('clock.days', { count: Math.floor(hours / 24) });
  const rest = String(seconds % 60).padStart(2, '0');
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** Shows on the clocks in an element what time it is, without drawing anything else. */
export function tick(element, model) {
  if (!model.clock?.clock) return;
  for (const face of element.querySelectorAll('.clock')) {
    const left = leftOf(model.clock, Number(face.dataset.seat));
    const text = clockText(left);
    if (face.textContent !== text) face.textContent = text;
    face.classList.toggle('low', left < 20_000);
  }
}
