import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { Tiers } from '../../access/tiers.js';
import { notFound } from '../../common/errors.js';
import { Writes } from '../../platform/changes/writes.js';
import { Database } from '../../platform/database/database.js';
import { Organization } from './organization.entity.js';

/** That an endeavour is linked to an organization, whose members thereby have a role in it. */
export interface Link {
  organization_id: string;
  endeavour_id: string;
}

/** Puts endeavours into organizations and takes them out; it takes an admin here and an owner there. */
@Injectable()
export class OrganizationEndeavoursService {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly tiers: Tiers,
    private readonly writes: Writes,
  ) {}

  /** Linking what is linked already changes nothing. */
  async link(me: Caller, organizationId: string, endeavourId: string): Promise<Link> {
    const organization = await this.access.open(me, 'organizations_endeavours_add', Organization, organizationId);
    const endeavour = await this.access.named(me, 'endeavours_share', 'endeavour_id', endeavourId, 'endeavour');
    this.access.ready(organization);
    this.access.ready(endeavour);
    const link = { organization_id: organizationId, endeavour_id: endeavourId };
    if (await this.isLinked(link)) return link;
    await this.tiers.assertMayLinkEndeavour(me, organizationId);
    await this.database.query('INSERT INTO organization_endeavours (organization_id, endeavour_id) VALUES ($1, $2)', [
      organizationId,
      endeavourId,
    ]);
    await this.tell(me, link, 'endeavour.linked');
    return link;
  }

  async unlink(me: Caller, organizationId: string, endeavourId: string): Promise<void> {
    const organization = await this.access.open(me, 'organizations_endeavours_remove', Organization, organizationId);
    const link = { organization_id: organizationId, endeavour_id: endeavourId };
    if (!(await this.isLinked(link))) throw notFound();
    const endeavour = await this.access.at(me, 'endeavours_share', endeavourId);
    this.access.ready(organization);
    this.access.ready(endeavour);
    await this.cut(me, link);
  }

  /** Ends a link, without asking who may. */
  async cut(me: Caller, link: Link): Promise<void> {
    const { organization_id, endeavour_id } = link;
    await this.database.query('DELETE FROM organization_endeavours WHERE organization_id = $1 AND endeavour_id = $2', [
      organization_id,
      endeavour_id,
    ]);
    await this.tell(me, link, 'endeavour.unlinked');
  }

  private async isLinked({ organization_id, endeavour_id }: Link): Promise<boolean> {
    const row = await this.database.one(
      'SELECT 1 FROM organization_endeavours WHERE organization_id = $1 AND endeavour_id = $2',
      [organization_id, endeavour_id],
    );
    return row !== undefined;
  }

  /** The news lies in both, so that the people of both hear of it. */
  private async tell(me: Caller, link: Link, type: string): Promise<void> {
    const place = { organizationId: link.organization_id, endeavourId: link.endeavour_id };
    await this.writes.note(me, 'endeavour', link.endeavour_id, place, { type, data: { ...link } });
  }
}
