import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { Exports } from '../../platform/containment/exports.js';
import { ALL_PARAMETERS, listPart, onePart, type ExportPart } from '../../platform/containment/export-part.js';
import { Database } from '../../platform/database/database.js';
import { organizationMemberView } from './organization-member.view.js';
import { organizationView } from './organization.view.js';

/** Of endeavours whose home is elsewhere, only the names. */
const names = `SELECT json_build_object('name', e.name)::text AS body
  FROM organization_endeavours l JOIN endeavours e ON e.id = l.endeavour_id
  WHERE l.organization_id = $3 AND e.id <> ALL($2::text[]) AND ${ALL_PARAMETERS} ORDER BY e.id`;

/** Exports an organization with its endeavours and their contents as one document. */
@Injectable()
export class OrganizationExportsService {
  constructor(
    private readonly access: Access,
    private readonly containedResources: ContainedResources,
    private readonly database: Database,
    private readonly exports: Exports,
  ) {}

  async send(me: Caller, id: string, reply: FastifyReply): Promise<void> {
    await this.access.authorize(me, 'organizations_export', id);
    await this.exports.send(me, reply, {
      id,
      kind: 'organization',
      endeavours: () => this.endeavoursOf(id),
      homes: () => [id],
      parts: [
        onePart('organization', organizationView, ({ organization }) => `o.id = ${organization}`),
        listPart('members', organizationMemberView, ({ organization }) => `m.organization_id = ${organization}`),
        ...this.containedResources.parts().map(withNames),
      ],
    });
  }

  /** Those whose home the organization is. */
  private async endeavoursOf(id: string): Promise<string[]> {
    const rows = await this.database.query<{ endeavour_id: string }>(
      'SELECT l.endeavour_id FROM organization_endeavours l WHERE l.organization_id = $1 AND l.is_home',
      [id],
    );
    return rows.map(({ endeavour_id }) => endeavour_id);
  }
}

const withNames = (part: ExportPart): ExportPart =>
  part.name === 'endeavours' ? { ...part, queries: [...part.queries, names] } : part;
