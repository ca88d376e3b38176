// The tables of a tournament: places with what is known of their certainty, who won what against whom, and faults.
import { html, nothing, svg } from '../lit.js';
import { figure, named, t } from '../text.js';

const CERTAIN = 1.96; // standard errors to either side that make 95 %
const COLUMNS = new Set(['wins', 'margin']); // tie-breaks that have a column anyway
const BARRED = new Set(['share', 'rating']); // columns with bars
const MOST_CROSSED = 40; // entrants in the crosstable: it grows with their square

/** Everybody's place, `count` of them at most. */
export function places(tournament, count) {
  const { standings, ratings } = tournament.standings;
  const rated = new Map(ratings.map((rating) => [rating.entrant, rating]));
  const [low, high] = [Math.min(...ratings.map((one) => one.low)), Math.max(...ratings.map((one) => one.high))];
  const breaks = [...new Set(standings.flatMap(({ ties }) => Object.keys(ties)))].filter((one) => !COLUMNS.has(one));
  const hasByes = standings.some(({ byes }) => byes > 0);
  const head = (key) => html`<th scope="col" class=${BARRED.has(key) ? 'barred' : ''}>${t(`places.${key}`)}</th>`;
  return wide(t('tournament.standings'), html`<table class="figures standings">
    <caption class="unseen">${t('tournament.standings')}</caption>
    <thead><tr><th scope="col" class="first">${t('places.entrant')}</th>
      ${['points', 'share', 'margin', 'matches', 'wins'].map(head)}
      ${hasByes ? head('byes') : nothing}
      ${breaks.map((one) => html`<th scope="col">${named('break', one)}</th>`)}
      ${ratings.length ? head('rating') : nothing}</tr></thead>
    <tbody>${standings.slice(0, count).map((row) => html`<tr>
      ${entry(row.place, row.name, row.left)}
      <td class="made">${figure(row.points, 1)}</td>
      <td class="barred">${share(row.share)}</td>
      <td>${margin(row.margin)}</td>
      <td>${row.matches}</td><td>${row.wins}</td>
      ${hasByes ? html`<td>${row.byes}</td>` : nothing}
      ${breaks.map((one) => html`<td>${one in row.ties ? figure(row.ties[one], 1) : ''}</td>`)}
      ${ratings.length ? html`<td class="barred">${rating(rated.get(row.entrant), low, high)}</td>` : nothing}
    </tr>`)}</tbody>
  </table>`);
}

/** Who has got how many points against whom. */
export function crosstable(tournament) {
  const entrants = tournament.places.slice(0, MOST_CROSSED);
  const met = new Map(tournament.cells.map((cell) => [`${cell.one} ${cell.other}`, cell]));
  return html`${wide(t('tournament.crosstable'), html`<table class="crosstable">
    <caption class="unseen">${t('tournament.crosstable')}</caption>
    <thead><tr><th scope="col" class="first">${t('places.entrant')}</th>
      ${entrants.map(({ name }, place) => html`<th scope="col" title=${name}><span aria-hidden="true">${place + 1}</span><span class="unseen">${name}</span></th>`)}</tr></thead>
    <tbody>${entrants.map((row, place) => html`<tr>
      ${entry(place + 1, row.name, null)}
      ${entrants.map((other) => (other === row ? html`<td class="self"></td>` : html`<td>${met.has(`${row.entrant} ${other.entrant}`) ? cell(met.get(`${row.entrant} ${other.entrant}`)) : html`<span class="quiet">–</span>`}</td>`))}
    </tr>`)}</tbody>
  </table>`)}
  ${tournament.places.length > MOST_CROSSED ? html`<p class="quiet small">${t('tournament.crossed', { count: MOST_CROSSED })}</p>` : nothing}`;
}

/** What went wrong for whom, and how long turns took. */
export function faults({ faults: rows }, nameOf) {
  const kinds = Object.keys(rows[0]?.faults ?? {});
  const time = (ms) => (ms === null ? '–' : t('faults.seconds', { seconds: figure(ms / 1000, 2) }));
  return wide(t('tournament.faults'), html`<table class="figures faults">
    <caption class="unseen">${t('tournament.faults')}</caption>
    <thead><tr><th scope="col" class="first">${t('places.entrant')}</th>
      ${kinds.map((kind) => html`<th scope="col">${named('fault', kind)}</th>`)}
      <th scope="col">${t('faults.strikes')}</th><th scope="col">${t('faults.turns')}</th>
      ${['50', '90', '99'].map((part) => html`<th scope="col">${t('faults.within', { part })}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>
      ${entry(null, row.entrant ? nameOf(row.entrant) : t('faults.server'), null)}
      ${kinds.map((kind) => html`<td class=${row.faults[kind] ? '' : 'quiet'}>${row.faults[kind]}</td>`)}
      <td class=${row.strikes ? '' : 'quiet'}>${row.strikes}</td><td>${row.turns}</td>
      <td>${time(row.p50)}</td><td>${time(row.p90)}</td><td>${time(row.p99)}</td>
    </tr>`)}</tbody>
  </table>`);
}

/** What each seat has been worth so far. */
export function seatsWorth({ seats }) {
  return html`<ul class="worth">${seats.map((one) => html`<li><span>${t('create.seat', { seat: one.seat })}</span> ${share(one.share)}</li>`)}</ul>`;
}

function wide(label, table) {
  return html`<div class="wide" tabindex="0" role="group" aria-label=${label}>${table}</div>`;
}

/** The first cell of a row, which stays in sight. */
function entry(place, name, left) {
  return html`<th scope="row" class="first"><span class="entry">${place === null ? nothing : html`<span class="place">${place}</span> `}<span class="name">${name}</span>
    ${left ? html`<span class="left quiet small">${named('left', left)}</span>` : nothing}</span></th>`;
}

function cell({ points, matches, margin: lead }) {
  return html`<strong>${figure(points, points % 1 ? 1 : 0)}</strong><span class="quiet small"> / ${matches}</span>
    ${lead === null ? nothing : html`<span class="quiet small lead-of">${figure(lead, 1, 'exceptZero')}</span>`}`;
}

function share(mean) {
  if (mean === null) return html`<span class="quiet">–</span>`;
  const { mean: middle, error } = mean;
  return html`${error === null ? nothing : bar(middle, middle - CERTAIN * error, middle + CERTAIN * error, 0, 1)}
    <span class="mean">${figure(100 * middle)} %${error === null ? nothing : html`<span class="quiet small"> ± ${figure(100 * error)}</span>`}</span>`;
}

function margin(mean) {
  if (mean === null) return html`<span class="quiet">–</span>`;
  return html`${figure(mean.mean, 1, 'exceptZero')}${mean.error === null ? nothing : html`<span class="quiet small"> ± ${figure(mean.error, 1)}</span>`}`;
}

function rating(one, low, high) {
  if (!one) return html`<span class="quiet">–</span>`;
  return html`${bar(one.mu, one.low, one.high, low, high)}
    <span class="mean">${figure(one.mu, 1)}<span class="quiet small"> ${figure(one.low)}–${figure(one.high)}</span></span>`;
}

/** A mean with its bounds of 95 %, on a scale. */
function bar(middle, from, to, low, high) {
  const at = (value) => 5 + (90 * (Math.min(high, Math.max(low, value)) - low)) / (high - low || 1);
  return html`<svg class="bar" viewBox="0 0 100 12" aria-hidden="true">
    ${svg`<line class="scale" x1="5" x2="95" y1="6" y2="6"/><line class="span" x1=${at(from)} x2=${at(to)} y1="6" y2="6"/><circle cx=${at(middle)} cy="6" r="3.5"/>`}
  </svg>`;
}
