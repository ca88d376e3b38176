// A match as the page knows it: what happened, which version is shown, and the moves that are being composed.
import { change, get } from '../api.js';
import { Stream } from '../stream.js';
import { forgetSeat, hostOf, keepSeat, seatOf } from '../tokens.js';
import { Positions } from './positions.js';

const PAGE = 200;
const PAUSE = 2000;
const OVER = new Set(['finished', 'cancelled', 'aborted']);

export class Model {
  /** `redraw` is called when anything has changed; `tellEvent` with each event that happens meanwhile. */
  constructor(id, { redraw, tellEvent }) {
    Object.assign(this, { id, redraw, tellEvent });
    this.positions = new Positions(id);
    this.events = [];
    this.before = 0; // versions up to this one have happened, but their events are not loaded
    this.connection = 'live';
    this.shown = null; // a version, or null for whatever is newest
    this.line = null; // moves on trial: { kind: 'turn' | 'what-if', base, moves: [notation] }
    this.position = null; // what is drawn
    this.newest = null; // the position of the head
    this.clock = null;
    this.refusal = null;
    this.isSending = false;
    this.isClosed = false;
  }

  async load(version) {
    this.view = await get(`/matches/${this.id}`);
    this.shown = version === null || version >= this.head ? null : version;
    this.before = Math.max(0, this.head - PAGE);
    if (this.hasStarted) {
      this.events = (await get(`/matches/${this.id}/events`, { after: this.before })).events;
      await this.refresh();
    }
    if (!this.isOver && !this.isClosed) this.follow();
    await this.loadClock();
  }

  get head() {
    return this.view.version;
  }
  get status() {
    return this.view.status;
  }
  get hasStarted() {
    return this.view.startedAt !== null;
  }
  get isOver() {
    return OVER.has(this.status);
  }
  get isLive() {
    return this.shown === null;
  }
  get version() {
    return this.shown ?? this.head;
  }
  /** One's own seat, null for a spectator, and for whom the host has put out, whoever has the seat then. */
  get me() {
    const own = seatOf(this.id);
    return own !== null && this.view.seats[own.seat].joinedAt === own.joinedAt ? own.seat : null;
  }
  get hostToken() {
    return hostOf(this.id);
  }
  get toMove() {
    return this.isOver ? null : this.newest?.toMove ?? this.view.toMove;
  }
  get isMyTurn() {
    return this.status === 'running' && this.me !== null && this.toMove === this.me;
  }
  /** Whether moves can be chosen in what is drawn. */
  get canChoose() {
    if (this.position === null || this.isSending) return false;
    if (this.line?.kind === 'what-if') return this.position.legalMoves.length > 0;
    return this.isLive && this.isMyTurn && this.position.toMove === this.me;
  }
  get isComplete() {
    return this.line?.kind === 'turn' && this.line.moves.length > 0 && this.position?.toMove !== this.me;
  }

  follow() {
    this.stream = new Stream(`/matches/${this.id}/events`, this.head, {
      tell: (message) => this.hear(message),
      tellState: (state) => {
        if (state === this.connection) return;
        this.connection = state;
        if (state === 'live') this.returned();
        this.redraw();
      },
      mayRest: () => this.me === null,
    });
  }

  /** Draws what could not be asked for while the service was away. */
  returned() {
    if (this.refusal?.status === 0) this.refusal = null;
    this.refresh();
  }

  close() {
    this.isClosed = true;
    this.stream?.close();
  }

  async hear(message) {
    if (message.type === 'event') {
      if (this.append([message])) this.tellEvent(message);
      this.settle();
    } else if (message.type === 'status' || message.type === 'end') {
      const hasChanged = message.status !== this.status;
      if (message.seats) this.view = { ...this.view, seats: message.seats };
      if (hasChanged) await this.enter();
      else this.redraw();
    }
  }

  /** Takes in what the match is like in another status, when that can be had. */
  async enter() {
    try {
      await this.reload();
      if (this.refusal?.status === 0) this.refusal = null;
    } catch (problem) {
      this.refusal = problem;
      if (!this.isClosed) setTimeout(() => this.enter(), PAUSE);
    }
    this.redraw();
  }

  /** Takes in events that follow those known; false if none does. */
  append(events) {
    const fresh = events.filter((event) => event.version > this.head);
    if (!fresh.length || fresh[0].version !== this.head + 1) return false;
    this.events = [...this.events, ...fresh];
    this.view = { ...this.view, version: fresh.at(-1).version };
    return true;
  }

  /** Brings what is drawn up to date, once for all events that have come at the same time. */
  settle() {
    this.settling ??= Promise.resolve().then(async () => {
      this.settling = null;
      const isPast = this.line?.kind === 'turn' && (this.line.base !== this.head || this.isOver);
      if (isPast && !this.isSending) this.line = null;
      await Promise.all([this.refresh(), this.loadClock()]);
    });
    return this.settling;
  }

  async reload() {
    await this.take(await get(`/matches/${this.id}`));
  }

  /** Takes in what the match is like; how far it has got, its events say. */
  async take(view) {
    this.view = { ...view, version: this.head };
    await this.settle();
  }

  async loadClock() {
    if (!this.view.clock || !this.hasStarted) return;
    const answer = await get(`/matches/${this.id}/clock`).catch(() => null);
    if (answer) this.clock = { ...answer, ahead: answer.now - Date.now() };
    this.redraw();
  }

  /** Takes in the events before those known; what hinders it is kept as a refusal. */
  async loadEarlier() {
    const { before } = this;
    const after = Math.max(0, before - PAGE);
    try {
      const page = await get(`/matches/${this.id}/events`, { after, limit: before - after });
      if (this.before !== before) return; // asked for twice
      this.events = [...page.events, ...this.events];
      this.before = after;
      this.refusal = null;
    } catch (problem) {
      this.refusal = problem;
    }
    this.redraw();
  }

  /** Draws the position that is wanted now; an answer that comes too late is only remembered. */
  async refresh() {
    if (!this.hasStarted) return this.redraw();
    const base = this.line?.base ?? this.version;
    const moves = this.line?.moves ?? [];
    const wanted = (this.wanted = Symbol('position'));
    const head = this.head;
    const isOfHead = base === head && !moves.length;
    const both = [this.positions.at(base, moves)];
    if (!isOfHead && this.me !== null && !this.isOver) both.push(this.positions.at(head));
    try {
      const [position, newest] = await Promise.all(both);
      if (isOfHead && head === this.head) this.newest = position;
      else if (newest && head === this.head) this.newest = newest;
      if (wanted === this.wanted) this.position = { ...position, base, moves };
    } catch (problem) {
      if (wanted === this.wanted) this.refuse(problem);
    }
    return this.redraw();
  }

  refuse(problem) {
    this.refusal = problem;
    if (this.line?.moves.length && problem.code === 'illegal_move') {
      this.line = { ...this.line, moves: this.line.moves.slice(0, problem.body.index ?? 0) };
      this.refresh();
    }
  }

  show(version) {
    const isNewest = version === null || version >= this.head;
    this.shown = isNewest ? null : Math.max(0, version);
    this.line = null;
    this.refusal = null;
    return this.refresh();
  }

  choose(notation) {
    const line = this.line ?? { kind: 'turn', base: this.head, moves: [] };
    this.line = { ...line, moves: [...line.moves, notation] };
    this.refusal = null;
    return this.refresh();
  }

  takeBack(count = 1) {
    const moves = this.line.moves.slice(0, this.line.moves.length - count);
    this.line = moves.length || this.line.kind === 'what-if' ? { ...this.line, moves } : null;
    this.refusal = null;
    return this.refresh();
  }

  fork() {
    this.line = { kind: 'what-if', base: this.version, moves: [] };
    this.refusal = null;
    return this.refresh();
  }

  leaveFork() {
    this.line = null;
    this.refusal = null;
    return this.refresh();
  }

  /** Asks why a move is not legal here, and keeps the answer as a refusal. */
  async explain(notation) {
    try {
      await this.positions.at(this.line?.base ?? this.version, [...(this.line?.moves ?? []), notation]);
    } catch (problem) {
      this.refusal = problem;
    }
    this.redraw();
  }

  /** Sends the moves composed, as one batch. They stay if they are not taken and the match has not gone on. */
  async send() {
    const { base, moves } = this.line;
    this.isSending = true;
    this.redraw();
    try {
      const played = await change(`/matches/${this.id}/moves`, { version: base, moves }, seatOf(this.id));
      this.append(played.events);
      this.line = null;
      this.refusal = null;
      if (played.status !== this.status) await this.reload();
    } catch (problem) {
      this.refusal = problem;
      if (problem.body?.events) this.append(problem.body.events);
    }
    this.isSending = false;
    await this.settle();
  }

  async resign() {
    await change(`/matches/${this.id}/resign`, {}, seatOf(this.id));
    await this.reload();
  }

  async join(seat, name) {
    const joined = await change(`/matches/${this.id}/join`, { seat, ...(name ? { name } : {}) });
    keepSeat(joined);
    await this.take(joined.match);
  }

  /** Gives the seat back, before the start. */
  async leave() {
    const view = await change(`/matches/${this.id}/leave`, {}, seatOf(this.id));
    forgetSeat(this.id);
    await this.take(view);
  }

  /** Does what only the host may: `bots`, `kick` or `cancel`. */
  async command(what, body) {
    const answer = await change(`/matches/${this.id}/${what}`, body, { token: this.hostToken });
    await this.take(answer.match ?? answer);
  }
}
