// What a tournament is: what was fixed before it began, and how anybody can check what came of it.
import { address } from '../api.js';
import { html, nothing } from '../lit.js';
import { control } from '../match/about.js';
import { ago, language, named, t } from '../text.js';

/** What was announced. */
export function facts(tournament) {
  const { view, manifest } = tournament;
  const { format, design, clock, ties, limits } = manifest;
  const rounds = format.rounds ?? 0;
  const breaks = ties.map((one) => named('break', one)).join(', ');
  return html`<dl>
    <dt>${t('facts.format')}</dt><dd>${named('format', format.format)}${rounds ? `, ${t('facts.rounds', { count: rounds })}` : ''}${format.bestOf > 1 ? `, ${t('facts.best-of', { count: format.bestOf })}` : ''}</dd>
    <dt>${t('facts.table')}</dt><dd>${t('create.count', { count: view.seats })}</dd>
    <dt>${t('facts.deals')}</dt><dd>${named('design', design.design)}</dd>
    <dt>${t('about.clock')}</dt><dd>${clock === null ? t('time.none') : control(clock)}</dd>
    ${limits.perEntrant ? html`<dt>${t('facts.at-once')}</dt><dd>${limits.perEntrant}</dd>` : nothing}
    ${breaks && format.format !== 'knockout' ? html`<dt>${t('facts.ties')}</dt><dd>${breaks}</dd>` : nothing}
    ${manifest.stopping ? html`<dt>${t('facts.stopping')}</dt><dd>${stopping(tournament)}</dd>` : nothing}
    ${manifest.late ? html`<dt>${t('facts.late')}</dt><dd>${t('tournament.round', { round: manifest.late })}</dd>` : nothing}
    <dt>${t('about.edition')}</dt><dd>${manifest.edition.name} <code>${manifest.edition.digest.slice(0, 12)}</code></dd>
    ${moments({ announced: view.createdAt, started: view.startedAt, ended: view.endedAt })}
  </dl>`;
}

/** When play stops early, and whether it has come to that. */
function stopping(tournament) {
  const { rule, elo0, elo1, entrant } = tournament.manifest.stopping;
  const verdict = tournament.standings?.verdict;
  const reached = verdict?.accepted
    ? t(`verdict.${verdict.accepted}`, { elo0, elo1, units: verdict.units })
    : t('verdict.none');
  return `${t(`stopping.${rule}`, { elo0, elo1, name: entrant && tournament.nameOf(entrant) })} (${reached})`;
}

function moments(found) {
  return Object.entries(found).map(([what, at]) => (at === null
    ? nothing
    : html`<dt>${t(`moment.${what}`)}</dt><dd><time datetime=${at} title=${new Date(at).toLocaleString(language)}>${ago(at)}</time></dd>`));
}

/** How it is checked. */
export function proof({ id, path, view }) {
  return html`${view.hash ? download(id, path) : nothing}
    <dl>
      <dt>${t('proof.hash')}</dt><dd>${view.hash ? html`<code class="long">${view.hash}</code>` : t('proof.not-yet')}</dd>
      <dt>${t('proof.commitment')}</dt><dd><code class="long">${view.commitment}</code></dd>
      <dt>${t('about.seed')}</dt><dd>${view.seed ? html`<code class="long">${view.seed}</code>` : t('proof.secret')}</dd>
    </dl>`;
}

function download(id, path) {
  return html`<p>${t('proof.text')}</p>
    <div class="row">
      <a class="button" download="tournament-${id}.json" href=${address(`${path}/record`)}>${t('proof.record')}</a>
      <a class="button" download="manifest-${id}.json" href=${address(`${path}/manifest`)}>${t('proof.manifest')}</a>
    </div>
    <p><code class="command">cantiere tournament verify tournament-${id}.json</code></p>`;
}
