import { examineFileRemovals, examineFileStore } from '../../src/platform/doctor/files-examination.js';
import { readSettings } from '../../src/platform/config/read-settings.js';
import { announced, beginAt, createFile, keyOf, parkJobs, runJob, type Address } from '../support/files.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

const METRICS_TOKEN = 'a-token-for-the-metrics';
/** A store that nothing answers for. */
const STORE = {
  FILES_S3_ENDPOINT: 'http://127.0.0.1:9',
  FILES_S3_PUBLIC_ENDPOINT: 'https://files.example.org',
  FILES_S3_BUCKET: 'worksmith-files',
  FILES_S3_ACCESS_KEY_ID: 'files-of-tests',
  FILES_S3_SECRET_ACCESS_KEY: 'a-secret-for-the-files-of-tests',
};
const KEY = /^[0-9a-f]{48}$/;
const CONTENT = 'The plan';

describe('files of artifacts', () => {
  let app: TestApp;
  let [ann, ben, vic, eve]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ ...STORE, METRICS_TOKEN });
    [ann, ben, vic, eve] = [
      await app.person('Ann'),
      await app.person('Ben'),
      await app.person('Vic'),
      await app.person('Eve'),
    ];
    garden = await app.endeavour(ann);
    await app.join(garden, ben, 'member');
    await app.join(garden, vic, 'viewer');
    await parkJobs(app);
  });

  afterAll(() => app.close());

  const create = (more: object = {}, person = ann) =>
    createFile(app, person, CONTENT, { endeavour_id: garden, ...more });
  const made = async (more: object = {}): Promise<string> => (await create(more).expect(201)).body.data.id;
  const get = async (id: string) => (await app.as(ann).get(`/artifacts/${id}`).expect(200)).body.data;
  const ask = (id: string, body: object = announced('Another plan'), person = ann) =>
    app.as(person).post(`/artifacts/${id}/upload`).send(body);
  const complete = (id: string, person = ann) => app.as(person).post(`/artifacts/${id}/upload/complete`);
  const download = (id: string, person = ann) => app.as(person).get(`/artifacts/${id}/file`);
  /** Notes that the store has the file, as if it had said so. */
  const storeFile = (id: string) =>
    app.database.query(`UPDATE artifacts SET file = file || '{"state": "stored"}' WHERE id = $1`, [id]);
  const removalOf = (key: string | undefined) =>
    app.database.one<{ failures: number; last_error: string | null; isAgain: boolean }>(
      `SELECT failures, last_error, since > clock_timestamp() AS "isAgain" FROM file_removals WHERE key = $1`,
      [key],
    );
  const objectIn = ({ url }: Address): string => new URL(url).pathname.replace('/worksmith-files/', '');

  describe('asking for an upload', () => {
    it('gives the artifact and an address at the store that takes only what was announced', async () => {
      const sent = { ...announced(CONTENT), media_type: 'text/plain' };
      const { body, headers } = await create({ upload: sent }).expect(201);
      expect(headers['cache-control']).toBe('no-store');
      const { upload, file, id } = body.data as { upload: Address; file: object; id: string };
      expect(file).toEqual({ state: 'waiting', ...announced(CONTENT), media_type: 'text/plain' });
      expect(upload).toEqual({
        url: expect.stringMatching(/^https:\/\/files\.example\.org\/worksmith-files\/[0-9a-f]{48}\?X-Amz-/),
        method: 'PUT',
        headers: {
          'content-length': String(CONTENT.length),
          'content-type': 'application/octet-stream',
          'if-none-match': '*',
          'x-amz-checksum-sha256': Buffer.from(announced(CONTENT).sha256, 'hex').toString('base64'),
        },
        expires_at: expect.any(String),
      });
      const { searchParams } = new URL(upload.url);
      expect(searchParams.get('X-Amz-Expires')).toBe('900');
      expect(searchParams.get('X-Amz-SignedHeaders')).toBe(
        'content-length;content-type;host;if-none-match;x-amz-checksum-sha256',
      );
      expect(objectIn(upload)).toMatch(KEY);
      const shown = await get(id);
      expect(shown).toEqual({ ...body.data, upload: undefined });
      expect(JSON.stringify(shown)).not.toContain(objectIn(upload));
    });

    it('has an ETag with which the artifact can be changed', async () => {
      const { body, headers } = await create().expect(201);
      const change = app.as(ann).patch(`/artifacts/${body.data.id}`).set('If-Match', headers.etag);
      await change.send({ title: 'Other.txt' }).expect(200);
    });

    it('gives none without an upload, which needs the kind file', async () => {
      expect((await create({ upload: undefined }).expect(201)).body.data).toMatchObject({ file: null, upload: null });
      expect(fieldErrorsOf((await create({ kind: 'doc' })).body)).toEqual(['upload invalid_value']);
    });

    it.each([
      [{}, ['upload.length required', 'upload.sha256 required']],
      [{ length: 5 * 1024 ** 3 + 1, sha256: 'ab' }, ['upload.length out_of_range', 'upload.sha256 invalid_format']],
      [{ length: -1, sha256: 'A'.repeat(64) }, ['upload.length out_of_range', 'upload.sha256 invalid_format']],
      [{ ...announced(CONTENT), media_type: 'text/html; charset=utf-8' }, ['upload.media_type invalid_format']],
      [{ ...announced(CONTENT), key: 'a' }, ['upload.key unknown_field']],
    ])('refuses %j', async (upload, errors) => {
      expect(fieldErrorsOf((await create({ upload })).body)).toEqual(errors);
    });

    it('takes five gigabytes', async () => {
      const upload = { length: 5 * 1024 ** 3, sha256: 'ab'.repeat(32) };
      expect((await create({ upload }).expect(201)).body.data.file.length).toBe(upload.length);
    });

    it('does not take the file itself, nor a state, from clients', async () => {
      const file = { state: 'stored', ...announced(CONTENT), media_type: null };
      expect(fieldErrorsOf((await create({ upload: undefined, file })).body)).toEqual(['file read_only']);
      const patch = app.as(ann).patch(`/artifacts/${await made()}`);
      expect(fieldErrorsOf((await patch.send({ file })).body)).toEqual(['file read_only']);
    });

    it('gives no address in a dry run, and none in a batch, which can be rolled back', async () => {
      const tried = await app
        .as(ann)
        .post('/artifacts?dry_run=true')
        .send({ kind: 'file', title: 'Plan', endeavour_id: garden, upload: announced(CONTENT) })
        .expect(201);
      expect(tried.body.data.upload).toBeNull();
      const body = { kind: 'file', title: 'Plan', endeavour_id: garden, upload: announced(CONTENT) };
      const operations = [{ method: 'POST', path: '/api/v1/artifacts', body }];
      const results = (await app.as(ann).post('/batch').send({ operations }).expect(200)).body.data;
      expect(results[0].body.data).toMatchObject({ file: { state: 'waiting' }, upload: null });
      expect((await ask(results[0].body.data.id, announced(CONTENT)).expect(200)).body.data.upload.method).toBe('PUT');
    });

    it('gives the same response for the same Idempotency-Key', async () => {
      const [first, second] = [
        await create().set('Idempotency-Key', 'plan').expect(201),
        await create().set('Idempotency-Key', 'plan').expect(201),
      ];
      expect(second.body).toEqual(first.body);
    });

    it('begins anew with another object, and has the former one removed', async () => {
      const id = await made();
      const former = await keyOf(app, id);
      const { body, headers } = await ask(id).expect(200);
      expect(headers['cache-control']).toBe('no-store');
      expect(body.data.file).toMatchObject({ state: 'waiting', ...announced('Another plan') });
      expect(objectIn(body.data.upload)).toBe(await keyOf(app, id));
      expect(objectIn(body.data.upload)).not.toBe(former);
      expect(await removalOf(former)).toMatchObject({ failures: 0, isAgain: false });
    });

    it('is possible for artifacts of the kind file without one, and for no others', async () => {
      const plain = await made({ upload: undefined });
      expect((await ask(plain).expect(200)).body.data.file.state).toBe('waiting');
      const doc = await made({ kind: 'doc', upload: undefined });
      expect((await ask(doc).expect(409)).body.error.details.reason).toBe('not_a_file');
      const stored = await made();
      await storeFile(stored);
      expect((await ask(stored).expect(409)).body.error.details.reason).toBe('file_stored');
    });
  });

  describe('reading', () => {
    it('gives an address for five minutes once the file is stored', async () => {
      const id = await made({ title: 'Pläne <1>.html' });
      expect((await download(id).expect(409)).body.error.details.reason).toBe('not_uploaded');
      await storeFile(id);
      const { body, headers } = await download(id, vic).expect(200);
      expect(headers['cache-control']).toBe('no-store');
      const { data } = body as { data: Address };
      const { searchParams, host } = new URL(data.url);
      expect([host, data.method, data.headers]).toEqual(['files.example.org', 'GET', {}]);
      expect(objectIn(data)).toBe(await keyOf(app, id));
      expect(searchParams.get('X-Amz-Expires')).toBe('300');
      expect(searchParams.get('response-content-type')).toBe('application/octet-stream');
      expect(searchParams.get('response-content-disposition')).toBe(
        `attachment; filename="Pl_ne _1_.html"; filename*=UTF-8''Pl%C3%A4ne%20_1_.html`,
      );
      const plain = await made({ upload: undefined });
      expect((await download(plain).expect(409)).body.error.details.reason).toBe('no_file');
    });

    it('is for those who see the artifact; uploading is for members', async () => {
      const id = await made();
      expect((await ask(id, announced('x'), vic).expect(403)).body.error.code).toBe('forbidden');
      await complete(id, vic).expect(403);
      await create({}, vic).expect(403);
      await storeFile(id);
      await download(id, vic).expect(200);
      const absent = await download(`art_${'0'.repeat(32)}`, eve).expect(404);
      for (const refused of [download(id, eve), ask(id, announced('x'), eve), complete(id, eve)]) {
        const { error } = (await refused.expect(404)).body;
        expect({ ...error, request_id: '' }).toEqual({ ...absent.body.error, request_id: '' });
      }
    });

    it('ends with the right', async () => {
      const id = await made();
      await storeFile(id);
      await download(id, ben).expect(200);
      await app.as(ann).delete(`/endeavours/${garden}/members/${ben.id}`).expect(200);
      await download(id, ben).expect(404);
      await ask(id, announced('x'), ben).expect(404);
      await app.join(garden, ben, 'member');
    });

    it('needs the scopes of artifacts', async () => {
      const id = await made();
      await storeFile(id);
      const reader = await tokenOf(app, ann, { scopes: ['artifacts:read'] });
      await download(id, reader).expect(200);
      await ask(id, announced('x'), reader).expect(403);
      await complete(id, reader).expect(403);
      const other = await tokenOf(app, ann, { scopes: ['tasks:write'] });
      await download(id, other).expect(403);
      const elsewhere = await tokenOf(app, ann, { endeavour_id: await app.endeavour(ann) });
      await download(id, elsewhere).expect(404);
    });

    it('goes on in an archived endeavour, where nothing can be uploaded', async () => {
      const shed = await app.endeavour(ann);
      const [stored, waiting] = [await made({ endeavour_id: shed }), await made({ endeavour_id: shed })];
      await storeFile(stored);
      const key = await keyOf(app, stored);
      await app.as(ann).post(`/endeavours/${shed}/archive`).send({ reason: 'Autumn' }).expect(200);
      await download(stored).expect(200);
      await ask(waiting).expect(409);
      await complete(waiting).expect(409);
      expect(await removalOf(key)).toBeUndefined();
    });
  });

  describe('completing', () => {
    it('says that the store does not answer, and changes nothing', async () => {
      const id = await made();
      const { error } = (await complete(id).expect(409)).body;
      expect(error.details.reason).toBe('store_unreachable');
      expect(await get(id)).toMatchObject({ file: { state: 'waiting' }, revision: 1 });
    });

    it('changes nothing if the file is stored, and is refused without an upload', async () => {
      const id = await made();
      await storeFile(id);
      expect((await complete(id).expect(200)).body.data.revision).toBe(1);
      const plain = await made({ upload: undefined });
      expect((await complete(plain).expect(409)).body.error.details.reason).toBe('no_upload');
    });
  });

  describe('the record', () => {
    it('shows the file in the history and in exports, and never its object', async () => {
      const id = await made();
      const former = await keyOf(app, id);
      await ask(id).expect(200);
      const history = await app.as(ann).get(`/artifacts/${id}/changes`).expect(200);
      const { previous, changed } = history.body.data.find(({ type }: { type: string }) => type.endsWith('updated'));
      expect(changed).toEqual(['file']);
      expect(previous).toEqual({ file: { state: 'waiting', ...announced(CONTENT), media_type: null } });
      const exported = (await app.as(ann).get(`/endeavours/${garden}/export`).expect(200)).text;
      const listed = (await app.as(ann).get(`/artifacts?endeavour_id=${garden}`).expect(200)).text;
      const mine = (await app.as(ann).get('/auth/my-data').expect(200)).text;
      for (const text of [exported, listed, mine, JSON.stringify(history.body)]) {
        expect(text).toContain(announced('Another plan').sha256);
        expect(text).not.toContain(String(await keyOf(app, id)));
        expect(text).not.toContain(String(former));
        expect(text).not.toContain('begun_at');
      }
    });

    it('lets approvals of the artifact lapse when another file is announced, and not when it is stored', async () => {
      const id = await made();
      const verdict = { entity_type: 'artifact', entity_id: id, verdict: 'approved' };
      const approval = (await app.as(ben).post('/approvals').send(verdict).expect(201)).body.data.id;
      const isStale = async () => (await app.as(ann).get(`/approvals/${approval}`).expect(200)).body.data.stale;
      await app.database.query(
        `UPDATE artifacts SET file = file || '{"state": "stored"}', revision = revision + 1 WHERE id = $1`,
        [id],
      );
      expect(await isStale()).toBe(false);
      await app.database.query(`UPDATE artifacts SET file = file || '{"state": "waiting"}' WHERE id = $1`, [id]);
      await ask(id).expect(200);
      expect(await isStale()).toBe(true);
    });

    it('keeps the kind of an artifact with a file', async () => {
      const id = await made();
      const change = app.as(ann).patch(`/artifacts/${id}`).send({ kind: 'doc' });
      expect((await change.expect(409)).body.error.details.reason).toBe('has_file');
      await app.as(ann).patch(`/artifacts/${id}`).send({ kind: 'file', title: 'B' }).expect(200);
    });

    it('is what the database accepts, too', async () => {
      const id = await made();
      for (const change of [
        `kind = 'doc'`,
        `file = file || '{"length": -1}'`,
        `file = file || '{"sha256": "AB"}'`,
        `file = file - 'key'`,
        `file = file || '{"state": "lost"}'`,
      ]) {
        const update = app.database.query(`UPDATE artifacts SET ${change} WHERE id = $1`, [id]);
        await expect(update).rejects.toThrow(/artifacts_file_check/);
      }
    });

    it('is imported without the file, which the report says', async () => {
      const worker = await TestApp.open({ WORKERS: 'true' }, app);
      const target = await app.endeavour(ann);
      const id = await made({ upload: { ...announced(CONTENT), media_type: 'text/plain' } });
      const document = (await app.as(ann).get(`/endeavours/${garden}/export`).expect(200)).text;
      const accepted = await app
        .as(ann)
        .post(`/imports?format=worksmith&endeavour_id=${target}`)
        .set('Content-Type', 'application/octet-stream')
        .send(document)
        .expect(202);
      await app.ended(ann, accepted.headers.location);
      await worker.close();
      const report = await app
        .as(ann)
        .get(`/imports/${accepted.body.data.id.replace('opr_', 'imp_')}`)
        .expect(200);
      expect(report.body.data.notes).toContainEqual(
        expect.objectContaining({ name: 'artifacts.file', message: expect.stringContaining('metadata.imported.file') }),
      );
      const listed = (await app.as(ann).get(`/artifacts?endeavour_id=${target}&limit=200`).expect(200)).body.data;
      const copies = listed.filter(
        ({ metadata }: { metadata: { imported: { file?: object } } }) => metadata.imported.file,
      );
      expect(copies.length).toBeGreaterThan(0);
      expect(listed.every(({ file }: { file: null }) => file === null)).toBe(true);
      expect(copies).toContainEqual(
        expect.objectContaining({
          metadata: {
            imported: expect.objectContaining({ file: { ...announced(CONTENT), media_type: 'text/plain' } }),
          },
        }),
      );
      expect(await keyOf(app, id)).toMatch(KEY);
    });
  });

  describe('the end of an upload', () => {
    it('does not come while the store does not answer', async () => {
      const id = await made();
      await beginAt(app, id, '2 days');
      await runJob(app, 'waiting_uploads');
      expect(await get(id)).toMatchObject({ file: { state: 'waiting' }, revision: 1 });
    });

    it.each([
      ['it is deleted', (id: string) => app.as(ann).delete(`/artifacts/${id}`).expect(200)],
      [
        'its row says so',
        (id: string) => app.observer.query('UPDATE artifacts SET deleted_at = now() WHERE id = $1', [id]),
      ],
      ['its row is erased', (id: string) => app.observer.query('DELETE FROM artifacts WHERE id = $1', [id])],
    ])('comes with that of the artifact, when %s', async (_, remove) => {
      const id = await made();
      await storeFile(id);
      const key = await keyOf(app, id);
      await remove(id);
      expect(await removalOf(key)).toMatchObject({ failures: 0, isAgain: false });
      expect(await keyOf(app, id)).toBeFalsy();
    });
  });

  describe('a store that does not answer', () => {
    const settings = () => readSettings({ ...STORE, NODE_ENV: 'test' });
    const query = <R>(sql: string, parameters?: unknown[]) => app.database.query<R>(sql, parameters);

    it('is asked again, and the metrics and the doctor say so', async () => {
      const id = await made();
      const key = await keyOf(app, id);
      await app.database.query('DELETE FROM file_removals');
      await app.as(ann).delete(`/artifacts/${id}`).expect(200);
      await runJob(app, 'file_removals');
      expect(await removalOf(key)).toMatchObject({ failures: 1, last_error: expect.stringMatching(/^[A-Z]|bad port/) });
      await runJob(app, 'file_removals');
      expect(await removalOf(key)).toMatchObject({ failures: 1 });
      await app.database.query(`UPDATE file_removals SET due_at = now(), since = since - interval '20 minutes'`);
      await runJob(app, 'file_removals');
      expect(await removalOf(key)).toMatchObject({ failures: 2 });
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
      const text = await (await fetch(`http://127.0.0.1:${app.port()}/metrics`, { headers })).text();
      expect(text).toMatch(/^worksmith_queue_length\{queue="files"\} 1$/m);
      expect(Number(/^worksmith_queue_oldest_seconds\{queue="files"\} (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(1_199);
      const [finding] = await examineFileRemovals(query, settings());
      expect(finding).toMatchObject({ state: 'warning', text: expect.stringContaining('1 files wait') });
    });

    it('is a fault for the doctor; no store is none', async () => {
      expect(await examineFileStore(settings(), { tries: false })).toMatchObject([{ state: 'fault' }]);
      const without = readSettings({ NODE_ENV: 'test' });
      expect(await examineFileStore(without, { tries: false })).toEqual([]);
      expect(await examineFileStore(without, { tries: true })).toMatchObject([{ state: 'fault' }]);
      expect(await examineFileRemovals(query, without)).toMatchObject([{ state: 'warning' }]);
    });
  });
});

describe('files of artifacts without a store', () => {
  let app: TestApp;
  let [ann, eve]: Person[] = [];

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, eve] = [await app.person('Ann'), await app.person('Eve')];
  });

  afterAll(() => app.close());

  it('are refused with a reason, after the rights', async () => {
    const garden = await app.endeavour(ann);
    const refused = await createFile(app, ann, CONTENT, { endeavour_id: garden }).expect(409);
    expect(refused.body.error.details.reason).toBe('no_file_store');
    await createFile(app, eve, CONTENT, { endeavour_id: garden }).expect(400);
    expect((await app.as(ann).get(`/artifacts?endeavour_id=${garden}`).expect(200)).body.data).toEqual([]);
    const body = { kind: 'file', title: 'Plan', endeavour_id: garden, url: 'https://example.com/plan.pdf' };
    const { id } = (await app.as(ann).post('/artifacts').send(body).expect(201)).body.data;
    const asked = await app.as(ann).post(`/artifacts/${id}/upload`).send(announced(CONTENT)).expect(409);
    expect(asked.body.error.details.reason).toBe('no_file_store');
    expect((await app.as(ann).get(`/artifacts/${id}/file`).expect(409)).body.error.details.reason).toBe('no_file');
  });

  it.each([
    [
      { FILES_S3_BUCKET: 'worksmith-files' },
      /FILES_S3_ENDPOINT, FILES_S3_ACCESS_KEY_ID, FILES_S3_SECRET_ACCESS_KEY must/,
    ],
    [{ FILES_S3_PUBLIC_ENDPOINT: 'https://files.example.org' }, /FILES_S3_ENDPOINT, FILES_S3_BUCKET/],
    [{ ...STORE, FILES_S3_ENDPOINT: 'https://s3.example.org/files' }, /FILES_S3_ENDPOINT must have the form/],
    [{ ...STORE, FILES_S3_BUCKET: '../other' }, /FILES_S3_BUCKET must be/],
  ])('need all of the settings: %j', (environment, message) => {
    expect(() => readSettings({ NODE_ENV: 'test', ...environment })).toThrow(message);
  });
});
