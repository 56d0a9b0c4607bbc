import { createHash } from 'node:crypto';

/** The condition of a policy that a user confirmed. Its texts are kept as digests, because they can be long. */
export interface Attestation {
  /** The id of the condition in its policy. */
  id: string;
  label: string;
  prompt: string;
  /** The resource that confirmed it. */
  by: string;
}

/** A condition of the type `manual_attestation`, as it is in force. */
export interface AttestableCondition {
  id: string;
  label: string;
  prompt: string | null;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

export const attestationOf = ({ id, label, prompt }: AttestableCondition, by: string): Attestation => ({
  id,
  label: digest(label),
  prompt: digest(prompt ?? ''),
  by,
});

/** Who confirmed exactly what the condition asks now; undefined if nobody did. */
export function attesterOf(given: readonly Attestation[], condition: AttestableCondition): string | undefined {
  const { id, label, prompt } = attestationOf(condition, '');
  return given.find((each) => each.id === id && each.label === label && each.prompt === prompt)?.by;
}
