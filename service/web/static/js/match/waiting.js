// A match that has not begun: who is expected, how to take a seat, and what its host may do.
import { say } from '../aloud.js';
import { html, nothing } from '../lit.js';
import { named, t } from '../text.js';
import { confirmed } from './chooser.js';
import { nameOf } from './names.js';
import { mark } from './seats.js';

const SHOWN = 2000; // ms for which a button says that it has copied
export const BOTS = ['random', 'greedy', 'mcts'];

/** The panel of an open match. `act` carries out a change and shows what is refused. */
export function waiting(model, act) {
  const { view } = model;
  const isHost = model.hostToken !== null;
  return html`<section class="waiting" aria-labelledby="waiting">
    <h2 id="waiting">${t('waiting.title')}</h2>
    <ul class="places">${view.seats.map((seat) => html`<li>
      ${mark(seat.seat)} <span class="name ${seat.taken ? '' : 'quiet'}">${nameOf(seat)}${seat.seat === model.me ? html` <span class="you">${t('seat.you')}</span>` : nothing}</span>
      ${seat.taken
        ? isHost && seat.seat !== model.me ? html`<button class="small" @click=${() => act(() => model.command('kick', { seat: seat.seat }))}>${t('waiting.kick')}</button>` : nothing
        : isHost ? bots(seat.seat, model, act) : nothing}
    </li>`)}</ul>
    ${model.me === null && view.seats.some((seat) => !seat.taken) ? join(model, act) : nothing}
    ${share()}
    ${model.me !== null ? html`<button @click=${() => act(() => model.leave())}>${t('waiting.leave')}</button>` : nothing}
    ${isHost ? html`<button class="danger" @click=${() => confirmed(t('waiting.cancel-sure'), t('waiting.cancel'), () => act(() => model.command('cancel', {})))}>${t('waiting.cancel')}</button>` : nothing}
  </section>`;
}

function bots(seat, model, act) {
  return html`<label class="small">${t('waiting.bot')}
    <select aria-label=${t('waiting.bot-for', { seat })} @change=${(event) => act(() => model.command('bots', { player: event.target.value, seat }))}>
      <option value="" selected>…</option>${BOTS.map((bot) => html`<option value=${bot}>${named('bot', bot)}</option>`)}
    </select></label>`;
}

function join(model, act) {
  const submit = (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    act(() => model.join(Number(form.get('seat')), form.get('name').trim()));
  };
  const free = model.view.seats.filter((seat) => !seat.taken);
  return html`<form class="join" @submit=${submit}>
    <label>${t('join.name')} <input name="name" maxlength="40" autocomplete="nickname"></label>
    <label>${t('join.seat')} <select name="seat">${free.map(({ seat }) => html`<option value=${seat}>${seat}</option>`)}</select></label>
    <button class="primary">${t('join.take')}</button>
  </form>`;
}

function share() {
  const link = location.origin + location.pathname;
  return html`<div class="share"><label>${t('share.link')} <input readonly .value=${link} @focus=${(event) => event.target.select()}></label>
    <button @click=${(event) => copy(link, event.currentTarget)}>${t('share.copy')}</button></div>`;
}

/** Puts a text into the clipboard, and says so, for a while on the button too. */
export async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    prompt(t('share.link'), text);
    return;
  }
  const [name, copied] = [button.textContent, t('share.copied')];
  say(copied);
  if (name === copied) return;
  button.textContent = copied;
  setTimeout(() => (button.textContent = name), SHOWN);
}
