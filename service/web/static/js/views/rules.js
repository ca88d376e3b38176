// The rules of a game in plain words; each paragraph is found at the ids of its rules.
import { setTitle } from '../aloud.js';
import { againIfAway } from '../api.js';
import { guide } from '../games.js';
import { html } from '../lit.js';
import { t } from '../text.js';

export class Rules {
  title = t('rules.title');

  constructor([slug], { redraw, hash }) {
    Object.assign(this, { slug, redraw, hash, guide: undefined, problem: null, isClosed: false });
    this.load();
  }

  async load() {
    try {
      this.guide = await guide(this.slug);
    } catch (problem) {
      this.problem = problem;
      againIfAway(problem, () => this.isClosed || this.load());
    }
    if (this.isClosed) return;
    if (this.guide !== undefined) setTitle(this.guide ? t('frame.rules', { game: this.guide.title }) : t('missing.title'));
    this.redraw();
  }

  close() {
    this.isClosed = true;
  }

  draw() {
    if (this.guide === undefined) return html`<p class="quiet">${this.problem?.message ?? t('lobby.loading')}</p>`;
    if (this.guide === null) return html`<h1>${t('missing.title')}</h1><p>${t('rules.none')}</p>`;
    const { title, language, sections } = this.guide;
    return html`<article class="rules" lang=${language}>
      <h1>${title}</h1>
      <p class="quiet">${t('rules.intro')}</p>
      <nav aria-label=${t('rules.contents')}><ol>${sections.map((section, place) => html`<li><a href="#section-${place}">${section.title}</a></li>`)}</ol></nav>
      ${sections.map((section, place) => html`<section aria-labelledby="section-${place}">
        <h2 id="section-${place}">${section.title}</h2>
        ${section.paragraphs.map((paragraph) => html`<div class="paragraph">
          <p>${paragraph.text}</p>
          <p class="ids">${paragraph.rules.map((rule) => html`<a id=${rule} href="#${rule}" aria-label=${t('rule.link', { rule })}>${rule}</a> `)}</p>
        </div>`)}
      </section>`)}
    </article>`;
  }

  /** Goes to the rule of the address, once it is there. */
  drawn() {
    if (!this.guide || !this.hash) return;
    const rule = document.getElementById(this.hash);
    this.hash = '';
    rule?.closest('.paragraph, section').scrollIntoView({ block: 'center' });
    rule?.focus({ preventScroll: true });
    rule?.closest('.paragraph')?.classList.add('wanted');
  }
}
