import type { PoolClient } from 'pg';

/** The restrictions of a request beyond the rights of its user. All values are ids. */
export interface Confinement {
  userId: string;
  /** The only endeavour or organization that the request can access. */
  containerId?: string;
  /** For an agent: the person whose rights limit it. */
  managerId?: string | null;
  /**
   * Set if organizations that require a second factor are withheld from the request, with everything that they are the home
   * of: {@link ALL}, or the id of the only one that is not.
   */
  withheldBut?: string;
  /** An organization that is withheld, too. */
  unreachedId?: string;
  /** For an agent's token that another admin than its manager created: that admin, whose rights limit it too. */
  makerId?: string | null;
}

/** All organizations that require a second factor are withheld, or none of them. */
export const ALL = 'all';
const NONE = 'none';

let current: () => Confinement | undefined = () => undefined;

/** Sets the function that returns the confinement of the current request; called once, by the request context. */
export function confineBy(find: () => Confinement | undefined): void {
  current = find;
}

/** The confinement of the current request, if any. */
export const confinement = (): Confinement | undefined => current();

const ID = /^[a-z]{3}_[0-9a-f]{32}$/;

/** Quotes an id, because SET takes no parameters. */
function literal(id: string | null = ''): string {
  if (id !== null && id !== '' && id !== ALL && id !== NONE && !ID.test(id))
    throw new Error('a confinement takes ids only');
  return `'${id ?? ''}'`;
}

/**
 * Puts the schema `confined` first in the search path until the end of the transaction. Its tables and views have the
 * same names and show only the confined part (`access/access.database.ts`); their check option rejects writes elsewhere.
 */
export function confine(
  client: PoolClient,
  { userId, containerId, managerId, makerId, withheldBut, unreachedId }: Confinement,
): Promise<unknown> {
  return client.query(`SET LOCAL search_path = confined, "$user", public;
    SET LOCAL worksmith.caller = ${literal(userId)};
    SET LOCAL worksmith.container = ${literal(containerId)};
    SET LOCAL worksmith.agent = ${literal(managerId || makerId ? userId : '')};
    SET LOCAL worksmith.manager = ${literal(managerId)};
    SET LOCAL worksmith.maker = ${literal(makerId)};
    SET LOCAL worksmith.withheld = ${literal(withheldBut ?? (unreachedId === undefined ? '' : NONE))};
    SET LOCAL worksmith.unreached = ${literal(unreachedId)}`);
}

/**
 * A different text for the same statement. Prepared statements are named by their text, and one name for both schemas
 * would be replanned at every change of schema.
 */
export const confinedText = (sql: string): string => `/* confined */ ${sql}`;
