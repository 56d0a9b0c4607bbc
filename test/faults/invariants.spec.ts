import { TestApp, type Person } from '../support/test-app.js';
import { INVARIANTS, brokenInvariants, TABLES } from './support/invariants.mjs';

/** Statements that violate each invariant; some of them first drop the constraint that would prevent it. */
const SABOTAGE: Record<string, string[]> = {
  'every entity has a row in the table of its kind': [
    `INSERT INTO entities (id, kind, title) VALUES ('tsk_gone', 'task', 'Gone')`,
  ],
  'every row has an entity of its kind': [`UPDATE entities SET kind = 'demand' WHERE kind = 'task'`],
  'the entity of a deleted row is deleted, too': [`UPDATE comments SET deleted_at = now()`],
  'every entity belongs to at most one container': [`UPDATE entities SET is_global = true WHERE kind = 'task'`],
  'every entity belongs to a container that exists': [
    `UPDATE entities SET endeavour_id = 'edv_gone' WHERE kind = 'task'`,
  ],
  'a row and its entity are in the same endeavour': [`UPDATE tasks SET endeavour_id = 'edv_gone'`],
  'a child entity is in the container of its parent, and is deleted with it': [
    `UPDATE entities SET deleted_at = now() WHERE kind = 'task'`,
  ],
  'every revision has an event': [`UPDATE tasks SET revision = revision + 1`],
  'every entity has exactly one event of its creation': [
    `ALTER TABLE events DISABLE TRIGGER events_immutable`,
    `DELETE FROM events WHERE type = 'message.sent'`,
  ],
  'the ids of events are unique': [
    'DROP INDEX events_id_idx',
    `INSERT INTO events (id, type, entity_type, entity_id, data)
     SELECT id, 'task.touched', entity_type, entity_id, '{}' FROM events LIMIT 1`,
  ],
  'every container that is not archived has an owner': [`UPDATE organization_resources SET role = 'admin'`],
  'users and their resources refer to each other': [`UPDATE resources SET user_id = NULL WHERE type = 'human'`],
  'an archived endeavour has no open tasks or demands and no enabled rituals': [
    `UPDATE endeavours SET status = 'archived'`,
  ],
  'an endeavour of an archived organization is archived, too': [`UPDATE organizations SET status = 'archived'`],
  'is_home and is_private of the organizations of an endeavour match the endeavour': [
    `UPDATE organization_endeavours SET is_home = false`,
  ],
  'a completed endeavour has no open tasks': [`UPDATE endeavours SET status = 'completed'`],
  'a fulfilled demand has no open tasks': [`UPDATE demands SET status = 'fulfilled', fulfilled_at = now()`],
  'the history of a task has one current entry, with the status of the task': [
    `UPDATE task_statuses SET left_at = now()`,
  ],
  'each entry in the history of a task continues the previous one, in the endeavour of the task': [
    `UPDATE task_statuses SET previous_status = 'canceled'`,
  ],
  'each task is in a stage of its endeavour and status, if it is in one': [
    `ALTER TABLE tasks DISABLE TRIGGER tasks_keep_stage`,
    `UPDATE tasks SET stage = 'stg_0'`,
  ],
  'the values by which work is filtered are those of its metadata': [
    `INSERT INTO field_values (entity_id, key, item, endeavour_id, flag_value) SELECT id, 'x', 0, endeavour_id, true FROM tasks`,
  ],
  'the history of a task in stages has its stage as the only current entry': [
    `INSERT INTO task_stages (task_id, endeavour_id, stage) SELECT id, endeavour_id, 'stg_0' FROM tasks`,
  ],
  'the hours of a closed task are the sum of its history': [
    `UPDATE tasks SET status = 'canceled', canceled_at = now(), canceled_reason = 'No', actual = 5`,
    `UPDATE task_statuses SET hours = 1000 WHERE hours = 5`,
  ],
  'done tasks have their hours, and refer only to a check that let them be done': [
    `UPDATE tasks SET status = 'done', completed_at = now(), actual = NULL`,
  ],
  'numbers are finite': [`ALTER TABLE tasks DROP CONSTRAINT tasks_estimate_check`, `UPDATE tasks SET estimate = 'NaN'`],
  'replies belong to a comment that is not a reply': [
    `UPDATE comments SET reply_to_id = (SELECT id FROM comments WHERE reply_to_id IS NOT NULL) WHERE reply_to_id IS NULL`,
  ],
  'a version has the number after that of its predecessor, unless that was erased': [
    `UPDATE templates SET version = 7 WHERE origin = 'fork'`,
  ],
  'a policy has at most one next version': [
    `DROP INDEX dod_policies_predecessor_id_idx`,
    `ALTER TABLE dod_policies DISABLE TRIGGER dod_policies_keep`,
    `UPDATE dod_policies SET predecessor_id = (SELECT min(lineage_id) FROM dod_policies WHERE origin = 'custom')
     WHERE origin = 'custom'`,
  ],
  'an active endorsement belongs to the policy of its endeavour': [
    `UPDATE dod_endorsements SET policy_id = 'dod_other' WHERE status = 'active'`,
  ],
  'there is at most one relation of a type from one entity to another': [
    `DROP INDEX duplicate_relation_idx`,
    `UPDATE relations SET relationship_type = 'uses'`,
    `UPDATE relations SET target_entity_id = (SELECT min(target_entity_id) FROM relations),
       source_entity_id = (SELECT max(source_entity_id) FROM relations)`,
  ],
  'dependencies and parents within an endeavour form no cycle': [`UPDATE relations SET relationship_type = 'blocks'`],
  'blocked_by_count is the number of open tasks of the endeavour that block the task': [
    `UPDATE tasks SET blocked_by_count = blocked_by_count + 1`,
  ],
  'exactly one approval of an approver in a role is current': [`UPDATE approvals SET is_current = false`],
  'the first message of a thread is not a reply, and all others are': [`UPDATE messages SET reply_to_id = 'msg_gone'`],
  'the members of a team belong to the organization of the team': [
    `DROP TRIGGER organization_resources_leave_teams ON organization_resources`,
    `DELETE FROM organization_resources WHERE user_id IS NOT NULL`,
  ],
  'a resource and its entity are in the same organization': [
    `UPDATE entities SET organization_id = NULL WHERE kind = 'resource'`,
  ],
  'at most one vote of a member for an entity is valid': [
    `DROP INDEX quorum_votes_entity_id_resource_id_idx`,
    `INSERT INTO quorum_votes (entity_id, team_id, resource_id, target)
     SELECT 'tsk_a', 'res_a', 'res_b', 'canceled' FROM generate_series(1, 2)`,
  ],
  'a time of a schedule has at most one run': [
    `DROP INDEX ritual_runs_ritual_id_scheduled_for_idx`,
    `UPDATE ritual_runs SET scheduled_for = now(), trigger = 'schedule'`,
  ],
  'only unfinished operations block writes, and states before archiving are kept only for archived endeavours': [
    `INSERT INTO archived_states (entity_id, kind, endeavour_id, previous)
     SELECT id, 'endeavour', id, '{}' FROM endeavours WHERE status <> 'archived' LIMIT 1`,
  ],
  'sessions, codes, sign-ups and idempotency keys are deleted in time': [
    `UPDATE sessions SET ended_at = now() - interval '40 days'`,
  ],
};

describe('the invariants', () => {
  let app: TestApp;
  let ann: Person;

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann');
    await fill();
  });

  afterAll(() => app.close());

  const make = async (path: string, body: object = {}): Promise<string> =>
    (await app.as(ann).post(path).send(body).expect(201)).body.data.id;

  /** Creates data of every kind that the invariants check. */
  async function fill(): Promise<void> {
    const organization = await app.organization(ann);
    const endeavour = await app.endeavour(ann, { organization_id: organization });
    const demand = await app.demand(ann, endeavour);
    const tasks = [await app.task(ann, endeavour, { demand_id: demand }), await app.task(ann, endeavour)];
    const [entity_id, other] = tasks;
    const comment = await make('/comments', { entity_type: 'task', entity_id, content: 'First' });
    await make('/comments', { entity_type: 'task', entity_id, content: 'Second', reply_to_id: comment });
    const ends = { source_entity_type: 'task', target_entity_type: 'task' };
    await make('/relations', {
      relationship_type: 'blocks',
      ...ends,
      source_entity_id: entity_id,
      target_entity_id: other,
    });
    await make('/relations', {
      relationship_type: 'uses',
      ...ends,
      source_entity_id: other,
      target_entity_id: entity_id,
    });
    await make('/approvals', { entity_type: 'task', entity_id, verdict: 'approved' });
    await make('/messages', { recipient_ids: [ann.id], content: 'To myself' });
    const template = await make('/templates', {
      organization_id: organization,
      name: 'Note',
      scope: 'task',
      body: 'x',
    });
    await make(`/templates/${template}/fork`);
    const ritual = await make('/rituals', { endeavour_id: endeavour, name: 'Look back' });
    for (let n = 0; n < 2; n += 1) await make('/ritual-runs', { ritual_id: ritual });
    const policy = { organization_id: organization, name: 'Done', conditions: [{ type: 'comment_required' }] };
    const first = await make('/dod-policies', policy);
    await app.as(ann).post(`/endeavours/${endeavour}/dod-policy`).send({ policy_id: first }).expect(200);
    await make(`/dod-policies/${first}/versions`);
    await make('/dod-endorsements', { endeavour_id: endeavour });
    const team = await make('/resources', { organization_id: organization, type: 'team', name: 'Gardeners' });
    await app.as(ann).post(`/resources/${team}/members`).send({ resource_id: ann.resourceId }).expect(201);
  }

  const found = () => brokenInvariants((sql) => app.database.query(sql));

  it('cover the table of every kind of entity', async () => {
    const tables = await app.database.query(
      `SELECT c.conrelid::regclass::text AS name FROM pg_constraint c
       JOIN pg_attribute a ON a.attrelid = c.conrelid AND c.conkey = ARRAY[a.attnum]
       WHERE c.confrelid = 'entities'::regclass AND a.attname = 'id'`,
    );
    expect(Object.values(TABLES).sort()).toEqual(tables.map(({ name }) => name).sort());
  });

  it('hold in a consistent database', async () => {
    expect(await found()).toEqual([]);
  });

  it.each(INVARIANTS.map(({ name }) => name))('report a violation of: %s', async (name) => {
    let faults: string[] = [];
    const client = await app.openConnection();
    try {
      // Turns off triggers and foreign keys, which would prevent the violation.
      await client.query(`BEGIN; SET LOCAL session_replication_role = 'replica'`);
      for (const statement of SABOTAGE[name]) await client.query(statement);
      faults = await brokenInvariants(async (sql) => (await client.query(sql)).rows);
      await client.query('ROLLBACK');
    } finally {
      await client.end();
    }
    expect(faults).toContainEqual(expect.stringContaining(`not so: ${name} (`));
  });
});
