// The matches of a tournament: the newest ones, which change, and as many of those before as the reader wants.
import { get } from '../api.js';

const PAGE = 100;

export class Matches {
  constructor(path) {
    this.path = `${path}/matches`;
    this.known = []; // by number, without a gap
    this.before = null; // the numbers up to this one are not loaded
  }

  /** Reads those that may have changed, and those that came since; what was asked before is waited for. Raises Problem. */
  refresh(view) {
    this.reading = Promise.resolve(this.reading).catch(() => {}).then(() => this.read(view));
    return this.reading;
  }

  async read(view) {
    this.before ??= Math.max(0, view.ordered - PAGE);
    const fresh = [];
    const first = this.known.find((match) => !isSettled(match))?.number ?? (this.known.at(-1)?.number ?? this.before) + 1;
    for (let after = first - 1; after !== null; ) {
      const page = await get(this.path, { after, limit: 2 * PAGE });
      fresh.push(...page.matches);
      after = page.next;
    }
    this.known = [...this.known.filter(({ number }) => number < first), ...fresh];
  }

  async loadEarlier() {
    const after = Math.max(0, this.before - PAGE);
    const page = await get(this.path, { after, limit: this.before - after });
    this.known = [...page.matches, ...this.known];
    this.before = after;
  }
}

/** Whether nothing more will be told of a match. */
function isSettled({ stage, match }) {
  return stage === 'bye' || stage === 'void' || (stage === 'done' && match !== null);
}
