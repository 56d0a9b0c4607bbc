import type { ApiRecord } from './client.js';
import type { Cast } from './people.js';
import {
  ALERT_TERMS,
  COMMENTS,
  DEMANDS,
  DEPENDENCIES,
  ENDEAVOURS,
  POLICY,
  STAND_UPS,
  TASKS,
  type EndeavourName,
  type PlannedTask,
  type TaskName,
  type PersonName,
} from './story.js';

const DAY = 24 * 3600 * 1000;

/** A calendar day from today, so that a second run on the same day sends the same. */
const day = (from: number): string => new Date(Date.now() + from * DAY).toISOString().slice(0, 10);

const keysOf = <K extends string>(record: Record<K, unknown>): K[] => Object.keys(record) as K[];

/** Plays a week of work with the people of the organization, one call after the other. */
export async function playStory(cast: Cast, organization: string): Promise<void> {
  const { clara } = cast;
  await clara.client.put(`/organizations/${organization}/alert-terms`, { terms: ALERT_TERMS });
  const endeavours = await makeEndeavours(cast, organization);
  const team = await makeTeam(cast, organization);
  await agreeOnDone(cast, organization, endeavours.catalogue);
  const tasks = await makeTasks(cast, endeavours, team);
  await talk(cast, endeavours, tasks);
  await finishOne(cast, tasks.cause);
  await refuseOne(cast, tasks.count);
  await holdStandUps(cast, endeavours.reopening);
}

async function makeEndeavours({ clara }: Cast, organization_id: string): Promise<Record<EndeavourName, string>> {
  const made: Partial<Record<EndeavourName, string>> = {};
  for (const place of keysOf(ENDEAVOURS)) {
    const dates = { timezone: 'Europe/Lisbon', start_date: day(-7), end_date: day(30) };
    const { id } = await clara.client.post('/endeavours', { ...ENDEAVOURS[place], ...dates, organization_id });
    made[place] = id;
  }
  return made as Record<EndeavourName, string>;
}

async function makeTeam({ clara, ines, scribe }: Cast, organization_id: string): Promise<string> {
  const team = await clara.client.post('/resources', { name: 'Catalogue crew', type: 'team', organization_id });
  for (const member of [ines, scribe]) {
    await clara.client.post(`/resources/${team.id}/members`, { resource_id: member.resourceId });
  }
  return team.id;
}

/**
 * The policy and its endorsements; Noor does not endorse it, so that the status of the endeavour shows a missing one.
 */
async function agreeOnDone(cast: Cast, organization_id: string, endeavour_id: string): Promise<void> {
  const { clara } = cast;
  const policy = await clara.client.post('/dod-policies', { ...POLICY, organization_id });
  await clara.client.post(`/endeavours/${endeavour_id}/dod-policy`, { policy_id: policy.id });
  await clara.client.patch(`/endeavours/${endeavour_id}/members/${clara.id}`, { stakeholder_roles: ['product_owner'] });
  const bound: PersonName[] = ['clara', 'theo', 'ines', 'tomasz', 'scribe'];
  for (const who of bound) await cast[who].client.post('/dod-endorsements', { endeavour_id });
}

async function makeTasks(
  cast: Cast,
  endeavours: Record<EndeavourName, string>,
  team: string,
): Promise<Record<TaskName, string>> {
  const demands = new Map<string, ApiRecord>();
  for (const [name, { place, by, ...demand }] of Object.entries(DEMANDS)) {
    demands.set(name, await cast[by].client.post('/demands', { ...demand, endeavour_id: endeavours[place] }));
  }
  const tasks: Partial<Record<TaskName, string>> = {};
  for (const name of keysOf(TASKS)) {
    const { demand, by, assignee, due, checklist, moves = [], end = {}, ...task }: PlannedTask = TASKS[name];
    const { id } = await cast[by].client.post('/tasks', {
      ...task,
      endeavour_id: endeavours[DEMANDS[demand].place],
      demand_id: demands.get(demand)?.id,
      ...(assignee !== undefined && { assignee_id: assignee === 'crew' ? team : cast[assignee].resourceId }),
      ...(due !== undefined && { due_date: day(due) }),
      ...(checklist !== undefined && { metadata: { checklist: itemsOf(checklist) } }),
    });
    for (const status of moves) {
      await cast[by].client.patch(`/tasks/${id}`, { status, ...(status === moves.at(-1) && end) });
    }
    tasks[name] = id;
  }
  return tasks as Record<TaskName, string>;
}

const itemsOf = (checklist: Record<string, boolean>) =>
  Object.entries(checklist).map(([text, checked]) => ({ text, checked }));

async function talk(
  cast: Cast,
  endeavours: Record<EndeavourName, string>,
  tasks: Record<TaskName, string>,
): Promise<void> {
  const { clara, noor } = cast;
  for (const [blocked, other] of DEPENDENCIES) {
    await clara.client.post('/relations', {
      relationship_type: 'depends_on',
      source_entity_type: 'task',
      source_entity_id: tasks[blocked],
      target_entity_type: 'task',
      target_entity_id: tasks[other],
    });
  }
  for (const { on, by, content } of COMMENTS) {
    await cast[by].client.post('/comments', { entity_type: 'task', entity_id: tasks[on], content });
  }
  await clara.client.post('/artifacts', {
    kind: 'doc',
    title: 'Plan of the reading room',
    url: 'https://harbour.example/plans/reading-room.pdf',
    tags: ['plan'],
    endeavour_id: endeavours.reopening,
  });
  const message = await clara.client.post('/messages', {
    scope_type: 'endeavour',
    scope_id: endeavours.reopening,
    subject: 'Opening day',
    content: 'The mayor can come on either Friday. Which one can we keep?',
    intent: 'question',
  });
  await noor.client.post(`/messages/${message.id}/reply`, { content: 'The second. The lamps decide.' });
}

/** A task that meets its policy: first sent back, then approved by a colleague and by the product owner. */
async function finishOne({ theo, clara, ines }: Cast, entity_id: string): Promise<void> {
  const about = { entity_type: 'task', entity_id };
  await theo.client.post('/approvals', {
    ...about,
    verdict: 'needs_work',
    comment: 'Which dump, the nightly or the weekly?',
  });
  await ines.client.post('/comments', { ...about, content: 'The nightly one. I have added it to the description.' });
  await ines.client.patch(`/tasks/${entity_id}`, { description: 'The nightly dump writes Latin-1 and loses ł and ß.' });
  await theo.client.post('/approvals', {
    ...about,
    verdict: 'approved',
    comment: 'Seen it happen with my own ten titles.',
  });
  await clara.client.post('/approvals', { ...about, verdict: 'approved', role: 'product_owner' });
  await ines.client.patch(`/tasks/${entity_id}`, { status: 'done', actual: 6 });
}

/** A member tries to finish a task too early; the check is kept and lists what is missing. */
async function refuseOne({ theo }: Cast, task: string): Promise<void> {
  await theo.client.post(`/tasks/${task}/dod-check`);
}

/** The agent leads a daily stand-up: five are completed, today's is in progress. */
async function holdStandUps({ clara, scribe }: Cast, endeavour_id: string): Promise<void> {
  const [builtIn] = await clara.client.get<ApiRecord[]>('/rituals?origin=template&lang=en&search=Daily%20Standup');
  const ritual = await clara.client.post(`/rituals/${builtIn.id}/fork`, { endeavour_id, name: 'Daily stand-up' });
  for (const [index, result_summary] of STAND_UPS.entries()) {
    const run = await begin(scribe, ritual.id, workingDay(index - STAND_UPS.length));
    await scribe.client.patch(`/ritual-runs/${run}`, { status: 'succeeded', result_summary });
  }
  await begin(scribe, ritual.id, day(0));
}

async function begin({ client }: Cast[PersonName], ritual_id: string, held_on: string): Promise<string> {
  const { id } = await client.post('/ritual-runs', { ritual_id, trigger: 'api', metadata: { held_on } });
  await client.patch(`/ritual-runs/${id}`, { claim: true });
  return id;
}

/** The nth working day before today, as a negative number. */
function workingDay(count: number): string {
  let from = 0;
  for (let left = -count; left > 0;) {
    from -= 1;
    if (![0, 6].includes(new Date(Date.now() + from * DAY).getUTCDay())) left -= 1;
  }
  return day(from);
}
