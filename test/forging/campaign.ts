import { TestApp, type Person } from '../support/test-app.js';
import { Model, type Condition, type Policy } from './model.js';
import { Random } from './random.js';
import { NAMES, Sequence, type World } from './sequence.js';

const STEPS = 40;
const POLICIES = 12;
/** Five people send as many requests per minute as fifty would. */
const LIMITS = { LIMIT_READS_PER_MINUTE: '100000000', LIMIT_WRITES_PER_MINUTE: '100000000' };

/** The result of a run: the number of sequences and of closed tasks, and the differences from the model. */
export interface Outcome {
  sequences: number;
  closed: number;
  differences: string[];
}

/** Runs the sequences with consecutive seeds until one differs from the model. */
export async function runSequences(sequences: number, seed: number): Promise<Outcome> {
  const outcome: Outcome = { sequences: 0, closed: 0, differences: [] };
  const app = await TestApp.open(LIMITS);
  try {
    const world = await makeWorld(app, seed);
    while (outcome.sequences < sequences && outcome.differences.length === 0) {
      const sequence = new Sequence(world, seed + outcome.sequences);
      await sequence.run(STEPS);
      outcome.sequences += 1;
      outcome.closed += sequence.closed;
      outcome.differences.push(...sequence.differences);
    }
  } finally {
    await app.close();
  }
  return outcome;
}

async function makeWorld(app: TestApp, seed: number): Promise<World> {
  const ada = await app.admin();
  const people: Record<string, Person> = {};
  for (const name of NAMES) people[name] = name === 'bot' ? await agentOf(app, people.eve) : await app.person(name);
  const { ann } = people;
  const organization = await app.organization(ann);
  const places = {
    garden: await app.endeavour(ann, { organization_id: organization }),
    shed: await app.endeavour(ann),
  };
  const model = new Model('ann');
  for (const [place, endeavour] of Object.entries(places) as ['garden' | 'shed', string][]) {
    for (const name of NAMES) {
      const rank = { ann: 4, dia: 3 }[name as string] ?? 2;
      model.members[place].set(name, { rank, stakeholderRoles: [] });
      if (name !== 'ann') await app.join(endeavour, people[name], rank === 3 ? 'admin' : 'member');
    }
  }
  const crew = { name: 'Crew', type: 'team', organization_id: organization };
  const team = (await app.as(ann).post('/resources').send(crew).expect(201)).body.data.id as string;
  const policies = await makePolicies(app, ada, new Random(seed));
  // The trigger rejects changes of results; these tests change their age.
  await app.database.query('ALTER TABLE dod_results DISABLE TRIGGER dod_results_keep');
  return { app, people, places, policies, team, model };
}

async function agentOf(app: TestApp, manager: Person): Promise<Person> {
  const organization_id = await app.organization(manager);
  const { body } = await app.as(manager).post('/agents').send({ name: 'bot', organization_id }).expect(201);
  const { id, resource_id } = body.data;
  const sent = { name: 'Work', scopes: ['*'] };
  const token = (await app.as(manager).post(`/agents/${id}/tokens`).send(sent).expect(201)).body.data.token;
  return { ...manager, id, resourceId: resource_id, token };
}

async function makePolicies(app: TestApp, ada: Person, random: Random): Promise<Policy[]> {
  const policies: Policy[] = [];
  while (policies.length < POLICIES) {
    const conditions = conditionsOf(random);
    const quorum = random.chance(0.25) ? 1 + random.below(conditions.length) : undefined;
    const sent = { name: 'Ours', conditions, ...(quorum !== undefined && { strictness: 'n_of', quorum }) };
    const { body } = await app.as(ada).post('/dod-policies').send(sent).expect(201);
    policies.push({ id: body.data.id, conditions, ...(quorum !== undefined && { quorum }) });
  }
  return policies;
}

function conditionsOf(random: Random): Condition[] {
  const chances: [number, string, () => Record<string, unknown>][] = [
    [0.85, 'peer_review', () => reviewOf(random)],
    [
      0.3,
      'stakeholder_sign_off',
      () => ({ role: random.pick(['qa', 'owner', 'member']), exclude_author: random.chance(0.7) }),
    ],
    [0.15, 'comment_required', () => ({})],
    [0.25, 'field_populated', () => ({ field: random.pick(['result_summary', 'metadata.result_summary']) })],
    [0.15, 'manual_attestation', () => ({})],
    [0.25, 'checklist_complete', () => ({})],
    [0.25, 'tests_pass', () => ({})],
    [0.25, 'custom_check', () => ({ name: 'scan', ...(random.chance(0.5) && { by: 'qa' }) })],
  ];
  const chosen = chances.filter(([share]) => random.chance(share));
  const some = chosen.length > 0 ? chosen : [chances[0]];
  return some.map(([, type, params]) => ({ type, params: params() }));
}

const reviewOf = (random: Random): Record<string, unknown> => ({
  min_reviewers: random.chance(0.7) ? 1 : 2,
  exclude_author: random.chance(0.8),
  block_on_rejection: random.chance(0.7),
});
