import { invalidInput, type FieldError } from '../../../common/errors.js';
import { isCleanText, printable } from '../../../common/texts/text.js';
import { parseFlag, type Parsed } from './parsed.js';
import type { RawQuery } from './query-parameters.js';

/** The parsers of the parameters of a route that is not a list. */
export type QueryReaders = Record<string, (raw: string) => Parsed>;

/** Accepted by every operation without effect (spec 02). */
const EVERYWHERE: QueryReaders = { admin: parseFlag };

/** The parsed parameters; an empty one counts as absent. Rejects unknown, repeated and invalid ones, all at once. */
export function readQuery({ query, lenient }: RawQuery, readers: QueryReaders): Map<string, unknown> {
  const known = { ...EVERYWHERE, ...readers };
  const fieldErrors: FieldError[] = [];
  const values = new Map<string, unknown>();
  for (const [name, raw] of Object.entries(query)) {
    const isKnown = Object.hasOwn(known, name);
    const form = formatError(name, raw, isKnown, lenient);
    if (form !== undefined) fieldErrors.push(form);
    if (form !== undefined || !isKnown) continue;
    const parsed = parse(name, raw as string, known[name]);
    if (parsed === undefined) continue;
    if ('value' in parsed) values.set(name, parsed.value);
    else fieldErrors.push({ field: name, ...parsed });
  }
  if (fieldErrors.length > 0) throw invalidInput(fieldErrors);
  return values;
}

/** The errors of the query itself: unknown or repeated parameters, and `admin`. */
export function parameterErrors({ query, lenient }: RawQuery, names: readonly string[]): FieldError[] {
  return Object.entries(query).flatMap(([name, raw]) => {
    const form = formatError(name, raw, names.includes(name) || Object.hasOwn(EVERYWHERE, name), lenient);
    if (form !== undefined) return [form];
    const parsed = Object.hasOwn(EVERYWHERE, name) ? EVERYWHERE[name](raw as string) : undefined;
    return parsed === undefined || 'value' in parsed ? [] : [{ field: name, ...parsed }];
  });
}

/** The error of a parameter before its value is parsed: unknown, or given more than once. */
export function formatError(name: string, raw: unknown, isKnown: boolean, lenient: boolean): FieldError | undefined {
  const field = printable(name);
  if (!isKnown) {
    return lenient ? undefined : { field, code: 'unknown_field', message: `Unknown query parameter "${field}".` };
  }
  if (typeof raw === 'string') return undefined;
  return { field, code: 'unknown_field', message: `${field} can be given only once.` };
}

function parse(name: string, raw: string, reader: QueryReaders[string]): Parsed | undefined {
  if (raw === '' && reader !== parseFlag) return undefined;
  if (isCleanText(raw)) return reader(raw);
  return { code: 'invalid_text', message: `${name} contains characters that are not allowed.` };
}
