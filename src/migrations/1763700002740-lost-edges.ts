import type { MigrationInterface, QueryRunner } from 'typeorm';

const TYPES = `('parent_of', 'depends_on', 'blocks')`;

/** SQL: whether the row of relations connects two tasks by an edge that can keep one of them open. */
const isEdge = (row: string): string => `${row}.relationship_type IN ${TYPES} AND ${row}.source_entity_type = 'task'
  AND ${row}.target_entity_type = 'task'`;

/**
 * Stores when an edge between two tasks of one endeavour stopped to count, because it was deleted or one of them was moved
 * away, and who did it: it counts on for the Definition of Done unless an admin did who is no author of the task.
 */
export class LostEdges1763700002740 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE relations ADD COLUMN deleted_by text, ADD COLUMN deleted_by_admin boolean NOT NULL DEFAULT false`,
      `CREATE TABLE lost_edges (
        id bigserial NOT NULL,
        relation_id text NOT NULL,
        lost_by text,
        by_admin boolean NOT NULL,
        lost_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT lost_edges_pkey PRIMARY KEY (id),
        CONSTRAINT lost_edges_relation_id_fkey FOREIGN KEY (relation_id) REFERENCES relations(id) ON DELETE CASCADE
      )`,
      `CREATE INDEX lost_edges_relation_id_idx ON lost_edges (relation_id)`,
      `CREATE FUNCTION record_deleted_edge() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         INSERT INTO lost_edges (relation_id, lost_by, by_admin)
         SELECT NEW.id, NEW.deleted_by, NEW.deleted_by_admin FROM tasks s JOIN tasks t ON t.endeavour_id = s.endeavour_id
         WHERE s.id = NEW.source_entity_id AND t.id = NEW.target_entity_id;
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER relations_record_deleted_edge AFTER UPDATE OF deleted_at ON relations FOR EACH ROW
         WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL AND ${isEdge('NEW')})
         EXECUTE FUNCTION record_deleted_edge()`,
      `CREATE FUNCTION record_parted_edges() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         INSERT INTO lost_edges (relation_id, lost_by, by_admin)
         SELECT l.id, NEW.updated_by, true FROM (
             SELECT r.*, r.target_entity_id AS other FROM relations r WHERE r.source_entity_id = NEW.id
             UNION ALL SELECT r.*, r.source_entity_id FROM relations r WHERE r.target_entity_id = NEW.id) l
           JOIN tasks o ON o.id = l.other
         WHERE l.deleted_at IS NULL AND ${isEdge('l')} AND o.endeavour_id = OLD.endeavour_id;
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER tasks_record_parted_edges AFTER UPDATE OF endeavour_id ON tasks FOR EACH ROW
         WHEN (OLD.endeavour_id <> NEW.endeavour_id) EXECUTE FUNCTION record_parted_edges()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER tasks_record_parted_edges ON tasks`,
      `DROP FUNCTION record_parted_edges`,
      `DROP TRIGGER relations_record_deleted_edge ON relations`,
      `DROP FUNCTION record_deleted_edge`,
      `DROP TABLE lost_edges`,
      `ALTER TABLE relations DROP COLUMN deleted_by, DROP COLUMN deleted_by_admin`,
    ]) {
      await runner.query(statement);
    }
  }
}
