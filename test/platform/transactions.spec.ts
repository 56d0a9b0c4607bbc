import { keeping, Refusal } from '../../src/common/errors.js';
import { House } from '../support/house.js';

const refusal = () => new Refusal('quorum_not_met', 'One more has to agree.');

describe('a transaction', () => {
  let house: House;

  beforeAll(async () => {
    house = await House.open();
    await house.database.query('CREATE TABLE notes (note text)');
  });

  afterAll(() => house.close());

  const note = (text: string) => house.database.query('INSERT INTO notes VALUES ($1)', [text]);
  const notes = async () => (await house.database.query<{ note: string }>('SELECT note FROM notes')).map((n) => n.note);

  it('takes back what a refusal had written', async () => {
    const work = house.database.transaction(async () => {
      await note('gone');
      throw refusal();
    });
    await expect(work).rejects.toThrow('One more has to agree.');
    expect(await notes()).toEqual([]);
  });

  it('commits before it throws a refusal that keeps what was written', async () => {
    let told = 0;
    const work = house.database.transaction(async () => {
      await note('a vote');
      house.database.afterCommit(() => (told += 1));
      throw keeping(refusal());
    });
    await expect(work).rejects.toMatchObject({ code: 'quorum_not_met', keeps: true });
    expect(await notes()).toEqual(['a vote']);
    expect(told).toBe(1);
  });
});
