import type { Role } from '../../common/roles.js';
import type { EventRecord } from '../../platform/events/event-payload.js';
import type { Container, Membership } from './membership-rows.js';

/** A membership as its events show it; without a role if it is that of a resource without a user, or of an agent. */
export type RecordedMembership = Omit<Membership<Role>, 'role'> & { role: Role | null };

/** The event of a membership, on its container. */
export function membershipEvent(
  container: Container,
  id: string,
  type: string,
  member: RecordedMembership,
  previous: Record<string, unknown>,
): EventRecord {
  const place = container === 'organization' ? { organizationId: id } : { endeavourId: id };
  const data = {
    resource_id: member.resourceId,
    user_id: member.userId,
    role: member.role,
    stakeholder_roles: member.stakeholderRoles,
  };
  return { kind: container, id, place, type, previous, data, audience: [member.resourceId] };
}
