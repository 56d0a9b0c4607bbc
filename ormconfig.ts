import { makeDataSource } from './src/platform/database/connections/data-source.js';
import { SCHEMA } from './src/schema.js';

/** For TypeORM's own commands (`npm run migration:generate`), which need a database to compare with. */
export default makeDataSource({ url: process.env.DATABASE_URL ?? 'postgres://localhost/worksmith' }, SCHEMA);
