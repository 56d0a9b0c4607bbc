import type { DatabaseObjects } from '../../../platform/database/schema/database-objects.js';

/** The stages of endeavours, and what keeps each task in one of its endeavour and status. */
export const STAGE_OBJECTS: DatabaseObjects = {
  functions: [
    /** The stage in which a task with this status is shown: its own one, else the first one of the status; null for none. */
    `CREATE FUNCTION stage_in(stages jsonb, status text, stage text) RETURNS jsonb
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT s.value FROM jsonb_array_elements(stages) WITH ORDINALITY AS s (value, place)
        WHERE s.value ->> 'status' = status ORDER BY (s.value ->> 'id' = stage) IS TRUE DESC, s.place LIMIT 1 $$`,
    /** The place of that stage among those of the endeavour. */
    `CREATE FUNCTION stage_place(stages jsonb, status text, stage text) RETURNS integer
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT s.place::integer FROM jsonb_array_elements(stages) WITH ORDINALITY AS s (value, place)
        WHERE s.value ->> 'status' = status ORDER BY (s.value ->> 'id' = stage) IS TRUE DESC, s.place LIMIT 1 $$`,
    /**
     * Gives a task a stage of its endeavour and status at each write, by any release: the one that is set, after a move the
     * one of the same name, else the first one. A canceled task keeps the stage that it was in, without being shown there, because it
     * returns to it when its endeavour is restored.
     */
    `CREATE FUNCTION keep_stage() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        known jsonb;
        wanted text := NEW.stage;
        former jsonb;
      BEGIN
        SELECT e.stages INTO known FROM endeavours e WHERE e.id = NEW.endeavour_id;
        IF known IS NULL THEN
          NEW.stage := NULL;
          RETURN NEW;
        END IF;
        -- Stages that tasks enter are not removed until the transaction ends.
        SELECT e.stages INTO known FROM endeavours e WHERE e.id = NEW.endeavour_id FOR KEY SHARE;
        IF TG_OP = 'UPDATE' AND NEW.endeavour_id <> OLD.endeavour_id AND NEW.stage IS NOT DISTINCT FROM OLD.stage THEN
          SELECT stage_in(e.stages, OLD.status, OLD.stage) INTO former FROM endeavours e WHERE e.id = OLD.endeavour_id;
          wanted := (SELECT s.value ->> 'id' FROM jsonb_array_elements(known) AS s (value)
            WHERE fold_name(s.value ->> 'name') = fold_name(former ->> 'name') LIMIT 1);
        END IF;
        NEW.stage := CASE WHEN NEW.status = 'canceled' THEN wanted ELSE stage_in(known, NEW.status, wanted) ->> 'id' END;
        RETURN NEW;
      END $$`,
    /** A stage keeps its status, and stays while tasks are in it. */
    `CREATE FUNCTION keep_stages() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM jsonb_array_elements(OLD.stages) AS former (value)
            LEFT JOIN jsonb_array_elements(NEW.stages) AS later (value) ON later.value ->> 'id' = former.value ->> 'id'
            WHERE later.value ->> 'status' IS DISTINCT FROM former.value ->> 'status'
              AND (later.value IS NOT NULL OR EXISTS (SELECT 1 FROM tasks t WHERE t.stage = former.value ->> 'id'
                AND t.endeavour_id = OLD.id AND t.status <> 'canceled'))) THEN
          RAISE EXCEPTION 'a stage changes its status, or goes while tasks are in it' USING ERRCODE = 'check_violation',
            CONSTRAINT = 'endeavours_stages_check';
        END IF;
        RETURN NEW;
      END $$`,
  ],
  triggers: [
    `CREATE TRIGGER endeavours_keep_stages BEFORE UPDATE OF stages ON endeavours FOR EACH ROW
      WHEN (OLD.stages IS NOT NULL AND OLD.stages IS DISTINCT FROM NEW.stages) EXECUTE FUNCTION keep_stages()`,
    `CREATE TRIGGER tasks_keep_first_stage BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION keep_stage()`,
    `CREATE TRIGGER tasks_keep_stage BEFORE UPDATE OF status, stage, endeavour_id ON tasks FOR EACH ROW
      WHEN (OLD.status <> NEW.status OR OLD.stage IS DISTINCT FROM NEW.stage OR OLD.endeavour_id <> NEW.endeavour_id)
      EXECUTE FUNCTION keep_stage()`,
  ],
};
