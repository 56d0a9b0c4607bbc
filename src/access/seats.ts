import { Injectable } from '@nestjs/common';
import { notFound } from '../common/errors.js';
import type { Role } from '../common/roles.js';
import { Database } from '../platform/database/database.js';
import type { Caller } from './caller.js';
import type { Standing } from './membership.rules.js';

/** Whose rights a grant rests on: the caller, or the one whose invitation is being accepted. */
export type Granter = Omit<Caller, 'sessionId'>;

/** Who holds a role: a person, or (in organizations) any other resource. */
export interface Member {
  resourceId: string;
  userId: string | null;
}

/** A role as it stands after a grant. */
export interface Membership<R extends Role> extends Member {
  role: R;
  /** Always empty in organizations. */
  stakeholderRoles: string[];
}

export type Container = Standing['container'];

/** Somebody's place in a container, taken or still free. */
export interface Seat extends Standing {
  userId: string | null;
  stakeholderRoles: string[];
  /** The status of the container. */
  status: string;
}

const HOMES = {
  organization: {
    table: 'organizations',
    seats: 'organization_resources',
    key: 'organization_id',
    grants: 'SELECT user_id, organization_id, role_rank(role) AS rank FROM organization_resources',
    stakeholderRoles: `'{}'::text[]`,
  },
  endeavour: {
    table: 'endeavours',
    seats: 'endeavour_members',
    key: 'endeavour_id',
    grants: 'SELECT user_id, endeavour_id, rank FROM endeavour_grants',
    stakeholderRoles: 'seat.stakeholder_roles',
  },
} as const;

/** The rows that hold the roles of people and resources in containers. */
@Injectable()
export class Seats {
  constructor(private readonly database: Database) {}

  /** Locks the container, then reads how things stand; in this order, so that the reading is not stale. */
  async find(container: Container, me: Granter, id: string, resourceId: string): Promise<Seat> {
    const { table, seats, key, grants, stakeholderRoles } = HOMES[container];
    await this.database.query(`SELECT 1 FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id]);
    const seat = await this.database.one<Omit<Seat, 'container' | 'isMyself'>>(
      `SELECT c.status, seat.role, seat.user_id AS "userId", coalesce(u.status = 'active', false) AS "isActive",
         coalesce(${stakeholderRoles}, '{}') AS "stakeholderRoles",
         CASE WHEN $4 THEN 4 ELSE coalesce((SELECT max(g.rank) FROM (${grants}) g
           WHERE g.${key} = c.id AND g.user_id = $3), 0) END::integer AS mine,
         (SELECT count(*) FROM ${seats} other JOIN users o ON o.id = other.user_id
           WHERE other.${key} = c.id AND other.role = 'owner' AND o.status = 'active'
             AND other.resource_id <> $2)::integer AS "otherActiveOwners"
       FROM ${table} c
       LEFT JOIN ${seats} seat ON seat.${key} = c.id AND seat.resource_id = $2
       LEFT JOIN users u ON u.id = seat.user_id
       WHERE c.id = $1`,
      [id, resourceId, me.userId, me.isAdmin],
    );
    if (seat === undefined) throw notFound();
    return { ...seat, container, isMyself: resourceId === me.resourceId };
  }

  /** Gives the member that role, whatever it was before. */
  async take(container: Container, id: string, member: Membership<Role>): Promise<void> {
    const { resourceId, userId, role, stakeholderRoles } = member;
    if (container === 'organization') {
      await this.database.query(
        `INSERT INTO organization_resources (organization_id, resource_id, user_id, role) VALUES ($1, $2, $3, $4)
         ON CONFLICT (organization_id, resource_id) DO UPDATE SET role = excluded.role`,
        [id, resourceId, userId, role],
      );
      return;
    }
    await this.database.query(
      `INSERT INTO endeavour_members (endeavour_id, resource_id, user_id, role, stakeholder_roles)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (endeavour_id, user_id) DO UPDATE SET role = excluded.role,
         stakeholder_roles = excluded.stakeholder_roles`,
      [id, resourceId, userId, role, stakeholderRoles],
    );
  }

  async leave(container: Container, id: string, resourceId: string): Promise<void> {
    const { seats, key } = HOMES[container];
    await this.database.query(`DELETE FROM ${seats} WHERE ${key} = $1 AND resource_id = $2`, [id, resourceId]);
  }
}
