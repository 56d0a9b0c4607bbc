import type { DatabaseObjects } from './database-objects.js';

/** What follows an entity to its new place. */
export const ENTITY_OBJECTS: DatabaseObjects = {
  functions: [
    /** Entities with a parent are where it is, and are deleted with it. */
    `CREATE FUNCTION take_dependants_along() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE entities SET endeavour_id = NEW.endeavour_id, organization_id = NEW.organization_id,
          owner_user_id = NEW.owner_user_id, is_global = NEW.is_global,
          deleted_at = coalesce(deleted_at, NEW.deleted_at)
        WHERE parent_id = NEW.id;
        RETURN NULL;
      END $$`,
  ],
  triggers: [
    `CREATE TRIGGER entities_take_dependants_along
      AFTER UPDATE OF endeavour_id, organization_id, owner_user_id, is_global, deleted_at ON entities FOR EACH ROW
      WHEN ((NEW.endeavour_id, NEW.organization_id, NEW.owner_user_id, NEW.is_global, NEW.deleted_at)
        IS DISTINCT FROM (OLD.endeavour_id, OLD.organization_id, OLD.owner_user_id, OLD.is_global, OLD.deleted_at))
      EXECUTE FUNCTION take_dependants_along()`,
  ],
};
