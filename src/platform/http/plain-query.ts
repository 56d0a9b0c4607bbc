import { invalidInput, type FieldFault } from '../../common/errors.js';
import { isCleanText } from '../../common/text.js';
import type { Parsed } from '../listing/definition.js';
import type { RawQuery } from './raw-query.js';

/** How each parameter of a route that is no list is read. */
export type QueryReaders = Record<string, (raw: string) => Parsed>;

/** The parameters that were sent, read; refuses unknown, repeated and faulty ones with every fault at once. */
export function readQuery({ query, lenient }: RawQuery, readers: QueryReaders): Map<string, unknown> {
  const faults: FieldFault[] = [];
  const values = new Map<string, unknown>();
  for (const [name, raw] of Object.entries(query)) {
    const parsed = parse(name, raw, readers, lenient);
    if (parsed === undefined) continue;
    if ('value' in parsed) values.set(name, parsed.value);
    else faults.push({ field: name, ...parsed });
  }
  if (faults.length > 0) throw invalidInput(faults);
  return values;
}

function parse(name: string, raw: unknown, readers: QueryReaders, lenient: boolean): Parsed | undefined {
  if (typeof raw !== 'string') return { code: 'unknown_field', message: `${name} may be given once only.` };
  if (Object.hasOwn(readers, name)) {
    if (isCleanText(raw)) return readers[name](raw);
    return { code: 'invalid_text', message: `${name} has characters that are not allowed.` };
  }
  // Accepted everywhere from administrators; the guard has refused it to others.
  if (lenient || name === 'admin') return undefined;
  return { code: 'unknown_field', message: `${name} is no parameter here.` };
}
