import { invalidField } from '../../../common/errors.js';
import type { Condition } from '../conditions/condition.js';
import type { Strictness } from './policy.lifecycle.js';

interface StrictnessAndQuorum {
  strictness: Strictness;
  quorum: number | null;
}

/**
 * Returns the requested strictness and quorum of a policy; by default, those of its predecessor. `n_of` requires a quorum
 * that can be reached; `all` accepts none.
 */
export function strictnessOf(
  input: Partial<StrictnessAndQuorum>,
  previous: StrictnessAndQuorum,
  conditions: readonly Pick<Condition, 'required'>[],
): StrictnessAndQuorum {
  const strictness = input.strictness ?? previous.strictness;
  if (strictness === 'all') {
    if (input.quorum === undefined || input.quorum === null) return { strictness, quorum: null };
    throw invalidField('quorum', 'invalid_value', 'quorum can be set only with the strictness n_of.');
  }
  const quorum = input.quorum ?? previous.quorum;
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
