// The table at any version, or after moves that are only tried: asked for once, then remembered.
import { ask } from '../api.js';

const MOST = 400;

export class Positions {
  constructor(match) {
    this.match = match;
    this.known = new Map();
    this.requests = 0;
  }

  /** The position after `moves` from `version` on: legal moves, odds, standing and board. Raises Problem. */
  at(version, moves = []) {
    const key = JSON.stringify([version, moves]);
    let found = this.known.get(key);
    if (found === undefined) {
      this.requests += 1;
      found = ask(`/matches/${this.match}/preview`, { include: 'board' }, { version, moves });
      found.catch(() => this.known.delete(key));
    }
    this.known.delete(key);
    this.known.set(key, found);
    if (this.known.size > MOST) this.known.delete(this.known.keys().next().value);
    return found;
  }
}
