import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { membershipEvent } from '../../../access/memberships/membership-event.js';
import type { Member } from '../../../access/memberships/membership-rows.js';
import { EventRecorder } from '../../../platform/events/event-recorder.js';
import { OrganizationMembersRepository } from './organization-members.repository.js';

/** Sets how many hours per week members work for an organization. */
@Injectable()
export class MemberCapacitiesService {
  constructor(
    private readonly events: EventRecorder,
    private readonly repository: OrganizationMembersRepository,
  ) {}

  /**
   * Sets the capacity of a member. The calling code checks the permission, and that the organization can be written. The
   * event names the property without its values, because all members of the organization read it.
   */
  async set(me: Caller, organizationId: string, member: Member, capacity: number | null): Promise<void> {
    const role = await this.repository.setCapacity(organizationId, member, capacity);
    if (role === undefined) return;
    const membership = { ...member, role, stakeholderRoles: [] };
    const event = membershipEvent('organization', organizationId, 'member.changed', membership, {});
    await this.events.recordAll(me, [{ ...event, changed: ['capacity'] }]);
  }
}
