import { TestApp } from '../support/test-app.js';

/** A view looks up the endeavours of an organization, and messages. */
const MOST_ADDED_NODES = 4;

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

  it('has views that add few nodes to a plan, because a search names them a hundred times', async () => {
    const app = await TestApp.open();
    const client = await app.openConnection();
    const nodesOf = async (relation: string): Promise<number> => {
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) SELECT * FROM ${relation}`);
      return JSON.stringify(rows[0]).split('"Node Type"').length - 1;
    };
    for (const name of ['endeavour_grants', 'entities', 'organization_resources']) {
      const added = (await nodesOf(`confined.${name}`)) - (await nodesOf(`public.${name}`));
      expect([name, added <= MOST_ADDED_NODES]).toEqual([name, true]);
    }
    await client.end();
    await app.close();
  });
});
