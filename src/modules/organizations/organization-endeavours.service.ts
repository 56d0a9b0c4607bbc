import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/events/actor.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Database } from '../../platform/database/database.js';

/** That an endeavour is linked to an organization, whose members thereby have a role in it. */
export interface Link {
  organization_id: string;
  endeavour_id: string;
}

/** The links between organizations and endeavours, without asking who may make or end them. */
@Injectable()
export class OrganizationEndeavoursService {
  constructor(
    private readonly database: Database,
    private readonly writer: ResourceWriter,
  ) {}

  async insert(me: Actor, { organization_id, endeavour_id }: Link): Promise<void> {
    await this.database.query(
      'INSERT INTO organization_endeavours (organization_id, endeavour_id, linked_by) VALUES ($1, $2, $3)',
      [organization_id, endeavour_id, me.userId],
    );
  }

  /** Records that the endeavour is shared with the organization from now on. */
  async share(me: Actor, link: Link): Promise<void> {
    await this.insert(me, link);
    await this.tell(me, link, 'endeavour.linked');
  }

  async remove({ organization_id, endeavour_id }: Link): Promise<void> {
    await this.database.query('DELETE FROM organization_endeavours WHERE organization_id = $1 AND endeavour_id = $2', [
      organization_id,
      endeavour_id,
    ]);
  }

  /** Ends the sharing of an endeavour with an organization that is not its home. */
  async cut(me: Actor, link: Link): Promise<void> {
    await this.remove(link);
    await this.tell(me, link, 'endeavour.unlinked');
  }

  async isLinked({ organization_id, endeavour_id }: Link): Promise<boolean> {
    const row = await this.database.one(
      'SELECT 1 FROM organization_endeavours WHERE organization_id = $1 AND endeavour_id = $2',
      [organization_id, endeavour_id],
    );
    return row !== undefined;
  }

  /** The event belongs to both containers, so that the members of both see it. */
  private async tell(me: Actor, link: Link, type: string): Promise<void> {
    const place = { organizationId: link.organization_id, endeavourId: link.endeavour_id };
    await this.writer.recordEvent(me, 'endeavour', link.endeavour_id, place, { type, data: { ...link } });
  }
}
