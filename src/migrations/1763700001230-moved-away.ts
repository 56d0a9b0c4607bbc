import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Records an event in a container when an entity leaves it. The history of the entity moves with it, so users who see
 * only the old container would not learn of the move. Dependants that move with the entity get no event.
 */
export class MovedAway1763700001230 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE FUNCTION tell_moved_away() RETURNS trigger LANGUAGE plpgsql AS $$
       DECLARE
         place text := coalesce(OLD.endeavour_id, OLD.organization_id);
       BEGIN
         INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, organization_id, data)
         SELECT new_id('evt'), 'visibility.lost', x.kind, x.id, x.endeavour_id, x.organization_id,
           json_build_object('endeavour_ids', '{}'::text[], 'organization_ids', '{}'::text[], 'entity_ids', ARRAY[NEW.id])
         FROM entities x WHERE x.id = place;
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER entities_tell_moved_away AFTER UPDATE OF endeavour_id, organization_id ON entities FOR EACH ROW
         WHEN (coalesce(OLD.endeavour_id, OLD.organization_id) IS DISTINCT FROM coalesce(NEW.endeavour_id, NEW.organization_id)
           AND coalesce(OLD.endeavour_id, OLD.organization_id) IS NOT NULL AND OLD.id <> coalesce(OLD.endeavour_id, OLD.organization_id)
           AND NEW.deleted_at IS NULL AND (NEW.parent_id IS NULL OR OLD.parent_id IS DISTINCT FROM NEW.parent_id))
         EXECUTE FUNCTION tell_moved_away()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER entities_tell_moved_away ON entities`);
    await runner.query(`DROP FUNCTION tell_moved_away`);
  }
}
