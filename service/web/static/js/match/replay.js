// The slider through all versions, its buttons and its keys.
import { html, live } from '../lit.js';
import { t } from '../text.js';

export function replay(model) {
  const { head, version } = model;
  const button = (key, to, sign, isOff) => html`
    <button class="plain step" ?disabled=${isOff} title=${t(key)} aria-label=${t(key)} @click=${() => model.show(to)}>
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d=${sign} fill="currentColor"/></svg></button>`;
  return html`<div class="replay" role="group" aria-label=${t('replay.label')}>
    ${button('replay.first', 0, 'M4 4h2v12H4zM16 4v12L7 10z', version === 0)}
    ${button('replay.back', version - 1, 'M15 4v12L6 10z', version === 0)}
    <input type="range" min="0" max=${head} .value=${live(String(version))} ?disabled=${head === 0}
      aria-label=${t('replay.slider')} aria-valuetext=${t('replay.version', { version, head })}
      @input=${(event) => slide(model, Number(event.target.value))}>
    ${button('replay.on', version + 1, 'M5 4v12l9-6z', version === head)}
    ${button('replay.last', null, 'M14 4h2v12h-2zM4 4v12l9-6z', model.isLive)}
    <output class="where">${t('replay.version', { version, head })}</output>
  </div>`;
}

let pending = null;

/** Shows a version soon: of those passed on the way only the last one is asked for. */
function slide(model, version) {
  clearTimeout(pending);
  pending = setTimeout(() => model.show(version), 60);
}

/** Steps through the versions by key, unless something else has the keys. */
export function replayKey(event, model) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest('input, select, textarea, [role=listbox], [role=tablist], dialog, .moves, .board [role=button]')) return;
  const to = { ArrowLeft: model.version - 1, ArrowRight: model.version + 1, Home: 0, End: model.head }[event.key];
  if (to === undefined || to < 0 || to > model.head) return;
  event.preventDefault();
  model.show(to);
}
