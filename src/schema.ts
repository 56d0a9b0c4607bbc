import * as objects from './database-objects.js';
import * as entities from './entities.js';
import * as migrations from './migrations/index.js';
import { declaredObjects } from './platform/database/schema/database-objects.js';
import type { DatabaseSchema } from './platform/database/connections/data-source.js';

/** The timestamp at the end of the name of a migration, by which TypeORM also sorts them. */
const timestampOf = ({ name }: Function): number => Number(name.slice(-13));

/** All entities, and all migrations from the oldest to the newest. */
export const SCHEMA: DatabaseSchema = {
  entities: Object.values(entities),
  migrations: Object.values(migrations).sort((a, b) => timestampOf(a) - timestampOf(b)),
};

/** All functions, views and triggers, in the order in which they can be created. */
export const OBJECTS = declaredObjects(Object.values(objects));
