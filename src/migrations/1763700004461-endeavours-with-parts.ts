import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets endeavours know whether tasks there have parts. */
export class EndeavoursWithParts1763700004461 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE endeavours ADD COLUMN has_parts boolean NOT NULL DEFAULT false');
    await runner.query(`CREATE FUNCTION mark_endeavour_of_parts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE endeavours e SET has_parts = true FROM tasks t
        WHERE t.id = NEW.source_entity_id AND e.id = t.endeavour_id AND NOT e.has_parts;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE FUNCTION mark_endeavour_of_moved_parts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE endeavours e SET has_parts = true WHERE e.id = NEW.endeavour_id AND NOT e.has_parts
          AND (EXISTS (SELECT 1 FROM relations l WHERE l.source_entity_id = NEW.id AND l.relationship_type = 'parent_of'
        AND l.source_entity_type = 'task' AND l.target_entity_type = 'task' AND l.deleted_at IS NULL)
            OR EXISTS (SELECT 1 FROM relations l WHERE l.target_entity_id = NEW.id AND l.relationship_type = 'parent_of'
        AND l.source_entity_type = 'task' AND l.target_entity_type = 'task' AND l.deleted_at IS NULL));
        RETURN NULL;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION mark_endeavour_of_parts()');
    await runner.query('DROP FUNCTION mark_endeavour_of_moved_parts()');
    await runner.query('ALTER TABLE endeavours DROP COLUMN has_parts');
  }
}
