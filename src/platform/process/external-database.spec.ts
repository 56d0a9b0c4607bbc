import { requireDatabase } from './external-database.js';

it('tells once why the database cannot be reached, however often it tries', async () => {
  const told: string[] = [];
  const url = 'postgres://worksmith:secret@127.0.0.1:1/worksmith';
  const waited = requireDatabase({ url }, { entities: [], migrations: [] }, (message) => told.push(message), 2_500);
  await expect(waited).rejects.toThrow('connect ECONNREFUSED 127.0.0.1:1');
  expect(told).toEqual([expect.stringMatching(/^The database is unreachable .* Retrying for 2\.5 s\.$/)]);
});
