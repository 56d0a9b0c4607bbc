import { invalidInput, type FieldFault } from '../../common/errors.js';
import { kindOf } from '../../common/ids.js';
import type { RawQuery } from '../../platform/http/raw-query.js';

/** Reads the query of a removal: `reassign_to`, once, and nothing else. */
export function readHeir({ query, lenient }: RawQuery): string | undefined {
  const faults = Object.keys(query)
    .filter((name) => name !== 'reassign_to' && !lenient)
    .map((name): FieldFault => ({ field: name, code: 'unknown_field', message: `${name} is no parameter here.` }));
  const { reassign_to } = query;
  const isReference = reassign_to === undefined || reassign_to === 'me' || isPerson(reassign_to);
  if (!isReference) {
    const message = 'reassign_to must be the id of a resource (res_...) or a user (usr_...), or me.';
    faults.push({ field: 'reassign_to', code: 'invalid_format', message });
  }
  if (faults.length > 0) throw invalidInput(faults);
  return reassign_to as string | undefined;
}

const isPerson = (value: unknown): boolean => ['resource', 'user'].includes(kindOf(value) ?? '');
