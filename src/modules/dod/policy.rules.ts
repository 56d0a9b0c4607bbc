import { invalidField } from '../../common/errors.js';
import type { Condition } from './conditions/condition.js';
import type { Strictness } from './policy.lifecycle.js';

interface Strict {
  strictness: Strictness;
  quorum: number | null;
}

/**
 * The strictness of a policy: as sent, else that of its predecessor. `n_of` needs a reachable quorum; `all` has none.
 */
export function strictnessOf(
  sent: Partial<Strict>,
  before: Strict,
  conditions: readonly Pick<Condition, 'required'>[],
): Strict {
  const strictness = sent.strictness ?? before.strictness;
  if (strictness === 'all') {
    if (sent.quorum === undefined || sent.quorum === null) return { strictness, quorum: null };
    throw invalidField('quorum', 'invalid_value', 'quorum can be set only with the strictness n_of.');
  }
  const quorum = sent.quorum ?? before.quorum;
  if (quorum === null)
    throw invalidField('quorum', 'required', 'Set quorum to the number of conditions that must be met.');
  const required = conditions.filter((condition) => condition.required).length;
  if (quorum <= required) return { strictness, quorum };
  throw invalidField(
    'quorum',
    'out_of_range',
    `quorum must be between 1 and ${required}, the number of required conditions.`,
  );
}
