import { invalidField, invalidInput } from '../../common/errors.js';
import { mergePatch } from '../../common/texts/json.js';
import { rulesExceeding, type Quorum } from './quorums/quorum.rules.js';
import type { Resource, ResourceType } from './resource.entity.js';

/** The types between which a resource can change; a team cannot change its type. */
const INTERCHANGEABLE: readonly ResourceType[] = ['human', 'agent', 'service', 'budget'];

/** Rejects changes of the type that spec 05 does not allow. */
export function assertType({ type, userId }: Pick<Resource, 'type' | 'userId'>, next: ResourceType | undefined): void {
  if (next === undefined || next === type) return;
  if (userId !== null) {
    throw invalidField(
      'type',
      'read_only',
      "The type of a user's resource follows from the user and cannot be changed.",
    );
  }
  if (type === 'team' || next === 'team') {
    const allowed = type === 'team' ? ['team'] : INTERCHANGEABLE;
    throw invalidField('type', 'invalid_value', 'The type team cannot be changed or set after creation.', allowed);
  }
}

/** Rejects the quorum of a team where it has no effect; clients of other servers send it there. */
export function assertNoQuorumInMetadata(
  type: ResourceType,
  metadata: Record<string, unknown> | null | undefined,
): void {
  if (type !== 'team' || metadata?.quorum === undefined || metadata.quorum === null) return;
  throw invalidField(
    'metadata.quorum',
    'invalid_value',
    'The quorum of a team has no effect in metadata; send it as the property quorum of PATCH /resources/{id}.',
  );
}

/**
 * Merges a patch of the quorum by RFC 7396; null if no rule is left. Rejects rules that require more than `members`.
 */
export function mergeQuorum(
  { type, quorum }: Pick<Resource, 'type' | 'quorum'>,
  sent: object | null | undefined,
  members: number,
): Quorum | null | undefined {
  if (sent === undefined || sent === null) return sent;
  if (type !== 'team') throw invalidField('quorum', 'invalid_value', 'Only teams can have a quorum.');
  const errors = rulesExceeding(mergePatch({}, sent) as Quorum, members);
  if (errors.length > 0) throw invalidInput(errors);
  const merged = mergePatch(quorum ?? {}, sent) as Quorum;
  return Object.keys(merged).length === 0 ? null : merged;
}
