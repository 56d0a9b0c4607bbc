import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { Consent } from '../../access/authentication/consent.js';
import { MemberReferences } from '../../access/memberships/member-references.js';
import { Memberships } from '../../access/memberships/memberships.js';
import { MembershipRows } from '../../access/memberships/membership-rows.js';
import type { EndeavourRole } from '../../common/roles.js';
import { AdditionNoticesService } from '../messages/addition-notices.service.js';
import type { AddUserToEndeavourDto } from './user.dto.js';

/** The role of a user in an endeavour. */
export interface EndeavourRoleGrant {
  user_id: string;
  endeavour_id: string;
  role: EndeavourRole;
  stakeholder_roles: string[];
}

/** Gives users roles in endeavours. */
@Injectable()
export class EndeavourGrantsService {
  constructor(
    private readonly access: Access,
    private readonly additionNotices: AdditionNoticesService,
    private readonly consent: Consent,
    private readonly memberReferences: MemberReferences,
    private readonly memberships: Memberships,
    private readonly membershipRows: MembershipRows,
  ) {}

  async grant(me: Caller, id: string, dto: AddUserToEndeavourDto): Promise<EndeavourRoleGrant> {
    await this.access.authorize(me, 'users_endeavours_add', id);
    const { endeavour_id, role, stakeholder_roles: stakeholderRoles } = dto;
    const lock = { kind: 'endeavour', exclusive: true } as const;
    await this.access.lockReference(me, 'endeavours_members_add', 'endeavour_id', endeavour_id, lock);
    const member = await this.memberReferences.person(me, 'id', id);
    await this.membershipRows.lockAtHome(endeavour_id, id);
    const grant = await this.memberships.authorizeEndeavourGrant(me, endeavour_id, member, { role, stakeholderRoles });
    await this.consent.assertForEndeavour(me, grant);
    const granted = await this.memberships.apply(me, grant);
    if (granted.isNew) await this.additionNotices.notify(me, { ...member, to: endeavour_id, role: granted.role });
    return { user_id: id, endeavour_id, role: granted.role, stakeholder_roles: granted.stakeholderRoles };
  }
}
