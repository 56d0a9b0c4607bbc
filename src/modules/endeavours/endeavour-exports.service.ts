import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { homeOrganizationOf } from '../../access/home.js';
import { EXPORT_KEYS } from '../../platform/containment/containment.js';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { Exports } from '../../platform/containment/exports.js';
import { listPart, onePart } from '../../platform/containment/export-part.js';
import { Database } from '../../platform/database/database.js';
import { exportedEndeavour, exportedMember } from './endeavour.containment.js';

/** Exports an endeavour with its contents as one document. */
@Injectable()
export class EndeavourExportsService {
  constructor(
    private readonly access: Access,
    private readonly containedResources: ContainedResources,
    private readonly database: Database,
    private readonly exports: Exports,
  ) {}

  async send(me: Caller, id: string, reply: FastifyReply): Promise<void> {
    await this.access.authorize(me, 'endeavours_export', id);
    await this.exports.send(me, reply, {
      id,
      kind: 'endeavour',
      endeavours: () => [id],
      homes: () => this.homesOf(id),
      parts: [
        onePart('endeavour', exportedEndeavour, ({ endeavours }) => `e.id = ANY(${endeavours})`),
        listPart('members', exportedMember, ({ endeavours }) => `m.endeavour_id = ANY(${endeavours})`),
        ...this.containedResources.parts(EXPORT_KEYS.filter((section) => section !== 'endeavours')),
      ],
    });
  }

  private async homesOf(id: string): Promise<string[]> {
    const row = await this.database.one<{ home: string | null }>(`SELECT ${homeOrganizationOf('$1')} AS home`, [id]);
    return row?.home ? [row.home] : [];
  }
}
