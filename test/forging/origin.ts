import { randomBytes } from 'node:crypto';
import type { Sequence } from './sequence.js';

/** Creates the task of a sequence: by a request, or by an import of a CSV file or an export with evidence. */
export async function createTask(sequence: Sequence): Promise<void> {
  const { random, model } = sequence;
  const kind = random.next();
  if (kind < 0.12) await importLine(sequence);
  else if (kind < 0.2) await importExport(sequence);
  else await post(sequence);
  sequence.ids.push(sequence.task);
  await sequence.findRevision();
  if (model.status === 'planned' && (await sequence.patchTask('ann', { status: 'active' })))
    model.changeStatus('active');
}

async function post(sequence: Sequence): Promise<void> {
  const { random, model, world, places } = sequence;
  const creator = random.pick(['ann', 'ann', 'dia', 'bob', 'cat', 'bot']);
  const assignee = random.pick([undefined, undefined, undefined, 'bob', 'cat', 'bot']);
  const id = randomBytes(8).toString('hex');
  const body = {
    title: 'Paint',
    endeavour_id: places.garden,
    external_ref: { source: 'jira', id, url: null },
    ...(assignee !== undefined && { assignee_id: world.people[assignee].id }),
  };
  sequence.task = (await sequence.send(creator, 'post', '/tasks', body)).body.data.id;
  model.creators = [creator];
  if (assignee !== undefined) model.assign(assignee, creator);
}

/** Imports a line of CSV. Only an administrator keeps its author. */
async function importLine(sequence: Sequence): Promise<void> {
  const { random, model } = sequence;
  const [importer, author] = [random.pick(['dia', 'gus']), random.pick(['bob', 'cat'])];
  const status = random.pick(['planned', 'active', 'done']);
  const assignee = random.chance(0.3) ? random.pick(['bob', 'eve']) : '';
  const id = randomBytes(8).toString('hex');
  const csv = `id,title,status,assignee,author\n${id},Paint,${status},${assignee},${author}\n`;
  await send(sequence, importer, 'csv', csv);
  await find(sequence, id);
  model.creators = importer === 'gus' ? [importer, author] : [importer];
  if (assignee !== '') model.assign(assignee, importer);
  begin(sequence, status);
}

/** Imports an export of a task with all kinds of evidence, none of which counts. */
async function importExport(sequence: Sequence): Promise<void> {
  const { random, model, world } = sequence;
  const importer = random.pick(['dia', 'gus']);
  const { file, reference, status } = world.exportWith(random.pick(['active', 'done']));
  await send(sequence, importer, 'worksmith', file);
  await find(sequence, reference);
  model.creators = importer === 'gus' ? [importer, 'bob'] : [importer];
  model.checklist = [{ text: 'Sand', checked: true }];
  model.hasSummary = true;
  model.comments = 1;
  begin(sequence, status);
}

function begin({ model }: Sequence, status: string): void {
  if (status === 'active') model.changeStatus('active');
  if (status !== 'done') return;
  model.status = 'done';
  model.result = 'imported';
}

export async function send(sequence: Sequence, importer: string, format: string, file: string): Promise<void> {
  const { world, places } = sequence;
  const path = `/imports?format=${format}&endeavour_id=${places.garden}`;
  const binary = { body: file, headers: { 'Content-Type': 'application/octet-stream' } };
  const { headers } = await world.sendAs(importer, 'post', path, binary);
  const progress = String(headers.location).replace('/api/v1', '');
  let operation = { status: 'queued', result: {} };
  while (['queued', 'running'].includes(operation.status)) {
    const { body } = await world.sendAs(importer, 'get', progress, { headers: { Prefer: 'wait=20' } });
    operation = (body as { data: typeof operation }).data;
  }
  sequence.log.push(
    `${importer} imports ${format === 'csv' ? file : 'an export'} ${operation.status} ${JSON.stringify(operation.result)}`,
  );
}

async function find(sequence: Sequence, id: string): Promise<void> {
  const path = `/tasks?endeavour_id=${sequence.places.garden}&external=csv:${id}`;
  const { body } = await sequence.send('ann', 'get', path);
  sequence.task = (body.data as unknown as { id: string }[])[0].id;
}
