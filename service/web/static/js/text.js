// Everything the page says comes from a catalogue; what games say comes from the service.
import { EN } from './text/en.js';
import { ES } from './text/es.js';
import { PT } from './text/pt.js';

const KEY = 'cantiere.language';
const CATALOGUES = { en: EN, es: ES, pt: PT };

/** What each language calls itself, by its code. */
export const LANGUAGES = { en: 'English', es: 'Español', pt: 'Português' };

/** The language of the page: the one chosen here, else the first of the reader's that there is, else English. */
export const language =
  [localStorage.getItem(KEY), ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())]
    .find((code) => Object.hasOwn(LANGUAGES, code)) ?? 'en';

/** Shows the page anew in another language, from now on. */
export function speak(code) {
  localStorage.setItem(KEY, code);
  location.reload();
}

const messages = CATALOGUES[language];
const plural = new Intl.PluralRules(language);

/** A message with its values put in; one that counts has a form for each plural of `count`. */
export function t(key, values = {}) {
  const message = messages[key];
  if (message === undefined) throw new Error(`no message ${key}`);
  const form = typeof message === 'string' ? message : message[plural.select(values.count)] ?? message.other;
  return form.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

/** The message of a value that may be unknown to the catalogue: then its own letters, made readable. */
export function named(prefix, value) {
  return messages[`${prefix}.${value}`] ?? readable(value);
}

/** `turn_limit` and `turnLimit` as `Turn limit`. */
export function readable(value) {
  const words = String(value).replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How long ago a moment is, in words. */
export function ago(moment) {
  const seconds = Math.round((Date.parse(moment) - Date.now()) / 1000);
  const [unit, size] = [['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]].find(
    ([, one]) => Math.abs(seconds) >= one,
  ) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}

/** A number as it is written, with so many digits behind the point; with its sign if it is a difference. */
export function figure(value, digits = 0, signDisplay = 'auto') {
  const written = value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay });
  return written.replace('-', '\u2212');
}
