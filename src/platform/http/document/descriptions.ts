import { PROPERTY_TEXTS } from './property-texts.js';
import { operationsIn, resolved, type DocumentDraft, type Schema, type Schemas } from './schema.js';

/** Adds descriptions, by name, to properties without one. */
export function describeProperties(document: DocumentDraft): void {
  const { schemas } = document.components;
  for (const schema of Object.values(schemas)) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      property.description ??= textOf(name, property, schemas);
    }
  }
  for (const { operation } of operationsIn(document)) {
    for (const parameter of operation.parameters ?? []) {
      if (parameter.$ref === undefined) parameter.description ??= textOf(parameter.name, parameter.schema, schemas);
    }
  }
}

function textOf(name: string, property: Schema, schemas: Schemas): string {
  const text = PROPERTY_TEXTS[name];
  if (text !== undefined) return text;
  const words = name.replaceAll('_', ' ');
  if (name.endsWith('_id')) return `The id of the ${words.slice(0, -3)}.`;
  if (name.endsWith('_name')) return `The name of the ${words.slice(0, -5)}.`;
  if (name === 'data') return dataText(property, schemas);
  return `The ${words}.`;
}

const dataText = (property: Schema, schemas: Schemas): string =>
  resolved(property, schemas).type === 'array' ? 'The items.' : 'The result.';
