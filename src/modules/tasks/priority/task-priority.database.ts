import type { DatabaseObjects } from '../../../platform/database/schema/database-objects.js';

/** The effective priority of tasks: their own, else that of their demand, else medium. */
export const TASK_PRIORITY_OBJECTS: DatabaseObjects = {
  functions: [
    /** The priority of a demand, which does not change until the transaction ends. */
    `CREATE FUNCTION priority_of_demand(demand text) RETURNS text LANGUAGE sql AS $$
      SELECT d.priority FROM demands d WHERE d.id = demand FOR KEY SHARE $$`,
    `CREATE FUNCTION keep_effective_priority() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.effective_priority := coalesce(NEW.priority, priority_of_demand(NEW.demand_id), 'medium');
        RETURN NEW;
      END $$`,
    /** Tasks without a priority of their own follow that of their demand. */
    `CREATE FUNCTION pass_on_priority() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM 1 FROM tasks t WHERE t.demand_id = NEW.id AND t.priority IS NULL ORDER BY t.id FOR NO KEY UPDATE;
        UPDATE tasks t SET effective_priority = NEW.priority
          WHERE t.demand_id = NEW.id AND t.priority IS NULL AND t.effective_priority <> NEW.priority;
        RETURN NULL;
      END $$`,
    /**
     * Gives at most that many tasks of a release without effective priorities that of their demand. Returns whether
     * there may be more.
     */
    `CREATE FUNCTION renew_task_priorities(most integer) RETURNS boolean LANGUAGE plpgsql AS $$
      DECLARE
        due text;
        wanted text;
        renewed integer;
      BEGIN
        SELECT r.demand_id INTO due FROM priority_renewals r ORDER BY r.demand_id LIMIT 1 FOR UPDATE SKIP LOCKED;
        IF NOT FOUND THEN RETURN false; END IF;
        wanted := priority_of_demand(due);
        UPDATE tasks t SET effective_priority = wanted
          WHERE t.id = ANY(ARRAY(SELECT n.id FROM tasks n
              WHERE n.demand_id = due AND n.priority IS NULL AND n.effective_priority <> wanted ORDER BY n.id LIMIT most))
            AND t.demand_id = due AND t.priority IS NULL;
        GET DIAGNOSTICS renewed = ROW_COUNT;
        IF renewed < most THEN DELETE FROM priority_renewals r WHERE r.demand_id = due; END IF;
        RETURN true;
      END $$`,
  ],
  triggers: [
    `CREATE TRIGGER demands_pass_on_priority AFTER UPDATE OF priority ON demands FOR EACH ROW
      WHEN (OLD.priority <> NEW.priority) EXECUTE FUNCTION pass_on_priority()`,
    `CREATE TRIGGER tasks_keep_new_priority BEFORE INSERT ON tasks FOR EACH ROW
      WHEN (NEW.priority IS NOT NULL OR NEW.demand_id IS NOT NULL) EXECUTE FUNCTION keep_effective_priority()`,
    `CREATE TRIGGER tasks_keep_priority BEFORE UPDATE OF priority, demand_id ON tasks FOR EACH ROW
      WHEN (NEW.priority IS DISTINCT FROM OLD.priority OR NEW.demand_id IS DISTINCT FROM OLD.demand_id)
      EXECUTE FUNCTION keep_effective_priority()`,
  ],
};
