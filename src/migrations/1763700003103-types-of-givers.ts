import type { MigrationInterface, QueryRunner } from 'typeorm';

const storeStanding = (
  type: string,
  column: string,
  repeated: string,
): string => `CREATE OR REPLACE FUNCTION store_standing() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
  DECLARE earlier record;
  BEGIN
    NEW.given_in := (SELECT t.endeavour_id FROM tasks t WHERE t.id = NEW.entity_id);
    IF NEW.verdict = 'approved' THEN RETURN NEW; END IF;
    NEW.held_roles := coalesce(roles_held((SELECT u.id FROM users u WHERE u.resource_id = NEW.approver_id), NEW.given_in), '{}');
    ${type}
    SELECT a.verdict, a.kept_roles, a.was_member, a.was_author${column} INTO earlier FROM approvals a
      WHERE a.entity_id = NEW.entity_id AND a.approver_id = NEW.approver_id
        AND a.dismissed_at IS NULL AND a.lifted_at IS NULL AND NOT EXISTS (
          SELECT 1 FROM approvals later WHERE later.entity_id = a.entity_id AND later.approver_id = a.approver_id
            AND (later.created_at, later.id) > (a.created_at, a.id));
    IF earlier.verdict IN ('rejected', 'needs_work') THEN
      NEW.kept_roles := earlier.kept_roles;
      IF earlier.verdict = NEW.verdict AND earlier.was_member THEN
        NEW.was_author := NEW.was_author AND earlier.was_author;
        NEW.was_member := true;
        ${repeated}
      END IF;
    END IF;
    RETURN NEW;
  END $$`;

/** Stores with a rejection or needs_work of which type its giver was: an administrator can change the type later. */
export class TypesOfGivers1763700003103 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE approvals ADD COLUMN giver_type text`,
      storeStanding(
        `NEW.giver_type := (SELECT u.user_type FROM users u WHERE u.resource_id = NEW.approver_id);`,
        ', a.giver_type',
        `IF earlier.giver_type = 'human' THEN NEW.giver_type := 'human'; END IF;`,
      ),
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [storeStanding('', '', ''), `ALTER TABLE approvals DROP COLUMN giver_type`]) {
      await runner.query(statement);
    }
  }
}
