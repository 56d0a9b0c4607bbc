import type { DatabaseObjects } from '../../../platform/database/schema/database-objects.js';

/** What keeps tasks and demands with goals of their endeavour. */
export const GOAL_OBJECTS: DatabaseObjects = {
  functions: [
    /** Work that leaves the endeavour, by any release, leaves its goal. Other goals than those of the endeavour are none. */
    `CREATE FUNCTION keep_goal() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        known jsonb;
      BEGIN
        IF TG_OP = 'UPDATE' AND NEW.endeavour_id <> OLD.endeavour_id AND NEW.goal_id = OLD.goal_id THEN
          NEW.goal_id := NULL;
          RETURN NEW;
        END IF;
        -- Goals that get work are not removed until the transaction ends.
        SELECT e.goals INTO known FROM endeavours e WHERE e.id = NEW.endeavour_id FOR KEY SHARE;
        IF known @> jsonb_build_array(jsonb_build_object('id', NEW.goal_id)) IS NOT TRUE THEN
          RAISE EXCEPTION 'the goal is none of the endeavour' USING ERRCODE = 'check_violation',
            CONSTRAINT = TG_TABLE_NAME || '_goal_id_check';
        END IF;
        RETURN NEW;
      END $$`,
    /** A goal stays while tasks or demands serve it. */
    `CREATE FUNCTION keep_goals() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM jsonb_array_elements(OLD.goals) AS former (value)
            JOIN goal_members m ON m.goal_id = former.value ->> 'id'
            WHERE NOT NEW.goals @> jsonb_build_array(jsonb_build_object('id', m.goal_id))) THEN
          RAISE EXCEPTION 'a goal goes while work serves it' USING ERRCODE = 'check_violation',
            CONSTRAINT = 'endeavours_goals_check';
        END IF;
        RETURN NEW;
      END $$`,
  ],
  views: [
    /** The tasks and demands that serve goals. */
    `CREATE VIEW goal_members AS
      SELECT t.id, t.goal_id, 'task' AS kind,
          CASE WHEN t.status IN ('planned', 'active') THEN 'open' ELSE t.status END AS state
        FROM tasks t WHERE t.goal_id IS NOT NULL
      UNION ALL SELECT d.id, d.goal_id, 'demand',
          CASE d.status WHEN 'fulfilled' THEN 'done' WHEN 'canceled' THEN 'canceled' ELSE 'open' END
        FROM demands d WHERE d.goal_id IS NOT NULL`,
  ],
  triggers: [
    `CREATE TRIGGER endeavours_keep_goals BEFORE UPDATE OF goals ON endeavours FOR EACH ROW
      WHEN (OLD.goals IS DISTINCT FROM NEW.goals AND OLD.goals <> '[]') EXECUTE FUNCTION keep_goals()`,
    ...['tasks', 'demands'].flatMap((table) => [
      `CREATE TRIGGER ${table}_keep_first_goal BEFORE INSERT ON ${table} FOR EACH ROW
      WHEN (NEW.goal_id IS NOT NULL) EXECUTE FUNCTION keep_goal()`,
      `CREATE TRIGGER ${table}_keep_goal BEFORE UPDATE OF goal_id, endeavour_id ON ${table} FOR EACH ROW
      WHEN (NEW.goal_id IS NOT NULL
        AND (NEW.goal_id IS DISTINCT FROM OLD.goal_id OR NEW.endeavour_id <> OLD.endeavour_id))
      EXECUTE FUNCTION keep_goal()`,
    ]),
  ],
};
