import { nameOfRef, operationsIn, type DocumentDraft, type Schema, type Schemas } from './schema.js';

/**
 * Forbids additional properties in request bodies, where they are rejected, and allows them in responses, except for
 * compact representations, which stay small.
 */
export function forbidUnknownBodyProperties(document: DocumentDraft): void {
  const { schemas } = document.components;
  const inputs = new Set<string>();
  for (const { operation } of operationsIn(document)) {
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) collect(schema, schemas, inputs);
  }
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.properties === undefined) continue;
    if (inputs.has(name)) {
      schema.additionalProperties = false;
      for (const property of Object.values(schema.properties)) describeDefault(property);
    } else if (schema.additionalProperties === false && !name.endsWith('Compact')) delete schema.additionalProperties;
  }
}

/** Generators treat properties with a default as required, so the default is moved to the description. */
function describeDefault(property: Schema): void {
  if (property.default === undefined) return;
  const words = `Defaults to \`${JSON.stringify(property.default)}\`.`;
  property.description = [property.description, words].filter(Boolean).join(' ');
  delete property.default;
}

function collect(schema: Schema, schemas: Schemas, found: Set<string>): void {
  if (schema.$ref !== undefined) {
    const name = nameOfRef(schema.$ref);
    if (found.has(name)) return;
    found.add(name);
    collect(schemas[name], schemas, found);
  }
  for (const nested of [...Object.values(schema.properties ?? {}), schema.items, ...(schema.anyOf ?? [])]) {
    if (nested !== undefined) collect(nested, schemas, found);
  }
}
