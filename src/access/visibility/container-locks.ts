import { Injectable } from '@nestjs/common';
import { isId } from '../../common/ids.js';
import { Database } from '../../platform/database/database.js';
import { MembershipRows } from '../memberships/membership-rows.js';
import { RoleLosses } from '../permissions/role-losses.js';

/**
 * Locks several containers in the order that all transactions keep, so that they cannot wait for each other:
 * organizations, then endeavours, both in the order of their ids; before the rows of users and teams.
 */
@Injectable()
export class ContainerLocks {
  constructor(
    private readonly database: Database,
    private readonly losses: RoleLosses,
    private readonly membershipRows: MembershipRows,
  ) {}

  /**
   * Locks organizations and endeavours, so that no other transaction changes their memberships until this one ends.
   * Those in `exclusive` are about to be archived and are locked exclusively at once: two transactions that share a lock
   * on a row cannot both upgrade it.
   */
  async lock(ids: Iterable<string>, exclusive: ReadonlySet<string> = new Set()): Promise<void> {
    const sorted = [...new Set([...ids, ...exclusive])].toSorted();
    const isOrganization = (id: string): boolean => isId('organization', id);
    for (const id of [...sorted.filter(isOrganization), ...sorted.filter((one) => !isOrganization(one))]) {
      const container = isOrganization(id) ? 'organization' : 'endeavour';
      if (exclusive.has(id)) await this.database.lockExclusively(ENTITIES[container], id);
      else await this.membershipRows.lock(container, id);
    }
  }

  /** The containers in which the user has a direct role, and those that change when the user loses one. */
  async changingWith(userId: string): Promise<string[]> {
    const direct = (await this.membershipRows.ofUser(userId)).map(({ id }) => id);
    return [...direct, ...(await this.losses.endeavoursOf(userId))];
  }

  /** Locks all of them. */
  async lockAllOf(userId: string): Promise<void> {
    await this.lock(await this.changingWith(userId));
  }
}

/** By name, because the entities belong to features. */
const ENTITIES = { organization: 'Organization', endeavour: 'Endeavour' } as const;
