// A dialog with the moves of one place of the board, where it has several.
import { html, render } from '../lit.js';
import { t } from '../text.js';
import { step } from './moves.js';

/** Asks for one of the moves, and gives its notation to `choose`; afterwards the place has the focus again. */
export function chooseOne(moves, place, choose) {
  const dialog = document.createElement('dialog');
  dialog.className = 'chooser';
  dialog.setAttribute('aria-label', t('chooser.title'));
  const pick = (notation) => {
    dialog.close();
    choose(notation);
  };
  render(html`
    <div class="chooser-head"><h2>${t('chooser.title')}</h2>
      <button class="plain" @click=${() => dialog.close()} aria-label=${t('dialog.close')}>✕</button></div>
    <ul class="choices" @keydown=${step}>
      ${moves.map((move, number) => html`<li><button class="choice" tabindex=${number ? -1 : 0} data-notation=${move.notation}
        @click=${() => pick(move.notation)}><span>${move.text}</span></button></li>`)}
    </ul>`, dialog);
  shown(dialog, place);
  dialog.querySelector('.choice').focus();
}

/** Asks whether something that cannot be undone is meant. */
export function confirmed(question, yes, act) {
  const dialog = document.createElement('dialog');
  dialog.className = 'chooser';
  dialog.setAttribute('aria-label', question);
  render(html`<p>${question}</p><div class="row">
    <button class="danger" @click=${() => { dialog.close(); act(); }}>${yes}</button>
    <button @click=${() => dialog.close()}>${t('dialog.no')}</button></div>`, dialog);
  shown(dialog, document.activeElement);
}

function shown(dialog, opener) {
  dialog.addEventListener('close', () => {
    dialog.remove();
    opener?.focus?.({ preventScroll: true });
  });
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}
