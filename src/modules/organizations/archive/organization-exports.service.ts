import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { ContainedResources } from '../../../platform/containment/contained-resources.js';
import { Exports } from '../../../platform/containment/exports.js';
import { OrganizationEndeavoursRepository } from '../organization-endeavours.repository.js';
import { organizationParts, withSharedNames } from '../organization.containment.js';

/** Exports an organization with its endeavours and their contents as one document. */
@Injectable()
export class OrganizationExportsService {
  constructor(
    private readonly access: Access,
    private readonly containedResources: ContainedResources,
    private readonly endeavours: OrganizationEndeavoursRepository,
    private readonly exports: Exports,
  ) {}

  async send(me: Caller, id: string, reply: FastifyReply): Promise<void> {
    await this.access.authorize(me, 'organizations_export_get', id);
    await this.exports.send(me, reply, {
      id,
      kind: 'organization',
      endeavours: () => this.endeavours.ownOf(id),
      homes: () => [id],
      parts: [...organizationParts, ...this.containedResources.parts().map(withSharedNames)],
    });
  }
}
