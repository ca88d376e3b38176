// About the match: what was agreed, what can be taken along, and what the reader wants of it.
import { canNotify, isNotifying, setNotifying } from '../aloud.js';
import { address } from '../api.js';
import { nameOfValue } from '../form.js';
import { html, nothing } from '../lit.js';
import { named, readable, t } from '../text.js';
import { forgetOnDevice, isKept, keepOnDevice } from '../tokens.js';
import { confirmed } from './chooser.js';
import { clockText } from './seats.js';
import { copy } from './waiting.js';

/** `choices` are the schemas of the options of the game, by their paths. */
export function about(model, choices, act) {
  const { view } = model;
  const file = `${view.game}-${model.id}`;
  const link = `${location.origin}/match/${model.id}/${model.version}`;
  return html`<div class="about">
    <div class="row">
      ${model.hasStarted ? html`<button @click=${(event) => copy(link, event.currentTarget)}>${t('share.version')}</button>
        <a class="button" download="${file}.json" href=${address(`/matches/${model.id}/transcript`)}>${t('about.transcript')}</a>
        <a class="button" target="_blank" href=${address(`/matches/${model.id}/picture`, { version: model.version })}>${t('about.picture')}</a>` : nothing}
    </div>
    ${model.me !== null || model.hostToken !== null ? own(model) : nothing}
    <dl>
      <dt>${t('about.visibility')}</dt><dd>${named('visibility', view.visibility)}</dd>
      ${view.clock ? html`<dt>${t('about.clock')}</dt><dd>${control(view.clock.control)}</dd>` : nothing}
      ${options(view.options, choices)}
      <dt>${t('about.edition')}</dt><dd>${view.edition.name} <code>${view.edition.digest.slice(0, 12)}</code></dd>
      <dt>${t('about.commitment')}</dt><dd><code class="long">${view.commitment}</code></dd>
      ${view.seed ? html`<dt>${t('about.seed')}</dt><dd><code class="long">${view.seed}</code></dd>` : nothing}
    </dl>
    ${model.isMyTurn || (model.me !== null && model.status === 'running')
      ? html`<button class="danger" @click=${() => confirmed(t('about.resign-sure'), t('about.resign'), () => act(() => model.resign()))}>${t('about.resign')}</button>`
      : nothing}
  </div>`;
}

function own(model) {
  const keep = (event) => (event.target.checked ? keepOnDevice : forgetOnDevice)(model.id);
  const notify = async (event) => {
    event.target.checked = await setNotifying(event.target.checked);
  };
  return html`<p><label class="check"><input type="checkbox" ?checked=${isKept(model.id)} @change=${keep}> ${t('about.keep')}</label></p>
    ${canNotify() ? html`<p><label class="check"><input type="checkbox" ?checked=${isNotifying()} @change=${notify}> ${t('about.notify')}</label></p>` : nothing}`;
}

function options(values, choices, prefix = '') {
  return Object.entries(values).map(([name, value]) => {
    const path = prefix + name;
    const choice = choices.get(path);
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? options(value, choices, `${path}.`)
      : html`<dt>${choice?.title ?? readable(name)}</dt><dd>${plain(value, choice)}</dd>`;
  });
}

function plain(value, choice) {
  if (value === null || value === '' || (Array.isArray(value) && !value.length)) return '–';
  if (typeof value === 'boolean') return t(value ? 'about.yes' : 'about.no');
  if (choice?.enum) return nameOfValue(value, choice);
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** The time that each side has, in words. */
export function control({ base, increment, delay, perTurn }) {
  if (perTurn) return t('about.per-turn', { time: clockText(perTurn) });
  return t('about.base', { time: clockText(base), more: (increment || delay) / 1000 });
}
