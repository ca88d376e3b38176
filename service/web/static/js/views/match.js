// A match: its board, whose turn it is, what happened, how it stands; and playing in it.
import { say, setTitle, setTurn } from '../aloud.js';
import { againIfAway, change } from '../api.js';
import { choices } from '../form.js';
import { game, guide } from '../games.js';
import { html, nothing } from '../lit.js';
import { about } from '../match/about.js';
import { Board } from '../match/board.js';
import { chooseOne } from '../match/chooser.js';
import { log } from '../match/log.js';
import { Model } from '../match/model.js';
import { MoveList } from '../match/moves.js';
import { replay, replayKey } from '../match/replay.js';
import { scores } from '../match/scores.js';
import { seats, tick } from '../match/seats.js';
import { turn } from '../match/turn.js';
import { waiting } from '../match/waiting.js';
import { setAddress } from '../router.js';
import { t } from '../text.js';
import { keepSeat, seatOf } from '../tokens.js';
import { tabs } from './tabs.js';

const TABS = ['log', 'scores', 'about'];

export class MatchPage {
  title = t('match.title');

  constructor([id, version], { redraw, go }) {
    Object.assign(this, { redraw, go, tab: 'log', guide: null, labels: {}, choices: new Map(), problem: null, isLoaded: false });
    this.model = new Model(id, { redraw: () => this.changed(), tellEvent: (event) => say(event.text) });
    this.list = new MoveList(redraw);
    this.board = new Board({
      choose: (moves, place) => this.chooseAt(moves, place),
      explain: (move) => this.model.explain(move),
    });
    this.keys = (event) => this.isLoaded && this.model.hasStarted && replayKey(event, this.model);
    document.addEventListener('keydown', this.keys);
    this.clocks = setInterval(() => tick(document.getElementById('app'), this.model), 100);
    this.load(version === undefined ? null : Number(version));
  }

  async load(version) {
    try {
      await this.model.load(version);
      this.isLoaded = true;
      const slug = this.model.view.game;
      const [rules, { title, labels, options }] = await Promise.all([guide(slug).catch(() => null), game(slug)]);
      Object.assign(this, { guide: rules, title, labels, choices: new Map(choices(options)), problem: null });
      if (!this.model.isClosed) setTitle(this.title);
    } catch (problem) {
      this.problem = problem;
      if (!this.isLoaded) againIfAway(problem, () => this.model.isClosed || this.load(version));
    }
    this.changed();
  }

  close() {
    this.model.close();
    clearInterval(this.clocks);
    document.removeEventListener('keydown', this.keys);
    setTurn(false);
  }

  changed() {
    if (this.model.isClosed) return;
    if (this.isLoaded) {
      const { model } = this;
      const path = `/match/${model.id}${model.isLive ? '' : `/${model.version}`}`;
      if (location.pathname !== path && location.pathname.startsWith('/match/')) setAddress(path);
      setTurn(model.isMyTurn && !model.isSending, this.title);
    }
    this.redraw();
  }

  draw() {
    if (this.problem && !this.isLoaded) {
      const isMissing = [404, 410].includes(this.problem.status);
      return html`<h1>${t(isMissing ? 'match.none' : 'match.title')}</h1>
        <p>${isMissing ? t('missing.text') : this.problem.message}</p><p><a class="button" href="/">${t('missing.lobby')}</a></p>`;
    }
    if (!this.isLoaded) return html`<h1 class="unseen">${t('match.title')}</h1><p class="quiet">${t('match.loading')}</p>`;
    const { model } = this;
    return html`
      <div class="lead match-lead">
        <h1>${this.title}</h1>
        <span class="badge ${model.status}">${t(`status.${model.status}`)}</span>
        <a class="quiet small" href="/rules/${model.view.game}">${t('match.rules')}</a>
        ${model.view.tournament ? html`<a class="quiet small" href="/tournament/${model.view.tournament}">${t('match.tournament')}</a>` : nothing}
        ${model.hasStarted ? this.size() : nothing}
        ${model.connection === 'lost' ? html`<span class="badge lost" role="status">${t('match.lost')}</span>` : nothing}
      </div>
      ${model.hasStarted ? this.table() : this.before()}`;
  }

  size() {
    const toggle = () => {
      this.board.toggleSize();
      this.redraw();
    };
    return html`<button class="small size" aria-pressed=${this.board.isLarge} @click=${toggle}>${t('board.larger')}</button>`;
  }

  before() {
    const { model } = this;
    return html`<div class="table">
      <div class="side">
        ${this.refusal()}
        ${model.isOver ? html`<p class="notice">${t(`result.${model.status}`)}</p>` : waiting(model, (act) => this.act(act))}
      </div>
      <div class="side">${about(model, this.choices, (act) => this.act(act))}</div>
    </div>`;
  }

  table() {
    const { model } = this;
    return html`<div class="table">
      <div class="board-side">${seats(model)}${this.board.element}${replay(model)}</div>
      <div class="side">
        ${this.refusal()}
        ${turn(model, this.guide, () => this.list.draw(model.position, { guide: this.guide, slug: model.view.game, labels: this.labels }, (move) => this.choose(move)))}
        ${model.isOver && model.me !== null ? html`<p><button class="primary" @click=${() => this.rematch()}>${t('match.rematch')}</button></p>` : nothing}
        ${tabs(TABS, this.tab, (tab) => this.setTab(tab))}
        <div class="panel" role="tabpanel" id="panel" aria-labelledby="tab-${this.tab}" tabindex="0">
          ${this.tab === 'log' ? log(model, this.guide) : this.tab === 'scores' ? scores(model, this.labels) : about(model, this.choices, (act) => this.act(act))}
        </div>
      </div>
    </div>`;
  }

  refusal() {
    return this.problem ? html`<p class="notice" role="alert">${this.problem.message}</p>` : nothing;
  }

  drawn() {
    if (this.isLoaded && this.model.position) this.board.update(this.model.position, this.model.canChoose);
  }

  setTab(tab) {
    this.tab = tab;
    this.redraw();
  }

  choose(move) {
    this.list.clear();
    return this.model.choose(move);
  }

  chooseAt(notations, place) {
    const moves = this.model.position.legalMoves.filter((move) => notations.includes(move.notation));
    if (moves.length === 1) this.choose(moves[0].notation);
    else if (moves.length) chooseOne(moves, place, (move) => this.choose(move));
  }

  /** Carries out a change of the match; what is refused is shown. */
  async act(change) {
    this.problem = null;
    try {
      await change();
    } catch (problem) {
      this.problem = problem;
    }
    this.changed();
  }

  rematch() {
    return this.act(async () => {
      const joined = await change(`/matches/${this.model.id}/rematch`, {}, seatOf(this.model.id));
      keepSeat(joined);
      this.go(`/match/${joined.match.id}`);
    });
  }
}
