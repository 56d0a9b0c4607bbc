import { invalidField } from '../../../common/errors.js';
import { readQuery } from './plain-query.js';
import type { RawQuery } from './query-parameters.js';

/** The query parameter with which a client confirms an operation that cannot be undone, as documented. */
export const CONFIRM = {
  confirm: {
    description: 'The exact name of the container to erase.',
    schema: { type: 'string', minLength: 1 },
    required: true,
  },
} as const;

/** The value of `confirm`; 400 if it is missing. */
export function readConfirm(query: RawQuery): string {
  const confirm = readQuery(query, { confirm: (raw) => ({ value: raw }) }).get('confirm');
  if (typeof confirm === 'string' && confirm !== '') return confirm;
  throw invalidField('confirm', 'required', 'Set confirm to the exact name; this cannot be undone.');
}

/** Rejects another name with 400. */
export function assertConfirmed(confirm: string, name: string): void {
  if (confirm !== name) throw invalidField('confirm', 'invalid_value', 'confirm must be the exact name.');
}
