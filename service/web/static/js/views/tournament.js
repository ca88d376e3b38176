// A tournament: who leads, who won what against whom, its matches, and the boards of those that are played now.
import { say, setTitle } from '../aloud.js';
import { againIfAway } from '../api.js';
import { allGames } from '../games.js';
import { html, nothing } from '../lit.js';
import { t } from '../text.js';
import { Boards } from '../tournament/boards.js';
import { facts, proof } from '../tournament/facts.js';
import { list } from '../tournament/list.js';
import { Tournament } from '../tournament/model.js';
import { crosstable, faults, places, seatsWorth } from '../tournament/tables.js';

const ROWS = 100;
const BY_ROUND = new Set(['swiss', 'knockout']); // formats in which one round waits for the other

export class TournamentPage {
  title = t('tournament.title');

  constructor([id], { redraw }) {
    Object.assign(this, { redraw, rows: ROWS, game: '', problem: null });
    this.boards = new Boards(redraw);
    this.tournament = new Tournament(id, {
      redraw: () => this.changed(),
      tellEntry: (entry) => this.tell(entry),
      tellStatus: (status) => say(t('tournament.now', { status: t(`held.${status}`) })),
    });
    this.load();
  }

  async load() {
    try {
      const [games] = await Promise.all([allGames().catch(() => []), this.tournament.load()]);
      const { view } = this.tournament;
      this.game = games.find(({ slug }) => slug === view.game)?.title ?? view.game;
      if (!this.tournament.isClosed) setTitle(view.name);
    } catch (problem) {
      this.problem = problem;
      againIfAway(problem, () => this.tournament.isClosed || this.load());
    }
    this.changed();
  }

  close() {
    this.tournament.close();
    this.boards.close();
  }

  changed() {
    if (this.tournament.isClosed) return;
    if (this.tournament.view && !this.tournament.isOver) this.boards.choose(this.tournament.matches.known);
    this.redraw();
  }

  /** Says how a match has ended. */
  tell(entry) {
    if (entry.entry !== 'ended') return;
    const { order, scores } = entry.result;
    const match = this.tournament.matches.known.find(({ number }) => number === order);
    if (!match) return;
    const sides = match.entrants.map((entrant, seat) => `${this.tournament.nameOf(entrant)} ${scores[seat]}`);
    say(t('tournament.ended', { number: order, sides: sides.join(', ') }));
  }

  draw() {
    const { tournament, problem } = this;
    if (!tournament.view && problem) {
      const isAway = problem.status === 0;
      return html`<h1>${t(isAway ? 'tournament.title' : 'tournament.none')}</h1>
        <p>${isAway ? problem.message : t('missing.text')}</p><p><a class="button" href="/tournaments">${t('frame.tournaments')}</a></p>`;
    }
    if (!tournament.view) return html`<h1 class="unseen">${t('tournament.title')}</h1><p class="quiet">${t('lobby.loading')}</p>`;
    return html`<div class="tournament">
      ${this.head()}
      ${tournament.hasBegun ? this.tables() : this.before()}
      <div class="pair">
        <section aria-labelledby="facts"><h2 id="facts">${t('tournament.facts')}</h2>${facts(tournament)}</section>
        <section aria-labelledby="proof"><h2 id="proof">${t('tournament.proof')}</h2>${proof(tournament)}</section>
      </div>
    </div>`;
  }

  head() {
    const { view, manifest, standings, connection } = this.tournament;
    return html`<div class="lead match-lead">
        <h1>${view.name}</h1>
        <span class="badge ${view.status}">${t(`held.${view.status}`)}</span>
        <a class="quiet small" href="/rules/${view.game}">${this.game}</a>
        ${connection === 'lost' ? html`<span class="badge lost" role="status">${t('match.lost')}</span>` : nothing}
      </div>
      ${standings ? progress(standings.progress, BY_ROUND.has(manifest.format.format)) : nothing}`;
  }

  before() {
    const { view, id } = this.tournament;
    return html`<section aria-labelledby="entrants">
      <h2 id="entrants">${t('tournaments.entrants', { count: view.entrants.length })}</h2>
      ${view.entrants.length
        ? html`<ul class="entrants">${view.entrants.map(({ name }) => html`<li>${name}</li>`)}</ul>`
        : html`<p class="empty">${t('tournament.nobody')}</p>`}
      ${view.status === 'open' ? html`<p class="quiet">${t('tournament.join')}<br><code class="command">cantiere tournament join ${id} --url ${location.origin}</code></p>` : nothing}
    </section>`;
  }

  tables() {
    const { tournament } = this;
    const { standings } = tournament;
    const isLong = standings.standings.length > this.rows;
    return html`
      <section aria-labelledby="boards" ?hidden=${!this.boards.slots.some(({ version }) => version !== null)}>
        <h2 id="boards">${t(tournament.isOver ? 'tournament.last' : 'tournament.boards')}</h2>${this.boards.draw((entrant) => tournament.nameOf(entrant))}
      </section>
      <section aria-labelledby="standings">
        <h2 id="standings">${t('tournament.standings')}</h2>${places(tournament, this.rows)}
        ${isLong ? html`<p><button @click=${() => this.showAll()}>${t('lobby.more')}</button></p>` : nothing}
        <p class="quiet small">${t('tournament.errors')}</p>
      </section>
      <div class="pair">
        <section aria-labelledby="matches"><h2 id="matches">${t('tournament.matches')}</h2>
          ${list(tournament, () => tournament.loadEarlier())}</section>
        <section aria-labelledby="crosstable"><h2 id="crosstable">${t('tournament.crosstable')}</h2>${crosstable(tournament)}
          ${standings.seats.length ? html`<h2>${t('tournament.worth')}</h2>${seatsWorth(standings)}` : nothing}</section>
      </div>
      <details class="more"><summary>${t('tournament.faults')}</summary>${faults(standings, (entrant) => tournament.nameOf(entrant))}</details>`;
  }

  showAll() {
    this.rows = Infinity;
    this.redraw();
  }
}

/** How far it is, in words and as a bar. */
function progress({ round, ended, ordered, planned, voided }, isByRound) {
  const all = planned ?? ordered;
  const more = [isByRound ? t('tournament.round', { round }) : '', voided ? t('tournament.voided', { count: voided }) : ''];
  return html`<p class="progress">
    <progress max=${all || 1} value=${ended} aria-label=${t('tournament.progress', { ended, all })}></progress>
    <span>${[t('tournament.progress', { ended, all }), ...more].filter(Boolean).join(' · ')}</span>
  </p>`;
}
