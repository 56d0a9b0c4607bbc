import { makeDataSource } from '../../src/platform/database/data-source.js';
import { SCHEMA } from '../../src/schema.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';

describe('the schema', () => {
  it('matches the entities after all migrations', async () => {
    const connection = await cloneDatabase();
    const source = await makeDataSource(connection, SCHEMA).initialize();
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    await source.destroy();
    await dropDatabase(connection);
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('can be reverted completely and migrated again', async () => {
    const connection = await cloneDatabase();
    const source = await makeDataSource(connection, SCHEMA).initialize();
    for (const _ of SCHEMA.migrations) await source.undoLastMigration();
    const tables = await source.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    expect(tables).toEqual([{ tablename: 'migrations' }]);
    expect(await source.runMigrations()).toHaveLength(SCHEMA.migrations.length);
    await source.destroy();
    await dropDatabase(connection);
  });
});
