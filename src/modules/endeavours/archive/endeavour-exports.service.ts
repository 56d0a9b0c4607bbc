import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { EXPORT_KEYS } from '../../../platform/containment/containment.js';
import { ContainedResources } from '../../../platform/containment/contained-resources.js';
import { Exports } from '../../../platform/containment/exports.js';
import { OrganizationEndeavoursService } from '../../organizations/organization-endeavours.service.js';
import { endeavourParts } from '../endeavour.containment.js';

/** Exports an endeavour with its contents as one document. */
@Injectable()
export class EndeavourExportsService {
  constructor(
    private readonly access: Access,
    private readonly containedResources: ContainedResources,
    private readonly exports: Exports,
    private readonly links: OrganizationEndeavoursService,
  ) {}

  async send(me: Caller, id: string, reply: FastifyReply): Promise<void> {
    await this.access.authorize(me, 'endeavours_export_get', id);
    await this.exports.send(me, reply, {
      id,
      kind: 'endeavour',
      endeavours: () => [id],
      homes: () => this.homesOf(id),
      parts: [
        ...endeavourParts,
        ...this.containedResources.parts(EXPORT_KEYS.filter((section) => section !== 'endeavours')),
      ],
    });
  }

  private async homesOf(id: string): Promise<string[]> {
    const home = await this.links.homeOf(id);
    return home === null ? [] : [home];
  }
}
