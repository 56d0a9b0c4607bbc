import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Dependent entities have the container of their parent, and are moved and deleted with it. */
export class Dependants1763700000501 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE entities ADD COLUMN parent_id text,
        ADD CONSTRAINT entities_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES entities(id)`,
      `CREATE INDEX entities_parent_id_idx ON entities (parent_id) WHERE parent_id IS NOT NULL`,
      `CREATE FUNCTION take_dependants_along() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE entities SET endeavour_id = NEW.endeavour_id, organization_id = NEW.organization_id,
            owner_user_id = NEW.owner_user_id, is_global = NEW.is_global,
            deleted_at = coalesce(deleted_at, NEW.deleted_at)
          WHERE parent_id = NEW.id;
          RETURN NULL;
        END $$`,
      `CREATE TRIGGER entities_take_dependants_along
        AFTER UPDATE OF endeavour_id, organization_id, owner_user_id, is_global, deleted_at ON entities FOR EACH ROW
        WHEN ((NEW.endeavour_id, NEW.organization_id, NEW.owner_user_id, NEW.is_global, NEW.deleted_at)
          IS DISTINCT FROM (OLD.endeavour_id, OLD.organization_id, OLD.owner_user_id, OLD.is_global, OLD.deleted_at))
        EXECUTE FUNCTION take_dependants_along()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER entities_take_dependants_along ON entities`,
      `DROP FUNCTION take_dependants_along`,
      `ALTER TABLE entities DROP COLUMN parent_id`,
    ]) {
      await runner.query(statement);
    }
  }
}
