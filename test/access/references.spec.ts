import { kindOf, newId } from '../../src/common/ids.js';
import type { Kind } from '../../src/common/kinds.js';
import { sample } from '../support/depth.js';
import { TestApp } from '../support/test-app.js';
import { fingerprintOf } from './fingerprint.js';
import { del, get, patch, type ApiRequest } from './rows.js';
import { ID_FIELD_REQUESTS } from './references/id-field-requests.js';
import { idFieldsOf, idFiltersOf, type IdField } from './references/fields.js';
import { createEntityFixtures, type EntityFixtures } from './references/entity-fixtures.js';

interface Refused {
  error: { code: string; request_id: string; details: { fields: { field: string; code: string }[] } };
}

/** Adds a search query for the only list that requires one. */
const searchedIn = (path: string): string => (path.endsWith('/search') ? '&q=any' : '');

describe('references', () => {
  let app: TestApp;
  let mine: EntityFixtures;
  let theirs: EntityFixtures;
  let fields: IdField[];
  let fingerprint: () => Promise<string[]>;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    [mine, theirs] = [await createEntityFixtures(app, 'Ann'), await createEntityFixtures(app, 'Eve')];
    fields = idFieldsOf(app.document);
    fingerprint = await fingerprintOf(app);
  });

  afterAll(() => app.close());

  const refused = async ({ method, path, body }: ApiRequest, status = 400): Promise<Refused['error']> => {
    const before = await fingerprint();
    const response = await app.as(mine.owner)[method](path).send(body);
    expect([path, body, response.status]).toEqual([path, body, status]);
    expect(await fingerprint()).toEqual(before);
    return { ...(response.body as Refused).error, request_id: '' };
  };

  it('are all covered: every id field of the document has a request below', () => {
    expect(fields.map(({ operation, field }) => `${operation} ${field}`).sort()).toEqual(
      Object.keys(ID_FIELD_REQUESTS).sort(),
    );
  });

  describe.each(Object.entries(ID_FIELD_REQUESTS))('%s', (name, carry) => {
    const kindsOf = (): Kind[] => {
      const [operation, field] = name.split(' ');
      return fields.find((one) => one.operation === operation && one.field === field)?.kinds ?? [];
    };
    const path = name.split(' ')[1];

    it('gives the same response for absent and invisible entities', async () => {
      for (const kind of kindsOf()) {
        const absent = await refused(carry(mine, newId(kind)));
        expect(absent.details.fields).toEqual([expect.objectContaining({ field: path, code: 'reference_not_found' })]);
        const invisible = theirs.things[kind];
        if (invisible !== undefined) expect(await refused(carry(mine, invisible))).toEqual(absent);
      }
    });

    it('rejects an id of the wrong kind as invalid_format', async () => {
      const wrong = Object.values(mine.things).find((id) => !kindsOf().includes(kindOf(id) as Kind));
      const { details } = await refused(carry(mine, wrong ?? `xyz_${newId('task').slice(4)}`));
      expect(details.fields).toContainEqual(expect.objectContaining({ field: path, code: 'invalid_format' }));
    });
  });

  it('in queries and subpaths get the same response for absent and invisible entities', async () => {
    const { things, team } = mine;
    const asked: [Kind, number, (id: string) => ApiRequest][] = [
      ['resource', 400, (id) => del(`/resources/${things.resource}?reassign_to=${id}`)],
      ['template', 400, (id) => get(`/reports/task/${things.task}?template_id=${id}`)],
      ['user', 404, (id) => patch(`/organizations/${things.organization}/members/${id}`, { role: 'guest' })],
      ['user', 404, (id) => del(`/organizations/${things.organization}/members/${id}`)],
      ['resource', 404, (id) => del(`/organizations/${things.organization}/resources/${id}`)],
      ['endeavour', 404, (id) => del(`/organizations/${things.organization}/endeavours/${id}`)],
      ['user', 404, (id) => patch(`/endeavours/${things.endeavour}/members/${id}`, { role: 'viewer' })],
      ['user', 404, (id) => del(`/endeavours/${things.endeavour}/members/${id}`)],
      ['resource', 404, (id) => del(`/resources/${team}/members/${id}`)],
    ];
    for (const [kind, status, ask] of asked) {
      const absent = await refused(ask(newId(kind)), status);
      expect(await refused(ask(theirs.things[kind] ?? ''), status)).toEqual(absent);
    }
  });

  /** The response without what differs between two requests. */
  const withoutRequest = ({ status, body }: { status: number; body: Partial<Refused> }) =>
    body.error === undefined ? { status, body } : { status, error: { ...body.error, request_id: '' } };

  it('find nothing in lists, whether the entity is absent or invisible', async () => {
    const filters = idFiltersOf(app.document);
    expect(filters.length).toBeGreaterThan(30);
    let found = 0;
    for (const [index, { path, name }] of filters.entries()) {
      for (const [kind, id] of sample(Object.entries(theirs.things), 6, index)) {
        const [invisible, absent] = await Promise.all(
          [id, newId(kind as Kind)].map((one) => app.as(mine.owner).get(`${path}?${name}=${one}${searchedIn(path)}`)),
        );
        expect([path, name, kind, withoutRequest(invisible)]).toEqual([path, name, kind, withoutRequest(absent)]);
        // An id of another kind than the filter takes is rejected; it can match nothing.
        if (absent.status === 400) {
          expect(absent.body.error.details.fields).toEqual([expect.objectContaining({ field: name })]);
          continue;
        }
        expect([path, name, absent.status]).toEqual([path, name, 200]);
        found += 1;
        expect(path.endsWith('/summary') ? absent.body.data.total : absent.body.data.length).toBe(0);
      }
    }
    expect(found).toBeGreaterThan(30);
  });
});
