// What happens in a match or a tournament, in order, without gap or double, whatever becomes of the connection.
import { address } from './api.js';
import { language } from './text.js';

const SILENCE = 40_000; // ms without a sign of life, which comes every 15 s, after which a stream counts as lost
const LONGEST_PAUSE = 15_000;
const RELEASE = 60_000; // ms after which a page that nobody looks at gives its connection back
const COUNTED = { event: 'version', entry: 'number' }; // by what those messages are numbered that are told once each

/**
 * Follows the stream at a path after a number. `tell` gets each message; `tellState` gets 'live', 'lost' or 'over'.
 * `mayRest` says whether the stream may pause while the page is hidden. Close it when done.
 */
export class Stream {
  constructor(path, after, { tell, tellState, mayRest = () => false }) {
    Object.assign(this, { path, after, tell, tellState, mayRest });
    this.pause = 250;
    this.isClosed = false;
    this.isResting = false;
    this.onVisible = () => this.checkVisible();
    this.onOnline = () => this.reconnect();
    document.addEventListener('visibilitychange', this.onVisible);
    addEventListener('online', this.onOnline);
    addEventListener('pageshow', this.onOnline);
    this.watch = setInterval(() => this.checkSilence(), 5000);
    this.connect();
  }

  close() {
    this.isClosed = true;
    clearInterval(this.watch);
    clearTimeout(this.timer);
    clearTimeout(this.rest);
    document.removeEventListener('visibilitychange', this.onVisible);
    removeEventListener('online', this.onOnline);
    removeEventListener('pageshow', this.onOnline);
    this.abort?.abort();
  }

  async connect() {
    clearTimeout(this.timer);
    this.abort?.abort();
    const abort = (this.abort = new AbortController());
    this.heard = Date.now();
    let isOver = false;
    try {
      const url = address(this.path, { after: this.after });
      const headers = { Accept: 'application/x-ndjson', 'Accept-Language': language };
      const response = await fetch(url, { headers, signal: abort.signal, cache: 'no-store' });
      if (response.status === 404 || response.status === 410) isOver = true;
      else if (response.ok) isOver = await this.read(response.body, abort);
    } catch {
      // A connection that breaks off is made again below.
    }
    if (this.isClosed || abort !== this.abort) return;
    if (isOver) {
      this.close();
      this.tellState('over');
    } else if (!this.isResting) {
      this.tellState('lost');
      this.timer = setTimeout(() => this.connect(), this.pause * (0.75 + Math.random() / 2));
      this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
    }
  }

  /** Tells every message of a body; true if the last one says that nothing follows. */
  async read(body, abort) {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of chunks(body)) {
      if (abort.signal.aborted) return false;
      this.heard = Date.now();
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        if (line && this.take(JSON.parse(line))) return true;
      }
    }
    return false;
  }

  take(message) {
    this.pause = 250;
    this.tellState('live');
    const count = message[COUNTED[message.type]];
    if (count !== undefined) {
      if (count <= this.after) return false;
      this.after = count;
    }
    this.tell(message);
    return message.type === 'end' || (message.type === 'cut' && message.reason === 'lost');
  }

  reconnect() {
    if (this.isClosed || this.isResting) return;
    this.pause = 250;
    this.connect();
  }

  checkSilence() {
    if (Date.now() - this.heard > SILENCE && !this.isResting) this.reconnect();
  }

  checkVisible() {
    clearTimeout(this.rest);
    if (document.hidden) {
      this.rest = setTimeout(() => this.restIfAllowed(), RELEASE);
    } else if (this.isResting || Date.now() - this.heard > SILENCE / 2) {
      this.isResting = false;
      this.reconnect();
    }
  }

  restIfAllowed() {
    if (this.isClosed || !this.mayRest()) return;
    this.isResting = true;
    this.abort?.abort();
  }
}

async function* chunks(body) {
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}
