/** The OpenAPI document as the page reads it. Nothing of it is resolved before it is shown. */

const REFERENCE = '#/components/';

/** The referenced component, or the value itself. */
export function resolve(document, value) {
  if (typeof value?.$ref !== 'string') return value;
  const [kind, name] = value.$ref.slice(REFERENCE.length).split('/');
  return resolve(document, document.components[kind]?.[name]);
}

/** Every operation, with its method, path and tag. */
export function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, tag: operation.tags[0], operation })),
  );
}

/** The operations of each tag, in the order of the document. */
export function groupsOf(document) {
  const groups = new Map(document.tags.map((tag) => [tag.name, { ...tag, operations: [] }]));
  for (const entry of operationsOf(document)) groups.get(entry.tag)?.operations.push(entry);
  return [...groups.values()];
}

/** The parameters of an operation: those of the path, required ones, and optional ones. */
export function parametersOf(document, operation) {
  const rank = ({ in: place, required }) => (place === 'path' ? 0 : required ? 1 : 2);
  return (operation.parameters ?? []).map((one) => resolve(document, one)).sort((a, b) => rank(a) - rank(b));
}

/** Whether the text contains every word of the phrase, in any order and case. */
export function matches(text, phrase) {
  const lowered = text.toLowerCase();
  return phrase
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lowered.includes(word));
}

/** The text in which the filter looks for words. */
export const textOf = ({ method, path, tag, operation }) =>
  [tag, method, path, operation.operationId, operation.summary, operation.description].join('\n');

/** An example of the schema: an explicit one, or one that is put together from the examples of its parts. */
export function exampleOf(document, schema, depth = 0) {
  const whole = resolve(document, schema) ?? {};
  const explicit = schema?.example ?? schema?.examples?.[0] ?? whole.example ?? whole.examples?.[0];
  if (explicit !== undefined) return explicit;
  if (whole.enum !== undefined) return whole.enum[0];
  const [choice] = whole.oneOf ?? whole.anyOf ?? [];
  if (choice !== undefined) return exampleOf(document, choice, depth);
  const [type] = [whole.type].flat();
  if (type === 'object' && depth < 6) {
    const properties = Object.entries(whole.properties ?? {});
    return Object.fromEntries(properties.map(([name, one]) => [name, exampleOf(document, one, depth + 1)]));
  }
  if (type === 'array') return whole.items === undefined ? [] : [exampleOf(document, whole.items, depth + 1)];
  return { string: 'text', integer: whole.minimum ?? 0, number: 0, boolean: false }[type] ?? null;
}

/** The type of a schema in a few words: `string`, `TaskStatus`, `array of string`, `string or null`. */
export function typeOf(schema) {
  if (schema === undefined) return '';
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return choices.map(typeOf).join(' or ');
  if (schema.type === 'array') return `array of ${typeOf(schema.items)}`;
  return [schema.type].flat().join(' or ');
}

/** The values that a parameter or property accepts, if they are a closed set. */
export function valuesOf(document, schema) {
  const whole = resolve(document, schema) ?? {};
  return whole.enum ?? (whole.items === undefined ? undefined : resolve(document, whole.items).enum);
}
