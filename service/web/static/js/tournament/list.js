// The matches of a tournament as a list: who met whom, how it ended, and the way to each of them.
import { html, nothing, repeat } from '../lit.js';
import { named, t } from '../text.js';

const SEQUENCE = { open: 0, done: 1, void: 1, bye: 1, ordered: 2 };

/** The matches that are known: those being played, then those that are over, newest first, then those to come. */
export function list(tournament, more) {
  const { known, before } = tournament.matches;
  if (!known.length) return html`<p class="empty">${t('tournament.no-match')}</p>`;
  return html`<div class="long" tabindex="0" role="group" aria-label=${t('tournament.matches')}>
      <ul class="pairings">${repeat([...known].sort(inSequence), ({ number }) => number, (match) => row(tournament, match))}</ul>
    </div>
    ${known.some(({ stage, match }) => stage === 'open' && match === null) ? html`<p class="quiet small">${t('tournament.hidden')}</p>` : nothing}
    ${before > 0 ? html`<p><button @click=${more}>${t('tournament.earlier', { count: before })}</button></p>` : nothing}`;
}

function inSequence(one, other) {
  const apart = SEQUENCE[one.stage] - SEQUENCE[other.stage];
  return apart || (SEQUENCE[one.stage] === 1 ? other.number - one.number : one.number - other.number);
}

function row(tournament, match) {
  const { number, round, stage, entrants } = match;
  return html`<li class=${stage}>
    <span class="number"><span class="unseen">${t('tournament.match', { number })}</span><span aria-hidden="true">${number}</span></span>
    <span class="sides">${entrants.map((entrant, seat) => side(tournament.nameOf(entrant), match, seat))}</span>
    <span class="state">
      <span class="quiet small">${t('tournament.round', { round })}</span>
      ${match.match
        ? html`<a href="/match/${match.match}">${t(stage === 'open' ? 'tournament.watch' : 'tournament.replay')}<span class="unseen"> ${t('tournament.match', { number })}</span></a>`
        : stage === 'done' ? nothing : html`<span class="badge ${stage === 'open' ? 'running' : ''}">${t(`stage.${stage}`)}</span>`}
    </span>
  </li>`;
}

function side(name, { ranks, scores, reasons }, seat) {
  const reason = reasons?.[seat] ?? 'played';
  return html`<span class="side-of ${ranks?.[seat] === 1 ? 'best' : ''}">
    <span class="name">${ranks?.[seat] === 1 ? html`<span role="img" aria-label=${t('lobby.first')}>★ </span>` : nothing}${name}</span>
    ${scores ? html`<span class="score">${scores[seat]}<span class="unseen"> ${t('scores.points')}</span></span>` : nothing}
    ${reason === 'played' ? nothing : html`<span class="quiet small">${named('reason', reason)}</span>`}
  </span>`;
}
