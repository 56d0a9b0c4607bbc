import { committing, ApiError } from '../../src/common/errors.js';
import { transactionStorage } from '../../src/platform/database/transactions/transaction-context.js';
import { InProcessApp } from '../support/in-process-app.js';

const refusal = () => new ApiError('quorum_not_met', 'One more has to agree.');

describe('a transaction', () => {
  let app: InProcessApp;

  beforeAll(async () => {
    app = await InProcessApp.open();
    await app.observer.query('CREATE TABLE notes (note text)');
  });

  afterAll(() => app.close());

  const note = (text: string) => app.database.query('INSERT INTO notes VALUES ($1)', [text]);
  const notes = async () => (await app.database.query<{ note: string }>('SELECT note FROM notes')).map((n) => n.note);

  it('rolls back what was written before an error', async () => {
    const work = app.database.transaction(async () => {
      await note('gone');
      throw refusal();
    });
    await expect(work).rejects.toThrow('One more has to agree.');
    expect(await notes()).toEqual([]);
  });

  it('commits before it throws an error that keeps earlier writes', async () => {
    let told = 0;
    const work = app.database.transaction(async () => {
      await note('a vote');
      app.database.afterCommit(() => (told += 1));
      throw committing(refusal());
    });
    await expect(work).rejects.toMatchObject({ code: 'quorum_not_met', commits: true });
    expect(await notes()).toEqual(['a vote']);
    expect(told).toBe(1);
  });

  describe('that ends with its last statement', () => {
    const ending = (work: () => Promise<unknown>) => app.database.transaction(work, { endsWithWork: true });
    const last = (text: string) => app.database.queryAndCommit('INSERT INTO notes VALUES ($1) RETURNING note', [text]);
    const clear = () => app.observer.query('TRUNCATE notes');

    it('is committed when that statement returns', async () => {
      await clear();
      await ending(async () => {
        await note('first');
        await last('last');
        expect(await transactionStorage.exit(notes)).toEqual(['first', 'last']);
      });
    });

    it('is rolled back completely if that statement fails', async () => {
      await clear();
      const work = ending(async () => {
        await note('first');
        await last('\u0000');
      });
      await expect(work).rejects.toThrow('invalid byte sequence');
      expect(await notes()).toEqual([]);
    });

    it('rejects every statement after it', async () => {
      const work = ending(async () => {
        await last('last');
        await note('too late');
      });
      await expect(work).rejects.toThrow('after its transaction had ended');
    });

    it('stays open if more is written after the work', async () => {
      await clear();
      await app.database.transaction(async () => {
        await last('last, perhaps');
        await note('the key');
      });
      expect(await notes()).toEqual(['last, perhaps', 'the key']);
    });
  });

  it('fails if the error of one of its statements was not handled', async () => {
    const work = app.database.transaction(async () => {
      await note('gone');
      await app.database.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(work).rejects.toThrow('its error was not handled');
  });

  it('calls the afterCommit callbacks only after its commit, and never if the work failed', async () => {
    const told = jest.fn();
    await app.database.transaction(async () => {
      app.database.afterCommit(told);
      await note('for good');
      expect(told).not.toHaveBeenCalled();
    });
    expect(told).toHaveBeenCalledTimes(1);

    const failing = app.database.transaction(async () => {
      app.database.afterCommit(told);
      await note('gone');
      throw refusal();
    });
    await expect(failing).rejects.toThrow('One more has to agree.');
    expect(told).toHaveBeenCalledTimes(1);
  });

  /** Calls `work` while the first two inserts of a task fail with that error of the database. */
  async function stumbling<T>(state: string, work: () => PromiseLike<T>): Promise<T> {
    await app.observer.query(`
      CREATE SEQUENCE tries;
      CREATE FUNCTION stumble() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('tries') < 3 THEN RAISE EXCEPTION 'stumbled' USING ERRCODE = '${state}'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER stumbles BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION stumble()`);
    const result = await work();
    await app.observer.query('DROP TRIGGER stumbles ON tasks; DROP FUNCTION stumble; DROP SEQUENCE tries');
    return result;
  }

  describe.each([
    ['a serialization failure', '40001'],
    ['a deadlock', '40P01'],
  ])('after %s', (_, state) => {
    it('is retried: the client gets one response, and there is one effect', async () => {
      const ann = await app.person('Ann');
      const garden = await app.endeavour(ann);
      const create = () => app.as(ann).post('/tasks').send({ title: ' Paint ', endeavour_id: garden });
      const { status, body } = await stumbling(state, create);
      expect(status).toBe(201);
      const { body: listed } = await app.as(ann).get(`/tasks?endeavour_id=${garden}`).expect(200);
      expect(listed.data).toEqual([body.data]);
      const events = await app.database.query('SELECT type FROM events WHERE entity_id = $1', [body.data.id]);
      expect(events).toEqual([{ type: 'task.created' }]);
    });

    it('is retried as a dry run, too', async () => {
      const ann = await app.person('Ann');
      const garden = await app.endeavour(ann);
      const create = () => app.as(ann).post('/tasks?dry_run=true').send({ title: 'Paint', endeavour_id: garden });
      const { status, body } = await stumbling(state, create);
      expect([status, body]).toMatchObject([201, { data: { title: 'Paint' } }]);
      const { body: listed } = await app.as(ann).get(`/tasks?endeavour_id=${garden}`).expect(200);
      expect(listed.data).toEqual([]);
    });
  });
});
