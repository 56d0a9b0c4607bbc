import { conflict, invalidInput, type FieldError } from '../../common/errors.js';
import { isId, kindOf } from '../../common/ids.js';
import type { Delivered } from './message-deliveries.repository.js';
import type { MarkAllReadDto, SendMessageDto } from './message.dto.js';

const fault = (field: string, code: FieldError['code'], message: string): FieldError[] => [
  { field, code, message: `${field} ${message}` },
];

/** Checks across fields: a recipient is required, and the parts of a reference must agree. */
export function assertAddressed(dto: SendMessageDto): void {
  const { recipient_ids = [], scope_type, scope_id, entity_type, entity_id } = dto;
  const faults: FieldError[] = [];
  const hasNoRecipient = recipient_ids.length === 0 && scope_type === undefined && scope_id === undefined;
  if (hasNoRecipient) faults.push(...fault('recipient_ids', 'required', 'or a scope is required.'));
  if (scope_type !== undefined) faults.push(...pairFaults('scope_id', scope_id, scope_type));
  else if (scope_id !== undefined) faults.push(...fault('scope_type', 'required', 'is required with scope_id.'));
  if (entity_type !== undefined) faults.push(...pairFaults('entity_id', entity_id, entity_type));
  if (faults.length > 0) throw invalidInput(faults);
}

function pairFaults(field: string, id: string | undefined, kind: NonNullable<ReturnType<typeof kindOf>>): FieldError[] {
  if (id === undefined) return fault(field, 'required', 'is required with its type.');
  return isId(kind, id) ? [] : fault(field, 'invalid_format', `must be the id of an entity of type ${kind}.`);
}

/** Checks across fields: some messages, or all of them. */
export function assertSelection({ ids, all = false }: MarkAllReadDto): void {
  if (ids === undefined && !all) throw invalidInput(fault('ids', 'required', 'is required unless all is true.'));
  if (ids !== undefined && all) throw invalidInput(fault('ids', 'invalid_value', 'cannot be combined with all.'));
}

/** A message without active recipients is rejected. */
export function assertReached({ recipientCount }: Delivered, { scope_id }: SendMessageDto): void {
  if (recipientCount > 0) return;
  const field = scope_id === undefined ? 'recipient_ids' : 'scope_id';
  throw invalidInput(fault(field, 'invalid_value', 'contains no active recipient.'));
}

/** The same of an answer, which names no recipients itself. */
export function assertAnswered({ recipientCount }: Delivered): void {
  if (recipientCount === 0) throw conflict('no_recipient', 'The reply has no active recipient.');
}
