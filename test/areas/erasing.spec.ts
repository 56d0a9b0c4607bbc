import { createEntityFixtures, type EntityFixtures } from '../access/references/entity-fixtures.js';
import { linkedIdentity, PROVIDER } from '../support/identities.js';
import { TestApp, type Person } from '../support/test-app.js';

const SMALL = { ERASURE_DAYS: '0', OPERATION_PIECE: '4', LIMIT_WRITES_PER_MINUTE: '100000' };

/** Tables that only background jobs fill, or whose rows are deleted after a day. */
const PASSING = ['idempotency_keys', 'operations'];
/** Tables whose rows belong to no person and no organization. */
const OF_THE_SERVICE = ['oauth_clients', 'oauth_registration_tokens'];
/** Tables that only an upgrade fills. */
const UPGRADES = ['unnumbered_endeavours'];
/** Tables whose rows last only until a job has read what has changed. */
const OF_JOBS = ['field_renewals'];

/** The feed and its counts also contain the deletion event once a worker has updated them. */
const isOfDeletion = (row: string): boolean =>
  /^(feed|activity_counts) .*\b(endeavour|organization)\.deleted,/.test(row);

describe('erasing', () => {
  let app: TestApp;
  let mine: EntityFixtures;
  let ann: Person;
  let organization: string;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open(SMALL);
  });

  beforeEach(async () => {
    mine = await createEntityFixtures(app, 'Ann');
    ann = mine.owner;
    ({ organization, endeavour: garden } = mine.things);
  });

  afterAll(() => app.close());

  const pathOf = (id: string): string => (id.startsWith('org') ? `organizations/${id}` : `endeavours/${id}`);
  const archive = (id: string) =>
    app
      .as(ann)
      .post(`/${pathOf(id)}/archive`)
      .send({ reason: 'Over' })
      .expect(200);
  const nameOf = async (id: string): Promise<string> =>
    (
      await app
        .as(ann)
        .get(`/${pathOf(id)}`)
        .expect(200)
    ).body.data.name;
  const erase = (id: string, name: string, person = ann) =>
    app.as(person).delete(`/${pathOf(id)}?confirm=${encodeURIComponent(name)}`);
  const erased = async (id: string): Promise<Record<string, unknown>> => {
    const { body } = await erase(id, await nameOf(id)).expect(202);
    const worker = await TestApp.open({ ...SMALL, WORKERS: 'true' }, app);
    const operation = (await worker.ended(ann, `/operations/${body.data.id}`)).body.data;
    const log = await worker.service.logOf(body.data.id);
    await worker.close();
    if (operation.status !== 'succeeded') throw new Error(log.join(''));
    return operation;
  };

  /** Returns the ids of everything in the endeavour or the organization. */
  const inside = async (): Promise<string[]> => {
    const rows = await app.database.query<{ id: string }>(
      `SELECT id FROM entities WHERE endeavour_id = $1 OR organization_id = $2
       UNION SELECT id FROM invitations WHERE organization_id = $2
       UNION SELECT id FROM access_tokens WHERE endeavour_id = $1`,
      [garden, organization],
    );
    return rows.map(({ id }) => id);
  };
  /** Lists all tables except the audit log, which keeps ids of erased entities until its entries expire. */
  const tables = async (): Promise<string[]> => {
    const rows = await app.database.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'
       AND tablename NOT IN ('migrations', 'audit_entries') ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };
  /** Returns the rows of all tables that contain one of the texts or ids. */
  const mentions = async (texts: string[]): Promise<string[]> => {
    const found: string[] = [];
    for (const table of await tables()) {
      const rows = await app.database.query<{ row: string }>(
        `SELECT left(t::text, 300) AS row FROM ${table} t WHERE t::text LIKE ANY($1)`,
        [texts.map((text) => `%${text}%`)],
      );
      found.push(...rows.map(({ row }) => `${table} ${row}`));
    }
    return found.filter((row) => !PASSING.some((table) => row.startsWith(table)) && !isOfDeletion(row));
  };

  /** Fills tables that most tests leave empty: alerts, edited comments with mentions, messages, votes. */
  const fillRareTables = async (): Promise<void> => {
    const { task } = mine.things;
    const { body: named } = await app.as(ann).get(`/tasks/${task}`).expect(200);
    await app.task(ann, garden, { description: `After ${named.data.key}` });
    const partner = await app.organization(ann, { name: 'Partner' });
    await app.link(partner, garden);
    await app.as(ann).delete(`/organizations/${partner}/endeavours/${garden}`).expect(200);
    await app
      .as(ann)
      .put(`/organizations/${organization}/alert-terms`)
      .send({ terms: ['slug'] })
      .expect(200);
    await app
      .as(ann)
      .patch(`/tasks/${task}`)
      .send({ assignee_id: 'me', labels: ['slow'], metadata: { pace: 'slow' } })
      .expect(200);
    await app
      .as(ann)
      .patch(`/endeavours/${garden}`)
      .send({ fields: [{ key: 'pace', type: 'text' }] })
      .expect(200);
    await app.as(ann).patch(`/endeavours/${garden}/labels/slow`).send({ name: 'slower' }).expect(200);
    const onTask = { entity_type: 'task', entity_id: task, content: `@${mine.companion.id} a slug` };
    const comment = await app.as(ann).post('/comments').send(onTask).expect(201);
    await app.as(ann).patch(`/comments/${comment.body.data.id}`).send({ content: 'Two' }).expect(200);
    await app.as(ann).patch(`/comments/${comment.body.data.id}`).send({ content: onTask.content }).expect(200);
    await app
      .as(ann)
      .post('/messages')
      .send({ scope_type: 'endeavour', scope_id: garden, content: 'All of you', entity_id: task })
      .expect(201);
    await app.database.query(
      `INSERT INTO rule_runs (id, rule_id, endeavour_id, event_id, event_type, entity_id)
       VALUES (new_id('rur'), $1, $2, new_id('evt'), 'task.created', $3)`,
      [mine.things.rule, garden, task],
    );
    const invitation = await app.as(ann).post('/invitations').send({ organization_id: organization }).expect(201);
    const { token } = invitation.body.data;
    const guest = await app.person('Guest');
    await app.as(guest).post('/invitations/accept').send({ token }).expect(200);
    await app.as(guest).delete(`/organizations/${organization}/members/${guest.id}`).expect(200);
    const provider = { ...PROVIDER, organization_id: organization };
    const { body: added } = await app.as(ann).post('/identity-providers').send(provider).expect(201);
    await linkedIdentity(app, ann, added.data.id);
    await app.database.query(
      `INSERT INTO oidc_flows (hash, provider_id, redirect_uri, expires_at)
       VALUES ($1, $1, 'https://app.example.org', now() + interval '10 minutes')`,
      [added.data.id],
    );
    await app.database.query(
      `INSERT INTO logout_tokens (provider_id, jti, expires_at) VALUES ($1, 'j', now() + interval '10 minutes')`,
      [added.data.id],
    );
    await app.database.query(
      `UPDATE sessions SET provider_id = $1, provider_subject = 's', provider_sid = 'sid',
         end_session_url = 'https://login.example.com/end' WHERE user_id = $2`,
      [added.data.id, ann.id],
    );
    const claim = { domain: 'riverside.example' };
    await app.as(ann).post(`/organizations/${organization}/domains`).send(claim).expect(201);
    await app.database.query('INSERT INTO organization_accounts (user_id, organization_id) VALUES ($1, $2)', [
      guest.id,
      organization,
    ]);
    const { body: directory } = await app
      .as(ann)
      .post(`/organizations/${organization}/scim-tokens`)
      .send({ name: 'Directory' })
      .expect(201);
    await app.database.query('UPDATE scim_tokens SET last_used_at = now() WHERE id = $1', [directory.data.id]);
    await app.database.query(
      `WITH person AS (INSERT INTO scim_users (organization_id, user_id, user_name, active) VALUES ($1, $2, 'guest', false)),
         team AS (INSERT INTO scim_groups (organization_id, team_id, display_name) VALUES ($1, $3, 'Team'))
       SELECT 1`,
      [organization, guest.id, mine.team],
    );
    await app.database.query('INSERT INTO scim_group_members (team_id, user_id) VALUES ($1, $2)', [
      mine.team,
      guest.id,
    ]);
    const restricted = { name: 'Nightly build', scopes: ['*:read'], endeavour_id: garden };
    const { body: made } = await app.as(ann).post('/auth/tokens').send(restricted).expect(201);
    await app.database.query(`INSERT INTO access_token_uses (token_id, used_at, address) VALUES ($1, now(), '::1')`, [
      made.data.id,
    ]);
    await app.database.query(
      `INSERT INTO oauth_items (model, hash, payload, grant_id, expires_at)
       VALUES ('RefreshToken', 'none', '{}', $1, now() + interval '1 day')`,
      [made.data.id],
    );
    await app.database.query(
      `INSERT INTO quorum_votes (entity_id, team_id, resource_id, target) VALUES ($1, $2, $3, 'canceled')`,
      [task, mine.team, ann.resourceId],
    );
    await app
      .as(ann)
      .post(`/tasks/${task}/review-requests`)
      .send({ resource_ids: [mine.companion.id] })
      .expect(200);
    await app.database.query(
      `INSERT INTO awaited_verdicts (task_id, endeavour_id, roles, author_roles, since) VALUES ($1, $2, '{}', '{}', now())`,
      [task, garden],
    );
    const edge = {
      relationship_type: 'parent_of',
      source_entity_type: 'task',
      source_entity_id: task,
      target_entity_type: 'task',
      target_entity_id: await app.task(ann, garden),
    };
    const { body: lost } = await app.as(ann).post('/relations').send(edge).expect(201);
    await app.as(ann).delete(`/relations/${lost.data.id}`).expect(200);
    await app.as(mine.companion).get('/notifications').expect(200);
    await startImport();
    await app.database.query(
      `WITH imported AS (INSERT INTO imported_entities (container_id, external_id, entity_id) VALUES ($1, 'x', $2)),
         source AS (INSERT INTO import_sources (entity_id, values) VALUES ($2, '{"title": "X"}'))
       INSERT INTO import_results (import_id, entity_id, outcome)
       SELECT id, $2, 'created' FROM imports WHERE endeavour_id = $1 LIMIT 1`,
      [garden, task],
    );
  };
  const startImport = async (): Promise<string> => {
    const { body } = await app
      .as(ann)
      .post(`/imports?format=csv&endeavour_id=${garden}`)
      .set('Content-Type', 'application/octet-stream')
      .send('id,title\n1,Canary of the file\n')
      .expect(202);
    await app.as(ann).post(`/operations/${body.data.id}/cancel`).expect(200);
    return body.data.id.replace('opr_', '');
  };

  it('requires an archived container, its name as confirmation, and an owner of the home', async () => {
    const name = await nameOf(garden);
    const early = await erase(garden, name).expect(409);
    expect(early.body.error.details.reason).toBe('not_archived');
    expect((await erase(organization, await nameOf(organization)).expect(409)).body.error.code).toBe('conflict');
    await archive(garden);
    const unnamed = await app.as(ann).delete(`/endeavours/${garden}`).expect(400);
    expect(unnamed.body.error.details.fields).toMatchObject([{ field: 'confirm', code: 'required' }]);
    for (const wrong of [`${name} `, name.toUpperCase()]) {
      const { body } = await erase(garden, wrong).expect(400);
      expect(body.error.details.fields).toMatchObject([{ field: 'confirm', code: 'invalid_value' }]);
    }
    const own = await app.person('Own');
    await app.join(garden, own, 'owner');
    await erase(garden, name, own).expect(403);
    await erase(garden, name, mine.companion).expect(403);
    await erase(garden, name).set('If-Match', '"1"').expect(412);
    const { body } = await erase(garden, name).expect(202);
    expect(body.data).toMatchObject({ type: 'endeavours_delete', status: 'queued' });
    const again = await erase(garden, name).expect(409);
    expect(again.body.error).toMatchObject({ code: 'in_progress', details: { operation_id: body.data.id } });
    expect((await app.as(ann).post(`/endeavours/${garden}/unarchive`).expect(409)).body.error.code).toBe('in_progress');
  });

  it('an endeavour leaves only one event, which records the deletion', async () => {
    const kept = await app.task(ann, await app.endeavour(ann, { organization_id: organization }));
    const canary = 'Canary in the garden';
    const task = await app.task(ann, garden, { title: canary, description: canary });
    await app.as(ann).post('/comments').send({ entity_type: 'task', entity_id: task, content: canary }).expect(201);
    await app
      .as(ann)
      .post('/relations')
      .send({
        relationship_type: 'relates_to',
        source_entity_type: 'task',
        source_entity_id: kept,
        target_entity_type: 'task',
        target_entity_id: task,
      })
      .expect(201);
    await app
      .as(ann)
      .post('/messages')
      .send({ recipient_ids: [mine.companion.id], content: 'About it', entity_id: task })
      .expect(201);
    const imported = await startImport();
    expect(await mentions([imported])).toHaveLength(2);
    await archive(garden);
    const ids = (
      await app.database.query<{ id: string }>('SELECT id FROM entities WHERE endeavour_id = $1', [garden])
    ).map(({ id }) => id);
    const operation = await erased(garden);
    expect(operation).toMatchObject({
      type: 'endeavours_delete',
      status: 'succeeded',
      error: null,
      result: { id: garden, deleted: true },
    });
    await app.as(ann).get(`/endeavours/${garden}`).expect(404);
    await app.as(ann).get(`/tasks/${task}`).expect(404);
    await app.as(ann).get(`/tasks/${kept}`).expect(200);
    expect(await mentions([imported])).toEqual([]);
    const left = (await mentions([...ids, canary])).filter((row) => !/^(entities|events) /.test(row));
    expect(left).toEqual([]);
    const entities = await app.database.query('SELECT id, title FROM entities WHERE id = ANY($1)', [ids]);
    expect(entities).toEqual([{ id: garden, title: 'Deleted endeavour' }]);
    const events = await app.database.query(
      `SELECT type, endeavour_id, organization_id, actor_id, data FROM events WHERE entity_id = ANY($1)`,
      [ids],
    );
    expect(events).toEqual([
      {
        type: 'endeavour.deleted',
        endeavour_id: garden,
        organization_id: organization,
        actor_id: ann.resourceId,
        data: { id: garden, deleted: true },
      },
    ]);
    expect(await mentions([canary])).toEqual([]);
  });

  it('of an organization leaves no rows in any table, and keeps forks of its templates elsewhere intact', async () => {
    const other = await app.organization(ann, { name: 'Other' });
    const fork = await app
      .as(ann)
      .post(`/templates/${mine.things.template}/fork`)
      .send({ organization_id: other })
      .expect(201);
    const again = await app
      .as(ann)
      .post(`/templates/${fork.body.data.id}/fork`)
      .send({ organization_id: other })
      .expect(201);
    const neighbour = await createEntityFixtures(app, 'Eve');
    await fillRareTables();
    await archive(organization);
    const ids = await inside();
    const named = new Set((await mentions(ids)).map((row) => row.split(' ', 1)[0]));
    await app.as(ann).get('/changes?after=now').expect(200);
    const referring = await app.database.query<{ name: string }>(
      `SELECT DISTINCT c.conrelid::regclass::text AS name FROM pg_constraint c
       WHERE c.contype = 'f' AND c.conparentid = 0 AND c.confrelid <> ALL('{users, resources, messages}'::regclass[])
         AND (c.confrelid = 'entities'::regclass OR EXISTS (
           SELECT 1 FROM pg_constraint own WHERE own.conrelid = c.confrelid AND own.confrelid = 'entities'::regclass
             AND own.conname = own.conrelid::regclass || '_id_fkey'))`,
    );
    // The test data has rows in every table that refers to entities.
    const rare = ['users', 'resources', 'passkeys', ...OF_THE_SERVICE, ...PASSING, ...UPGRADES, ...OF_JOBS];
    expect(referring.map(({ name }) => name).filter((name) => !named.has(name) && !rare.includes(name))).toEqual([]);
    expect(await erased(organization)).toMatchObject({
      status: 'succeeded',
      result: { id: organization, deleted: true },
    });
    const gone = ids.filter((id) => ![organization, garden].includes(id));
    expect(await mentions([...gone, 'Canary of the file'])).toEqual([]);
    expect(await app.database.query('SELECT 1 FROM operations WHERE container_id = $1', [garden])).toEqual([]);
    // Users keep their visibility events for as long as the feed keeps events.
    const kept = (await mentions([organization, garden])).filter((row) => !row.includes('visibility.'));
    expect(kept.map((row) => row.split(' ', 1)[0])).toEqual(['entities', 'entities', 'events', 'events']);
    const { body: chain } = await app.as(ann).get(`/templates/${again.body.data.id}/lineage`).expect(200);
    expect(chain.data.map(({ id }: { id: string }) => id)).toEqual([fork.body.data.id, again.body.data.id]);
    for (const [path, id] of Object.entries({
      endeavours: neighbour.things.endeavour,
      tasks: neighbour.things.task,
      comments: neighbour.things.comment,
      'dod-policies': neighbour.things.dod_policy,
    })) {
      await app.as(neighbour.owner).get(`/${path}/${id}`).expect(200);
    }
  });
});
