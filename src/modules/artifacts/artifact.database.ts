import type { DatabaseObjects } from '../../platform/database/database-objects.js';
import { wordsFunction, wordsTrigger } from '../../platform/listing/search-words.database.js';
import { artifactView } from './artifact.view.js';

/** An artifact with a result is evidence. */
export const ARTIFACT_OBJECTS: DatabaseObjects = {
  functions: [
    /** Evidence keeps its task, its result and its tags as they were given. */
    `CREATE FUNCTION keep_evidence() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' AND OLD.evidence IS NOT NULL THEN
          NEW.evidence := OLD.evidence;
          IF NEW.deleted_at IS NULL AND coalesce(current_setting('worksmith.erasing', true), '') <> 'on'
            AND (NEW.task_id IS DISTINCT FROM OLD.task_id
            OR NEW.evidence IS DISTINCT FROM jsonb_build_object('result', NEW.metadata->'result', 'tags',
              to_jsonb(NEW.tags)))
          THEN RAISE EXCEPTION 'evidence is kept as it was' USING ERRCODE = 'restrict_violation'; END IF;
        ELSIF NEW.metadata ? 'result' THEN
          NEW.evidence := jsonb_build_object('result', NEW.metadata->'result', 'tags', to_jsonb(NEW.tags));
        ELSE
          NEW.evidence := NULL;
        END IF;
        RETURN NEW;
      END $$`,
    wordsFunction(artifactView),
  ],
  triggers: [
    `CREATE TRIGGER artifacts_keep_evidence BEFORE INSERT OR UPDATE ON artifacts
      FOR EACH ROW EXECUTE FUNCTION keep_evidence()`,
    wordsTrigger(artifactView),
  ],
};
