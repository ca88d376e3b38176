// What a screen reader says, and who is told of a turn while looking elsewhere.
import { t } from './text.js';

const NOTIFY = 'cantiere.notify';
let title = '';
let isAlerted = false;

/** Said when the reader is silent. */
export function say(text) {
  spoken('polite', text);
}

/** Said at once. */
export function warn(text) {
  spoken('urgent', text);
}

function spoken(id, text) {
  const region = document.getElementById(id);
  region.textContent = '';
  requestAnimationFrame(() => (region.textContent = text));
}

/** The title of the page. */
export function setTitle(text) {
  title = text;
  showTitle();
}

/** Whether it is the reader's turn: said in the title, and by a notification if that is wanted. */
export function setTurn(isOwn, text) {
  const hasBegun = isOwn && !isAlerted;
  isAlerted = isOwn;
  showTitle();
  if (!hasBegun) return;
  say(t('turn.yours'));
  if (document.hidden && isNotifying()) {
    notify(text);
  }
}

function notify(text) {
  try {
    const note = new Notification(t('turn.yours'), { body: text, tag: 'cantiere.turn' });
    note.onclick = () => {
      focus();
      note.close();
    };
  } catch {
    // Some phones let only installed pages notify: the title has to do.
  }
}

function showTitle() {
  const name = title ? `${title} · Cantiere` : 'Cantiere';
  document.title = isAlerted ? `● ${t('turn.yours')} – ${name}` : name;
}

/** Whether the reader wants notifications and the browser allows them. */
export function isNotifying() {
  return localStorage.getItem(NOTIFY) === 'on' && globalThis.Notification?.permission === 'granted';
}

export function canNotify() {
  return 'Notification' in globalThis && Notification.permission !== 'denied';
}

/** Switches notifications; true if they are on afterwards. */
export async function setNotifying(wanted) {
  const isAllowed = wanted && (await Notification.requestPermission()) === 'granted';
  localStorage.setItem(NOTIFY, isAllowed ? 'on' : 'off');
  return isAllowed;
}
