// What is to be done: whose turn it is, the moves composed so far, and what was refused and why.
import { html, nothing } from '../lit.js';
import { t } from '../text.js';
import { ruleLink } from './log.js';
import { moverOf, nameOf } from './names.js';

/** The panel of the turn; `list` draws the moves to choose from. */
export function turn(model, guide, list) {
  return html`<section class="turn ${model.line?.kind ?? ''} ${model.isMyTurn && model.isLive ? 'mine' : ''}" aria-labelledby="turn">
    <h2 id="turn" tabindex="-1">${headline(model)}</h2>
    ${refusal(model, guide)}
    ${model.line ? composed(model) : nothing}
    ${actions(model)}
    ${model.canChoose ? list() : nothing}
  </section>`;
}

function headline(model) {
  const { line, view, position } = model;
  if (line?.kind === 'what-if') {
    const mover = position?.toMove;
    if (mover === null) return t('turn.over-there');
    return mover === 'chance' ? t('turn.chance') : t('turn.try', { name: moverOf(view, mover) });
  }
  if (!model.isLive) return t('turn.past', { version: model.version });
  if (model.isOver) return result(model);
  if (model.isSending) return t('turn.sending');
  if (model.isComplete) return t(position.toMove === 'chance' ? 'turn.roll' : 'turn.complete');
  if (model.isMyTurn) return t('turn.yours');
  return t('turn.wait', { name: moverOf(view, model.toMove) });
}

function result({ view }) {
  if (view.status !== 'finished') return t(`result.${view.status}`);
  const first = view.seats.filter((seat) => view.ranks[seat.seat] === 1).map(nameOf);
  if (!first.length) return t('result.lost');
  return t('result.first', { count: first.length, names: first.join(', ') });
}

function composed({ line, position }) {
  if (!line.moves.length) return nothing;
  const isKnown = position?.base === line.base && position.moves.join() === line.moves.join();
  const steps = isKnown ? position.events : line.moves.map((move) => ({ text: move, changes: [] }));
  return html`<ol class="composed" aria-label=${t('turn.composed')}>
    ${steps.map((step) => html`<li class=${isKnown ? '' : 'quiet'}>${step.text}
      ${step.odds ? html` <span class="odds">${step.odds.weight}/${step.odds.total}</span>` : nothing}
      ${step.changes.length ? html`<ul class="changes">${step.changes.map((one) => html`<li>${one.text}</li>`)}</ul>` : nothing}</li>`)}
  </ol>`;
}

function actions(model) {
  const { line } = model;
  const count = line?.moves.length ?? 0;
  const isTrying = line?.kind === 'what-if';
  return html`<div class="row actions">
    ${count && !isTrying
      ? html`<button class="primary" id="send" ?disabled=${model.isSending} @click=${() => send(model)}>${t(model.isComplete ? 'turn.send' : 'turn.send-part', { count })}</button>`
      : nothing}
    ${count ? html`<button ?disabled=${model.isSending} @click=${() => model.takeBack()}>${t('turn.undo')}</button>` : nothing}
    ${count > 1 ? html`<button ?disabled=${model.isSending} @click=${() => model.takeBack(count)}>${t('turn.undo-all')}</button>` : nothing}
    ${isTrying ? html`<button @click=${() => model.leaveFork()}>${t('turn.leave')}</button>` : nothing}
    ${!line && !model.isLive ? html`<button class="primary" @click=${() => model.show(null)}>${t('turn.newest')}</button>` : nothing}
    ${!line && model.hasStarted && model.position?.toMove !== null
      ? html`<button @click=${() => model.fork()} title=${t('turn.fork-hint')}>${t('turn.fork')}</button>`
      : nothing}
  </div>`;
}

/** The button goes with the moves: its focus goes to the headline, which says how it goes on. */
function send(model) {
  document.getElementById('turn').focus({ preventScroll: true });
  model.send();
}

function refusal(model, guide) {
  const { refusal: problem, view } = model;
  if (!problem) return nothing;
  const { reasons = [], closest = [], title, detail } = problem.body;
  const known = new Map((model.position?.legalMoves ?? []).map((move) => [move.notation, move.text]));
  const near = closest.filter((notation) => known.has(notation));
  const words = problem.status === 0 ? problem.message : t(problem.code === 'stale_version' ? 'problem.stale' : 'problem.refused');
  return html`<div class="refusal" role="alert">
    <strong>${words}</strong>
    ${reasons.length
      ? html`<ul>${reasons.map((reason) => html`<li>${reason.text} ${ruleLink(view.game, reason.rule)}</li>`)}</ul>`
      : problem.status === 0 ? nothing : html`<p>${detail ?? title}</p>`}
    ${near.length && model.canChoose
      ? html`<p class="small">${t('problem.closest')}</p><div class="row">${near.slice(0, 3).map((notation) => html`<button class="small" @click=${() => model.choose(notation)}>${known.get(notation)}</button>`)}</div>`
      : nothing}
    <button class="plain dismiss" aria-label=${t('dialog.close')} @click=${() => { model.refusal = null; model.redraw(); }}>✕</button>
  </div>`;
}
