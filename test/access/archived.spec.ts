import { House } from '../support/house.js';
import { makeWorld, type World } from './callers.js';
import { fingerprintOf } from './fingerprint.js';
import type { Row } from './rows.js';
import { ROWS } from './routes/all.js';

/** What spec 04 still allows, because it takes access away or brings the container back. */
const TAKES_AWAY = [
  'organizations_members_update',
  'organizations_members_update of an owner',
  'organizations_members_remove',
  'organizations_resources_remove',
  'organizations_unarchive',
  'endeavours_members_update',
  'endeavours_members_update of an owner',
  'endeavours_members_remove',
];

/** What writes nothing into the container: people, their mail, copies that go to whoever makes them, mere tries. */
const LIES_ELSEWHERE = [
  'users_update of somebody else',
  'resources_update of one that stands for somebody else',
  'relations_create from somebody',
  'messages_create to somebody in the endeavour',
  'rituals_fork',
  'templates_fork',
  'templates_preview of a template of an organization',
  'templates_preview about something in an endeavour',
];

const ALLOWED = new Set([...TAKES_AWAY, ...LIES_ELSEWHERE]);

const nameOf = ({ operation, when }: Row): string => (when === undefined ? operation : `${operation} ${when}`);

const ROWS_INSIDE = ROWS.filter(
  ({ at, but }) => (at === 'endeavour' || at === 'organization') && (but?.administrator ?? 200) < 400,
);

describe('where everything is archived', () => {
  let world: World;
  let fingerprint: () => Promise<string[]>;

  beforeAll(async () => {
    world = await makeWorld(await House.open({ LIMIT_WRITES_PER_MINUTE: '100000' }));
    fingerprint = await fingerprintOf(world.house);
  }, 60_000);

  afterAll(() => world.house.close());

  const make = async (status: 'active' | 'archived'): Promise<void> => {
    for (const table of ['organizations', 'endeavours']) {
      await world.house.database.query(`UPDATE ${table} SET status = $1`, [status]);
    }
  };

  it.each(ROWS_INSIDE.map((row) => [nameOf(row), row] as const))('%s', async (name, row) => {
    const { method, path, body } = await row.ask(world, 'administrator');
    await make('archived');
    const before = await fingerprint();
    const answer = await world.house.as(world.administrator)[method](path).send(body);
    const after = await fingerprint();
    await make('active');
    if (method === 'get' || ALLOWED.has(name)) expect(answer.status).toBe(row.success);
    else expect([answer.status, answer.body.error?.code, after]).toEqual([409, 'archived', before]);
  });
});
