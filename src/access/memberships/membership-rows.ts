import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors.js';
import type { EndeavourRole, Role } from '../../common/roles.js';
import { Database } from '../../platform/database/database.js';
import type { Caller } from '../authentication/caller.js';
import type { MembershipFacts } from './membership.rules.js';
import { isActivePerson, nameActor } from '../visibility/people.view.js';

/** The user whose rights a grant is based on: the caller, or the inviter when an invitation is accepted. */
export type Granter = Omit<Caller, 'sessionId' | 'tier' | 'limits'>;

/** The holder of a role: a person, or (in organizations) any other resource. */
export interface Member {
  resourceId: string;
  userId: string | null;
}

/** A membership after a grant. */
export interface Membership<R extends Role> extends Member {
  role: R;
  /** Always empty in organizations. */
  stakeholderRoles: string[];
  /** Set if a group gives the role. */
  viaGroup?: boolean;
}

/** The result of a grant. */
export interface Granted<R extends Role> extends Membership<R> {
  /** Whether there was no membership before. */
  isNew: boolean;
}

/** An owner of a container, who gets mails about it. */
export interface ContainerOwner {
  id: string;
  email: string;
  lang: string;
}

export type Container = MembershipFacts['container'];

/** The current membership of a resource in a container, if any, and the facts that decide about a change. */
export interface MembershipState extends MembershipFacts {
  userId: string | null;
  stakeholderRoles: string[];
  /** Whether a group gave the role. */
  viaGroup: boolean;
  /** The running operation on the container, if any. */
  closedBy: string | null;
}

const CONTAINERS = {
  organization: {
    table: 'organizations',
    memberships: 'organization_resources',
    key: 'organization_id',
    grants: 'SELECT user_id, organization_id, role_rank(role) AS rank FROM organization_resources',
    stakeholderRoles: `'{}'::text[]`,
    viaGroup: 'coalesce(seat.via_group, false)',
    home: 'NULL::text',
  },
  endeavour: {
    table: 'endeavours',
    memberships: 'endeavour_members',
    key: 'endeavour_id',
    grants: 'SELECT user_id, endeavour_id, rank FROM endeavour_grants',
    stakeholderRoles: 'seat.stakeholder_roles',
    viaGroup: 'false',
    home: 'c.organization_id',
  },
} as const;

const OWNER = 4;

const rankAt = (organization: string, user: string): string =>
  `coalesce((SELECT role_rank(own.role) FROM organization_resources own
     WHERE own.organization_id = ${organization} AND own.user_id = ${user}), 0)`;

/** The rows that hold the roles of people and resources in containers. */
@Injectable()
export class MembershipRows {
  constructor(private readonly database: Database) {}

  /** Locks the container, so that no other transaction changes its memberships until this one ends. */
  async lock(container: Container, id: string): Promise<void> {
    await this.database.query(`SELECT 1 FROM ${CONTAINERS[container].table} WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  }

  /** The same, and names the actor of the transaction to triggers, which store who ended a membership. */
  private async lockFor(me: Granter, container: Container, id: string): Promise<void> {
    await this.database.query(
      `SELECT ${nameActor('$2')} FROM ${CONTAINERS[container].table} WHERE id = $1 FOR NO KEY UPDATE`,
      [id, me.resourceId],
    );
  }

  /**
   * Locks the membership of a user in the home organization of an endeavour until the transaction ends. A removal from
   * the home organization also ends the user's direct role in the endeavour, but does not lock the endeavour. The calling
   * code has locked the endeavour, so that its home stays the same.
   */
  async lockAtHome(endeavourId: string, userId: string): Promise<void> {
    await this.database.query(
      `SELECT 1 FROM organization_resources m JOIN endeavours e ON e.organization_id = m.organization_id
       WHERE e.id = $1 AND m.user_id = $2 FOR KEY SHARE OF m`,
      [endeavourId, userId],
    );
  }

  /** Locks the container and then reads the membership; in this order, so that what it reads is current. */
  async find(container: Container, me: Granter, id: string, resourceId: string): Promise<MembershipState> {
    const { table, memberships, key, grants, stakeholderRoles, viaGroup, home } = CONTAINERS[container];
    await this.lockFor(me, container, id);
    const state = await this.database.one<Omit<MembershipState, 'container' | 'isMyself'>>(
      `SELECT c.status, c.closed_by AS "closedBy", seat.role, seat.user_id AS "userId", coalesce(u.status = 'active', false) AS "isActive",
         coalesce(${stakeholderRoles}, '{}') AS "stakeholderRoles", ${viaGroup} AS "viaGroup",
         ${home} IS NOT NULL AS "hasHome", ${rankAt(home, '$3')} AS "granterRankAtHome",
         EXISTS (SELECT 1 FROM organization_resources own
           WHERE own.organization_id = ${home} AND own.resource_id = $2) AS "isAtHome",
         CASE WHEN $4 THEN 4 ELSE coalesce((SELECT max(g.rank) FROM (${grants}) g
           WHERE g.${key} = c.id AND g.user_id = $3), 0) END::integer AS "granterRank",
         (SELECT count(*) FROM ${memberships} other JOIN users o ON o.id = other.user_id
           WHERE other.${key} = c.id AND other.role = 'owner' AND ${isActivePerson('o')}
             AND other.resource_id <> $2)::integer AS "otherActiveOwners"
       FROM ${table} c
       LEFT JOIN ${memberships} seat ON seat.${key} = c.id AND seat.resource_id = $2
       LEFT JOIN users u ON u.id = seat.user_id
       WHERE c.id = $1`,
      [id, resourceId, me.userId, me.isAdmin],
    );
    if (state === undefined) throw notFound();
    const granterRankAtHome = me.isAdmin ? OWNER : state.granterRankAtHome;
    return { ...state, granterRankAtHome, container, isMyself: resourceId === me.resourceId };
  }

  async isInOrganization(organizationId: string, resourceId: string): Promise<boolean> {
    const row = await this.database.one(
      'SELECT 1 FROM organization_resources WHERE organization_id = $1 AND resource_id = $2',
      [organizationId, resourceId],
    );
    return row !== undefined;
  }

  /** Returns the rank (1 to 4) of a user in an organization, locked until the transaction ends; 0 without a role. */
  async rankIn(me: Granter, organizationId: string): Promise<number> {
    if (me.isAdmin) return OWNER;
    const row = await this.database.one<{ rank: number }>(
      `SELECT role_rank(role) AS rank FROM organization_resources
       WHERE organization_id = $1 AND user_id = $2 FOR SHARE`,
      [organizationId, me.userId],
    );
    return row?.rank ?? 0;
  }

  /** Returns the direct members of an endeavour who are not in that organization. */
  outsiders(endeavourId: string, organizationId: string): Promise<{ user_id: string; role: EndeavourRole }[]> {
    return this.database.query(
      `SELECT m.user_id, m.role FROM endeavour_members m
       WHERE m.endeavour_id = $1 AND NOT EXISTS (SELECT 1 FROM organization_resources inside
         WHERE inside.organization_id = $2 AND inside.user_id = m.user_id)
       ORDER BY m.user_id`,
      [endeavourId, organizationId],
    );
  }

  /** Whether an active person is a direct owner of an endeavour; owners of its home organization do not count. */
  async hasActiveOwner(endeavourId: string): Promise<boolean> {
    const row = await this.database.one(
      `SELECT 1 FROM endeavour_members m JOIN users u ON u.id = m.user_id
       WHERE m.endeavour_id = $1 AND m.role = 'owner' AND ${isActivePerson('u')} LIMIT 1`,
      [endeavourId],
    );
    return row !== undefined;
  }

  /** The active people who own the container, directly or, for an endeavour, through its home organization. */
  ownersOf(container: Container, id: string): Promise<ContainerOwner[]> {
    const { grants, key } = CONTAINERS[container];
    return this.database.query<ContainerOwner>(
      `SELECT u.id, u.email, u.lang FROM users u WHERE ${isActivePerson('u')}
         AND u.id IN (SELECT g.user_id FROM (${grants}) g WHERE g.${key} = $1 AND g.rank = ${OWNER}) ORDER BY u.id`,
      [id],
    );
  }

  /** Whether an active person owns the container, directly or, for an endeavour, through its home organization. */
  async isOwned(container: Container, id: string): Promise<boolean> {
    const { grants, key } = CONTAINERS[container];
    const row = await this.database.one(
      `SELECT 1 FROM (${grants}) g JOIN users u ON u.id = g.user_id
       WHERE g.${key} = $1 AND g.rank = 4 AND ${isActivePerson('u')} LIMIT 1`,
      [id],
    );
    return row !== undefined;
  }

  /** Sets the role of the member, and replaces an earlier one; `addedBy` is null if no person has decided it. */
  async upsert(container: Container, id: string, member: Membership<Role>, addedBy: string | null): Promise<void> {
    const { resourceId, userId, role, stakeholderRoles, viaGroup = false } = member;
    if (container === 'organization') {
      await this.database.query(
        `INSERT INTO organization_resources (organization_id, resource_id, user_id, role, via_group, added_by)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (organization_id, resource_id) DO UPDATE SET role = excluded.role, via_group = excluded.via_group`,
        [id, resourceId, userId, role, viaGroup, addedBy],
      );
      return;
    }
    await this.database.query(
      `INSERT INTO endeavour_members (endeavour_id, resource_id, user_id, role, stakeholder_roles, added_by)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (endeavour_id, user_id) DO UPDATE SET role = excluded.role,
         stakeholder_roles = excluded.stakeholder_roles`,
      [id, resourceId, userId, role, stakeholderRoles, addedBy],
    );
  }

  async delete(container: Container, id: string, resourceId: string): Promise<void> {
    const { memberships, key } = CONTAINERS[container];
    await this.database.query(`DELETE FROM ${memberships} WHERE ${key} = $1 AND resource_id = $2`, [id, resourceId]);
  }

  /** Removes the resource from all organizations; returns their ids. */
  async leaveOrganizations(resourceId: string): Promise<string[]> {
    const left = await this.database.query<{ id: string }>(
      'DELETE FROM organization_resources WHERE resource_id = $1 RETURNING organization_id AS id',
      [resourceId],
    );
    return left.map(({ id }) => id);
  }

  /** The organizations and endeavours in which the user has a direct role, in the order in which they are locked. */
  ofUser(userId: string): Promise<{ id: string; container: Container }[]> {
    return this.database.query(
      `SELECT id, container FROM (
         SELECT organization_id AS id, 'organization' AS container FROM organization_resources WHERE user_id = $1
         UNION ALL SELECT endeavour_id, 'endeavour' FROM endeavour_members WHERE user_id = $1) c
       ORDER BY container = 'endeavour', id`,
      [userId],
    );
  }
}
