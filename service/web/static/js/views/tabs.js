// A row of tabs of which one is chosen, by click and by arrow keys.
import { html } from '../lit.js';
import { t } from '../text.js';

export function tabs(names, chosen, choose) {
  const key = (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const next = names[(names.indexOf(chosen) + way + names.length) % names.length];
    choose(next);
    document.getElementById(`tab-${next}`).focus();
  };
  return html`<div class="tabs" role="tablist" @keydown=${key}>
    ${names.map((name) => html`<button role="tab" id="tab-${name}" aria-selected=${name === chosen} aria-controls="panel"
      tabindex=${name === chosen ? 0 : -1} @click=${() => choose(name)}>${t(`tab.${name}`)}</button>`)}
  </div>`;
}
