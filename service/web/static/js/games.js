// The games of the service and the guides to their rules, asked for once.
import { get, reached } from './api.js';
import { language } from './text.js';

export const BASE = document.querySelector('meta[name=base]').content;
const known = new Map();

function once(key, load) {
  if (!known.has(key)) {
    const found = load();
    found.catch(() => known.delete(key));
    known.set(key, found);
  }
  return known.get(key);
}

export function allGames() {
  return once('games', async () => (await get('/games')).games);
}

/** A game with its schemas. */
export function game(slug) {
  return once(`game ${slug}`, () => get(`/games/${encodeURIComponent(slug)}`));
}

/** The rules in plain words, in the language of the page or in English; null if there is no guide. */
export function guide(slug) {
  return once(`guide ${slug}`, async () => {
    const answer = await reached(`${BASE}/rules/${language}/${encodeURIComponent(slug)}.json`);
    return answer.ok ? answer.json() : null;
  });
}

/** The id of the rule that explains a kind of move, by the first word of its notation. */
export function ruleOf(rules, notation, fallback = 'outcome') {
  const kind = /^[a-z]+/.exec(notation)?.[0] ?? fallback;
  for (const section of rules?.sections ?? []) {
    for (const paragraph of section.paragraphs) if (paragraph.moves.includes(kind)) return paragraph.rules[0];
  }
  return null;
}

export function ruleAddress(slug, rule) {
  return `/rules/${slug}#${rule}`;
}
