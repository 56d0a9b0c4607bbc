import type { MigrationInterface, QueryRunner } from 'typeorm';

const keepApproval = (
  columns: string,
): string => `CREATE OR REPLACE FUNCTION keep_approval() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE changes text[] := '{${columns}}';
  BEGIN
    IF current_setting('worksmith.erasing', true) = 'on' THEN
      RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.is_current AND to_jsonb(NEW) - changes = to_jsonb(OLD) - changes
      AND (OLD.dismissed_at IS NULL OR (NEW.dismissed_at, NEW.dismissed_by, NEW.dismissed_reason)
        = (OLD.dismissed_at, OLD.dismissed_by, OLD.dismissed_reason)) THEN
      RETURN NEW;
    END IF;
    RAISE EXCEPTION 'approvals is never changed' USING ERRCODE = 'restrict_violation';
  END $$`;

const BEFORE = 'is_current,dismissed_at,dismissed_by,dismissed_reason';

const hasRole = (user: string): string =>
  `EXISTS (SELECT 1 FROM endeavour_grants g WHERE g.endeavour_id = own.endeavour_id AND g.user_id = ${user})`;

/** SQL: whether the user `u` has no role in the endeavour, or is an agent whose manager has none. */
const IS_OUT = `(NOT ${hasRole('u.id')} OR (u.manager_id IS NOT NULL AND NOT ${hasRole('u.manager_id')}
  AND NOT EXISTS (SELECT 1 FROM users m WHERE m.id = u.manager_id AND m.is_admin)))`;

const IS_REJECTION = `u.resource_id = a.approver_id AND own.id = a.id AND own.kind = 'approval'
  AND a.verdict = 'rejected' AND a.is_current AND a.dismissed_at IS NULL`;

/** SQL: who has lost the last role keeps the first cause; a new role begins anew. */
const record = (scope: string): string => `
  IF TG_OP <> 'INSERT' THEN
    UPDATE approvals a SET ended_by = actor FROM users u, entities own
    WHERE ${IS_REJECTION} AND a.ended_by IS NULL AND ${scope} AND ${IS_OUT};
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE approvals a SET ended_by = NULL FROM users u, entities own
    WHERE ${IS_REJECTION} AND a.ended_by IS NOT NULL AND ${scope} AND NOT ${IS_OUT};
  END IF`;

const markLinks = (
  nameActor: string,
): string => `CREATE OR REPLACE FUNCTION mark_links() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    ${nameActor}
    UPDATE organization_endeavours SET is_private = NEW.is_private, is_home = false
    WHERE endeavour_id = NEW.id AND organization_id IS DISTINCT FROM NEW.organization_id;
    UPDATE organization_endeavours SET is_private = NEW.is_private, is_home = true
    WHERE endeavour_id = NEW.id AND organization_id = NEW.organization_id;
    RETURN NULL;
  END $$`;

const TABLES = ['endeavour_members', 'organization_resources', 'organization_endeavours'];

/**
 * Stores with a rejection who ended the membership of its approver: a rejection stays if an author of the task removed the
 * person who gave it. Triggers do, because a membership ends in many ways; the operations name the actor in a setting.
 */
export class EndedRejecters1763700002732 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE approvals ADD COLUMN ended_by text`,
      keepApproval(`${BEFORE},ended_by`),
      `CREATE FUNCTION record_ended_rejecters() RETURNS trigger LANGUAGE plpgsql AS $$
       DECLARE
         actor text := nullif(current_setting('worksmith.actor', true), '');
         link jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
       BEGIN
         IF TG_TABLE_NAME = 'organization_endeavours' THEN
           ${record(`own.endeavour_id = link->>'endeavour_id'`)};
         ELSE
           ${record(`(u.id = link->>'user_id' OR u.manager_id = link->>'user_id')`)};
         END IF;
         RETURN NULL;
       END $$`,
      markLinks(`PERFORM set_config('worksmith.actor', coalesce(NEW.updated_by, ''), true);`),
      ...TABLES.map(
        (table) => `CREATE TRIGGER ${table}_end_rejecters AFTER INSERT OR UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION record_ended_rejecters()`,
      ),
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      ...TABLES.map((table) => `DROP TRIGGER ${table}_end_rejecters ON ${table}`),
      markLinks(''),
      `DROP FUNCTION record_ended_rejecters`,
      keepApproval(BEFORE),
      `ALTER TABLE approvals DROP COLUMN ended_by`,
    ]) {
      await runner.query(statement);
    }
  }
}
