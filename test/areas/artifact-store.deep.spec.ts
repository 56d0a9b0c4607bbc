import { readSettings } from '../../src/platform/config/read-settings.js';
import { examineFileStore } from '../../src/platform/doctor/files-examination.js';
import { FileStore } from '../../src/platform/files/file-store.js';
import { Clock } from '../../src/platform/jobs/clock.js';
import { announced, beginAt, createFile, keyOf, parkJobs, runJob, send, type Address } from '../support/files.js';
import { ObjectStore } from '../support/object-store.js';
import { TestApp, type Person } from '../support/test-app.js';

const CONTENT = 'The plan of the garden';

/** The address, with one thing changed in its URL. */
const changed = (address: Address, change: (url: URL) => void): Address => {
  const url = new URL(address.url);
  change(url);
  return { ...address, url: url.href };
};

describe('files in a store', () => {
  let store: ObjectStore;
  let app: TestApp;
  let [ann, vic]: Person[] = [];
  let garden: string;
  let objects: FileStore;
  let settings: Record<string, string>;

  beforeAll(async () => {
    store = await ObjectStore.open();
    settings = { ...store.settings, ERASURE_DAYS: '0' };
    app = await TestApp.open(settings);
    objects = new FileStore(readSettings({ ...store.settings, NODE_ENV: 'test' }), new Clock());
    [ann, vic] = [await app.person('Ann'), await app.person('Vic')];
    garden = await app.endeavour(ann);
    await app.join(garden, vic, 'viewer');
    await parkJobs(app);
  });

  afterAll(async () => {
    await app.service.setTime(null);
    await app.close();
    await store.close();
  });

  /** An artifact that waits for the upload of the content. */
  const begin = async (more: object = {}): Promise<{ id: string; upload: Address }> =>
    (await createFile(app, ann, CONTENT, { endeavour_id: garden, ...more }).expect(201)).body.data;
  const complete = (id: string) => app.as(ann).post(`/artifacts/${id}/upload/complete`);
  /** An artifact whose file is stored. */
  const stored = async (more: object = {}): Promise<string> => {
    const { id, upload } = await begin(more);
    expect(await send(upload, CONTENT)).toBe(200);
    await complete(id).expect(200);
    return id;
  };
  const addressOf = async (id: string, person = ann): Promise<Address> =>
    (await app.as(person).get(`/artifacts/${id}/file`).expect(200)).body.data;
  const read = ({ url }: Address): Promise<Response> => fetch(url);
  const removeDue = async (): Promise<void> => {
    await app.database.query('UPDATE file_removals SET due_at = now() WHERE since <= now()');
    await runJob(app, 'file_removals');
  };
  const isStored = async (key: string): Promise<boolean> => (await objects.find(key)) !== undefined;

  it('are uploaded, completed, and read as a file that no browser shows', async () => {
    const { id, upload } = await begin({ title: 'Pläne + more.html' });
    expect((await complete(id).expect(409)).body.error.details.reason).toBe('not_uploaded');
    expect(await send(upload, CONTENT)).toBe(200);
    const { file, revision } = (await complete(id).expect(200)).body.data;
    expect([file.state, revision]).toEqual(['stored', 2]);
    const response = await read(await addressOf(id, vic));
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(CONTENT);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="Pl_ne + more.html"; filename*=UTF-8''Pl%C3%A4ne%20%2B%20more.html`,
    );
  });

  it('are taken as announced, and only so', async () => {
    const { id, upload } = await begin();
    const key = String(await keyOf(app, id));
    const other = 'The plan of the orchard';
    const checksum = Buffer.from(announced(other).sha256, 'hex').toString('base64');
    // Other bytes of the same length, a longer file, and both with a header that fits them.
    expect(await send(upload, CONTENT.toUpperCase())).toBeGreaterThanOrEqual(400);
    expect(await send(upload, other)).toBeGreaterThanOrEqual(400);
    expect(await send(upload, other, { 'x-amz-checksum-sha256': checksum })).toBe(403);
    expect(await send(upload, CONTENT, { 'content-type': 'text/html' })).toBe(403);
    const { 'if-none-match': _never, ...overwriting } = upload.headers;
    expect(await send({ ...upload, headers: overwriting }, CONTENT)).toBeGreaterThanOrEqual(400);
    expect(await isStored(key)).toBe(false);
    expect(await send(upload, CONTENT)).toBe(200);
    expect(await isStored(key)).toBe(true);
  });

  it('are never overwritten', async () => {
    const { id, upload } = await begin();
    expect(await send(upload, CONTENT)).toBe(200);
    expect(await send(upload, CONTENT)).toBe(412);
    await complete(id).expect(200);
    expect(await send(upload, CONTENT)).toBe(412);
  });

  it('are not reached with a URL for something else', async () => {
    const [{ id, upload }, other] = [await begin(), await stored()];
    const [key, otherKey] = [String(await keyOf(app, id)), String(await keyOf(app, other))];
    const elsewhere = changed(upload, (url) => {
      url.pathname = url.pathname.replace(key, 'f'.repeat(48));
    });
    expect(await send(elsewhere, CONTENT)).toBe(403);
    expect(await send({ ...upload, method: 'DELETE' }, '')).toBe(403);
    expect((await read(upload)).status).toBe(403);
    const download = await addressOf(other);
    expect((await fetch(download.url, { method: 'DELETE' })).status).toBe(403);
    expect((await fetch(download.url, { method: 'PUT', body: CONTENT })).status).toBeGreaterThanOrEqual(400);
    for (const change of [
      (url: URL) => url.searchParams.set('response-content-type', 'text/html'),
      (url: URL) => url.searchParams.set('response-content-disposition', 'inline'),
      (url: URL) => url.searchParams.set('X-Amz-Expires', '86400'),
      (url: URL) => (url.pathname = url.pathname.replace(otherKey, key)),
      (url: URL) => url.searchParams.delete('X-Amz-Signature'),
    ]) {
      expect((await read(changed(download, change))).status).toBeGreaterThanOrEqual(400);
    }
    expect((await read(download)).status).toBe(200);
    expect(await isStored(key)).toBe(false);
  });

  it('are not reached after five minutes, and not uploaded after fifteen', async () => {
    const id = await stored();
    const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
    const downloadAt = async (minutes: number): Promise<number> => {
      await app.service.setTime(ago(minutes));
      return (await read(await addressOf(id))).status;
    };
    const uploadAt = async (minutes: number): Promise<number> => {
      await app.service.setTime(ago(minutes));
      return send((await begin()).upload, CONTENT);
    };
    expect([await downloadAt(4), await downloadAt(6)]).toEqual([200, 403]);
    expect([await uploadAt(14), await uploadAt(16)]).toEqual([200, 403]);
    await app.service.setTime(null);
  });

  it('are completed once by two at once', async () => {
    const { id, upload } = await begin();
    await send(upload, CONTENT);
    const both = await Promise.all([complete(id).expect(200), complete(id).expect(200)]);
    expect(both.map(({ body }) => body.data.revision)).toEqual([2, 2]);
    const history = await app.as(ann).get(`/artifacts/${id}/changes`).expect(200);
    expect(history.body.data).toHaveLength(2);
  });

  it('are not completed with another length than announced, nor after another upload began', async () => {
    const { id, upload } = await begin();
    await send(upload, CONTENT);
    store.toldLength = CONTENT.length + 1;
    const refused = await complete(id).expect(409);
    store.toldLength = undefined;
    expect(refused.body.error.details.reason).toBe('file_differs');
    const again = await app.as(ann).post(`/artifacts/${id}/upload`).send(announced(CONTENT)).expect(200);
    expect((await complete(id).expect(409)).body.error.details.reason).toBe('not_uploaded');
    expect(await send(again.body.data.upload, CONTENT)).toBe(200);
    await complete(id).expect(200);
  });

  it('are given up a day after their upload began, unless the store has what was announced', async () => {
    const [absent, other, recent, uploaded, done] = [await begin(), await begin(), await begin(), await begin()].concat(
      [{ id: await stored(), upload: {} as Address }],
    );
    const keys = [String(await keyOf(app, absent.id)), String(await keyOf(app, other.id))];
    expect(await send(other.upload, CONTENT)).toBe(200);
    expect(await send(uploaded.upload, CONTENT)).toBe(200);
    await app.database.query(`UPDATE artifacts SET file = file || '{"length": 1}' WHERE id = $1`, [other.id]);
    for (const { id } of [absent, other, uploaded, done]) await beginAt(app, id, '24 hours 1 minute');
    await beginAt(app, recent.id, '23 hours 59 minutes');
    await runJob(app, 'waiting_uploads');
    const stateOf = async ({ id }: { id: string }) =>
      (await app.as(ann).get(`/artifacts/${id}`).expect(200)).body.data.file?.state;
    expect(await Promise.all([absent, other, recent, uploaded, done].map(stateOf))).toEqual(
      [undefined, undefined, 'waiting'].concat(['stored', 'stored']),
    );
    await removeDue();
    expect(await Promise.all(keys.map(isStored))).toEqual([false, false]);
  });

  it('are removed with their artifact, and once more when no upload can be under way', async () => {
    const { id, upload } = await begin();
    await send(upload, CONTENT);
    const key = String(await keyOf(app, id));
    await app.as(ann).delete(`/artifacts/${id}`).expect(200);
    await removeDue();
    expect(await isStored(key)).toBe(false);
    // The URL that was given before still works.
    expect(await send(upload, CONTENT)).toBe(200);
    await app.database.query(`UPDATE file_removals SET since = now(), again_at = now() WHERE key = $1`, [key]);
    await removeDue();
    expect(await isStored(key)).toBe(false);
    expect(await app.database.query('SELECT 1 FROM file_removals WHERE key = $1', [key])).toEqual([]);
  });

  it.each(['endeavour', 'organization'])('are removed with their %s, though the store was down', async (what) => {
    const [home, shed] = [await app.organization(ann), await app.endeavour(ann, { name: 'Shed' })];
    await app.link(home, shed);
    const task = await app.task(ann, shed);
    const [file, ofTask] = [await stored({ endeavour_id: shed }), await stored({ endeavour_id: shed, task_id: task })];
    const keys = [String(await keyOf(app, file)), String(await keyOf(app, ofTask))];
    const path = what === 'endeavour' ? `/endeavours/${shed}` : `/organizations/${home}`;
    await app.as(ann).post(`${path}/archive`).send({ reason: 'Autumn' }).expect(200);
    expect((await read(await addressOf(file))).status).toBe(200);
    await app.keepProofs();
    const { name } = (await app.as(ann).get(path).expect(200)).body.data;
    await store.stop();
    const { body } = await app
      .as(ann)
      .delete(`${path}?confirm=${encodeURIComponent(name)}`)
      .expect(202);
    const worker = await TestApp.open({ ...settings, WORKERS: 'true' }, app);
    const operation = await worker.ended(ann, `/operations/${body.data.id}`);
    await worker.close();
    expect(operation.body.data.status).toBe('succeeded');
    await removeDue();
    await store.start();
    expect(await Promise.all(keys.map(isStored))).toEqual([true, true]);
    await removeDue();
    await removeDue();
    expect(await Promise.all(keys.map(isStored))).toEqual([false, false]);
  });

  it('are tried by the doctor', async () => {
    const right = readSettings({ ...store.settings, NODE_ENV: 'test' });
    expect(await examineFileStore(right, { tries: false })).toMatchObject([{ state: 'ok' }]);
    expect(await examineFileStore(right, { tries: true })).toMatchObject([{ state: 'ok' }]);
    const wrong = readSettings({ ...store.settings, FILES_S3_SECRET_ACCESS_KEY: 'another-secret', NODE_ENV: 'test' });
    expect(await examineFileStore(wrong, { tries: true })).toMatchObject([
      { state: 'fault', text: expect.stringContaining('status 403') },
    ]);
  });
});
