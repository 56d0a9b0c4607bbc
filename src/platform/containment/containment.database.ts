import type { DatabaseObjects } from '../database/schema/database-objects.js';

/** What leaves a container in an export. */
export const CONTAINMENT_OBJECTS: DatabaseObjects = {
  functions: [
    /**
     * The document with null in place of the identifiers of entities outside these containers, and of the stages in which
     * tasks were, and the goals that work served, in other endeavours.
     */
    `CREATE FUNCTION without_outside(document json, endeavours text[], organizations text[]) RETURNS json
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
      END $$`,
  ],
};
