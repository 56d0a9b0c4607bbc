import type { Part } from './facts.js';
import type { Model } from './model.js';
import type { Name } from './people.js';
import type { Sequence, Weighted } from './sequence.js';
import { outcomesOf } from './verdict.js';
import { NAMES } from './world.js';

/** Texts that show nothing. */
const INVISIBLE = ['\u200b', ' \n', '<!-- done -->', '\u2060\ufeff'];

async function changeContent(sequence: Sequence): Promise<void> {
  const { random, model } = sequence;
  const who = random.pick(sequence.activeMembers());
  const part = random.pick<Part>(['text', 'text', 'checklist', 'acceptance', 'result_summary', 'colour']);
  const text = sequence.newText();
  const items = [{ text, checked: random.chance(0.6) }];
  const isTitle = random.chance(0.5);
  // A text that shows nothing only ever replaces one that does: whether that is a change is certain.
  const hadText = part === 'text' ? model.hasDescription : model.hasSummary;
  const isVisible = !hadText || random.chance(0.6);
  const sent = isVisible ? text : random.pick(INVISIBLE);
  const values: Record<Part, object> = {
    text: isTitle ? { title: text } : { description: sent },
    checklist: { metadata: { checklist: items } },
    acceptance: { metadata: { acceptance: items } },
    result_summary: { metadata: { result_summary: sent } },
    colour: { metadata: { colour: text } },
  };
  if (!(await write(sequence, who, values[part]))) return;
  if (part === 'checklist') model.checklist = items;
  if (part === 'acceptance') model.acceptance = items;
  if (part === 'result_summary') model.hasSummary = isVisible;
  if (part === 'text' && !isTitle) model.hasDescription = isVisible;
  model.recordWriting(who);
  model.changeContent([part], who);
}

/** Changes the task directly, in a batch, or by its external reference. */
async function write(sequence: Sequence, who: Name, body: object): Promise<boolean> {
  const { random, task } = sequence;
  if (random.chance(0.8)) return sequence.patchTask(who, body);
  const operations = [{ id: 'a', method: 'PATCH', path: `/api/v1/tasks/${task}`, body }];
  const { status } = await sequence.send(who, 'post', '/batch', { operations });
  const { body: now } = await sequence.send('ann', 'get', `/tasks/${task}`);
  return sequence.isNew(now.data.revision) && status === 200;
}

async function checkItems(sequence: Sequence): Promise<void> {
  const { model, random } = sequence;
  const who = random.pick(sequence.activeMembers());
  const part = random.pick(['checklist', 'checklist', 'acceptance'] as const);
  const items = model[part].map((item) => ({ ...item, checked: random.chance(0.8) }));
  if (items.length === 0 || !(await write(sequence, who, { metadata: { [part]: items } }))) return;
  model[part] = items;
  model.recordWriting(who);
}

async function setDate(sequence: Sequence): Promise<void> {
  const { model, random } = sequence;
  const who = random.pick(sequence.activeMembers());
  const due_date = model.hasDueDate ? null : '2027-01-05T10:00:00.000Z';
  if (await sequence.patchTask(who, { due_date })) model.hasDueDate = due_date !== null;
}

async function assign(sequence: Sequence): Promise<void> {
  const { model, random, world } = sequence;
  const who = random.pick(sequence.activeMembers());
  const to = random.pick([null, null, 'team', ...NAMES]);
  const also = random.chance(0.15) ? { estimate: random.below(1000) } : {};
  const ids = to === null ? null : to === 'team' ? world.team : world.people[to].id;
  const same = model.assignee === to;
  if (!(await sequence.patchTask(who, { assignee_id: ids, ...also }))) return;
  if ('estimate' in also || same) model.recordWriting(who);
  model.assign(to, who);
}

async function changeStatus(sequence: Sequence): Promise<void> {
  const { model, random } = sequence;
  const who = random.pick(sequence.activeMembers());
  const to = { planned: 'active', active: 'planned', done: 'active' }[model.status] ?? 'active';
  if (await sequence.patchTask(who, { status: to })) model.changeStatus(to);
}

async function reopen(sequence: Sequence): Promise<void> {
  if (sequence.model.status === 'done') await changeStatus(sequence);
  else if (sequence.model.status === 'planned') await changeStatus(sequence);
}

async function closeTask(sequence: Sequence): Promise<void> {
  const { model, random, world } = sequence;
  if (model.status !== 'active') return;
  const active = sequence.activeMembers();
  const endorsers = active.filter((who) => model.people.members[model.place].get(who)?.endorsed === model.policy?.id);
  const closer = random.pick([...active, ...endorsers, ...endorsers, ...endorsers]);
  const changes: ((after: Model) => void)[] = [];
  const body: Record<string, unknown> = { status: 'done' };
  if (random.chance(0.15)) {
    const to = random.pick([null, ...sequence.activeMembers()]);
    body.assignee_id = to === null ? null : world.people[to].id;
    changes.push((after) => {
      after.assign(to, closer);
    });
  }
  if (random.chance(0.12) && (model.override === undefined || closer === 'ann')) {
    body.title = sequence.newText();
    changes.push((after) => {
      after.recordWriting(closer);
      after.changeContent(['text'], closer);
    });
  }
  const after = model.copy();
  for (const change of changes) change(after);
  const expected = outcomesOf({ after, before: model }, closer);
  const response = await sequence.send(closer, 'patch', `/tasks/${sequence.task}`, body);
  const { data, error } = response.body as unknown as {
    data?: { dod: { result: string }; revision: number };
    error?: { code: string };
  };
  const got = data === undefined ? (error?.code === 'dod_not_met' ? 'refused' : error?.code) : data.dod.result;
  sequence.closed += got === 'refused' ? 0 : 1;
  if (!expected.includes(String(got)))
    return sequence.differ(`the close, ${got}`, expected.join(' or '), response.body);
  if (data === undefined) return;
  sequence.isNew(data.revision);
  for (const change of changes) change(model);
  model.changeStatus('done');
  model.result = data.dod.result;
}

async function moveTask(sequence: Sequence): Promise<void> {
  const { model, world, places, random } = sequence;
  const to = model.place === 'garden' ? 'shed' : 'garden';
  const who = random.pick(['ann', 'dia']);
  if (!model.isActiveMember(who) || model.rankOf(who) < 3 || model.rankOf(who, to) < 2) return;
  const after = model.copy();
  after.moveTo(to, who);
  after.assign(null, who);
  const isDone = model.status === 'done';
  const before = model.copy();
  before.moveTo(to, who);
  const expected = isDone ? outcomesOf({ after, before }, who) : [];
  const sent = { endeavour_id: places[to], assignee_id: null, owner_id: world.people[who].id };
  const { status, body } = await sequence.send(who, 'patch', `/tasks/${sequence.task}`, sent);
  if (status !== 200) {
    if (isDone && !expected.includes('refused'))
      sequence.differ('the move of a done task', expected.join(' or '), body);
    return;
  }
  if (isDone && expected.join() === 'refused') return sequence.differ('the move of a done task', 'refused', body);
  sequence.isNew(body.data.revision);
  model.moveTo(to, who);
  model.assign(null, who);
  if (isDone) adoptResult(sequence, expected, body.data);
}

/** A move keeps the result, or sets the one that the policy there gives. */
function adoptResult(sequence: Sequence, expected: readonly string[], data: object): void {
  const { result } = (data as { dod: { result: string } }).dod;
  const allowed = [sequence.model.result, ...expected];
  if (!allowed.includes(result)) sequence.differ('dod.result after a move', allowed.join(' or '), data);
  sequence.model.result = result;
}

async function addOther(sequence: Sequence): Promise<void> {
  const { model, random, places, task } = sequence;
  if (model.others.length >= 3) return;
  const [who, kind] = [random.pick(sequence.activeMembers()), random.pick(['child', 'blocker'] as const)];
  const made = await sequence.send('ann', 'post', '/tasks', { title: 'Sand', endeavour_id: places[model.place] });
  const { id } = made.body.data;
  const isForward = kind === 'child' || random.chance(0.5);
  const [source, target] = isForward ? [task, id] : [id, task];
  const type = kind === 'child' ? 'parent_of' : isForward ? 'depends_on' : 'blocks';
  const tied = await sequence.relate(who, type, ['task', source], ['task', target]);
  if (tied === undefined) return;
  model.others.push({ id, kind, relation: tied, place: model.place, status: 'planned', hasEdge: true });
}

async function changeOther(sequence: Sequence): Promise<void> {
  const { model, random, places, world } = sequence;
  const other = random.pick([...model.others, undefined]);
  if (other === undefined) return;
  const kind = random.next();
  if (kind < 0.4) {
    const status = other.status === 'planned' ? random.pick(['active', 'canceled']) : 'planned';
    const reason = status === 'canceled' ? { canceled_reason: 'Rain' } : {};
    const { status: code } = await sequence.send('ann', 'patch', `/tasks/${other.id}`, { status, ...reason });
    if (code === 200) other.status = status;
    return;
  }
  const who = random.pick(['ann', 'dia', 'dia']);
  if (kind < 0.7) {
    const deleter = random.chance(0.5) ? who : random.pick(sequence.activeMembers());
    if (!other.hasEdge || other.place !== model.place || !model.isActiveMember(deleter)) return;
    if ((await sequence.send(deleter, 'delete', `/relations/${other.relation}`)).status !== 200) return;
    model.separate(other, deleter);
    other.hasEdge = false;
    return;
  }
  if (!model.people.isActiveMember(who, other.place) || model.rankOf(who, other.place) < 3) return;
  const to = other.place === 'garden' ? 'shed' : 'garden';
  const sent = { endeavour_id: places[to], assignee_id: null, owner_id: world.people[who].id };
  if ((await sequence.send(who, 'patch', `/tasks/${other.id}`, sent)).status !== 200) return;
  if (other.hasEdge && other.place === model.place) model.separate(other, who);
  other.place = to;
}

async function advanceTime({ random, world, log, model, ids }: Sequence): Promise<void> {
  const minutes = random.pick([20, 61]);
  log.push(`${minutes} minutes pass`);
  await world.advance(minutes, [...ids, world.team, world.people.bot.id]);
  model.clock += minutes;
}

export const TASK: Weighted[] = [
  [7, 'closeTask', closeTask],
  [3, 'assign', assign],
  [4, 'changeContent', changeContent],
  [2, 'checkItems', checkItems],
  [1, 'setDate', setDate],
  [1, 'changeStatus', changeStatus],
  [3, 'reopen', reopen],
  [2, 'moveTask', moveTask],
  [2, 'addOther', addOther],
  [3, 'changeOther', changeOther],
  [1, 'advanceTime', advanceTime],
];
