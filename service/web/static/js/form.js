// A form made of a JSON schema: a field for each property, with its title, description and default.
import { html, nothing } from './lit.js';
import { readable, t } from './text.js';

/** The fields of an object; their names are paths with dots. */
export function fields(schema, root = schema, prefix = '') {
  const { properties = {} } = resolved(schema, root);
  return Object.entries(properties).map(([name, property]) => field(prefix + name, property, root));
}

function resolved(schema, root) {
  const found = schema.$ref ? root.$defs[schema.$ref.split('/').at(-1)] : schema;
  return { ...found, ...schema };
}

function field(name, property, root) {
  const schema = resolved(property, root);
  const title = schema.title ?? readable(name);
  const id = `option-${name}`;
  const help = schema.description ? html`<small id="${id}-help">${schema.description}</small>` : nothing;
  if (schema.properties) {
    return html`<details class="group"><summary>${title}</summary>${help}${fields(schema, root, `${name}.`)}</details>`;
  }
  return html`<div class="field"><label for=${id}>${title}</label>${input(id, name, schema)}${help}</div>`;
}

function input(id, name, schema) {
  const described = schema.description ? `${id}-help` : nothing;
  if (schema.type === 'boolean') {
    return html`<input type="checkbox" id=${id} name=${name} data-type="boolean" aria-describedby=${described} ?checked=${schema.default}>`;
  }
  if (schema.enum) {
    const values = schema['x-names'] ? Object.keys(schema['x-names']) : schema.enum;
    return html`<select id=${id} name=${name} data-type="enum" aria-describedby=${described}>
      ${values.map((value) => html`<option value=${value} ?selected=${value === schema.default}>${nameOfValue(value, schema)}</option>`)}</select>`;
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    return html`<input type="number" id=${id} name=${name} data-type="number" aria-describedby=${described}
      min=${schema.minimum ?? nothing} max=${schema.maximum ?? nothing} .value=${String(schema.default)}>`;
  }
  const isList = schema.type === 'array';
  return html`<input type="text" id=${id} name=${name} data-type=${isList ? 'list' : 'text'} aria-describedby=${described}
    placeholder=${isList ? (schema.items?.enum ?? []).join(', ') : t('form.default')}>`;
}

/** The schema of each option, by its path with dots. */
export function choices(schema, root = schema, prefix = '') {
  return Object.entries(resolved(schema, root).properties ?? {}).flatMap(([name, property]) => {
    const found = resolved(property, root);
    return [[prefix + name, found], ...choices(found, root, `${prefix}${name}.`)];
  });
}

/** What a value of an option is called. */
export function nameOfValue(value, schema) {
  return schema['x-names']?.[value] ?? readable(value);
}

/** What was chosen differently from the defaults, as an object of the schema. */
export function chosen(form, schema) {
  const values = {};
  for (const element of form.querySelectorAll('[data-type]')) {
    const path = element.name.split('.');
    const value = valueOf(element);
    if (value === undefined || JSON.stringify(value) === JSON.stringify(defaultOf(path, schema))) continue;
    const last = path.pop();
    const place = path.reduce((object, name) => (object[name] ??= {}), values);
    place[last] = value;
  }
  return values;
}

function valueOf(element) {
  const text = element.value.trim();
  switch (element.dataset.type) {
    case 'boolean':
      return element.checked;
    case 'number':
      return text === '' ? undefined : Number(text);
    case 'list':
      return text === '' ? undefined : text.split(/[\s,]+/);
    default:
      return text === '' ? undefined : text;
  }
}

function defaultOf(path, root) {
  const schema = path.reduce((at, name) => resolved(resolved(at, root).properties[name], root), root);
  return schema.default;
}
