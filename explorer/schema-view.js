import { resolve, typeOf, valuesOf } from './document.js';
import { folded, make, words } from './elements.js';

/** The properties of an object, one line each; nested objects open on demand. */
export function propertiesOf(document, schema) {
  const whole = resolve(document, schema) ?? {};
  const object = whole.items === undefined ? whole : (resolve(document, whole.items) ?? {});
  const choice = (object.oneOf ?? object.anyOf ?? []).find(({ type }) => type !== 'null');
  if (choice !== undefined) return propertiesOf(document, choice);
  const required = new Set(object.required);
  const rows = Object.entries(object.properties ?? {}).map(([name, property]) =>
    row(document, name, property, required),
  );
  return rows.length > 0 ? make('ul', { class: 'properties' }, rows) : make('p', {}, typeOf(schema) || 'Any value.');
}

function row(document, name, property, required) {
  const values = valuesOf(document, property);
  return make(
    'li',
    {},
    make('code', {}, name),
    ' ',
    make('small', { class: 'type' }, typeOf(property), required.has(name) && ', required'),
    ' ',
    words(property.description ?? ''),
    values !== undefined && make('small', { class: 'values' }, ` ${values.join(', ')}`),
    hasProperties(document, property) && folded('Properties', () => propertiesOf(document, property)),
  );
}

function hasProperties(document, property) {
  const whole = resolve(document, property) ?? {};
  const inner = whole.items === undefined ? whole : (resolve(document, whole.items) ?? {});
  const choice = (inner.oneOf ?? inner.anyOf ?? []).find(({ type }) => type !== 'null');
  return choice === undefined ? inner.properties !== undefined : hasProperties(document, choice);
}
