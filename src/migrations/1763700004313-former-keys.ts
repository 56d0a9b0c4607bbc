import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The function that reads the former keys of tasks and demands. */
export class FormerKeys1763700004313 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION former_keys(numbers jsonb, caller text) RETURNS json LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN (SELECT coalesce(json_agg(f.key || '-' || n.number ORDER BY f.id), '[]')
          FROM jsonb_each_text(numbers) AS n (endeavour_id, number) JOIN endeavours f ON f.id = n.endeavour_id
          WHERE f.key IS NOT NULL AND ((coalesce(current_setting('worksmith.container', true), '') = ''
    AND coalesce(current_setting('worksmith.withheld', true), '') = '' AND EXISTS (SELECT 1 FROM users admin WHERE admin.id = caller AND admin.is_admin)) OR f.id IN (SELECT g.endeavour_id FROM endeavour_grants g WHERE g.user_id = caller)));
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION former_keys`);
  }
}
