import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * By kind: the properties of other entities, of people, or of texts that can be deleted, which events used to store.
 */
const FOREIGN: Record<string, string> = {
  approval: 'approver_name, stale',
  comment: 'author_name, content, metadata',
  demand: 'endeavour_name, creator_name, owner_name, progress',
  dod_endorsement: 'resource_name',
  dod_policy: 'predecessor_id, lineage_id',
  endeavour: 'organizations, progress, my_role',
  invitation: 'email, organization_name, endeavour_name, invited_by_name',
  message: 'sender_name, subject, content, metadata, recipients, delivery',
  organization: 'member_count, endeavour_count, my_role',
  relation: 'source_title, target_title',
  resource: 'organizations',
  ritual: 'predecessor_id, lineage_id, next_run_at, last_run',
  ritual_run: 'ritual_name',
  task: 'endeavour_name, demand_title, assignee_name, owner_name, creator_name',
  template: 'predecessor_id, lineage_id',
};

/** SQL: the list of goals without their links to entities, which can be in other endeavours. */
const goals = (list: string): string => `(
  SELECT coalesce(jsonb_agg(goal || '{"linked_entity_type": null, "linked_entity_id": null}' ORDER BY place), '[]')
  FROM jsonb_array_elements(${list}) WITH ORDINALITY AS listed (goal, place))`;

/**
 * Replaces the ids of entities in other containers by null, for exports. Property names and the ids of users and
 * resources stay.
 */
const WITHOUT_OUTSIDE = `
  CREATE FUNCTION without_outside(document json, endeavours text[], organizations text[]) RETURNS json
  LANGUAGE plpgsql STABLE AS $$
  DECLARE
    body text := document::text;
    foreign_id text;
  BEGIN
    FOR foreign_id IN
      SELECT DISTINCT hit[1] FROM regexp_matches(
        body, '"((?:org|edv|dmd|tsk|rel|apr|cmt|art|msg|rtl|rtr|tpl|dod)_[0-9a-f]{32})"', 'g') hit
      EXCEPT
      SELECT x.id FROM regexp_matches(body, '"([a-z]{3}_[0-9a-f]{32})"', 'g') hit JOIN entities x ON x.id = hit[1]
      WHERE x.is_global OR x.endeavour_id = ANY(endeavours)
        OR (x.endeavour_id IS NULL AND x.organization_id = ANY(organizations))
    LOOP
      body := regexp_replace(body, '"' || foreign_id || '"(?!\\s*:)', 'null', 'g');
    END LOOP;
    RETURN body::json;
  END $$`;

/**
 * Removes names of people and properties of other containers from the events. Readers look up the current names
 * instead.
 */
export class OwnEvents1763700000840 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [kind, names] of Object.entries(FOREIGN)) {
      await runner.query(
        `UPDATE events SET data = (data::jsonb - $2::text[])::json, previous = (previous::jsonb - $2::text[])::json
         WHERE entity_type = $1 AND (data::jsonb ?| $2::text[] OR previous::jsonb ?| $2::text[])`,
        [kind, names.split(', ')],
      );
    }
    for (const column of ['data', 'previous']) {
      await runner.query(
        `UPDATE events SET ${column} = jsonb_set(${column}::jsonb, '{goals}', ${goals(`${column}::jsonb -> 'goals'`)})::json
         WHERE entity_type = 'endeavour' AND jsonb_typeof(${column}::jsonb -> 'goals') = 'array'`,
      );
    }
    for (const end of ['source_entity_id', 'target_entity_id']) {
      await runner.query(
        `UPDATE events v SET data = (v.data::jsonb || jsonb_build_object('${end}', NULL))::json
         FROM relations l JOIN entities source ON source.id = l.source_entity_id
           JOIN entities target ON target.id = l.target_entity_id
         WHERE l.id = v.entity_id AND (source.endeavour_id, source.organization_id)
           IS DISTINCT FROM (target.endeavour_id, target.organization_id)`,
      );
    }
    await runner.query('ALTER TABLE events DROP COLUMN actor_name');
    await runner.query(WITHOUT_OUTSIDE);
  }

  /** The removed values cannot be restored. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION without_outside');
    await runner.query('ALTER TABLE events ADD COLUMN actor_name text');
  }
}
