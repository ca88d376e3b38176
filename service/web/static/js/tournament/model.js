// A tournament as the page knows it: how it stands, its tables, and its newest matches.
import { get } from '../api.js';
import { Stream } from '../stream.js';
import { Matches } from './pairings.js';

const EVERY = 5000; // ms between two looks at what no entry of the record tells: who has joined, who was called
const PAUSE = 1000; // ms between two readings of the tables at least, and so many times what the last one took
const PATIENCE = 4;
const OVER = new Set(['finished', 'cancelled']);

export class Tournament {
  /** `redraw` is called when anything has changed; `tellEntry` with each entry of the record as it is written. */
  constructor(id, { redraw, tellEntry, tellStatus }) {
    Object.assign(this, { id, redraw, tellEntry, tellStatus });
    this.path = `/tournaments/${id}`;
    this.connection = 'live';
    this.matches = new Matches(this.path);
    this.standings = null;
    this.cells = [];
    this.isClosed = false;
  }

  async load() {
    await this.read();
    if (this.isClosed || this.isOver) return;
    this.stream = new Stream(`${this.path}/events`, this.view.entries, {
      tell: (message) => this.hear(message),
      tellState: (state) => this.setConnection(state),
      mayRest: () => true,
    });
    this.timer = setInterval(() => document.hidden || this.look(), EVERY);
  }

  close() {
    this.isClosed = true;
    this.stream?.close();
    clearInterval(this.timer);
    clearTimeout(this.due);
  }

  get status() {
    return this.view.status;
  }
  get isOver() {
    return OVER.has(this.status);
  }
  get hasBegun() {
    return this.view.startedAt !== null;
  }
  /** The entrants by place, and those without one in the sequence of entry. */
  get places() {
    return this.standings?.standings ?? [];
  }

  nameOf(entrant) {
    return this.names.get(entrant) ?? entrant;
  }

  hear(message) {
    if (message.type === 'entry') this.tellEntry(message.entry);
    const isNew = message.type === 'entry' || (message.status !== undefined && message.status !== this.status);
    if (isNew) this.readSoon();
  }

  setConnection(state) {
    if (state === this.connection) return;
    this.connection = state;
    this.redraw();
  }

  /** Reads everything anew, once for all that happens in the meantime. */
  readSoon() {
    if (this.isDue || this.isClosed) return;
    this.isDue = true;
    const wait = Math.max(0, (this.readAt ?? 0) + Math.max(PAUSE, PATIENCE * (this.took ?? 0)) - Date.now());
    this.due = setTimeout(async () => {
      this.isDue = false;
      try {
        await this.read();
      } catch {
        this.took = EVERY / PATIENCE; // reached in vain: try again after a while
        this.readSoon();
      }
      this.redraw();
    }, wait);
  }

  /** Reads the tournament and its tables. Raises Problem. */
  async read() {
    const start = (this.readAt = Date.now());
    const before = this.view?.status;
    const [view, manifest] = await Promise.all([get(this.path), get(`${this.path}/manifest`)]);
    if (view.startedAt !== null) {
      const [standings, { cells }] = await Promise.all([
        get(`${this.path}/standings`),
        get(`${this.path}/crosstable`),
        this.matches.refresh(view),
      ]);
      Object.assign(this, { standings, cells });
    }
    this.take(view, manifest);
    this.took = (this.readAt = Date.now()) - start;
    if (before !== undefined && before !== view.status) this.tellStatus(view.status);
  }

  take(view, manifest) {
    this.view = view;
    this.manifest = manifest;
    this.names = new Map(view.entrants.map(({ id, name }) => [id, name]));
  }

  /** Reads what no entry tells. */
  async look() {
    if (this.isOver) return;
    try {
      if (this.hasBegun) await this.matches.refresh(this.view);
      else this.take(await get(this.path), this.manifest);
    } catch {
      return; // The stream tells whether the service can be reached.
    }
    this.redraw();
  }

  async loadEarlier() {
    await this.matches.loadEarlier().catch(() => {});
    this.redraw();
  }
}
