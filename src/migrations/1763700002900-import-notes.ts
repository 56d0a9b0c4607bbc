import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What imports did not understand, what they did, and what the imported things were like in the other system. */
export class ImportNotes1763700002900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE import_notes (
         import_id text NOT NULL,
         kind text NOT NULL,
         name text NOT NULL,
         message text NOT NULL,
         line integer,
         count integer NOT NULL,
         found bigint NOT NULL,
         total bigint NOT NULL,
         CONSTRAINT import_notes_pkey PRIMARY KEY (import_id, kind, name, message),
         CONSTRAINT import_notes_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE
       )`,
      `CREATE TABLE import_sources (
         entity_id text NOT NULL,
         values jsonb NOT NULL,
         CONSTRAINT import_sources_pkey PRIMARY KEY (entity_id),
         CONSTRAINT import_sources_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES entities(id)
       )`,
      `CREATE TABLE import_results (
         import_id text NOT NULL,
         entity_id text NOT NULL,
         outcome text NOT NULL,
         CONSTRAINT import_results_pkey PRIMARY KEY (import_id, entity_id),
         CONSTRAINT import_results_outcome_check CHECK (outcome IN ('created', 'updated')),
         CONSTRAINT import_results_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE,
         CONSTRAINT import_results_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES entities(id)
       )`,
      `CREATE INDEX import_results_entity_id_idx ON import_results (entity_id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE import_results, import_sources, import_notes`);
  }
}
