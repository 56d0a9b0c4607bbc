import { rmSync } from 'node:fs';
import sqlite from 'node-sqlite3-wasm';

/** The copied properties, which events contain as well as lists. */
export const KINDS = {
  demand: ['id', 'title', 'type', 'status', 'priority', 'endeavour_id', 'owner_id', 'due_date', 'revision'],
  task: [
    'id',
    'title',
    'status',
    'endeavour_id',
    'demand_id',
    'assignee_id',
    'owner_id',
    'estimate',
    'actual',
    'due_date',
    'revision',
  ],
};

const NAMES = Object.keys(KINDS);

/** The copy: one table per kind, and the position in the feed, which changes in the same transactions. */
export class Copy {
  constructor(file) {
    // Left behind by a process that was killed while writing; only one process may use the file.
    rmSync(`${file}.lock`, { recursive: true, force: true });
    this.database = new sqlite.Database(file);
    for (const [kind, columns] of Object.entries(KINDS)) {
      this.database.exec(`CREATE TABLE IF NOT EXISTS ${kind}s (${columns.join(', ')}, PRIMARY KEY (id));
        CREATE INDEX IF NOT EXISTS ${kind}s_endeavour ON ${kind}s (endeavour_id)`);
    }
    this.database.exec('CREATE TABLE IF NOT EXISTS feed (id INTEGER PRIMARY KEY, position INTEGER NOT NULL)');
  }

  /** The sequence up to which the feed has been applied; undefined if the copy has to be started. */
  get position() {
    return this.database.get('SELECT position FROM feed')?.position;
  }

  /** Changes the copy and the position atomically; `change` returns the position. */
  async transaction(change) {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      this.database.run('INSERT OR REPLACE INTO feed VALUES (1, ?)', [await change()]);
      this.database.exec('COMMIT');
    } catch (error) {
      this.database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Inserts or replaces the row, unless the copy has a newer one. */
  put(kind, row) {
    const columns = KINDS[kind];
    const replaced = columns.map((name) => `${name} = excluded.${name}`).join(', ');
    this.database.run(
      `INSERT INTO ${kind}s (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
       ON CONFLICT (id) DO UPDATE SET ${replaced} WHERE excluded.revision > ${kind}s.revision`,
      columns.map((name) => row[name] ?? null),
    );
  }

  remove(kind, id) {
    if (kind in KINDS) this.database.run(`DELETE FROM ${kind}s WHERE id = ?`, [id]);
  }

  removeEndeavours(ids) {
    for (const kind of NAMES) {
      for (const id of ids) this.database.run(`DELETE FROM ${kind}s WHERE endeavour_id = ?`, [id]);
    }
  }

  /** Removes entities that left a container, unless the copy already has them in another one. */
  removeMoved(container, ids) {
    for (const kind of NAMES) {
      for (const id of ids)
        this.database.run(`DELETE FROM ${kind}s WHERE id = ? AND endeavour_id = ?`, [id, container]);
    }
  }

  clear() {
    for (const kind of NAMES) this.database.run(`DELETE FROM ${kind}s`);
  }

  /** The rows of a kind as JSON, by id. */
  all(kind) {
    const rows = this.database.all(`SELECT ${KINDS[kind].join(', ')} FROM ${kind}s`);
    return new Map(rows.map((row) => [row.id, JSON.stringify(row)]));
  }

  get size() {
    return NAMES.reduce((sum, kind) => sum + this.database.get(`SELECT count(*) AS rows FROM ${kind}s`).rows, 0);
  }

  close() {
    this.database.close();
  }
}
