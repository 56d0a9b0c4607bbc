import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records when a role was lowered, because an older invitation must not raise it again. */
export class LoweredRoles1763700002520 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE former_members ALTER COLUMN left_at DROP NOT NULL, ADD COLUMN lowered_at timestamptz(3)`,
      `CREATE FUNCTION keep_lowered_role() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         INSERT INTO former_members (container_id, user_id, lowered_at)
         VALUES (to_jsonb(OLD) ->> TG_ARGV[0], OLD.user_id, clock_timestamp())
         ON CONFLICT (container_id, user_id) DO UPDATE SET lowered_at = excluded.lowered_at;
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER organization_resources_lowered AFTER UPDATE OF role ON organization_resources FOR EACH ROW
         WHEN (OLD.user_id IS NOT NULL AND role_rank(NEW.role) < role_rank(OLD.role))
         EXECUTE FUNCTION keep_lowered_role('organization_id')`,
      `CREATE TRIGGER endeavour_members_lowered AFTER UPDATE OF role ON endeavour_members FOR EACH ROW
         WHEN (role_rank(NEW.role) < role_rank(OLD.role)) EXECUTE FUNCTION keep_lowered_role('endeavour_id')`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER endeavour_members_lowered ON endeavour_members`,
      `DROP TRIGGER organization_resources_lowered ON organization_resources`,
      `DROP FUNCTION keep_lowered_role`,
      `DELETE FROM former_members WHERE left_at IS NULL`,
      `ALTER TABLE former_members DROP COLUMN lowered_at, ALTER COLUMN left_at SET NOT NULL`,
    ]) {
      await runner.query(statement);
    }
  }
}
