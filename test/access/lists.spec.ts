import { kindOf } from '../../src/common/ids.js';
import { makeDocument } from '../../src/platform/http/documents.js';
import { House, type Person } from '../support/house.js';
import { makeHoldings, type Holdings } from './references/holdings.js';

interface Operation {
  operationId: string;
  parameters?: { in: string; name: string; schema?: { examples?: string[] } }[];
}

describe('every list', () => {
  let house: House;
  let mine: Holdings;
  let administrator: Person;
  let lists: { operationId: string; path: string; times: string[] }[];

  beforeAll(async () => {
    house = await House.open();
    [mine, administrator] = [await makeHoldings(house, 'Ann'), await house.admin()];
    lists = Object.entries(makeDocument(house.app).paths).flatMap(([path, { get }]) => {
      const { operationId, parameters = [] } = (get ?? {}) as Operation;
      const isList = parameters.some(({ name }) => name === 'limit');
      const inside = parameters.find((one) => one.in === 'path')?.schema?.examples?.[0];
      const times = parameters.map(({ name }) => name).filter((name) => /_(?:after|before)$/.test(name));
      return isList ? [{ operationId, path: path.replace('{id}', thing(inside)), times }] : [];
    });
  });

  afterAll(() => house.close());

  const thing = (example: string | undefined): string => {
    const kind = kindOf(example);
    return kind === undefined ? '' : kind === 'resource' ? mine.team : (mine.things[kind] ?? '');
  };

  it('takes admin=true from administrators only, to whom it means nothing new', async () => {
    for (const { operationId, path } of lists) {
      const { status, body } = await house.as(mine.owner).get(`${path}?admin=true`);
      expect([operationId, status, body.error?.code]).toEqual([operationId, 403, 'forbidden']);
      const plain = await house.as(administrator).get(path).expect(200);
      const asked = await house.as(administrator).get(`${path}?admin=true`).expect(200);
      expect([operationId, asked.body]).toEqual([operationId, plain.body]);
    }
  });

  it('takes every one of its times also where nobody counts', async () => {
    for (const { operationId, path, times } of lists) {
      const asking = operationId === 'users_list' ? administrator : mine.owner;
      for (const name of times) {
        const { status } = await house.as(asking).get(`${path}?${name}=2026-11-20&count=false`);
        expect([operationId, name, status]).toEqual([operationId, name, 200]);
      }
    }
  });

  it('shows nothing to somebody who shares nothing with its owner', async () => {
    const eve = await house.person('Eve');
    for (const { operationId, path } of lists) {
      const { body } = await house.as(eve).get(path);
      const shown = JSON.stringify(body);
      const leaks = Object.values(mine.things).filter((id) => shown.includes(id));
      expect([operationId, leaks]).toEqual([operationId, []]);
    }
  });
});
