import { KINDS } from '../../../common/kinds.js';
import { PROPERTY_EXAMPLES } from './property-examples.js';
import { nameOfRef, operationsIn, resolved, type DocumentDraft, type Schema, type Schemas } from './schema.js';

const HEX = '018f6b1a2c3d7e4f8a5b6c7d8e9f0a1b';
const INSTANT = '2026-11-20T10:00:00.000Z';
const ID = /\(\?:([a-z|]+)\)_\[0-9a-f\]\{32\}|\^([a-z]{3})_\[0-9a-f\]\{32\}\$/;

/** The id in examples for that prefix. */
export const exampleId = (prefix: string): string => `${prefix}_${HEX}`;

/**
 * Gives every body, response and path parameter an example. A body has its required fields and those whose DTO has an
 * `example`. The example of a response is that of the component in its envelope, with all properties, because several
 * responses contain the same component.
 */
export function addExamples(document: DocumentDraft): void {
  const { schemas } = document.components;
  const examples = new Examples(schemas);
  for (const { operation } of operationsIn(document)) {
    for (const media of Object.values(operation.requestBody?.content ?? {})) {
      media.example ??= examples.of(media.schema, '', true);
    }
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (Number(status) >= 400) continue;
      for (const [type, media] of Object.entries(content ?? {})) {
        if (type !== 'application/json') continue;
        const shared = contentOf(media.schema, schemas);
        if (shared === undefined) media.example ??= examples.of(media.schema, '', false);
        else shared.examples ??= [examples.of(shared, '', false)];
      }
    }
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in !== 'path') continue;
      (parameter as { example?: unknown }).example ??= examples.of(parameter.schema, parameter.name, false);
    }
  }
  for (const schema of Object.values(schemas)) removeUsual(schema);
}

/** The component in the envelope: the item of a list, the result, or the whole document. */
function contentOf(schema: Schema, schemas: Schemas): Schema | undefined {
  const whole = resolved(schema, schemas);
  if (whole.oneOf !== undefined) return contentOf(whole.oneOf[0], schemas);
  const { data } = whole.properties ?? {};
  if (data === undefined) return schema.$ref === undefined ? undefined : whole;
  const { $ref } = data.items ?? data;
  return $ref === undefined ? undefined : schemas[nameOfRef($ref)];
}

/** Removes the extension `x-usual`, which field decorators set only for this step. */
function removeUsual(schema: Schema): void {
  delete schema['x-usual'];
  const { properties = {}, items, anyOf = [], oneOf = [] } = schema;
  for (const nested of [...Object.values(properties), items, ...anyOf, ...oneOf]) {
    if (nested !== undefined) removeUsual(nested);
  }
}

/** A value that fits the schema, which refers to no other schemas. */
export const exampleOf = (schema: Schema, name: string): unknown => new Examples({}).of(schema, name, true);

class Examples {
  constructor(private readonly schemas: Schemas) {}

  of(schema: Schema, name: string, isBody: boolean): unknown {
    const explicit = schema.example ?? schema.examples?.[0];
    if (explicit !== undefined) return explicit;
    if (schema.$ref !== undefined) return this.of(this.schemas[nameOfRef(schema.$ref)], name, isBody);
    if (schema.enum !== undefined) return schema.enum[0];
    const types = [schema.type].flat();
    const example = PROPERTY_EXAMPLES[name];
    if (example !== undefined && types.includes(typeOf(example))) return example;
    if (schema.oneOf !== undefined) return this.of(schema.oneOf[0], name, isBody);
    if (schema.anyOf !== undefined) return this.anyOf(schema.anyOf, name, isBody);
    return this.ofType(schema, types, name, isBody);
  }

  private anyOf(choices: Schema[], name: string, isBody: boolean): unknown {
    const isNullable = choices.some(({ type }) => type === 'null');
    const first = choices[0];
    // Nullable objects are null in responses, which keeps examples readable.
    const isObject = resolved(first, this.schemas).properties !== undefined;
    return isNullable && isObject && !isBody ? null : this.of(first, name, isBody);
  }

  private ofType(schema: Schema, types: (string | undefined)[], name: string, isBody: boolean): unknown {
    if (schema.properties !== undefined) return this.object(schema, isBody);
    if (types.includes('string')) return textOf(schema, name, types.includes('null') && !isBody);
    if (types.includes('array')) return this.list(schema, name, isBody);
    if (types.includes('integer') || types.includes('number')) return schema.minimum ?? 1;
    if (types.includes('boolean')) return false;
    if (types.includes('null')) return null;
    return {};
  }

  private list({ items = {}, minItems = 0 }: Schema, name: string, isBody: boolean): unknown[] {
    const item = resolved(items, this.schemas);
    const isWorthShowing = name === 'data' || name === 'conditions' || item.properties !== undefined || isBody;
    return isWorthShowing || minItems > 0 ? [this.of(items, name.replace(/s$/, ''), isBody)] : [];
  }

  private object({ properties = {}, required = [] }: Schema, isBody: boolean): object {
    const included = Object.entries(properties).filter(
      ([name, property]) => !isBody || required.includes(name) || property['x-usual'] === true,
    );
    const entries = included.length > 0 || !isBody ? included : Object.entries(properties).slice(0, 1);
    return Object.fromEntries(entries.map(([name, property]) => [name, this.of(property, name, isBody)]));
  }
}

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

function textOf({ format, pattern, minLength = 0 }: Schema, name: string, isNullable: boolean): string | null {
  const [, alternatives, single] = ID.exec(pattern ?? '') ?? [];
  const prefixes = (alternatives ?? single)?.split('|');
  if (isNullable && !name.endsWith('_id') && !name.endsWith('description')) return null;
  if (prefixes !== undefined) return exampleId(prefixes[0]);
  if (pattern === '^[a-z]{3}_[0-9a-f]{32}$') return exampleId(prefixOfName(name));
  if (pattern?.startsWith(String.raw`^\d{4}-\d\d-\d\d`)) return '2026-11-20';
  if (format === 'date-time' || name.endsWith('_at')) return INSTANT;
  if (format === 'uri') return 'https://example.com/plan';
  if (format === 'email') return 'ann@example.com';
  if (name === 'id' || name.endsWith('_id')) return exampleId(prefixOfName(name));
  return 'text'.padEnd(minLength, ' text');
}

/** `endeavour_id` shows the id of an endeavour; a name without a kind shows that of a task. */
function prefixOfName(name: string): string {
  const kind = name.replace(/_ids?$/, '');
  return (KINDS as Record<string, string | undefined>)[kind] ?? KINDS.task;
}
