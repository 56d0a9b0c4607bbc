import { conflict, invalidInput, type FieldError } from '../../common/errors.js';
import { isId, kindOf } from '../../common/ids.js';
import type { Delivered } from './message-deliveries.repository.js';
import type { MarkAllReadDto, SendMessageDto } from './message.dto.js';

const fieldError = (field: string, code: FieldError['code'], message: string): FieldError[] => [
  { field, code, message: `${field} ${message}` },
];

/** Checks that a recipient is named and that types match ids. */
export function assertAddressed(dto: SendMessageDto): void {
  const { recipient_ids = [], scope_type, scope_id, entity_type, entity_id } = dto;
  const errors: FieldError[] = [];
  const hasNoRecipient = recipient_ids.length === 0 && scope_type === undefined && scope_id === undefined;
  if (hasNoRecipient) errors.push(...fieldError('recipient_ids', 'required', 'or a scope is required.'));
  if (scope_type !== undefined) errors.push(...pairErrors('scope_id', scope_id, scope_type));
  else if (scope_id !== undefined) errors.push(...fieldError('scope_type', 'required', 'is required with scope_id.'));
  if (entity_type !== undefined) errors.push(...pairErrors('entity_id', entity_id, entity_type));
  if (errors.length > 0) throw invalidInput(errors);
}

function pairErrors(field: string, id: string | undefined, kind: NonNullable<ReturnType<typeof kindOf>>): FieldError[] {
  if (id === undefined) return fieldError(field, 'required', 'is required with its type.');
  return isId(kind, id) ? [] : fieldError(field, 'invalid_format', `must be the id of an entity of type ${kind}.`);
}

/** Checks that either ids or all is set. */
export function assertSelection({ ids, all = false }: MarkAllReadDto): void {
  if (ids === undefined && !all) throw invalidInput(fieldError('ids', 'required', 'is required unless all is true.'));
  if (ids !== undefined && all) throw invalidInput(fieldError('ids', 'invalid_value', 'cannot be combined with all.'));
}

/** Rejects a message without active recipients. */
export function assertReached({ recipientCount }: Delivered, { scope_id }: SendMessageDto): void {
  if (recipientCount > 0) return;
  const field = scope_id === undefined ? 'recipient_ids' : 'scope_id';
  throw invalidInput(fieldError(field, 'invalid_value', 'contains no active recipient.'));
}

/** Rejects a reply without active recipients with 409, because its body does not name them. */
export function assertAnswered({ recipientCount }: Delivered): void {
  if (recipientCount === 0) throw conflict('no_recipient', 'The reply has no active recipient.');
}
