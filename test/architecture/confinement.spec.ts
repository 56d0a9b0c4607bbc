import { TestApp } from '../support/test-app.js';

describe('the schema of confined requests', () => {
  it('has views with the same columns as the relations that they replace', async () => {
    const app = await TestApp.open();
    const columnsIn = async (schema: string): Promise<Map<string, string>> => {
      const rows = await app.database.query<{ name: string; columns: string }>(
        `SELECT table_name AS name, string_agg(column_name, ' ' ORDER BY column_name) AS columns
         FROM information_schema.columns WHERE table_schema = $1 GROUP BY 1 ORDER BY 1`,
        [schema],
      );
      return new Map(rows.map(({ name, columns }) => [name, columns]));
    };
    const [confined, open] = [await columnsIn('confined'), await columnsIn('public')];
    await app.close();
    expect([...confined.keys()]).toEqual(['endeavour_grants', 'entities', 'operations', 'organization_resources']);
    for (const [name, columns] of confined) expect([name, columns]).toEqual([name, open.get(name)]);
  });
});
