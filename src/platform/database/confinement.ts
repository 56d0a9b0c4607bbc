import type { PoolClient } from 'pg';

/** What a request may touch less than its user might. All are ids. */
export interface Confinement {
  userId: string;
  /** The only endeavour or organization that exists for it. */
  containerId?: string;
  /** Of an agent: the person whose rights bound it. */
  managerId?: string | null;
}

let current: () => Confinement | undefined = () => undefined;

/** Says how the confinement of the request under way is found; called once, by what keeps requests. */
export function confineBy(find: () => Confinement | undefined): void {
  current = find;
}

/** The confinement of the request under way, if any. */
export const confinement = (): Confinement | undefined => current();

const ID = /^[a-z]{3}_[0-9a-f]{32}$/;

/** Ids only: they become part of the statement, because SET takes no parameters. */
function literal(id: string | null = ''): string {
  if (id !== null && id !== '' && !ID.test(id)) throw new Error('a confinement takes ids only');
  return `'${id ?? ''}'`;
}

/**
 * Puts the schema `confined` first in the search path until the end of the transaction: its tables and views have the
 * same names and show only the confined part (migration `Confinement`). Their check option rejects writes elsewhere.
 */
export function confine(client: PoolClient, { userId, containerId, managerId }: Confinement): Promise<unknown> {
  return client.query(`SET LOCAL search_path = confined, "$user", public;
    SET LOCAL worksmith.caller = ${literal(userId)};
    SET LOCAL worksmith.container = ${literal(containerId)};
    SET LOCAL worksmith.agent = ${literal(managerId ? userId : '')};
    SET LOCAL worksmith.manager = ${literal(managerId)}`);
}

/** Another text for the same statement: named by its text, it would else be planned anew at every change of schema. */
export const confinedText = (sql: string): string => `/* confined */ ${sql}`;
