// What the page uses of lit-html, from its package as published (see vendor/).
export { html, nothing, render, svg } from '../vendor/lit-html-3.3.3/lit-html.js';
export { repeat } from '../vendor/lit-html-3.3.3/directives/repeat.js';
export { live } from '../vendor/lit-html-3.3.3/directives/live.js';
