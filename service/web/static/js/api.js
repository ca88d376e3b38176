// Requests to the service. A change is sent with a key and repeated until it is answered: never twice carried out.
import { language, t } from './text.js';

const API = '/api/v1';
const PATIENCE = 30_000;
const PAUSE = 2000;
const SAID = { Accept: 'application/json', 'Accept-Language': language };
const AGAIN = new Set([408, 429, 502, 503, 504]);

/** A refusal, as RFC 9457 tells it. `status` is 0 if the service was not reached. */
export class Problem extends Error {
  constructor(body, status) {
    super(body.detail || body.title || String(status));
    this.body = body;
    this.code = body.code ?? 'unreachable';
    this.status = status;
  }
}

/** The address of something of the API. */
export function address(path, query = {}) {
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return API + path + (asked.length ? `?${new URLSearchParams(asked)}` : '');
}

/** Does something again soon that failed because the service was not reached. */
export function againIfAway(problem, act) {
  if (problem.status === 0) setTimeout(act, PAUSE);
}

/** What is found at a path. Raises Problem. */
export async function get(path, query) {
  return answered(await reached(address(path, query)));
}

/** The drawing that is found at a path. Raises Problem. */
export async function getDrawing(path, query) {
  const response = await reached(address(path, query), { headers: { Accept: 'image/svg+xml' } });
  return response.ok ? response.text() : answered(response);
}

/** What a question with a body is answered, asked again like a change; it changes nothing. Raises Problem. */
export async function ask(path, query, body) {
  return persistently(address(path, query), posted(body));
}

/** What a change came to, sent again for half a minute while the service cannot be reached. Raises Problem. */
export async function change(path, body, { token, query } = {}) {
  const request = posted(body);
  request.headers['Idempotency-Key'] = randomKey();
  if (token) request.headers.Authorization = `Bearer ${token}`;
  return persistently(address(path, query), request);
}

async function persistently(url, request) {
  const end = Date.now() + PATIENCE;
  for (let pause = 300; ; pause = Math.min(2 * pause, 5000)) {
    try {
      return await answered(await reached(url, request));
    } catch (problem) {
      const final = problem.status !== 0 && !AGAIN.has(problem.status);
      const wait = 1000 * (problem.body?.retryAfter ?? 0) || pause;
      if (final || Date.now() + wait > end) throw problem;
      await new Promise((resume) => setTimeout(resume, wait));
    }
  }
}

function posted(body) {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/** The answer of the service, whatever it is. Raises Problem if it is not reached. */
export async function reached(url, request = {}) {
  try {
    return await fetch(url, { ...request, headers: { ...SAID, ...request.headers } });
  } catch {
    throw new Problem({ title: t('problem.unreachable') }, 0);
  }
}

async function answered(response) {
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  throw new Problem(body, response.status);
}

function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_');
}
