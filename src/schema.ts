import * as entities from './entities.js';
import * as migrations from './migrations/index.js';
import type { DatabaseSchema } from './platform/database/data-source.js';

/** The time in the name of a migration, by which TypeORM orders them too. */
const timestampOf = ({ name }: Function): number => Number(name.slice(-13));

/** Every table and every step that led to it, oldest first. */
export const SCHEMA: DatabaseSchema = {
  entities: Object.values(entities),
  migrations: Object.values(migrations).sort((a, b) => timestampOf(a) - timestampOf(b)),
};
