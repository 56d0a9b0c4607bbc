import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ids of rules among those that do not leave their container. */
export class IdsOfRules1763700004453 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
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
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION public.without_outside(document json, endeavours text[], organizations text[])
 RETURNS json
 LANGUAGE plpgsql
 STABLE
AS $function$
      DECLARE
        body text := document::text;
        foreign_id text;
      BEGIN
        FOR foreign_id IN
          (SELECT DISTINCT hit[1] FROM regexp_matches(
            body, '"((?:org|edv|dmd|tsk|itr|rel|apr|cmt|art|msg|rtl|rtr|tpl|dod|tme|viw)_[0-9a-f]{32})"', 'g') hit
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
      END $function$`);
  }
}
