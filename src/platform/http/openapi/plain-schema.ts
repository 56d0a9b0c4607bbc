import type { Schema } from './schema.js';

/** Separates the schema of the value from its nullability. */
export function split(schema: Schema): { core: Schema; isNullable: boolean; description: string | undefined } {
  const { description, nullable, ...core } = schema;
  if (nullable === true || (core.anyOf?.length === 1 && core.anyOf[0].$ref !== undefined)) {
    const { anyOf = [], ...rest } = core;
    const value = anyOf.length > 1 ? { ...withoutType(rest), anyOf } : { ...rest, ...anyOf[0] };
    return { core: value, isNullable: nullable === true, description };
  }
  if (core.anyOf?.some(({ type }) => type === 'null')) {
    const { anyOf, ...rest } = core;
    const others = (anyOf ?? []).filter(({ type }) => type !== 'null');
    const merged = others.length === 1 ? { ...others[0], ...rest } : { ...rest, anyOf: others };
    return { core: merged, isNullable: true, description: description ?? merged.description };
  }
  if (!Array.isArray(core.type)) return { core, isNullable: false, description };
  const types = core.type.filter((name) => name !== 'null');
  const type = types.length === 1 ? types[0] : types;
  const values = core.enum && { enum: core.enum.filter((value) => value !== null) };
  return { core: { ...core, type, ...values }, isNullable: core.type.includes('null'), description };
}

/** Replaces `const`, which generators interpret differently, by an enum with one value or a description. */
export function plainConst(schema: Schema): Schema {
  if (schema.const === undefined) return schema;
  const { const: value, description, ...rest } = schema;
  if (typeof value === 'string') return { ...rest, type: 'string', enum: [value], ...(description && { description }) };
  const always = [description, `Always ${JSON.stringify(value)}.`].filter(Boolean).join(' ');
  return { ...rest, type: typeof value === 'number' ? 'integer' : 'boolean', description: always, example: value };
}

/** Removes the redundant type that Nest adds to a reference, or to alternatives, from the TypeScript property. */
export function withoutType(schema: Schema): Schema {
  const { type: _, ...reference } = schema;
  return reference;
}
