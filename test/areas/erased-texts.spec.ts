import { TestApp, type Person } from '../support/test-app.js';

let secret = '';
let secrets = 0;

describe('a deleted text', () => {
  let app: TestApp;
  let ann: Person;
  let mia: Person;
  let riverside: string;
  let garden: string;
  let task: string;

  beforeAll(async () => {
    app = await TestApp.open();
  });

  beforeEach(async () => {
    secret = `SecretThatWasPastedByMistake${(secrets += 1)}`;
    [ann, mia] = [await app.person('Ann'), await app.person('Mia')];
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: riverside });
    await app.join(garden, mia, 'member');
    task = await app.task(ann, garden);
  });

  afterAll(() => app.close());

  const exported = async (id: string): Promise<string> =>
    (
      await app
        .as(ann)
        .get(`/${id.startsWith('org') ? 'organizations' : 'endeavours'}/${id}/export`)
        .expect(200)
    ).text;

  /** Returns the tables that contain the text. */
  async function tablesWith(text: string): Promise<string[]> {
    const tables = await app.database.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'p') AND n.nspname = 'public' ORDER BY 1`,
    );
    const found = [];
    for (const { name } of tables) {
      const rows = await app.database.query(`SELECT 1 FROM ${name} t WHERE row_to_json(t)::text LIKE $1 LIMIT 1`, [
        `%${text}%`,
      ]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  it('of a comment is in no export and no table, including earlier versions and messages', async () => {
    await app
      .as(ann)
      .put(`/organizations/${riverside}/alert-terms`)
      .send({ terms: [secret] })
      .expect(200);
    const sent = { entity_type: 'task', entity_id: task, content: `${secret} 1 @${mia.resourceId}` };
    const { body } = await app.as(ann).post('/comments').send(sent).expect(201);
    const { id } = body.data;
    const edited = { content: `${secret} 2 @${mia.resourceId}`, metadata: { note: `${secret} 3` } };
    await app.as(ann).patch(`/comments/${id}`).send(edited).expect(200);
    await app.as(ann).put(`/organizations/${riverside}/alert-terms`).send({ terms: [] }).expect(200);
    expect(await exported(garden)).toContain(secret);
    await app.as(ann).delete(`/comments/${id}`).expect(200);
    for (const container of [garden, riverside]) {
      const text = await exported(container);
      expect(text).not.toContain(`${secret} `);
      expect(text).toContain('comment.deleted');
    }
    // The matched term belongs to the organization; the text around it is deleted.
    expect(await tablesWith(`${secret} `)).toEqual([]);
    const { body: comments } = await app.as(mia).get(`/comments?entity_id=${task}`).expect(200);
    expect(comments.data).toEqual([expect.objectContaining({ id, content: null, metadata: {}, author_name: 'Ann' })]);
    const { body: inbox } = await app.as(mia).get('/messages').expect(200);
    expect(inbox.data).toEqual([expect.objectContaining({ entity_id: null, content: 'This text has been erased.' })]);
  });

  it('of an artifact is in no export and no table', async () => {
    const sent = {
      kind: 'link',
      title: `${secret} title`,
      url: `https://${secret}.example/`,
      summary: `${secret} summary`,
      tags: [secret],
      metadata: { note: secret },
      task_id: task,
    };
    const { body } = await app.as(ann).post('/artifacts').send(sent).expect(201);
    const path = `/artifacts/${body.data.id}`;
    await app
      .as(ann)
      .patch(path)
      .send({ title: `${secret} again`, summary: 'Plain', kind: 'doc' })
      .expect(200);
    await app.as(ann).delete(path).expect(200);
    for (const container of [garden, riverside]) {
      const text = await exported(container);
      expect(text).not.toContain(secret);
      expect(text).toContain('artifact.deleted');
    }
    expect(await tablesWith(secret)).toEqual([]);
    const [, changed] = await app.database.query<{ previous: object; changed: string[] }>(
      'SELECT previous, changed FROM events WHERE entity_id = $1 ORDER BY sequence',
      [body.data.id],
    );
    expect(changed).toEqual({
      previous: { kind: 'link', title: null, summary: null },
      changed: ['kind', 'title', 'summary'],
    });
  });

  it('of a message is in no event', async () => {
    const sent = { recipient_ids: [mia.id], subject: `${secret} s`, content: secret, metadata: { note: secret } };
    await app.as(ann).post('/messages').send(sent).expect(201);
    expect(await app.database.query('SELECT 1 FROM events WHERE data::text LIKE $1', [`%${secret}%`])).toEqual([]);
  });

  it('can be removed from history by erasing only', async () => {
    const sent = { entity_type: 'task', entity_id: task, content: 'One' };
    const { body } = await app.as(ann).post('/comments').send(sent).expect(201);
    await app.as(ann).patch(`/comments/${body.data.id}`).send({ content: 'Two' }).expect(200);
    await expect(app.database.query('DELETE FROM comment_texts')).rejects.toThrow('never changed');
    await expect(app.database.query(`UPDATE events SET data = '{}'`)).rejects.toThrow('never changed');
    await expect(app.database.query('DELETE FROM events')).rejects.toThrow('never changed');
  });
});
