import { isRecord } from '../../common/texts/json.js';
import { printable } from '../../common/texts/text.js';
import { MAX_FIELD_ERRORS } from '../../platform/http/bodies/fields/body-reader.js';

const REFERENCE = /^\$([A-Za-z][A-Za-z0-9_-]*)\.([a-z][a-z0-9_]*)$/;

/** A reference to a property in the response to an earlier request. */
export interface BatchReference {
  id: string;
  property: string;
}

/** A parsed string: a reference, a literal, or a string that begins with one dollar sign but is not a reference. */
type Parsed = { reference: BatchReference } | { literal: string } | { isMalformed: true };

function parse(text: string): Parsed {
  if (!text.startsWith('$')) return { literal: text };
  if (text.startsWith('$$')) return { literal: text.slice(1) };
  const [, id, property] = REFERENCE.exec(text) ?? [];
  return id === undefined ? { isMalformed: true } : { reference: { id, property } };
}

interface References {
  /** The names of the referenced requests. */
  ids: Set<string>;
  /** The dotted paths of strings that begin with one dollar sign but are not references, limited in number. */
  malformed: string[];
}

/** Finds the references in a path and a body. */
export function referencesIn({ path, body }: { path: string; body?: unknown }): References {
  const references: References = { ids: new Set(), malformed: [] };
  for (const segment of segmentsOf(path)) collect(segment, 'path', references);
  collect(body, 'body', references);
  return references;
}

function collect(value: unknown, at: string, references: References): void {
  if (typeof value === 'string') {
    const parsed = parse(value);
    if ('reference' in parsed) references.ids.add(parsed.reference.id);
    if ('isMalformed' in parsed && references.malformed.length < MAX_FIELD_ERRORS) references.malformed.push(at);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => collect(item, `${at}.${index}`, references));
  } else if (isRecord(value)) {
    for (const [name, item] of Object.entries(value)) collect(item, `${at}.${printable(name)}`, references);
  }
}

/** Replaces every reference in a value by the referenced property. */
export function resolveBody(value: unknown, lookUp: (reference: BatchReference) => unknown): unknown {
  if (typeof value === 'string') {
    const parsed = parse(value);
    if ('reference' in parsed) return lookUp(parsed.reference);
    return 'literal' in parsed ? parsed.literal : value;
  }
  if (Array.isArray(value)) return value.map((item) => resolveBody(item, lookUp));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolveBody(item, lookUp)]));
}

/** Replaces every reference in the segments of a path; the query stays as it is. */
export function resolvePath(path: string, lookUp: (reference: BatchReference) => unknown): string {
  const [, pathname, query] = /^([^?]*)(.*)$/s.exec(path) ?? [];
  const segments = pathname.split('/').map((segment) => {
    const parsed = parse(segment);
    if ('reference' in parsed) return encodeURIComponent(String(lookUp(parsed.reference)));
    return 'literal' in parsed ? parsed.literal : segment;
  });
  return segments.join('/') + query;
}

const segmentsOf = (path: string): string[] => path.split('?')[0].split('/');
