import type { TestApp, Person } from '../support/test-app.js';

/** The ranks (0 to 4, spec 02) of a caller in the organization and in its endeavour. */
export interface CallerRanks {
  organization: number;
  endeavour: number;
  isAdministrator?: boolean;
}

/** The kinds of caller that send every request of the matrix, with their ranks. */
export const CALLER_RANKS = {
  outsider: { organization: 0, endeavour: 0 },
  'organization guest': { organization: 1, endeavour: 1 },
  'organization member': { organization: 2, endeavour: 2 },
  'organization admin': { organization: 3, endeavour: 3 },
  'organization owner': { organization: 4, endeavour: 4 },
  'endeavour viewer': { organization: 0, endeavour: 1 },
  'endeavour member': { organization: 0, endeavour: 2 },
  'endeavour admin': { organization: 0, endeavour: 3 },
  'endeavour owner': { organization: 0, endeavour: 4 },
  'partner member': { organization: 0, endeavour: 2 },
  'partner admin': { organization: 0, endeavour: 2 },
  'former member': { organization: 0, endeavour: 0 },
  administrator: { organization: 4, endeavour: 4, isAdministrator: true },
} satisfies Record<string, CallerRanks>;

export type CallerName = keyof typeof CALLER_RANKS;
export const CALLERS = Object.keys(CALLER_RANKS) as CallerName[];

/** What a resource can belong to: the organization, its endeavour, one person, or all users. */
export type ResourceScope = 'organization' | 'endeavour' | 'person' | 'everywhere';

/** The caller who owns all personal resources of the matrix and shares no container with another caller. */
export const PERSONAL_OWNER = 'outsider';

/** The rank of a caller for resources that belong there; 0 for callers who cannot see them. */
export function rankAt(name: CallerName, scope: ResourceScope): number {
  const standing: CallerRanks = CALLER_RANKS[name];
  if (standing.isAdministrator) return 4;
  if (scope === 'everywhere') return 1;
  if (scope === 'person') return name === PERSONAL_OWNER ? 4 : 0;
  return standing[scope];
}

/** Callers without a valid session; all but the anonymous one are owners of the organization. */
export const INVALID_CALLERS = [
  'anonymous',
  'with a forged token',
  'with an expired session',
  'logged out',
  'suspended',
] as const;
export type InvalidCallerName = (typeof INVALID_CALLERS)[number];

/** An organization with one endeavour, its owner `founder`, who is not among the callers, and all callers. */
export interface World {
  app: TestApp;
  founder: Person;
  /** A member of the organization, and so of the endeavour, who sends no requests. */
  bystander: Person;
  /** A user who shares no container with any of the others. */
  stranger: Person;
  administrator: Person;
  organization: string;
  /** An organization that the endeavour is shared with; `organization` is its home. */
  partner: string;
  endeavour: string;
  callers: Record<CallerName, Person>;
  invalidCallers: Record<InvalidCallerName, Person | null>;
}

export async function makeWorld(app: TestApp): Promise<World> {
  const [founder, bystander, stranger] = [
    await app.person('Founder'),
    await app.person('Bystander'),
    await app.person('Stranger'),
  ];
  const organization = await app.organization(founder);
  const endeavour = await app.endeavour(founder);
  await app.link(organization, endeavour);
  await app.join(organization, bystander, 'member');
  const partner = await app.organization(await app.person('Partner'));
  await app.link(partner, endeavour);
  const callers = {} as Record<CallerName, Person>;
  for (const name of CALLERS) callers[name] = await seat(app, { organization, endeavour, partner }, name);
  const invalidCallers = await makeInvalidCallers(app, organization);
  await app.keepProofs();
  const { administrator } = callers;
  return {
    app,
    founder,
    bystander,
    stranger,
    administrator,
    organization,
    partner,
    endeavour,
    callers,
    invalidCallers,
  };
}

async function seat(
  app: TestApp,
  at: { organization: string; endeavour: string; partner: string },
  name: CallerName,
): Promise<Person> {
  const person = name === 'administrator' ? await app.admin() : await app.person(name);
  const [, scope, role] = /^(organization|endeavour|partner) (\w+)$/.exec(name) ?? [];
  if (scope !== undefined) await app.join(at[scope as keyof typeof at], person, role);
  if (name === 'former member') {
    await app.join(at.endeavour, person, 'admin');
    await app.database.query('DELETE FROM endeavour_members WHERE user_id = $1', [person.id]);
  }
  return person;
}

async function makeInvalidCallers(
  app: TestApp,
  organization: string,
): Promise<Record<InvalidCallerName, Person | null>> {
  const owner = async (name: string): Promise<Person> => {
    const person = await app.person(name);
    await app.join(organization, person, 'owner');
    return person;
  };
  const forged = await owner('Forged');
  const expired = await owner('Expired');
  const gone = await owner('Gone');
  const suspended = await owner('Suspended');
  await app.database.query(`UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1`, [
    expired.id,
  ]);
  await app.as(gone).post('/auth/logout').expect(200);
  await app.database.query(`UPDATE users SET status = 'suspended' WHERE id = $1`, [suspended.id]);
  const [head, payload] = forged.token.split('.');
  return {
    anonymous: null,
    'with a forged token': { ...forged, token: `${head}.${payload}.${'A'.repeat(43)}` },
    'with an expired session': expired,
    'logged out': gone,
    suspended,
  };
}
