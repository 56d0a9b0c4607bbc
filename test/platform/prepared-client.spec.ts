import { House } from '../support/house.js';

describe('statements', () => {
  let house: House;

  beforeAll(async () => {
    house = await House.open();
  });

  afterAll(() => house.close());

  const prepared = (mark: string) =>
    house.database.query('SELECT name FROM pg_prepared_statements WHERE strpos(statement, $1) > 0', [`/* ${mark} */`]);

  it('are prepared when they come for the third time, and not before', async () => {
    const counts = await house.database.transaction(async () => {
      const seen: number[] = [];
      for (let times = 1; times <= 4; times += 1) {
        await house.database.query('SELECT $1::integer /* often */', [times]);
        seen.push((await prepared('often')).length);
      }
      return seen;
    });
    expect(counts).toEqual([0, 0, 1, 1]);
  });

  it('answer the same, prepared or not', async () => {
    for (let times = 1; times <= 5; times += 1) {
      const rows = await house.database.query('SELECT $1::integer + 1 AS next /* same */', [times]);
      expect(rows).toEqual([{ next: times + 1 }]);
    }
  });
});
