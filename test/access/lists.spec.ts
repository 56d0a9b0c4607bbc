import { kindOf } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';
import { readCompleteList } from '../support/sent-whole.js';
import { createEntityFixtures, type EntityFixtures } from './references/entity-fixtures.js';

interface Operation {
  operationId: string;
  parameters?: { in: string; name: string; schema?: { examples?: string[]; items?: { enum?: string[] } } }[];
}

/** Lists that only administrators can read. */
const ADMINISTRATORS = ['oauth_clients_list', 'oauth_registration_tokens_list', 'users_list'];

/** What lists show only where `fields` names it. */
const ONLY_NAMED: Record<string, string[] | undefined> = { tasks_list: ['parent', 'children'] };

describe('every list', () => {
  let app: TestApp;
  let mine: EntityFixtures;
  let administrator: Person;
  let lists: { operationId: string; isFeed: boolean; path: string; times: string[]; properties: string[] }[];

  beforeAll(async () => {
    app = await TestApp.open();
    [mine, administrator] = [await createEntityFixtures(app, 'Ann'), await app.admin()];
    lists = Object.entries(app.document.paths).flatMap(([path, { get }]) => {
      const { operationId, parameters = [] } = (get ?? {}) as Operation;
      const isList = parameters.some(({ name }) => name === 'limit');
      const inside = parameters.find((one) => one.in === 'path')?.schema?.examples?.[0];
      const times = parameters.map(({ name }) => name).filter((name) => /_(?:after|before)$/.test(name));
      const properties = parameters.find(({ name }) => name === 'fields')?.schema?.items?.enum ?? [];
      const isFeed = operationId === 'activity_list' || !parameters.some(({ name }) => name === 'offset');
      return isList ? [{ operationId, isFeed, path: path.replace('{id}', thing(inside)), times, properties }] : [];
    });
  });

  afterAll(() => app.close());

  const thing = (example: string | undefined): string => {
    const kind = kindOf(example);
    return kind === undefined ? '' : kind === 'resource' ? mine.team : (mine.things[kind] ?? '');
  };

  it('accepts admin=true from every user and ignores it', async () => {
    // The audit log records the refusals of this test up to a minute later.
    const begun = new Date().toISOString();
    for (const { operationId, path } of lists) {
      const filter = operationId === 'audit_list' ? `created_before=${begun}` : '';
      for (const person of [mine.owner, administrator]) {
        const plain = await app.as(person).get(`${path}?${filter}`);
        const asked = await app.as(person).get(`${path}?admin=true&${filter}`);
        expect([operationId, asked.status, asked.body.data]).toEqual([operationId, plain.status, plain.body.data]);
      }
    }
  });

  it('accepts each of its time filters together with count=false', async () => {
    for (const { operationId, path, times } of lists) {
      const asking = ADMINISTRATORS.includes(operationId) ? administrator : mine.owner;
      for (const name of times) {
        const { status } = await app.as(asking).get(`${path}?${name}=2026-11-20&count=false`);
        expect([operationId, name, status]).toEqual([operationId, name, 200]);
      }
    }
  });

  it('has time filters for each of created_at, updated_at and due_date that it returns', () => {
    // The working list is short and has no time filters; in the audit, created_at is another name of its time, at.
    const dated = lists.filter(({ operationId }) => !['work_list', 'audit_list'].includes(operationId));
    const missing = dated.flatMap(({ operationId, properties, times }) => {
      const kept = ['created_at', 'updated_at', 'due_date'].filter((name) => properties.includes(name));
      const wanted = kept.flatMap((name) => ['after', 'before'].map((side) => `${name.split('_')[0]}_${side}`));
      return wanted.filter((name) => !times.includes(name)).map((name) => `${operationId} ${name}`);
    });
    expect(missing).toEqual([]);
  });

  it('can be downloaded as CSV and NDJSON, with the rows and properties of its pages', async () => {
    // Feeds are endless and have no offset; a search ranks only some of its matches.
    const finite = lists.filter(({ isFeed, operationId }) => !isFeed && operationId !== 'search_list');
    expect(finite.length).toBeGreaterThan(30);
    for (const { operationId, path, properties } of finite) {
      const asking = ADMINISTRATORS.includes(operationId) ? administrator : mine.owner;
      const lines = await readCompleteList(app, asking, path, 'application/x-ndjson');
      const csv = await readCompleteList(app, asking, path, 'text/csv');
      const { body } = await app.as(asking).get(`${path}?limit=200`).expect(200);
      // Every download adds an entry to the audit log.
      const isSame = operationId === 'audit_list' ? expect.anything() : body.data;
      const rows = lines.split('\n').filter(Boolean);
      expect([operationId, rows.map((row) => JSON.parse(row) as object)]).toEqual([operationId, isSame]);
      const shown = properties.filter((name) => !ONLY_NAMED[operationId]?.includes(name));
      expect([operationId, csv.split('\r\n')[0].split(',').sort()]).toEqual([operationId, shown.toSorted()]);
    }
  });

  it('shows nothing to a user who shares nothing with the owner', async () => {
    const eve = await app.person('Eve');
    for (const { operationId, path } of lists) {
      const { body } = await app.as(eve).get(path);
      const shown = JSON.stringify(body);
      const leaks = Object.values(mine.things).filter((id) => shown.includes(id));
      expect([operationId, leaks]).toEqual([operationId, []]);
    }
  });
});
