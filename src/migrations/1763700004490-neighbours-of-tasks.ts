import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The functions that read the neighbours of a task. */
export class NeighboursOfTasks1763700004490 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION open_blockers(task text, endeavour text) RETURNS json LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN array_to_json(ARRAY(SELECT b.id FROM tasks b
          WHERE b.id = ANY(ARRAY(SELECT d.blocker_id FROM task_dependencies d WHERE d.task_id = task))
            AND (b.endeavour_id = endeavour) IS TRUE AND b.status IN ('planned', 'active')
          ORDER BY b.id LIMIT 10));
      END $$`);
    await runner.query(`CREATE FUNCTION parent_task(task text, endeavour text, endeavour_key text) RETURNS json LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN (SELECT json_build_object('id', whole.id, 'key', endeavour_key || '-' || whole.number, 'title', whole.title)
          FROM current_relations l
  CROSS JOIN LATERAL (SELECT p.id, p.number, p.title FROM tasks p
    WHERE p.id = l.source_entity_id AND (p.endeavour_id = endeavour) IS TRUE LIMIT 1) whole
  WHERE l.target_entity_id = task AND l.relationship_type = 'parent_of' ORDER BY l.id LIMIT 1);
      END $$`);
    await runner.query(`CREATE FUNCTION child_counts(task text, endeavour text) RETURNS json LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN (SELECT json_build_object('planned', count(*) FILTER (WHERE part.status = 'planned'), 'active', count(*) FILTER (WHERE part.status = 'active'), 'done', count(*) FILTER (WHERE part.status = 'done'), 'canceled', count(*) FILTER (WHERE part.status = 'canceled'))
          FROM current_relations l CROSS JOIN LATERAL (SELECT x.status FROM tasks x
            WHERE x.id = l.target_entity_id AND (x.endeavour_id = endeavour) IS TRUE LIMIT 1) part
          WHERE l.source_entity_id = task AND l.relationship_type = 'parent_of');
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION open_blockers');
    await runner.query('DROP FUNCTION parent_task');
    await runner.query('DROP FUNCTION child_counts');
  }
}
