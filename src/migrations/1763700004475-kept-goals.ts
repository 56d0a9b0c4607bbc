import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Goals stay while work serves them, and events of moved work hide those of other endeavours. */
export class KeptGoals1763700004475 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE VIEW goal_members AS
      SELECT t.id, t.goal_id, 'task' AS kind,
          CASE WHEN t.status IN ('planned', 'active') THEN 'open' ELSE t.status END AS state
        FROM tasks t WHERE t.goal_id IS NOT NULL
      UNION ALL SELECT d.id, d.goal_id, 'demand',
          CASE d.status WHEN 'fulfilled' THEN 'done' WHEN 'canceled' THEN 'canceled' ELSE 'open' END
        FROM demands d WHERE d.goal_id IS NOT NULL`);
    await runner.query(`CREATE TRIGGER endeavours_keep_goals BEFORE UPDATE OF goals ON endeavours FOR EACH ROW
      WHEN (OLD.goals IS DISTINCT FROM NEW.goals AND OLD.goals <> '[]') EXECUTE FUNCTION keep_goals()`);
    await runner.query(`CREATE OR REPLACE FUNCTION without_outside(document json, endeavours text[], organizations text[]) RETURNS json
      LANGUAGE plpgsql STABLE AS $$
      DECLARE
        body text := document::text;
        foreign_id text;
      BEGIN
        FOR foreign_id IN
          (SELECT DISTINCT hit[1] FROM regexp_matches(
            body, '"((?:org|edv|dmd|tsk|itr|rel|apr|cmt|art|msg|rtl|rtr|rul|tpl|dod|tme|viw)_[0-9a-f]{32})"', 'g') hit
          EXCEPT
          SELECT x.id FROM regexp_matches(body, '"([a-z]{3}_[0-9a-f]{32})"', 'g') hit JOIN entities x ON x.id = hit[1]
          WHERE x.is_global OR x.endeavour_id = ANY(endeavours)
            OR (x.endeavour_id IS NULL AND x.organization_id = ANY(organizations)))
          UNION ALL
          (SELECT hit[1] FROM regexp_matches(body, '"stage" ?: ?"(stg_[0-9a-f]{32})"', 'g') hit
          EXCEPT
          SELECT stage ->> 'id' FROM endeavours e CROSS JOIN LATERAL jsonb_array_elements(e.stages) stage
          WHERE e.id = ANY(without_outside.endeavours))
          UNION ALL
          (SELECT hit[1] FROM regexp_matches(body, '"goal_id" ?: ?"(gol_[0-9a-f]{32})"', 'g') hit
          EXCEPT
          SELECT goal ->> 'id' FROM endeavours e CROSS JOIN LATERAL jsonb_array_elements(e.goals) goal
          WHERE e.id = ANY(without_outside.endeavours))
        LOOP
          body := regexp_replace(body, '"' || foreign_id || '"(?!\\s*:)', 'null', 'g');
        END LOOP;
        RETURN body::json;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION without_outside(document json, endeavours text[], organizations text[]) RETURNS json
      LANGUAGE plpgsql STABLE AS $$
      DECLARE
        body text := document::text;
        foreign_id text;
      BEGIN
        FOR foreign_id IN
          (SELECT DISTINCT hit[1] FROM regexp_matches(
            body, '"((?:org|edv|dmd|tsk|itr|rel|apr|cmt|art|msg|rtl|rtr|rul|tpl|dod|tme|viw)_[0-9a-f]{32})"', 'g') hit
          EXCEPT
          SELECT x.id FROM regexp_matches(body, '"([a-z]{3}_[0-9a-f]{32})"', 'g') hit JOIN entities x ON x.id = hit[1]
          WHERE x.is_global OR x.endeavour_id = ANY(endeavours)
            OR (x.endeavour_id IS NULL AND x.organization_id = ANY(organizations)))
          UNION ALL
          (SELECT hit[1] FROM regexp_matches(body, '"stage" ?: ?"(stg_[0-9a-f]{32})"', 'g') hit
          EXCEPT
          SELECT stage ->> 'id' FROM endeavours e CROSS JOIN LATERAL jsonb_array_elements(e.stages) stage
          WHERE e.id = ANY(without_outside.endeavours))
        LOOP
          body := regexp_replace(body, '"' || foreign_id || '"(?!\\s*:)', 'null', 'g');
        END LOOP;
        RETURN body::json;
      END $$`);
    await runner.query(`DROP TRIGGER endeavours_keep_goals ON endeavours`);
    await runner.query(`DROP VIEW goal_members`);
  }
}
