import pg from 'pg';
import { setRoleLimits } from '../dist/platform/process/role-limits.js';
import { ensureLoaded } from './data/load.mjs';

/** Opens the databases of a run: a copy if the database is kept, so that every run starts with the same data. */
export class Databases {
  constructor(server, texts, { isKept, say }) {
    this.server = server;
    this.texts = texts;
    this.isKept = isKept;
    this.say = say;
  }

  async open(size) {
    const database = await ensureLoaded(this.server, size, this.texts, this.say);
    const loaded = { ...this.server, database };
    await setRoleLimits(loaded);
    if (!this.isKept) return { connection: loaded, remove: () => undefined };
    const copy = `${database}_run`;
    const drop = `DROP DATABASE IF EXISTS ${copy} WITH (FORCE)`;
    const begun = Date.now();
    await this.admin(drop, `CREATE DATABASE ${copy} TEMPLATE ${database} STRATEGY file_copy`);
    this.say(`copied in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
    const connection = { ...this.server, database: copy };
    await setRoleLimits(connection);
    return { connection, remove: () => this.admin(drop) };
  }

  async admin(...statements) {
    const client = new pg.Client({ ...this.server, database: 'postgres' });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }
}
