import type { Kind } from '../../../src/common/kinds.js';
import type { TestApp, Person } from '../../support/test-app.js';
import { builtIn } from '../fixtures.js';
import { attestation } from '../../support/dod.js';

/** One entity of each kind, all in an organization and an endeavour of one person. */
export interface EntityFixtures {
  owner: Person;
  things: Partial<Record<Kind, string>> & Record<'organization' | 'endeavour' | 'task' | 'user', string>;
  team: string;
  builtInPolicy: string;
  agent: string;
  companion: Person;
  /** Offers of a link of the endeavour that the owner can accept. */
  offered: { token: string; invitation: string };
}

/** Creates them over the API. */
const days = { start_day: '2026-01-05', end_day: '2026-01-16' };

export async function createEntityFixtures(app: TestApp, name: string): Promise<EntityFixtures> {
  const [owner, companion] = [await app.person(name), await app.person(`${name}'s companion`)];
  const make = async (path: string, body: object, status = 201): Promise<string> =>
    (await app.as(owner).post(path).send(body).expect(status)).body.data.id;
  const organization = await app.organization(owner);
  const endeavour = await app.endeavour(owner, {
    organization_id: organization,
    goals: ['More shade'],
    stages: [{ name: 'Backlog', status: 'planned' }],
  });
  await app.join(organization, companion, 'member');
  const { body } = await app.as(owner).get(`/endeavours/${endeavour}`).expect(200);
  const external_ref = { source: 'jira', id: 'held' };
  const iteration = await make('/iterations', { name: 'First', endeavour_id: endeavour, ...days });
  const metadata = { checklist: [{ id: '5d41402abc4b', text: 'Measure' }] };
  const goal_id = body.data.goals[0].id as string;
  const task = await app.task(owner, endeavour, { external_ref, metadata, iteration_id: iteration, goal_id });
  const other = await app.task(owner, endeavour);
  const demand = await app.demand(owner, endeavour, { external_ref });
  const onTask = { entity_type: 'task', entity_id: task };
  const policy = { name: 'Ours', conditions: [attestation], organization_id: organization };
  const dod_policy = await make('/dod-policies', policy);
  await make(`/endeavours/${endeavour}/dod-policy`, { policy_id: dod_policy }, 200);
  const ritual = await make('/rituals', { name: 'Round', endeavour_id: endeavour });
  const report = { name: 'Report', scope: 'task', body: '# {{ task.title }}', organization_id: organization };
  const webhook = await make('/webhooks', {
    url: 'https://hooks.example.com',
    endeavour_id: endeavour,
    is_enabled: false,
  });
  const relation = {
    relationship_type: 'references',
    source_entity_type: 'task',
    source_entity_id: task,
    target_entity_type: 'task',
    target_entity_id: other,
  };
  const offer = { kind: 'link', endeavour_id: endeavour };
  const { body: open } = await app.as(owner).post('/invitations').send(offer).expect(201);
  return {
    owner,
    companion,
    offered: { token: open.data.token, invitation: await make('/invitations', { ...offer, email: owner.email }) },
    builtInPolicy: await builtIn({ app }, 'dod_policies'),
    agent: await make('/agents', { name: 'Triage', organization_id: organization }),
    team: await make('/resources', { name: 'Team', type: 'team', organization_id: organization }),
    things: {
      user: owner.id,
      resource: await make('/resources', { name: 'Mower', type: 'service', organization_id: organization }),
      organization,
      endeavour,
      goal: goal_id,
      stage: body.data.stages[0].id,
      demand,
      task,
      relation: await make('/relations', relation),
      approval: await make('/approvals', { ...onTask, verdict: 'approved' }),
      comment: await make('/comments', { ...onTask, content: 'Green?' }),
      iteration,
      view: await make('/views', { name: 'First', kind: 'task', query: {}, endeavour_id: endeavour }),
      time_entry: await make('/time-entries', { task_id: other, minutes: 90, day: '2026-11-20' }),
      rule: await make('/rules', {
        name: 'First',
        endeavour_id: endeavour,
        on: ['task.*'],
        actions: [{ comment: { content: 'Seen.' } }],
      }),
      artifact: await make('/artifacts', { kind: 'doc', title: 'Plan', task_id: task }),
      message: await make('/messages', { recipient_ids: [companion.id, 'me'], content: 'Well?' }),
      ritual,
      ritual_run: await make('/ritual-runs', { ritual_id: ritual }),
      template: await make('/templates', report),
      dod_policy,
      dod_endorsement: await make('/dod-endorsements', { endeavour_id: endeavour }),
      dod_check: await make(`/tasks/${task}/dod-check`, {}, 200),
      dod_result: await make(`/tasks/${task}/dod-results`, { name: 'scan', passed: true }),
      invitation: await make('/invitations', { organization_id: organization }),
      webhook,
      webhook_delivery: await make(`/webhooks/${webhook}/test`, {}),
    },
  };
}
