import { Injectable } from '@nestjs/common';
import { lockEndeavoursExclusively } from '../../access/visibility/containers.view.js';
import { linkEndedSince } from '../../access/memberships/former-links.js';
import { nameActor } from '../../access/visibility/people.view.js';
import { homeOrganizationOf } from '../../access/memberships/home.js';
import type { Actor } from '../../platform/context/actor.js';
import { Database } from '../../platform/database/database.js';

/** The link of an endeavour to an organization, which gives its members a role in the endeavour. */
export interface EndeavourLink {
  organization_id: string;
  endeavour_id: string;
}

/** The endeavours of an organization: `own` those whose home it is, `shared` the others. */
export interface LinkedEndeavours {
  own: string[];
  shared: string[];
}

/** Reads and writes the links between organizations and endeavours. */
@Injectable()
export class OrganizationEndeavoursRepository {
  constructor(private readonly database: Database) {}

  async insert({ organization_id, endeavour_id }: EndeavourLink, linkedBy: string): Promise<void> {
    await this.database.query(
      'INSERT INTO organization_endeavours (organization_id, endeavour_id, linked_by) VALUES ($1, $2, $3)',
      [organization_id, endeavour_id, linkedBy],
    );
  }

  async delete(me: Actor, { organization_id, endeavour_id }: EndeavourLink): Promise<void> {
    await this.database.query(
      `DELETE FROM organization_endeavours
       WHERE organization_id = $1 AND endeavour_id = $2 AND ${nameActor('$3')} IS NOT NULL`,
      [organization_id, endeavour_id, me.resourceId],
    );
  }

  async exists({ organization_id, endeavour_id }: EndeavourLink): Promise<boolean> {
    const row = await this.database.one(
      'SELECT 1 FROM organization_endeavours WHERE organization_id = $1 AND endeavour_id = $2',
      [organization_id, endeavour_id],
    );
    return row !== undefined;
  }

  /** Whether a link of the endeavour to the organization ended at that time or later. */
  async hasEndedSince({ organization_id, endeavour_id }: EndeavourLink, time: Date): Promise<boolean> {
    const row = await this.database.one(`SELECT 1 WHERE ${linkEndedSince('$1', '$2', '$3::timestamptz')}`, [
      organization_id,
      endeavour_id,
      time,
    ]);
    return row !== undefined;
  }

  /** The organization that is the home of the endeavour. */
  async homeOf(endeavourId: string): Promise<string | null> {
    const row = await this.database.one<{ home: string | null }>(`SELECT ${homeOrganizationOf('$1')} AS home`, [
      endeavourId,
    ]);
    return row?.home ?? null;
  }

  /** The ids of the endeavours whose home is the organization. */
  async ownOf(organizationId: string): Promise<string[]> {
    const rows = await this.database.query<{ endeavour_id: string }>(
      'SELECT l.endeavour_id FROM organization_endeavours l WHERE l.organization_id = $1 AND l.is_home',
      [organizationId],
    );
    return rows.map(({ endeavour_id }) => endeavour_id);
  }

  async linkedTo(organizationId: string): Promise<LinkedEndeavours> {
    const rows = await this.database.query<{ endeavour_id: string; is_shared: boolean }>(
      `SELECT l.endeavour_id, NOT l.is_home AS is_shared
       FROM organization_endeavours l WHERE l.organization_id = $1 ORDER BY l.endeavour_id`,
      [organizationId],
    );
    const ids = (isShared: boolean) =>
      rows.filter(({ is_shared }) => is_shared === isShared).map(({ endeavour_id }) => endeavour_id);
    return { own: ids(false), shared: ids(true) };
  }

  /**
   * Locks all linked endeavours exclusively, which waits for writers in them. Call this before reading which of them are
   * shared.
   */
  async lockLinkedTo(organizationId: string): Promise<void> {
    await this.database.query(
      lockEndeavoursExclusively('JOIN organization_endeavours l ON l.endeavour_id = e.id WHERE l.organization_id = $1'),
      [organizationId],
    );
  }
}
