import { PROPERTY_TEXTS } from './property-texts.js';
import { operationsIn, type DocumentDraft } from './schema.js';

/** The data of events has the properties of representations, which describe them. */
const OF_EVENTS = /EventData$/;

/**
 * Adds descriptions, by name, to parameters and properties without one. A property whose name says all has none, because
 * the names alone would be a tenth of the document again.
 */
export function describeProperties(document: DocumentDraft): void {
  const { schemas } = document.components;
  for (const [component, schema] of Object.entries(schemas)) {
    if (OF_EVENTS.test(component)) continue;
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const text = property.description ?? PROPERTY_TEXTS[name];
      if (text !== undefined && text !== textOf(name)) property.description = text;
      else delete property.description;
    }
  }
  for (const { operation } of operationsIn(document)) {
    for (const parameter of operation.parameters ?? []) {
      if (parameter.$ref === undefined)
        parameter.description ??= PROPERTY_TEXTS[parameter.name] ?? textOf(parameter.name);
    }
  }
}

/** What a name says by itself. */
function textOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  if (name.endsWith('_id')) return `The id of the ${words.slice(0, -3)}.`;
  if (name.endsWith('_name')) return `The name of the ${words.slice(0, -5)}.`;
  return `The ${words}.`;
}
