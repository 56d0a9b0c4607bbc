import { conflict, invalidInput, type FieldFault } from '../../common/errors.js';
import { isId, kindOf } from '../../common/ids.js';
import type { SendMessageDto } from './message.dto.js';

const fault = (field: string, code: 'required' | 'invalid_format', message: string): FieldFault[] => [
  { field, code, message: `${field} ${message}` },
];

/** What no single field tells: somebody must be named, and the parts of a reference must agree. */
export function assertAddressed(dto: SendMessageDto): void {
  const { recipient_ids = [], scope_type, scope_id, entity_type, entity_id } = dto;
  const faults: FieldFault[] = [];
  const isToNobody = recipient_ids.length === 0 && scope_type === undefined && scope_id === undefined;
  if (isToNobody) faults.push(...fault('recipient_ids', 'required', 'or a scope is required.'));
  if (scope_type !== undefined) faults.push(...pairFaults('scope_id', scope_id, scope_type));
  else if (scope_id !== undefined) faults.push(...fault('scope_type', 'required', 'is required with scope_id.'));
  if (entity_type !== undefined) faults.push(...pairFaults('entity_id', entity_id, entity_type));
  if (faults.length > 0) throw invalidInput(faults);
}

function pairFaults(field: string, id: string | undefined, kind: NonNullable<ReturnType<typeof kindOf>>): FieldFault[] {
  if (id === undefined) return fault(field, 'required', 'is required with its type.');
  return isId(kind, id) ? [] : fault(field, 'invalid_format', `must be the id of a thing of kind ${kind}.`);
}

/**
 * Whom an answer goes to. An answer to one's own message goes on to its recipients; nobody gets their own answer
 * unless they were talking to themselves.
 */
export function audienceOf(
  message: { senderId: string | null; recipients: readonly string[] },
  me: string,
  toAll: boolean,
): string[] {
  const sender = message.senderId === null ? [] : [message.senderId];
  const addressed = toAll ? [...sender, ...message.recipients] : sender;
  const everyone = !toAll && message.senderId === me ? [...message.recipients] : addressed;
  if (everyone.length === 0) throw conflict('no_sender', 'The service itself sent this; nobody would get the answer.');
  const others = everyone.filter((id) => id !== me);
  return others.length > 0 ? others : everyone;
}
