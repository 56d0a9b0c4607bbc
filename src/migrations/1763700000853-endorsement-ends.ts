import type { MigrationInterface, QueryRunner } from 'typeorm';

const wire = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Ends an endorsement together with the membership in which it was given, however that ends; a returning member has to
 * endorse again.
 */
export class EndorsementEnds1763700000853 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE FUNCTION end_endorsements(endeavour text, resource text) RETURNS void LANGUAGE sql AS $$
         WITH ended AS (
           UPDATE dod_endorsements d SET status = 'withdrawn', revision = d.revision + 1, updated_at = clock_timestamp()
           WHERE d.status = 'active' AND (endeavour IS NULL OR d.endeavour_id = endeavour)
             AND (resource IS NULL OR d.resource_id = resource)
             AND NOT EXISTS (SELECT 1 FROM endeavour_grants g JOIN users u ON u.id = g.user_id
               WHERE g.endeavour_id = d.endeavour_id AND u.resource_id = d.resource_id)
           RETURNING d.*)
         INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, changed, previous, data)
         SELECT 'evt_' || replace(gen_random_uuid()::text, '-', ''), 'dod_endorsement.withdrawn', 'dod_endorsement', d.id,
           d.endeavour_id, '{status}', '{"status": "active"}',
           json_build_object('id', d.id, 'policy_id', d.policy_id, 'policy_version', d.policy_version,
             'resource_id', d.resource_id, 'endeavour_id', d.endeavour_id, 'status', d.status,
             'endorsed_at', ${wire('d.created_at')}, 'superseded_at', NULL, 'created_at', ${wire('d.created_at')},
             'updated_at', ${wire('d.updated_at')}, 'revision', d.revision)
         FROM ended d $$`,
      `CREATE FUNCTION leave_endorsements() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         CASE TG_TABLE_NAME
           WHEN 'endeavour_members' THEN PERFORM end_endorsements(OLD.endeavour_id, OLD.resource_id);
           WHEN 'organization_resources' THEN PERFORM end_endorsements(NULL, OLD.resource_id);
           ELSE PERFORM end_endorsements(OLD.endeavour_id, NULL);
         END CASE;
         RETURN NULL;
       END $$`,
      ...['endeavour_members', 'organization_resources', 'organization_endeavours'].map(
        (table) => `CREATE TRIGGER ${table}_leave_endorsements AFTER UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION leave_endorsements()`,
      ),
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      ...['endeavour_members', 'organization_resources', 'organization_endeavours'].map(
        (table) => `DROP TRIGGER ${table}_leave_endorsements ON ${table}`,
      ),
      `DROP FUNCTION leave_endorsements`,
      `DROP FUNCTION end_endorsements`,
    ]) {
      await runner.query(statement);
    }
  }
}
