import { makeDataSource } from '../../src/platform/database/connections/data-source.js';
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

  it('can be reverted to its baseline and migrated again, but not further', async () => {
    const connection = await cloneDatabase();
    const source = await makeDataSource(connection, SCHEMA).initialize();
    const later = SCHEMA.migrations.slice(1);
    for (const _ of later) await source.undoLastMigration();
    await expect(source.undoLastMigration()).rejects.toThrow('The baseline cannot be reverted.');
    expect(await source.query('SELECT count(*)::integer AS count FROM tiers')).toEqual([{ count: 3 }]);
    expect(await source.runMigrations()).toHaveLength(later.length);
    await source.destroy();
    await dropDatabase(connection);
  });
});
