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

  it.each([
    ['a serialization failure', '40001'],
    ['a deadlock', '40P01'],
  ])('is done again after %s: the client gets one answer, and there is one effect', async (_, state) => {
    const ann = await house.person('Ann');
    const garden = await house.endeavour(ann);
    await house.database.query(`
      CREATE SEQUENCE tries;
      CREATE FUNCTION stumble() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('tries') < 3 THEN RAISE EXCEPTION 'stumbled' USING ERRCODE = '${state}'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER stumbles BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION stumble()`);
    const { body } = await house.as(ann).post('/tasks').send({ title: ' Paint ', endeavour_id: garden }).expect(201);
    await house.database.query('DROP TRIGGER stumbles ON tasks; DROP FUNCTION stumble; DROP SEQUENCE tries');
    const { body: listed } = await house.as(ann).get(`/tasks?endeavour_id=${garden}`).expect(200);
    expect(listed.data).toEqual([body.data]);
    const events = await house.database.query('SELECT type FROM events WHERE entity_id = $1', [body.data.id]);
    expect(events).toEqual([{ type: 'task.created' }]);
  });
});
