import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';
import { TestApp, type Person } from '../support/test-app.js';

const document = readFileSync('test/imports/vikunja.json');

/** Builds a zip entry whose size follows in a data descriptor. */
function zipped(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04_03_4b_50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 6);
  header.writeUInt16LE(8, 8);
  header.writeUInt16LE(name.length, 26);
  const data = deflateRawSync(content);
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08_07_4b_50, 0);
  descriptor.writeUInt32LE(crc32(content), 4);
  descriptor.writeUInt32LE(data.length, 8);
  descriptor.writeUInt32LE(content.length, 12);
  return Buffer.concat([header, Buffer.from(name), data, descriptor]);
}

describe('imports from Vikunja', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann');
  });

  beforeEach(async () => {
    garden = await app.endeavour(ann);
  });

  afterAll(() => app.close());

  const send = (file: Buffer) =>
    app
      .as(ann)
      .post(`/imports?format=vikunja&endeavour_id=${garden}`)
      .set('Content-Type', 'application/octet-stream')
      .send(file);
  const imported = async (file: Buffer) => {
    const { body, headers } = await send(file).expect(202);
    await app.ended(ann, headers.location);
    return (
      await app
        .as(ann)
        .get(`/imports/${body.data.id.replace('opr_', 'imp_')}`)
        .expect(200)
    ).body.data;
  };
  const taskOf = async (id: number) =>
    (await app.as(ann).get(`/tasks?endeavour_id=${garden}&external=vikunja:${id}`).expect(200)).body.data[0];

  it('create the tasks of all projects with comments, relations and times', async () => {
    const { counts, refusals } = await imported(document);
    expect(counts).toEqual({ created: 3, updated: 0, unchanged: 0, comments: 1, relations: 2 });
    expect(refusals).toEqual([expect.objectContaining({ line: 4, external_id: '14', reason: 'too_short' })]);
    expect(await taskOf(11)).toMatchObject({
      title: 'Dig the pond',
      priority: 'high',
      description: '<p>Deep</p>',
      status: 'done',
      dod: { result: 'imported' },
      due_date: '2020-03-05T12:00:00.000Z',
      created_at: '2020-02-01T10:00:00.000Z',
      completed_at: '2020-03-01T10:00:00.000Z',
      assignee_id: ann.resourceId,
      labels: ['water'],
      metadata: {
        project: 'Garden',
        identifier: '#1',
        imported: { author: 'Zoe' },
      },
    });
    expect(await taskOf(12)).toMatchObject({
      status: 'active',
      due_date: null,
      metadata: { bucket: 'Doing', percent_done: 25 },
    });
    expect(await taskOf(13)).toMatchObject({
      status: 'planned',
      start_date: '2027-05-01',
      metadata: { project: 'Benches' },
    });
    const { body } = await app
      .as(ann)
      .get(`/comments?entity_id=${(await taskOf(11)).id}`)
      .expect(200);
    expect(body.data).toEqual([
      expect.objectContaining({ content: 'How deep?', created_at: '2020-02-02T10:00:00.000Z' }),
    ]);
    const again = await imported(document);
    expect(again.counts).toEqual({ created: 0, updated: 0, unchanged: 3, comments: 0, relations: 0 });
  });

  it('accept the archive that Vikunja exports, with other files after the data', async () => {
    const archive = Buffer.concat([zipped('data.json', document), zipped('files/1', randomBytes(2_000_000))]);
    expect((await imported(archive)).counts).toMatchObject({ created: 3 });
  });

  it('are rejected if the archive has no data or is broken', async () => {
    const archive = zipped('data.json', document);
    const broken = Buffer.from(archive);
    broken.fill(0xff, 60, 90);
    for (const file of [zipped('list.json', document), archive.subarray(0, 200), broken, archive.subarray(0, 20)]) {
      const { body } = await send(file).expect(400);
      expect(body.error.details.fields).toEqual([expect.objectContaining({ field: 'file', code: 'invalid_format' })]);
    }
  });
});
