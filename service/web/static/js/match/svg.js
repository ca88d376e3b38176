// A drawing from the service as part of the page: only shapes and texts, and only what differs is replaced.
const SHAPES = new Set(
  'svg g defs pattern rect circle ellipse line path polygon polyline text tspan title desc'.split(' '),
);
const OWN = new Set(['tabindex']);
const policy = globalThis.trustedTypes?.createPolicy('board', { createHTML: (text) => text });

/** The drawing as an element without anything that runs or loads; null if it is none. */
export function parsed(text) {
  const source = policy ? policy.createHTML(text) : text;
  const root = new DOMParser().parseFromString(source, 'image/svg+xml').documentElement;
  if (root.localName !== 'svg') return null;
  clean(root);
  return document.importNode(root, true);
}

function clean(element) {
  for (const { name } of [...element.attributes]) {
    if (/^on|href$|^style$/i.test(name)) element.removeAttribute(name);
  }
  for (const child of [...element.children]) {
    if (SHAPES.has(child.localName)) clean(child);
    else child.remove();
  }
}

/** Makes `old` equal to `wanted` and leaves alone what is equal already. */
export function morph(old, wanted) {
  if (old.isEqualNode(wanted)) return;
  if (old.nodeType !== wanted.nodeType || old.nodeName !== wanted.nodeName) {
    old.replaceWith(wanted);
    return;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.nodeValue = wanted.nodeValue;
    return;
  }
  morphAttributes(old, wanted);
  const [before, after] = [[...old.childNodes], [...wanted.childNodes]];
  before.slice(after.length).forEach((child) => child.remove());
  after.forEach((child, place) => (place < before.length ? morph(before[place], child) : old.append(child)));
}

function morphAttributes(old, wanted) {
  for (const { name } of [...old.attributes]) {
    if (!wanted.hasAttribute(name) && !(OWN.has(name) && wanted.hasAttribute('role'))) old.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (old.getAttribute(name) !== value && !(OWN.has(name) && old.hasAttribute(name))) old.setAttribute(name, value);
  }
}
