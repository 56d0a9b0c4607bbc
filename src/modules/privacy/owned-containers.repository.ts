import { Injectable } from '@nestjs/common';
import { joinEndeavour, joinOrganization } from '../../access/visibility/containers.view.js';
import { isActivePerson, joinUser, usersWithIds } from '../../access/visibility/people.view.js';
import type { Container } from '../../access/memberships/membership-rows.js';
import { Database } from '../../platform/database/database.js';

/** A container of which a user is the only active owner. */
export interface SolelyOwned {
  id: string;
  kind: Container;
  name: string;
  /** Whether another active person has a role there, or in an endeavour whose home it is. */
  hasMembers: boolean;
}

const OTHER_OWNER = (rows: string, key: string): string => `EXISTS (
  SELECT 1 FROM ${rows} other ${joinUser('u', 'other.user_id')}
  WHERE other.${key} = c.id AND other.role = 'owner' AND other.user_id <> $1 AND ${isActivePerson('u')})`;

const OTHER_MEMBER = (rows: string, key: string): string => `EXISTS (
  SELECT 1 FROM ${rows} other ${joinUser('u', 'other.user_id')}
  WHERE other.${key} = c.id AND other.user_id <> $1 AND ${isActivePerson('u')})`;

/** SQL: whether another active person has a role in an endeavour that would be archived with its home. */
const OTHER_AT_WORK = `EXISTS (
  SELECT 1 FROM endeavour_grants other ${joinUser('u', 'other.user_id')} ${joinEndeavour('e', 'other.endeavour_id')}
  WHERE e.organization_id = c.id AND e.status <> 'archived' AND other.user_id <> $1 AND ${isActivePerson('u')})`;

/** Finds the containers that would be left without an owner. */
@Injectable()
export class OwnedContainersRepository {
  constructor(private readonly database: Database) {}

  /**
   * The containers that are not archived and of which the user is the last active owner; organizations first, which is
   * the order in which containers are locked. Endeavours with a home organization are not included, because its owners
   * own them too.
   */
  solelyOwned(userId: string): Promise<SolelyOwned[]> {
    return this.database.query<SolelyOwned>(
      `SELECT * FROM (
       SELECT c.id, 'organization' AS kind, c.name,
         ${OTHER_MEMBER('organization_resources', 'organization_id')} OR ${OTHER_AT_WORK} AS "hasMembers"
       FROM organization_resources own ${joinOrganization('c', 'own.organization_id')}
       WHERE own.user_id = $1 AND own.role = 'owner' AND c.status <> 'archived'
         AND NOT ${OTHER_OWNER('organization_resources', 'organization_id')}
       UNION ALL
       SELECT c.id, 'endeavour', c.name, ${OTHER_MEMBER('endeavour_grants', 'endeavour_id')}
       FROM endeavour_members own ${joinEndeavour('c', 'own.endeavour_id')}
       WHERE own.user_id = $1 AND own.role = 'owner' AND c.status <> 'archived' AND c.organization_id IS NULL
         AND NOT ${OTHER_OWNER('endeavour_members', 'endeavour_id')}
       ) owned ORDER BY kind = 'endeavour', id`,
      [userId],
    );
  }

  /** The endeavours that are linked to these organizations, and the organizations that are linked to these endeavours. */
  async linkedTo(containerIds: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT endeavour_id AS id FROM organization_endeavours WHERE organization_id = ANY($1::text[])
       UNION SELECT organization_id FROM organization_endeavours WHERE endeavour_id = ANY($1::text[])`,
      [containerIds],
    );
    return rows.map(({ id }) => id);
  }

  /** The resource of an active person with a role in the container; undefined for other users. */
  async memberOf(containerId: string, userId: string): Promise<{ resourceId: string; userId: string } | undefined> {
    const members = containerId.startsWith('org_')
      ? 'SELECT user_id FROM organization_resources WHERE organization_id = $1'
      : 'SELECT user_id FROM endeavour_grants WHERE endeavour_id = $1';
    return this.database.one(
      `SELECT u.resource_id AS "resourceId", u.id AS "userId" FROM ${usersWithIds('u', members)}
         AND u.id = $2 AND ${isActivePerson('u')}`,
      [containerId, userId],
    );
  }
}
