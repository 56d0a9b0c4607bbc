import type { MigrationInterface, QueryRunner } from 'typeorm';

const REFERENCES_OF = `CREATE FUNCTION references_of(target text, caller text) RETURNS json LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN (WITH newest AS (
            SELECT r.entity_id, r.created_at FROM work_references r WHERE r.target_id = target
            ORDER BY r.created_at DESC LIMIT 1000),
          named AS (SELECT n.entity_id, max(n.created_at) AS at FROM newest n GROUP BY n.entity_id),
          seen AS (
            SELECT x.id, x.kind, x.title, n.at FROM named n JOIN entities x ON x.id = n.entity_id
            WHERE x.deleted_at IS NULL AND ((coalesce(current_setting('worksmith.container', true), '') = ''
    AND coalesce(current_setting('worksmith.withheld', true), '') = '' AND EXISTS (SELECT 1 FROM users admin WHERE admin.id = caller AND admin.is_admin))
              OR x.endeavour_id = ANY(ARRAY(SELECT g.endeavour_id FROM endeavour_grants g WHERE g.user_id = caller)))),
          shown AS (SELECT * FROM seen s ORDER BY s.at DESC, s.id LIMIT 20)
          SELECT json_build_object('total', (SELECT count(*) FROM seen), 'items', coalesce((
            SELECT json_agg(json_build_object('entity_type', s.kind, 'entity_id', s.id,
                'key', (SELECT k.key FROM work_keys k WHERE k.entity_id = s.id), 'title', s.title)
              ORDER BY s.at DESC, s.id) FROM shown s), '[]')));
      END $$`;

/** Which tasks and demands descriptions and comments name by their keys; the next migrations let tables use it. */
export class WorkReferences1763700004513 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE work_references (
      target_id text NOT NULL REFERENCES entities (id), source_id text NOT NULL REFERENCES entities (id),
      entity_id text NOT NULL REFERENCES entities (id), created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
      CONSTRAINT work_references_pkey PRIMARY KEY (target_id, source_id))`);
    for (const columns of ['target_id, created_at', 'source_id', 'entity_id']) {
      const name = `work_references_${columns.replace(', ', '_')}_idx`;
      await runner.query(`CREATE INDEX ${name} ON work_references (${columns})`);
    }
    await runner.query(`CREATE FUNCTION forget_references() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM work_references r WHERE r.source_id = NEW.id;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE FUNCTION mark_referenced() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.target_id LIKE 'tsk%' THEN
          UPDATE tasks SET has_references = true WHERE id = NEW.target_id AND NOT has_references;
        ELSE
          UPDATE demands SET has_references = true WHERE id = NEW.target_id AND NOT has_references;
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(
      `CREATE TRIGGER work_references_mark AFTER INSERT ON work_references FOR EACH ROW EXECUTE FUNCTION mark_referenced()`,
    );
    await runner.query(`CREATE VIEW referring_texts AS
      SELECT t.id AS source_id, t.id AS entity_id, t.description AS content FROM tasks t
      UNION ALL
      SELECT d.id, d.id, d.description FROM demands d
      UNION ALL
      SELECT c.id, c.entity_id, c.content FROM comments c`);
    await runner.query(REFERENCES_OF);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION references_of');
    await runner.query('DROP VIEW referring_texts');
    await runner.query('DROP TABLE work_references');
    await runner.query('DROP FUNCTION mark_referenced');
    await runner.query('DROP FUNCTION forget_references');
  }
}
