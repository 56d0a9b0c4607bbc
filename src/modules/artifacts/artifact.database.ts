import { contentTrigger } from '../../platform/database/views/approved-content.database.js';
import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';
import { wordsFunction, wordsTrigger } from '../../platform/listing/search/search-words.database.js';
import { artifactView } from './artifact.view.js';

/** An artifact with a result is evidence; what the store has of an artifact is removed after it. */
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
    /**
     * Asks for the removal of an object that its artifact no longer has, however that came, and empties the file of a
     * deleted artifact. The object is removed a second time two days after its upload began, because an upload that was
     * under way can end later.
     */
    `CREATE FUNCTION remove_former_file() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          IF NEW.deleted_at IS NOT NULL THEN NEW.file := NULL; END IF;
          IF NEW.file->>'key' = OLD.file->>'key' THEN RETURN NEW; END IF;
        END IF;
        INSERT INTO file_removals (key, again_at)
        VALUES (OLD.file->>'key', (OLD.file->>'begun_at')::timestamptz + interval '2 days') ON CONFLICT (key) DO NOTHING;
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
      END $$`,
    wordsFunction(artifactView),
  ],
  triggers: [
    contentTrigger(artifactView, { parts: { file: (row) => `${row}.file->>'sha256'` } }),
    `CREATE TRIGGER artifacts_keep_evidence BEFORE INSERT OR UPDATE ON artifacts
      FOR EACH ROW EXECUTE FUNCTION keep_evidence()`,
    `CREATE TRIGGER artifacts_remove_former_file BEFORE DELETE OR UPDATE OF file, deleted_at ON artifacts FOR EACH ROW
      WHEN (OLD.file IS NOT NULL) EXECUTE FUNCTION remove_former_file()`,
    wordsTrigger(artifactView),
  ],
};
