import { forbidden, invalidField, invalidInput, type FieldError } from '../../common/errors.js';
import { rankOf, type Role } from '../../common/roles.js';
import { parseInstant } from '../../common/time.js';
import type { CreateInvitationDto, UpdateInvitationDto } from './invitation.dto.js';
import type { Invitation, InvitationKind } from './invitation.entity.js';

const DAYS = 7;
const CONTAINERS = ['organization_id', 'endeavour_id'] as const;
const ROLE_PROPERTIES = ['organization_id', 'role', 'endeavour_role'] as const;

/** Rejects contradictory properties of a new invitation, all at once. */
export function assertConsistent({ email, user_id, max_uses, expires_at, ...dto }: CreateInvitationDto): void {
  const errors: FieldError[] = [];
  const add: AddError = (field, code, message) => errors.push({ field, code, message });
  if (email !== undefined && user_id !== undefined) {
    add('user_id', 'invalid_value', 'user_id and email cannot be combined.');
  }
  const isLink = dto.kind === 'link';
  if ((isLink || (email ?? user_id) !== undefined) && max_uses !== undefined && max_uses > 1) {
    add('max_uses', 'out_of_range', 'max_uses must be 1 for a link, and for an invitation with email or user_id.');
  }
  if (isPast(expires_at)) add('expires_at', 'out_of_range', 'expires_at must be in the future.');
  if (isLink) {
    for (const name of ROLE_PROPERTIES) {
      if (dto[name] !== undefined) add(name, 'invalid_value', `${name} cannot be combined with the kind link.`);
    }
    if (dto.endeavour_id === undefined) add('endeavour_id', 'required', 'endeavour_id is required for the kind link.');
  } else assertRolesHaveContainers(dto, add);
  if (errors.length > 0) throw invalidInput(errors);
}

type AddError = (field: string, code: FieldError['code'], message: string) => void;

function assertRolesHaveContainers(dto: CreateInvitationDto, add: AddError): void {
  if (dto.role !== undefined && dto.organization_id === undefined) {
    add('organization_id', 'required', 'organization_id is required if role is set.');
  }
  if (dto.endeavour_role !== undefined && dto.endeavour_id === undefined) {
    add('endeavour_id', 'required', 'endeavour_id is required if endeavour_role is set.');
  }
}

/** Rejects an invitation of the same person to the same place as an earlier one of the list. */
export function assertFirstOfItsKind(
  dto: CreateInvitationDto,
  earlier: readonly CreateInvitationDto[],
  list: string,
): void {
  const field = dto.email === undefined ? 'user_id' : 'email';
  const first = earlier.findIndex(
    (other) => dto[field] !== undefined && other[field] === dto[field] && overlap(dto, other),
  );
  if (first < 0) return;
  throw invalidField(field, 'invalid_value', `${field} repeats that of ${list}.${first} for the same place.`);
}

/** Whether two invitations offer the same kind of thing in the same container, or both name none. */
const overlap = (one: CreateInvitationDto, other: CreateInvitationDto): boolean =>
  kindOfferedBy(one) === kindOfferedBy(other) &&
  (CONTAINERS.some((name) => one[name] !== undefined && one[name] === other[name]) ||
    [one, other].every((each) => CONTAINERS.every((name) => each[name] === undefined)));

export const kindOfferedBy = ({ kind = 'roles' }: Pick<CreateInvitationDto, 'kind'>): InvitationKind => kind;

/** Rejects a change that the current state of the invitation does not allow. */
export function assertChangeAllowed(
  { max_uses, expires_at }: UpdateInvitationDto,
  { invitee, kind, uses }: Invitation,
): void {
  const isForOne = invitee !== null || kind === 'link';
  if (max_uses !== undefined && (max_uses < uses || (isForOne && max_uses > 1))) {
    throw invalidField(
      'max_uses',
      'out_of_range',
      'max_uses must be at least the number of uses so far, and 1 for a link and for an invitation with email or user_id.',
    );
  }
  if (isPast(expires_at)) throw invalidField('expires_at', 'out_of_range', 'expires_at must be in the future.');
}

/** Whether an invitation with these properties is open. */
export const isOpen = ({
  uses,
  maxUses,
  refusedAt,
  expiresAt,
}: Pick<Invitation, 'uses' | 'maxUses' | 'refusedAt' | 'expiresAt'>): boolean =>
  uses < maxUses && refusedAt === null && expiresAt.getTime() > Date.now();

export function assertMayOffer(rank: number, role: Role): void {
  if (rankOf(role) > rank) throw forbidden(`the ${role} role or higher here`);
}

/** Returns the expiry of a new invitation; by default in 7 days. */
export const expiryOf = (expiresAt: string | undefined): Date =>
  (expiresAt === undefined ? undefined : parseInstant(expiresAt)) ?? new Date(Date.now() + DAYS * 24 * 3_600_000);

const isPast = (text: string | undefined): boolean =>
  text !== undefined && (parseInstant(text)?.getTime() ?? 0) <= Date.now();
