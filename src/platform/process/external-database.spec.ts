import { requireDatabase } from './external-database.js';

it('logs once why the database is unreachable, however often it retries', async () => {
  const logged: string[] = [];
  const url = 'postgres://worksmith:secret@127.0.0.1:1/worksmith';
  const waiting = requireDatabase({ url }, { entities: [], migrations: [] }, (message) => logged.push(message), 2_500);
  await expect(waiting).rejects.toThrow('connect ECONNREFUSED 127.0.0.1:1');
  expect(logged).toEqual([expect.stringMatching(/^The database is unreachable .* Retrying for 2\.5 s\.$/)]);
});
