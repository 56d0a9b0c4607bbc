import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By name, the views through which features read tables of features that come after them in the layer order. */
const VIEWS: Record<string, string> = {
  task_states: 'SELECT id, endeavour_id, demand_id, status, blocked_by_count FROM tasks',
  demand_states: 'SELECT id, endeavour_id, status FROM demands',
  current_relations: `SELECT id, relationship_type, source_entity_id, target_entity_id FROM relations
    WHERE deleted_at IS NULL`,
  task_contributions: `SELECT task_id, created_by AS resource_id, created_at FROM artifacts
    UNION ALL SELECT task_id, posted_by, created_at FROM dod_results`,
};

/** Creates the views that decouple early features from the tables of later ones. */
export class SharedViews1763700002550 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, select] of Object.entries(VIEWS)) await runner.query(`CREATE VIEW ${name} AS ${select}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(VIEWS)) await runner.query(`DROP VIEW ${name}`);
  }
}
