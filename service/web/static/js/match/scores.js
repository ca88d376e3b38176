// The score sheet: points by category, as if the match ended at what is drawn; `labels` are the categories' names.
import { html, nothing } from '../lit.js';
import { readable, t } from '../text.js';
import { nameOf } from './names.js';
import { mark } from './seats.js';

export function scores(model, labels) {
  const rows = model.position?.standing ?? [];
  if (!rows.length) return html`<p class="empty">${t('scores.none')}</p>`;
  const categories = Object.keys(rows[0].scores);
  const ties = Object.keys(rows[0].ties);
  return html`<div class="wide" tabindex="0" role="region" aria-label=${t('scores.label')}>
    <table class="scores">
      <caption class="unseen">${t('scores.label')}</caption>
      <thead><tr><td></td>${rows.map((row) => html`<th scope="col">${sideOf(model.view, row)}</th>`)}</tr></thead>
      <tbody>
        ${categories.map((category) => html`<tr><th scope="row">${labels[category] ?? readable(category)}</th>${rows.map((row) => html`<td>${row.scores[category]}</td>`)}</tr>`)}
        <tr class="total"><th scope="row">${t('scores.total')}</th>${rows.map((row) => html`<td>${row.total}</td>`)}</tr>
        ${ties.map((tie) => html`<tr class="tie"><th scope="row">${t('scores.tie', { tie: labels[tie] ?? readable(tie) })}</th>${rows.map((row) => html`<td>${row.ties[tie]}</td>`)}</tr>`)}
        <tr class="rank"><th scope="row">${t('scores.rank')}</th>${rows.map((row) => html`<td>${row.rank}${row.retired ? html` <span class="small">${t('seat.left')}</span>` : nothing}</td>`)}</tr>
      </tbody>
    </table>
  </div>`;
}

function sideOf(view, row) {
  return row.label === null ? html`${mark(row.seat)} ${nameOf(view.seats[row.seat])}` : row.label;
}
