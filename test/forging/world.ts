import { randomBytes } from 'node:crypto';
import { TestApp, type Person } from '../support/test-app.js';
import type { Policy } from './facts.js';
import { Client, type Answer, type Method } from './client.js';
import { People, type Name, type Place } from './people.js';
import { conditionsOf, quorumOf } from './policies.js';
import type { Random } from './random.js';

/** Members of both endeavours: `gus` is an administrator, `bot` and `bit` are agents of `eve`. */
export const NAMES = ['ann', 'dia', 'bob', 'cat', 'eve', 'fay', 'gus', 'bot', 'bit'] as const;
const RANKS: Record<Name, number> = { ann: 4, dia: 3 };
export const ROLE_OF_RANK = ['', 'viewer', 'member', 'admin', 'owner'];

/** Nine people send as many requests per minute as ninety would. */
const SETTINGS = {
  WORKERS: 'true',
  LIMIT_READS_PER_MINUTE: '100000000',
  LIMIT_WRITES_PER_MINUTE: '100000000',
  LOG_LEVEL: 'warn',
};

/** Moves the times of changes of content, which tasks keep as JSON. */
const SHIFT_CHANGES = `UPDATE tasks t SET content_changes = (
    SELECT jsonb_object_agg(c.key, c.value || jsonb_build_object('at', (c.value->>'at')::timestamptz - $1::interval))
    FROM jsonb_each(t.content_changes) c)
  WHERE t.id = ANY($2) AND t.content_changes <> '{}'`;

/** Moves the times at which edges of tasks stopped to count; the table refers to relations alone. */
const SHIFT_LOST_EDGES = `UPDATE lost_edges SET lost_at = lost_at - $1::interval
  WHERE relation_id IN (SELECT l.id FROM relations l WHERE l.source_entity_id = ANY($2) OR l.target_entity_id = ANY($2))`;

/** Starts the service for any number of worlds. */
export const openApp = (): Promise<TestApp> => TestApp.open(SETTINGS);

/** The users, organizations and team that the sequences of one world share, one after the other. */
export class World {
  private manager: Name = 'eve';
  private readonly shifts: string[] = [];
  private readonly client: Client;
  /** The export of an endeavour with one task and all kinds of evidence. */
  private exported: { tasks: Record<string, unknown>[] } = { tasks: [] };

  private constructor(
    readonly app: TestApp,
    readonly people: Record<Name, Person>,
    readonly organization: string,
    private readonly agency: string,
    readonly team: string,
  ) {
    this.client = new Client(app.port());
  }

  static async open(app: TestApp): Promise<World> {
    const people: Record<Name, Person> = { gus: await app.admin('gus') };
    for (const name of ['ann', 'dia', 'bob', 'cat', 'eve', 'fay']) people[name] = await app.person(name);
    const { ann, eve, fay } = people;
    const [organization, agency, other] = [
      await app.organization(ann),
      await app.organization(eve),
      await app.organization(eve),
    ];
    await app.join(agency, fay, 'member');
    const crew = { name: 'Crew', type: 'team', organization_id: organization };
    const team = (await app.as(ann).post('/resources').send(crew).expect(201)).body.data.id as string;
    const world = new World(app, people, organization, agency, team);
    for (const [name, organization_id] of [
      ['bot', agency],
      ['bit', other],
    ]) {
      const { body } = await app.as(eve).post('/agents').send({ name, organization_id }).expect(201);
      const { id, resource_id } = body.data;
      people[name] = { ...eve, name, id, resourceId: resource_id, token: await world.tokenOf(id, 'eve') };
    }
    await world.findTimes();
    await world.exportEvidence();
    return world;
  }

  /** Sends a request as that person. */
  send(who: Name, method: Method, path: string, body?: object): Promise<Answer> {
    return this.client.send({ token: this.people[who].token, method, path, body });
  }

  /** The same, with other contents than JSON, or other headers. */
  sendAs(who: Name, method: Method, path: string, more: { body?: string; headers: Record<string, string> }) {
    return this.client.send({ token: this.people[who].token, method, path, ...more });
  }

  close(): void {
    this.client.close();
  }

  private async exportEvidence(): Promise<void> {
    const { app, people, organization } = this;
    const { ann, bob, cat } = people;
    const endeavour = await app.endeavour(ann, { organization_id: organization });
    for (const person of [bob, cat]) await app.join(endeavour, person, 'member', ['qa']);
    const metadata = { checklist: [{ text: 'Sand', checked: true }], result_summary: 'Painted' };
    const external_ref = { source: 'csv', id: 'reference', url: null };
    const task = await app.task(bob, endeavour, { metadata, external_ref });
    const on = { entity_type: 'task', entity_id: task };
    for (const role of ['qa', 'member']) {
      await app
        .as(cat)
        .post('/approvals')
        .send({ ...on, verdict: 'approved', role })
        .expect(201);
    }
    await app
      .as(cat)
      .post('/comments')
      .send({ ...on, content: 'Well done' })
      .expect(201);
    const report = { kind: 'test-report', title: 'Run', tags: ['test-report'], task_id: task };
    await app
      .as(cat)
      .post('/artifacts')
      .send({ ...report, metadata: { result: 'passed' } })
      .expect(201);
    await app.as(cat).post(`/tasks/${task}/dod-results`).send({ name: 'scan', passed: true }).expect(201);
    const conditions = [{ type: 'manual_attestation' }];
    const policy = { name: 'Ours', conditions, endeavour_id: endeavour };
    const { id: policy_id } = (await app.as(ann).post('/dod-policies').send(policy).expect(201)).body.data;
    await app.as(ann).post(`/endeavours/${endeavour}/dod-policy`).send({ policy_id }).expect(200);
    await app
      .as(bob)
      .patch(`/tasks/${task}`)
      .send({ status: 'active', metadata: { dod_attested: true } })
      .expect(200);
    await app.as(ann).post(`/tasks/${task}/dod-override`).send({ reason: 'As it is' }).expect(200);
    this.exported = (await app.as(ann).get(`/endeavours/${endeavour}/export`).expect(200)).body;
  }

  /** A copy of the export with new ids, whose task has that status. */
  exportWith(status: string): { file: string; reference: string; status: string } {
    const reference = randomBytes(8).toString('hex');
    const ids = new Map<string, string>();
    const done = { status, completed_at: '2026-01-05T10:00:00.000Z', dod: { result: 'met' } };
    const tasks = this.exported.tasks.map((task) => ({ ...task, ...(status === 'done' && done) }));
    const file = JSON.stringify({ ...this.exported, tasks })
      .replaceAll(/(?!usr|res)\b[a-z]{3}_[0-9a-f]{32}/g, (id) => {
        ids.set(id, ids.get(id) ?? `${id.slice(0, 4)}${randomBytes(16).toString('hex')}`);
        return String(ids.get(id));
      })
      .replaceAll('"reference"', JSON.stringify(reference));
    return { file, reference, status };
  }

  private async tokenOf(agent: string, manager: Name): Promise<string> {
    const sent = { name: 'Work', scopes: ['*'] };
    return this.made(manager, `/agents/${agent}/tokens`, sent).then(({ token }) => String(token));
  }

  /** Makes the other owner of the agency the manager of `bot`, and returns that owner. */
  async handOver(): Promise<Name> {
    const { people, manager } = this;
    const next = manager === 'eve' ? 'fay' : 'eve';
    const member = (who: Name): string => `/organizations/${this.agency}/members/${people[who].id}`;
    await this.send(manager, 'patch', member(next), { role: 'owner' });
    await this.send(next, 'patch', member(manager), { role: 'member' });
    people.bot.token = await this.tokenOf(people.bot.id, next);
    this.manager = next;
    return next;
  }

  /**
   * Creates two endeavours with all people as members, some only of one or as stakeholders, and restores what the previous
   * sequence has changed.
   */
  async prepare(random: Random): Promise<{ people: People; places: Record<Place, string> }> {
    const { app, organization, team } = this;
    const ids = NAMES.map((name) => this.people[name].id);
    await app.database.query(`UPDATE users SET status = 'active' WHERE id = ANY($1) AND status = 'suspended'`, [ids]);
    await app.database.query('DELETE FROM team_members WHERE team_id = $1', [team]);
    if (this.manager !== 'eve') await this.handOver();
    const people = new People({ bot: 'eve', bit: 'eve' });
    for (const [place, members] of Object.entries(people.members)) {
      for (const name of NAMES) {
        const stakeholderRoles = name !== 'ann' && random.chance(0.25) ? ['qa'] : [];
        const isMember = place === 'garden' || name === 'ann' || random.chance(0.8);
        if (isMember) members.set(name, { rank: RANKS[name] ?? 2, stakeholderRoles });
      }
    }
    const made = async (place: Place): Promise<string> => {
      const { id } = await this.made('ann', '/endeavours', { name: 'Garden', organization_id: organization });
      const others = [...people.members[place]]
        .filter(([name]) => name !== 'ann')
        .map(([name, { rank, stakeholderRoles }]) => [this.people[name].id, ROLE_OF_RANK[rank], stakeholderRoles]);
      await app.database.query(
        `INSERT INTO endeavour_members (endeavour_id, user_id, resource_id, role, stakeholder_roles)
         SELECT $1, u.id, u.resource_id, o->>1, ARRAY(SELECT jsonb_array_elements_text(o->2)) FROM jsonb_array_elements($2) o JOIN users u ON u.id = o->>0`,
        [id, JSON.stringify(others)],
      );
      return String(id);
    };
    const places = { garden: await made('garden'), shed: await made('shed') };
    return { people, places };
  }

  async makePolicy(random: Random): Promise<Policy> {
    const conditions = conditionsOf(random);
    const quorum = quorumOf(random, conditions);
    const sent = { name: 'Ours', conditions, ...(quorum !== undefined && { strictness: 'n_of', quorum }) };
    const { id } = await this.made('gus', '/dod-policies', sent);
    return { id: String(id), conditions, ...(quorum !== undefined && { quorum }) };
  }

  private async made(who: Name, path: string, body: object): Promise<Record<string, unknown>> {
    const { status, body: response } = await this.send(who, 'post', path, body);
    if (status !== 201) throw new Error(`${path} answered ${status}: ${JSON.stringify(response)}`);
    return (response as { data: Record<string, unknown> }).data;
  }

  /** Moves the times of what has these ids, and of team memberships, into the past. */
  async advance(minutes: number, ids: readonly string[]): Promise<void> {
    const connection = await this.app.openConnection();
    try {
      await connection.query('BEGIN');
      // Triggers reject changes of evidence and history.
      await connection.query(`SET LOCAL session_replication_role = replica`);
      // Jobs of the service lock a task before its evidence.
      await connection.query('SELECT id FROM tasks WHERE id = ANY($1) ORDER BY id FOR UPDATE', [ids]);
      for (const sql of [...this.shifts, SHIFT_CHANGES, SHIFT_LOST_EDGES])
        await connection.query(sql, [`${minutes} minutes`, ids]);
      await connection.query('COMMIT');
    } finally {
      await connection.end();
    }
  }

  /** Finds the times of tasks and their evidence: those in tables that refer to a task or another thing. */
  private async findTimes(): Promise<void> {
    const columns = `SELECT c.table_name AS name, array_agg(DISTINCT c.column_name::text) AS times,
        array_agg(DISTINCT k.column_name::text) AS keys
      FROM information_schema.columns c
      JOIN information_schema.tables t USING (table_schema, table_name)
      JOIN information_schema.columns k USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
        AND k.column_name IN ('task_id', 'entity_id', 'id', 'source_entity_id', 'team_id', 'agent_id') AND k.data_type = 'text'
        AND c.data_type LIKE 'timestamp%' AND c.is_generated = 'NEVER'
        AND c.table_name !~ '^(events|audit|jobs|operations|notifications|webhook|search|outbox|sessions|access_tokens|users)'
      GROUP BY c.table_name`;
    const tables = await this.app.observer.query<{ name: string; keys: string[]; times: string[] }>(columns);
    for (const { name, keys, times } of tables) {
      const set = times.map((each) => `${each} = ${each} - $1::interval`).join(', ');
      const where = keys.map((key) => `${key} = ANY($2)`).join(' OR ');
      this.shifts.push(`UPDATE ${name} SET ${set} WHERE ${where}`);
    }
  }
}
