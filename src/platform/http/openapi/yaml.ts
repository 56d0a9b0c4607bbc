import { setImmediate as nextTurn } from 'node:timers/promises';
import { dump } from 'js-yaml';
import type { OpenAPIObject } from '@nestjs/swagger';

/** Converts the document to YAML, path by path and component by component, and yields to other requests in between. */
export async function toYaml(document: OpenAPIObject): Promise<string> {
  const pieces: string[] = [];
  for (const part of partsOf(document, 2)) {
    pieces.push(part);
    await nextTurn();
  }
  return pieces.join('');
}

/** The YAML of an object, one piece per entry; nested objects are split into their entries down to that depth. */
function* partsOf(object: object, depth: number, indent = ''): Generator<string> {
  for (const [name, value] of Object.entries(object) as [string, unknown][]) {
    if (depth > 0 && isFilled(value)) {
      yield indented(dump({ [name]: null }).replace(/ null\n$/, '\n'), indent);
      yield* partsOf(value, depth - 1, `${indent}  `);
    } else yield indented(dump({ [name]: value }, { noRefs: true }), indent);
  }
}

const isFilled = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

const indented = (text: string, indent: string): string => text.replaceAll(/^(?=.)/gm, indent);
