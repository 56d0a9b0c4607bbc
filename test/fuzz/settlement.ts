import type { Kind } from '../../src/common/kinds.js';
import type { TestApp, Person } from '../support/test-app.js';
import { PASSWORD } from '../support/sign-up.js';

/** Two tenants with people of all roles, and the entities of each tenant that all of its people can see. */
export interface Fixtures {
  people: Person[];
  /** The main tenant of each person. */
  tenants: number[];
  /** Indices of people, repeated so that people with more rights send more requests. */
  turns: number[];
  shared: Partial<Record<Kind, string[]>>[];
  replacePerson(person: number): Promise<void>;
}

interface Part {
  name: string;
  tenant: number;
  turns: number;
  isAdmin?: boolean;
  roles: [tenant: number, inOrganization: string, inEndeavour: string][];
}

const PARTS: Part[] = [
  { name: 'Ann', tenant: 0, turns: 7, roles: [[0, 'owner', 'owner']] },
  { name: 'Eve', tenant: 1, turns: 3, roles: [[1, 'owner', 'owner']] },
  { name: 'Ada', tenant: 0, turns: 4, isAdmin: true, roles: [[0, 'member', 'member']] },
  { name: 'Bob', tenant: 0, turns: 2, roles: [[0, 'admin', 'admin']] },
  { name: 'Cid', tenant: 0, turns: 2, roles: [[0, 'member', 'member']] },
  { name: 'Dee', tenant: 0, turns: 1, roles: [[0, 'guest', 'viewer']] },
  { name: 'Fay', tenant: 1, turns: 1, roles: [[1, 'member', 'member']] },
  {
    name: 'Gus',
    tenant: 1,
    turns: 1,
    roles: [
      [0, 'member', 'member'],
      [1, 'member', 'viewer'],
    ],
  },
  { name: 'Hal', tenant: 0, turns: 1, roles: [] },
];

/** Creates people of all roles, and the entities that they share, in an empty service. */
export async function createFixtures(app: TestApp): Promise<Fixtures> {
  const passwordHash = await app.service.hashPassword(PASSWORD);
  const enroll = ({ name, isAdmin = false }: Part): Promise<Person> => app.person(name, { isAdmin, passwordHash });
  const people = await inTurn(PARTS, enroll);
  const shared = await inTurn([people[0], people[1]], (owner) => furnish(app, owner));
  const place = async (person: Person, { roles }: Part): Promise<void> => {
    for (const [tenant, inOrganization, inEndeavour] of roles) {
      await app.join(shared[tenant].organization[0], person, inOrganization);
      await app.join(shared[tenant].endeavour[0], person, inEndeavour);
    }
  };
  for (const [at, person] of people.entries()) if (at > 1) await place(person, PARTS[at]);
  for (const [at, { tenant }] of PARTS.entries()) {
    shared[tenant].user.push(people[at].id);
    shared[tenant].resource.push(people[at].resourceId);
  }
  const replacePerson = async (at: number): Promise<void> => {
    people[at] = await enroll(PARTS[at]);
    await place(people[at], PARTS[at]);
  };
  const turns = PARTS.flatMap((part, at) => Array<number>(part.turns).fill(at));
  return { people, tenants: PARTS.map(({ tenant }) => tenant), turns, shared, replacePerson };
}

async function inTurn<T, R>(items: T[], make: (item: T) => Promise<R>): Promise<R[]> {
  const made: R[] = [];
  for (const item of items) made.push(await make(item));
  return made;
}

async function furnish(app: TestApp, owner: Person): Promise<Record<Kind, string[]>> {
  const make = async (path: string, body: object): Promise<string> => {
    const response = await app.as(owner).post(path).send(body).expect(201);
    return response.body.data.id;
  };
  const organization_id = await app.organization(owner);
  const endeavour_id = await app.endeavour(owner, { organization_id, goals: ['Shade'] });
  const task = await app.task(owner, endeavour_id);
  const about = { entity_type: 'task', entity_id: task };
  const made: Partial<Record<Kind, string[]>> = {
    organization: [organization_id],
    endeavour: [endeavour_id],
    task: [task, await app.task(owner, endeavour_id, { assignee_id: 'me', status: undefined })],
    demand: [await app.demand(owner, endeavour_id)],
    artifact: [await make('/artifacts', { kind: 'doc', title: 'Plan', task_id: task })],
    comment: [await make('/comments', { ...about, content: 'Green?' })],
    template: [await make('/templates', { name: 'T', scope: 'task', body: '# {{ task.title }}', organization_id })],
    ritual: [await make('/rituals', { name: 'Round', endeavour_id })],
    dod_policy: [
      await make('/dod-policies', { name: 'P', conditions: [{ type: 'comment_required' }], organization_id }),
    ],
    resource: [await make('/resources', { name: 'Gardeners', type: 'team', organization_id })],
    user: [],
  };
  return made as Record<Kind, string[]>;
}
