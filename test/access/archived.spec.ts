import { newId } from '../../src/common/ids.js';
import { sample } from '../support/depth.js';
import { TestApp } from '../support/test-app.js';
import { makeWorld, type World } from './callers.js';
import { fingerprintOf } from './fingerprint.js';
import { questionOf } from './questions.js';
import type { Row } from './rows.js';
import { ROWS } from './routes/all.js';

/** Operations that restore or delete an archived container. */
const ENDS_ARCHIVE = [
  'organizations_unarchive',
  'organizations_delete',
  'organizations_erasure_delete',
  'endeavours_delete',
  'endeavours_erasure_delete',
];

/** Operations that stay allowed (spec 04) because they revoke access. */
const REVOKES_ACCESS = [
  'organizations_members_update',
  'organizations_members_update of an owner',
  'organizations_members_remove',
  'organizations_resources_remove',
  'endeavours_members_update',
  'endeavours_members_update of an owner',
  'endeavours_members_remove',
  'relations_delete like organizations_members_remove',
  'relations_delete like endeavours_members_remove',
  'webhooks_delete',
  'identity_providers_delete',
  'organizations_domains_delete',
  'organizations_scim_tokens_delete',
];

/** Operations that write nothing to the container: on users, messages, copies elsewhere and skipped work, and tests. */
const WRITES_ELSEWHERE = [
  'operations_cancel',
  'users_update of another user',
  'resources_update of the resource of another user',
  'relations_create from a user',
  'resources_reassign of another user, in every endeavour that the caller administers',
  'messages_create to a user in the endeavour',
  'rituals_fork',
  'templates_fork',
  'templates_preview of a template of an organization',
  'templates_preview about something in an endeavour',
  'webhooks_deliveries_redeliver',
  'webhooks_test',
  'rules_dry_run',
  'identity_providers_test',
  'tasks_watch_put',
  'tasks_watch_remove',
  'demands_watch_put',
  'demands_watch_remove',
  'endeavours_watch_put',
  'endeavours_watch_remove',
];

const ALLOWED = new Set([...REVOKES_ACCESS, ...WRITES_ELSEWHERE]);

const nameOf = ({ operation, when }: Row): string => (when === undefined ? operation : `${operation} ${when}`);

const ROWS_INSIDE = ROWS.filter(
  ({ scope: at, exceptions: but }) =>
    (at === 'endeavour' || at === 'organization') && (but?.administrator ?? 200) < 400,
);

/** States in which containers reject writes: the code, the column to set, and the operations that stay allowed. */
const STATES = [
  ['every container is archived', { code: 'archived', column: 'status', open: 'active', allows: ENDS_ARCHIVE }],
  ['an operation works on every container', { code: 'in_progress', column: 'closed_by', open: null, allows: [] }],
] as const;

describe.each(STATES)('when %s', (_, { code, column, open, allows }) => {
  let world: World;
  let closed: string;
  let fingerprint: () => Promise<string[]>;

  beforeAll(async () => {
    world = await makeWorld(await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' }));
    closed = code === 'archived' ? code : await anOperation();
    fingerprint = await fingerprintOf(world.app);
  });

  afterAll(() => world.app.close());

  const anOperation = async (): Promise<string> => {
    const id = newId('operation');
    await world.app.database.query(
      `INSERT INTO operations (id, type, user_id, created_by) VALUES ($1, 'imports', $2, $3)`,
      [id, world.founder.id, world.founder.resourceId],
    );
    return id;
  };

  const make = async (value: string | null): Promise<void> => {
    for (const table of ['organizations', 'endeavours']) {
      await world.app.database.query(`UPDATE ${table} SET ${column} = $1`, [value]);
    }
  };

  const reads = ROWS_INSIDE.filter(({ operation }) => /_(?:get|list)$/.test(operation));
  const writes = ROWS_INSIDE.filter((row) => !reads.includes(row));
  const asked = [...writes, ...sample(reads, 6)];

  it.each(asked.map((row) => [nameOf(row), row] as const))('is rejected unless exempt: %s', async (name, row) => {
    const { method, path, body } = await row.request(world, 'administrator');
    await make(closed);
    const questions = [questionOf(world.app.document, row.operation, { method, path, body })];
    const answer = await world.app.as(world.administrator).post('/auth/can').send({ questions }).expect(200);
    const before = await fingerprint();
    const response = await world.app.as(world.administrator)[method](path).send(body);
    const after = await fingerprint();
    await make(open);
    expect([name, answer.body.data[0].allowed]).toEqual([name, response.status < 400]);
    if (method === 'get' || ALLOWED.has(name) || allows.some((one) => one === name)) {
      expect(response.status).toBe(row.success);
    } else {
      expect([response.status, response.body.error?.code, after]).toEqual([409, code, before]);
    }
  });
});
