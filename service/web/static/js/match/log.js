// What happened, in sentences; the version of each step leads to the table as it was then.
import { ruleAddress, ruleOf } from '../games.js';
import { html, nothing, repeat } from '../lit.js';
import { t } from '../text.js';
import { nameOf } from './names.js';
import { mark } from './seats.js';

/** The events known, newest first. */
export function log(model, guide) {
  const { view, events } = model;
  return html`<ol class="log" reversed aria-label=${t('log.label')}>
    ${repeat([...events].reverse(), (event) => event.version, (event) => html`
      <li class=${event.version === model.version ? 'shown' : ''}>
        <a class="version" href="/match/${model.id}/${event.version}" title=${t('log.show', { version: event.version })}
           @click=${(click) => { click.preventDefault(); model.show(event.version); }}>${event.version}</a>
        <div class="step">
          <span class="who">${event.seat === null ? t('seat.chance') : html`${mark(event.seat)} ${nameOf(view.seats[event.seat])}`}</span>
          <span class="what">${event.text}${rule(view.game, guide, event)}</span>
          ${event.changes.length
            ? html`<ul class="changes">${event.changes.map((one) => html`<li>${one.text}</li>`)}</ul>`
            : nothing}
        </div>
      </li>`)}
    ${model.before > 0
      ? html`<li class="earlier"><button @click=${() => model.loadEarlier()}>${t('log.earlier', { count: model.before })}</button></li>`
      : nothing}
    ${events.length || model.before ? nothing : html`<li class="empty">${t('log.empty')}</li>`}
  </ol>`;
}

function rule(slug, guide, event) {
  const found = ruleOf(guide, event.move, event.kind);
  return found ? html` ${ruleLink(slug, found)}` : nothing;
}

/** A link to a rule in the guide of a game. */
export function ruleLink(slug, rule) {
  return html`<a class="rule" href=${ruleAddress(slug, rule)} target="_blank" aria-label=${t('rule.open', { rule })}>${rule}</a>`;
}
