import { isRecord } from '../../common/json.js';
import { printable } from '../../common/text.js';
import { MAX_FIELD_ERRORS } from '../../platform/http/fields/body-reader.js';

const REFERENCE = /^\$([A-Za-z][A-Za-z0-9_-]*)\.([a-z][a-z0-9_]*)$/;

/** A property of the answer to an earlier request. */
export interface BatchReference {
  id: string;
  property: string;
}

/** The meaning of a string that begins with a dollar sign. */
type Parsed = { reference: BatchReference } | { literal: string } | { isMalformed: true };

function parse(text: string): Parsed {
  if (!text.startsWith('$')) return { literal: text };
  if (text.startsWith('$$')) return { literal: text.slice(1) };
  const [, id, property] = REFERENCE.exec(text) ?? [];
  return id === undefined ? { isMalformed: true } : { reference: { id, property } };
}

export interface Mentions {
  /** The names of the requests that are referred to. */
  ids: Set<string>;
  /** The dotted paths of strings that begin with one dollar sign but are not references, limited in number. */
  malformed: string[];
}

/** The references in a path and a body. */
export function mentionsIn({ path, body }: { path: string; body?: unknown }): Mentions {
  const mentions: Mentions = { ids: new Set(), malformed: [] };
  for (const segment of segmentsOf(path)) collect(segment, 'path', mentions);
  collect(body, 'body', mentions);
  return mentions;
}

function collect(value: unknown, at: string, mentions: Mentions): void {
  if (typeof value === 'string') {
    const parsed = parse(value);
    if ('reference' in parsed) mentions.ids.add(parsed.reference.id);
    if ('isMalformed' in parsed && mentions.malformed.length < MAX_FIELD_ERRORS) mentions.malformed.push(at);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => collect(item, `${at}.${index}`, mentions));
  } else if (isRecord(value)) {
    for (const [name, item] of Object.entries(value)) collect(item, `${at}.${printable(name)}`, mentions);
  }
}

/** The value with every reference replaced by its target. */
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

/** The same for the segments of a path, including its query. */
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
